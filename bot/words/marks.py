"""The reactions that tell people how what they wrote fares, in no language."""

from typing import Final

TAKEN: Final = "\N{HOURGLASS WITH FLOWING SAND}"
DELIVERED: Final = "\N{WHITE HEAVY CHECK MARK}"
PROBLEM: Final = "\N{WARNING SIGN}\N{VARIATION SELECTOR-16}"

EMOJIS: Final = {"taken": TAKEN, "delivered": DELIVERED, "problem": PROBLEM}


def state_of(emoji: str) -> str | None:
    """What a reaction of ours says; None for any other. Its variation selector does not matter."""
    bare = emoji.removesuffix("\N{VARIATION SELECTOR-16}")
    return {one.removesuffix("\N{VARIATION SELECTOR-16}"): is_ for is_, one in EMOJIS.items()}.get(
        bare
    )
