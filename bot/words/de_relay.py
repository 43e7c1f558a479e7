"""German: what is carried between a member and the desk, and what is said about it."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # A message that is carried. Every line of ours begins with the mark of small print: see relay.
    "you": "dich",
    "relay.header": "-# **{name}**",
    "relay.header.room": "-# **{name}** · {guild}, {reference}",
    "relay.header.reply": " · Antwort an {to}",
    "relay.header.command": "-# **{name}** · /reply",
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
    "relay.lost.program": "-# {name} ({size}) kam nicht mit: Programme werden nicht weitergegeben",
    "relay.lost.too_many": "-# {name} ({size}) kam nicht mit: die Nachricht hat zu viele Dateien",
    "relay.lost.gone": "-# {name} ({size}) kam nicht mit: Steward hat die Datei verloren",
    "relay.more": "-# und {number} mehr",
    "relay.deleted": "-# vom Mitglied gelöscht",
    # Which conversation a direct message is for.
    "room.which.title": "Für welches Gespräch ist das?",
    "room.which.held": (
        "Du hast mehrere. Deine Nachricht ist aufgehoben und geht weiter, sobald du gewählt hast."
    ),
    "room.which.choose": "Du hast mehrere. Was du hier schreibst, geht an das, das du wählst.",
    "room.which.one.held": (
        "Das Gespräch, an das du geschrieben hast, ist beendet; dieses ist noch offen. Deine"
        " Nachricht ist aufgehoben und geht dorthin, sobald du es wählst."
    ),
    "room.which.one.choose": (
        "Du hast eines offen. Wähl es, dann geht dorthin, was du hier schreibst."
    ),
    "room.which.placeholder": "Wähl ein Gespräch",
    "room.which.more": (
        "Die Liste endet bei {most}. Beende mit /requests eines, das vorbei ist, um mehr zu sehen."
    ),
    "room.held": (
        "Auch diese Nachricht ist aufgehoben. Wähl oben in der Liste oder mit /conversation ein"
        " Gespräch, dann geht alles der Reihe nach weiter."
    ),
    "room.current": "Du schreibst an {guild}: {reference}, {topic}.",
    "room.current.change": "Wähl ein anderes, um dorthin zu schreiben.",
    "room.current.only": "Es ist dein einziges offenes Gespräch.",
    "room.switched": (
        "Was du hier schreibst, geht jetzt an {guild}: {reference}, {topic}. /conversation ändert"
        " das."
    ),
    "room.stale": "Dieses Gespräch ist vorbei. Nichts wurde geändert.",
    "room.none.title": "Das liest noch niemand",
    "room.none": (
        "Du hast kein offenes Gespräch, darum wurde deine Nachricht nicht weitergegeben. Bitte mit"
        " dem Knopf um Hilfe, dann schreibt dir hier jemand."
    ),
    "room.none.command": (
        "Du hast kein offenes Gespräch, darum wurde deine Nachricht nicht weitergegeben. Bitte auf"
        " dem Server mit /help um Hilfe, dann schreibt dir hier jemand."
    ),
    "room.none.more": "Für einen Server ohne Knopf: dort /help.",
    "room.none.now.title": "Du hast kein offenes Gespräch",
    "room.none.now": (
        "Bitte auf einem Server mit /help um Hilfe, dann schreibt dir hier jemand. /requests zeigt"
        " deine Anfragen."
    ),
    "room.waiting.title": "Nicht weitergegeben",
    "room.waiting": (
        "Was du hier schreibst, bekommt noch niemand. Sobald dir jemand vom Team hier geschrieben"
        " hat, kommt es an. Schreib es dann noch einmal."
    ),
    "room.waiting.line": "**{reference}** · {topic} ({guild}): {state}",
    "room.waiting.thread": "**{reference}** · {topic} ({guild}): Es geht in {channel} weiter",
    # Words that did not get through, and why.
    "room.not_staff": (
        "{member}, das ist hier geblieben: Nur was das Team schreibt, geht an das Mitglied. Wenn du"
        " dazugehörst, bitte die Organisation um die Rolle {role}."
    ),
    "room.unreached": "{member} hat nicht bekommen, was hier geschrieben wurde.",
    "room.unreached.do.dms_closed": (
        "Was du hier schreibst, kommt zurzeit nicht an. Bitte auf dem Server darum,"
        " Direktnachrichten von dort zu erlauben, und schreib dann noch einmal."
    ),
    "room.unreached.do.gone": (
        "Was du hier schreibst, kommt nicht mehr an. Schließ die Anfrage ab, wenn du fertig bist."
    ),
    "room.unreached.do.reword": "Schreib es noch einmal mit anderen Worten.",
    "room.unreached.do.automod": (
        "Schreib es noch einmal mit anderen Worten, oder bitte die Organisation, Steward in AutoMod"
        " auszunehmen."
    ),
    "room.unreached.do.harmful_link": "Schreib es noch einmal ohne den Link.",
    "room.unreached.do.too_large": "Schick eine kleinere Datei oder einen Link darauf.",
    "room.unreached.do.other": (
        "Schreib es noch einmal; passiert es wieder, sag es der Organisation."
    ),
    "room.refused.title": "Nicht weitergegeben",
    "room.refused.reword": (
        "Das Team hat deine Nachricht nicht bekommen: Discord lässt den Text nicht durch. Schreib"
        " es noch einmal mit anderen Worten."
    ),
    "room.refused.harmful_link": (
        "Das Team hat deine Nachricht nicht bekommen: Discord sperrt einen Link darin. Schreib sie"
        " noch einmal ohne den Link."
    ),
    "room.refused.too_large": (
        "Das Team hat deine Nachricht nicht bekommen: Eine Datei darin ist zu groß. Schick eine"
        " kleinere oder einen Link darauf."
    ),
    "room.refused.other": (
        "Das Team hat deine Nachricht nicht bekommen: Discord nimmt sie nicht an. Schreib sie noch"
        " einmal, mit anderen Worten oder ohne die Dateien."
    ),
    "room.disk.title": "Das wartet einen Augenblick",
    "room.disk": (
        "Steward hat gerade keinen Platz für Dateien. Nichts geht verloren: Sobald Platz ist, geht"
        " es von selbst weiter. Du brauchst nichts noch einmal zu schicken."
    ),
    "room.no_intent.title": "Hier mit /reply antworten",
    "room.no_intent": (
        "Steward darf nicht lesen, was in diesem Thread steht, darum bleibt es hier. Was du /reply"
        " mitgibst, geht an das Mitglied."
    ),
    "room.no_intent.member.title": "Hier Steward erwähnen",
    "room.no_intent.member": (
        "Steward darf diesen Thread nicht lesen, darum hat das Team deine Nachricht nicht bekommen."
        " Schick sie noch einmal mit einem @ und Stewards Namen darin: Das darf er lesen."
    ),
    "room.replaced.title": "Dieser Thread setzt einen früheren fort",
    "room.replaced": (
        "Den früheren Thread von {reference} gibt es nicht mehr. Nichts ist verloren: /transcript"
        " {reference} zeigt, was gesagt wurde. Mach hier weiter."
    ),
    "room.too_fast.title": "Einen Augenblick",
    "room.too_fast": (
        "Das sind mehr als {most} Nachrichten in der Minute. Der Rest ist aufgehoben und geht etwas"
        " später der Reihe nach weiter. Du brauchst nichts noch einmal zu schicken."
    ),
    "room.over.title": "{reference} ist beendet",
    "room.over.member": (
        "Es endete, bevor deine Nachricht weitergegeben war: {guild} hat sie nicht bekommen. Wenn"
        " du noch Hilfe brauchst, frag mit dem Knopf neu."
    ),
    "room.over.desk": (
        "Es endete, bevor die letzten Worte von hier hinausgingen: {member} hat sie nicht bekommen."
        " Sind sie wichtig, dann eröffne mit /desk open eine neue Anfrage."
    ),
    # Reopening.
    "button.reopen": "Wieder öffnen",
    "ended.reopen": "Doch nicht gelöst? Bis {until} kannst du sie wieder öffnen.",
    "reopened": "{reference} bleibt geschlossen; diese Anfrage setzt sie fort.",
    "refused.reopen_over": (
        "Das kann nicht mehr wieder geöffnet werden. Frag auf dem Server mit /help neu."
    ),
    "card.reopens": "Setzt {reference} fort: /transcript zeigt, was gesagt wurde.",
    "card.reopens.owned": (
        "Setzt {reference} fort, die bei {owner} war: /transcript zeigt, was gesagt wurde."
    ),
    # Replying by command.
    "reply.taken": "Es ist unterwegs zum Mitglied von {reference}.",
    "reply.noted": "Es beginnt mit //, darum bleibt es als Notiz in diesem Thread von {reference}.",
    "refused.no_conversation": (
        "Hier gibt es kein offenes Gespräch mehr. /desk mine zeigt, welche deine sind."
    ),
    "refused.not_in_server": (
        "Du bist nicht auf diesem Server, oder Steward ist es nicht. Nimm /help auf einem Server,"
        " auf dem ihr beide seid."
    ),
    "refused.discord_silent": "Discord antwortet gerade nicht. Versuch es in einer Minute wieder.",
    "refused.not_in_thread": (
        "Das geht im Thread einer Anfrage. Ihre Karte beim Team führt dorthin."
    ),
    "refused.empty_message": (
        "Darin steht kein lesbarer Text. Schreib, was das Mitglied lesen soll."
    ),
    "refused.message_too_long": "Das ist zu lang für eine Nachricht. Schick es in zweien.",
    "refused.room_taken": (
        "Dieses Gespräch läuft schon in einem anderen Thread. Die Karte beim Team führt dorthin."
    ),
}
