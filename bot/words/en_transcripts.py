"""English: a conversation's transcript, which is a web page."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    "transcript.member": "Member",
    "transcript.guild": "Server",
    "transcript.opened": "Opened",
    "transcript.ended": "Ended",
    "transcript.times": "Times in",
    "transcript.time": "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}",
    "transcript.side.member": "member",
    "transcript.side.desk": "team",
    "transcript.side.note": "note at the desk, not for the member",
    "transcript.deleted": "Deleted",
    "transcript.edits.one": "Edited once",
    "transcript.edits.many": "Edited {number} times",
    "transcript.until": "Until",
    "transcript.bytes": "{size} bytes",
    "transcript.kb": "{size} KB",
    "transcript.mb": "{size} MB",
    "transcript.empty": "Nothing was written.",
    "transcript.left_out.one": "One message more does not fit into this file.",
    "transcript.left_out.many": "{number} messages more do not fit into this file.",
    # What happened, between what was said.
    "transcript.step.ask": "{who} asked for help: {topic}",
    "transcript.step.claim": "{who} took the request.",
    "transcript.step.release": "{who} gave the request back.",
    "transcript.step.lease_elapsed.queued": "Nobody had written in time: the request waited again.",
    "transcript.step.delivery_failed.queued": "Steward could not write to the member.",
    "transcript.step.dm_opened": "The conversation began.",
    "transcript.step.hand_over": "{who} handed the conversation over.",
    "transcript.step.unassign": "The conversation was left with nobody.",
    "transcript.step.take": "{who} took the conversation.",
    "transcript.step.resolve": "{who} resolved the request: {resolution}",
    "transcript.step.end": "{who} ended the conversation.",
    "transcript.sticker": "[sticker: {name}]",
    "transcript.voice": "[voice message, {seconds} s]",
    "transcript.forwarded": "[forwarded]",
    # Fetching one.
    "transcript.fetched": "The transcript of {reference}. It is on record that you fetched it.",
    "refused.conversation_not_begun": (
        "The conversation of {reference} has not begun, so there is no transcript of it."
    ),
    "refused.conversation_erased": (
        "What was said in {reference} has been erased: Steward keeps it for {days} days after the"
        " end."
    ),
}
