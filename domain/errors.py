"""How the domain says no.

A refusal is an ordinary answer with a stable code. `bot.words` has a sentence for each code, so a
person always learns what happened and what to do next.
"""

from typing import Final

REFUSALS: Final = frozenset(
    {
        "active_request_not_owned",
        "author_already_submitted",
        "button_used",
        "campaign_at_capacity",
        "campaign_exists",
        "campaign_not_draining",
        "campaign_not_found",
        "campaign_not_open",
        "claim_not_owned",
        "concurrent_update",
        "conversation_erased",
        "conversation_not_begun",
        "cooldown",
        "desk_not_ready",
        "discord_silent",
        "doubt_over",
        "empty_message",
        "empty_name",
        "empty_resolution",
        "empty_review",
        "empty_title",
        "empty_topic",
        "entry_already_completed",
        "entry_not_found",
        "entry_not_leased",
        "entry_not_returned",
        "invalid_capacity",
        "invalid_deadline",
        "invalid_lease",
        "invalid_url",
        "lease_expired",
        "lease_not_elapsed",
        "lease_token_mismatch",
        "message_too_long",
        "no_conversation",
        "no_help_channel",
        "no_reviewer_role",
        "not_entry_author",
        "not_in_server",
        "not_in_thread",
        "not_organizer",
        "not_relayed",
        "not_reviewer",
        "not_staff",
        "not_your_button",
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
        "submission_deadline_passed",
        "target_not_staff",
        "translation_not_offered",
        "unfinished_entries",
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
