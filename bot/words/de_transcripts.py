"""German: a conversation's transcript, which is a web page."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    "transcript.member": "Mitglied",
    "transcript.guild": "Server",
    "transcript.opened": "Begonnen",
    "transcript.ended": "Beendet",
    "transcript.times": "Zeiten in",
    "transcript.time": "{day:02}.{month:02}.{year:04} {hour:02}:{minute:02}",
    "transcript.side.member": "Mitglied",
    "transcript.side.desk": "Team",
    "transcript.side.note": "Notiz des Teams, nicht für das Mitglied",
    "transcript.side.system": "Steward",
    "transcript.deleted": "Gelöscht",
    "transcript.edits.one": "Einmal bearbeitet",
    "transcript.edits.many": "{number}-mal bearbeitet",
    "transcript.until": "Bis",
    "transcript.bytes": "{size} Bytes",
    "transcript.kb": "{size} KB",
    "transcript.mb": "{size} MB",
    "transcript.empty": "Es wurde nichts geschrieben.",
    "transcript.left_out.one": "Eine weitere Nachricht passt nicht in diese Datei.",
    "transcript.left_out.many": "{number} weitere Nachrichten passen nicht in diese Datei.",
}
