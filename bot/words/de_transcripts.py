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
    # Was geschah, zwischen dem, was gesagt wurde.
    "transcript.step.ask": "{who} bat um Hilfe: {topic}",
    "transcript.step.claim": "{who} übernahm die Anfrage.",
    "transcript.step.release": "{who} gab die Anfrage zurück.",
    "transcript.step.lease_elapsed.queued": (
        "Niemand hatte rechtzeitig geschrieben: Die Anfrage wartete wieder."
    ),
    "transcript.step.delivery_failed.queued": "Steward konnte dem Mitglied nicht schreiben.",
    "transcript.step.dm_opened": "Das Gespräch begann.",
    "transcript.step.hand_over": "{who} übergab das Gespräch.",
    "transcript.step.unassign": "Das Gespräch lag bei niemandem mehr.",
    "transcript.step.take": "{who} übernahm das Gespräch.",
    "transcript.step.resolve": "{who} schloss die Anfrage ab: {resolution}",
    "transcript.step.end": "{who} beendete das Gespräch.",
    "transcript.sticker": "[Sticker: {name}]",
    "transcript.voice": "[Sprachnachricht, {seconds} s]",
    "transcript.forwarded": "[weitergeleitet]",
    # Ein Protokoll holen.
    "transcript.fetched": (
        "Das Protokoll von {reference}. Es ist festgehalten, dass du es geholt hast."
    ),
    "refused.conversation_not_begun": (
        "Das Gespräch zu {reference} hat noch nicht begonnen, also gibt es davon kein Protokoll."
    ),
    "refused.conversation_erased": (
        "Was in {reference} gesagt wurde, ist gelöscht: Steward behält es {days} Tage über das Ende"
        " hinaus."
    ),
}
