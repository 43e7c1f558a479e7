"""How the domain says no.

A refusal is an ordinary answer with a stable code. `bot.words` has a sentence for each code, so a
person always learns what happened and what to do next.
"""

from typing import Final

REFUSALS: Final = frozenset(
    {
        "active_request_not_owned",
        "claim_not_owned",
        "concurrent_update",
        "conversation_erased",
        "conversation_not_begun",
        "cooldown",
        "desk_not_ready",
        "discord_silent",
        "doubt_over",
        "empty_message",
        "empty_resolution",
        "empty_topic",
        "lease_not_elapsed",
        "message_too_long",
        "no_conversation",
        "no_help_channel",
        "not_in_server",
        "not_in_thread",
        "not_organizer",
        "not_relayed",
        "not_staff",
        "nothing_to_translate",
        "only_in_guild",
        "open_request_exists",
        "own_request",
        "reconciliation_mismatch",
        "reopen_over",
        "request_not_available",
        "request_not_found",
        "room_taken",
        "stale_button",
        "stale_delivery_failure",
        "stale_delivery_result",
        "still_checking",
        "still_starting",
        "target_not_staff",
        "translation_not_offered",
    }
)

Detail = str | int | None


class Refused(Exception):
    """The domain refuses an event; nothing has changed.

    `code` is one of `REFUSALS`. `details` are facts that the sentence may name, such as the
    reference of the request or the id of its owner.
    """

    def __init__(self, code: str, **details: Detail) -> None:
        if code not in REFUSALS:
            raise ValueError(f"unknown refusal code {code!r}")
        super().__init__(code)
        self.code = code
        self.details = details
