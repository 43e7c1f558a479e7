"""What a call to Discord may have done, and what to do next: pure functions.

One attempt is one HTTP request. Before it the attempt is on disk; after it `classify` turns what
came back into exactly one outcome. Only `Unknown` leaves a doubt, and a doubt is never answered by
sending again blindly: `next_step` says whether to repeat under the nonce or to read the channel's
history.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Effect(StrEnum):
    """What a call was for. Only a created message can be doubled; the rest is idempotent."""

    CREATE_MESSAGE = "create_message"
    EDIT_MESSAGE = "edit_message"
    DELETE_MESSAGE = "delete_message"
    OPEN_DM = "open_dm"
    START_THREAD = "start_thread"
    START_PRIVATE_THREAD = "start_private_thread"
    EDIT_THREAD = "edit_thread"
    DELETE_CHANNEL = "delete_channel"
    ADD_THREAD_MEMBER = "add_thread_member"
    REACT = "react"
    TYPE = "type"
    READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Discord's HTTP answer: its status, its JSON error code, and what it asks us to wait (ms)."""

    status: int
    code: int | None = None
    retry_after_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAnswer:
    """No usable answer. `left` is False only when the request certainly never reached Discord."""

    left: bool
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The effect is there. `message_id` is None where the message has been deleted since."""

    message_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """Refused for good: waiting can't change it."""

    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked:
    """A permission or access is missing: a person can change that, waiting alone can't."""

    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotDone:
    """Certainly not done; try again later with the same key. `pauses_new_dms` after 40003."""

    problem: str
    retry_after_ms: int | None = None
    pauses_new_dms: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """Nobody can say whether it was done."""

    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fatal:
    """The application itself is refused (a bad token): no call can succeed any more."""

    problem: str


Outcome = Done | Rejected | Parked | NotDone | Unknown | Fatal

TOO_LARGE: Final = "too_large"

# Discord's documented JSON error codes, by what they mean for a delivery.
_UNREACHABLE: Final = {
    50007: "dms_closed",
    50278: "no_mutual_guild",
    10007: "unknown_user",
    10013: "unknown_user",
}
_GONE: Final = {10003: "unknown_channel", 10004: "unknown_guild", 10008: "unknown_message"}
_OUR_FAULT: Final = {50035: "invalid_form", 40005: TOO_LARGE, 50006: "empty_message"}
_UNMARKED: Final = {30010: "too_many_reactions", 90001: "reaction_blocked"}
_MODERATED: Final = {200000: "automod", 240000: "harmful_link", 20009: "explicit_content"}
_MISSING: Final = {
    50001: "missing_access",
    50013: "missing_permissions",
    160005: "thread_locked",
}
_WAIT: Final = {
    50083: "thread_archived",
    160006: "too_many_threads",
    20028: "write_rate",
    130000: "overloaded",
}
MISSING_PROBLEMS: Final = frozenset({*_MISSING.values(), "forbidden"})
NEW_DMS_PAUSED: Final = 40003
NEW_DMS_PROBLEM: Final = "new_dms_paused"
MESSAGE_GONE: Final = 10008
CHANNEL_GONE: Final = 10003
THREAD_EXISTS: Final = 160004


def classify(effect: Effect, answer: Answered | NoAnswer) -> Outcome:
    """The outcome of an attempt that did not return its usual success."""
    if isinstance(answer, NoAnswer):
        if answer.left:
            return Unknown(problem=answer.problem)
        return NotDone(problem=answer.problem)
    if 200 <= answer.status < 300:
        return Unknown(problem="unreadable_answer")
    if answer.code is not None:
        known = _by_code(effect, answer.code, answer.retry_after_ms)
        if known is not None:
            return known
    return _by_status(answer)


def _by_code(effect: Effect, code: int, retry_after_ms: int | None) -> Outcome | None:
    if code == MESSAGE_GONE and effect in (
        Effect.CREATE_MESSAGE,
        Effect.EDIT_MESSAGE,
        Effect.DELETE_MESSAGE,
        Effect.REACT,
    ):
        return Done()
    if code == CHANNEL_GONE and effect is Effect.DELETE_CHANNEL:
        return Done()
    if code == THREAD_EXISTS and effect is Effect.START_THREAD:
        return Done()
    if code == NEW_DMS_PAUSED:
        return NotDone(problem=NEW_DMS_PROBLEM, retry_after_ms=retry_after_ms, pauses_new_dms=True)
    if code == 40333:
        return Fatal(problem="client_refused")
    for table in (_UNREACHABLE, _GONE, _OUR_FAULT, _UNMARKED, _MODERATED):
        if code in table:
            return Rejected(problem=table[code])
    if code in _MISSING:
        return Parked(problem=_MISSING[code])
    if code in _WAIT:
        return NotDone(problem=_WAIT[code], retry_after_ms=retry_after_ms)
    return None


def _by_status(answer: Answered) -> Outcome:
    match answer.status:
        case 429:
            return NotDone(problem="rate_limited", retry_after_ms=answer.retry_after_ms)
        case 401:
            return Fatal(problem="token_refused")
        case 403:
            return Parked(problem="forbidden")
        case 413:
            return Rejected(problem=TOO_LARGE)
        case status if status >= 500 or status in (408, 499):
            return Unknown(problem=f"http_{status}")
        case status:
            detail = f"_{answer.code}" if answer.code else ""
            return Rejected(problem=f"http_{status}{detail}")


def backoff_ms(tries: int, *, base_ms: int, cap_ms: int, jitter: float) -> int:
    """The wait before try number `tries + 1`: exponential, capped, half of it jittered.

    `tries` counts from 1; `jitter` is a random number in [0, 1).
    """
    full = min(cap_ms, base_ms * 2 ** min(max(tries, 1) - 1, 30))
    return int(full * (0.5 + 0.5 * jitter))


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long things are believed, in milliseconds.

    Inside `nonce_window_ms` (less `nonce_spare_ms`) of the first request with a key, Discord gives
    the first message back instead of creating another. After `settle_ms` a message that was
    created shows in its channel's history.
    """

    nonce_window_ms: int
    settle_ms: int
    nonce_spare_ms: int = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """Send again under the same key: Discord answers with the first message if there was one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadHistory:
    """Too late for the nonce: what the channel shows decides."""


def next_step(first_try_at: int, now: int, timing: Timing) -> Repeat | ReadHistory:
    """How to settle a send whose outcome is unknown and whose call has ended."""
    if outlived_nonce(first_try_at, now, timing):
        return ReadHistory()
    return Repeat()


def outlived_nonce(first_try_at: int, now: int, timing: Timing) -> bool:
    """Whether a repeat at `now` might create a second message. A clock set back counts as yes."""
    return not 0 <= now - first_try_at < timing.nonce_window_ms - timing.nonce_spare_ms


def absent_from(last_end_at: int, timing: Timing) -> int:
    """The time (UTC ms) from which a history that does not show the message proves its absence."""
    return last_end_at + timing.settle_ms
