"""Files in carried messages: what may become of one, and which of them go together."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

MOST_FILES: Final = 10
"""As many files as Discord takes in one message, and as many as are carried of one."""

MOST_TOGETHER: Final = 10 * 1024 * 1024
"""What the files of one copy may weigh together, in bytes; a larger one goes alone."""


class FileState(StrEnum):
    """What has become of a file that came with a message."""

    WANTED = "wanted"
    KEPT = "kept"
    TOO_LARGE = "too_large"
    TOO_MANY = "too_many"
    NO_ROOM = "no_room"
    UNREADABLE = "unreadable"
    PROGRAM = "program"
    GONE = "gone"


_PROGRAM = re.compile(
    r"\.(?:apk|app|bat|chm|cmd|com|cpl|dll|dmg|exe|gadget|hta|inf|ins|iso|jar|jse?|lnk|ms[cipt]|pif"
    r"|ps1|psm1|reg|sc[frt]|sh|shb|svg|sys|url|vb|vb[es]|vhd|ws[cfh])$"
)
"""What a computer runs, or is led astray by, when it is opened. A web page is none: it is read in a
browser, like any link."""


def is_program(name: str) -> bool:
    """Whether a file of that name runs when it is opened: a stranger's is named, not handed on.

    The name decides, never what its sender says of the content: the name is what is opened by.
    """
    return _PROGRAM.search(name.rstrip(" .").lower()) is not None


def bundles(sizes: Sequence[int]) -> tuple[int, ...]:
    """For each file, in order, the number of the bundle that it goes in, from 0."""
    numbers: list[int] = []
    together, count = 0, 0
    for size in sizes:
        if numbers and (count == MOST_FILES or together + size > MOST_TOGETHER):
            numbers.append(numbers[-1] + 1)
            together, count = 0, 0
        else:
            numbers.append(numbers[-1] if numbers else 0)
        together, count = together + size, count + 1
    return tuple(numbers)
