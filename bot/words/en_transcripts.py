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
    "transcript.side.system": "Steward",
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
}
