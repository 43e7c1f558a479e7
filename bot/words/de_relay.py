"""Deutsch, Fortsetzung: was zwischen Mitglied und Team getragen wird, und was dazu gesagt wird."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # A message that is carried. Every line of ours begins with the mark of small print: see relay.
    "you": "dich",
    "relay.header": "-# **{name}**",
    "relay.header.reply": "-# **{name}** · Antwort an {to}",
    "relay.quote.nothing": "(ohne Text)",
    "relay.sticker": "-# [Sticker: {name}]",
    "relay.voice": "-# [Sprachnachricht, {length}]",
    "relay.file": "-# [eine Datei]",
    "relay.files": "-# [{number} Dateien]",
    "relay.forwarded": "-# Weitergeleitet:",
    "relay.forwarded.nothing": "-# [eine weitergeleitete Nachricht ohne Text]",
    "relay.nothing": "-# [etwas, das Steward nicht übertragen kann, etwa eine Umfrage]",
    "relay.lost.too_large": "-# {name} ({size}) war zu groß zum Übertragen",
    "relay.lost.no_room": "-# {name} ({size}) kam nicht mit: Steward hatte keinen Platz dafür",
    "relay.lost.unreadable": "-# {name} ({size}) kam nicht mit: Discord gab die Datei nicht her",
    "relay.more": "-# und {number} mehr",
    "relay.deleted": "-# vom Mitglied gelöscht",
}
