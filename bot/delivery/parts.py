"""The outbox as a `Book`: every durable word that is not a request's first message."""

import logging
from dataclasses import dataclass

from bot.delivery.first_messages import new_key
from bot.delivery.lease import Lease
from bot.delivery.sender import Attempt, Doubt, Rules
from bot.services import doubts, listening, parts
from bot.words.values import FileRef, Message, message_from_json
from domain.delivery import (
    MISSING_PROBLEMS,
    Done,
    NotDone,
    Outcome,
    Parked,
    Rejected,
    Unknown,
)
from storage import cards, channels, deliveries, desks, outbox, outbox_changes
from storage.database import Connection
from storage.outbox import Part

log = logging.getLogger(__name__)

_PARKED_MS = 300_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Every function runs inside a transaction; see `bot.delivery.sender.Book`.

    After `max_unreadable` looks at a history that can't be read, a part in doubt needs a person.
    """

    lease: Lease
    rules: Rules
    max_unreadable: int

    def begin(self, connection: Connection, key: str, now: int) -> Attempt | None:
        self.lease.require(connection, now)
        part = outbox.find(connection, key)
        if part is None or part.state != "pending" or part.in_flight:
            return None
        message = _message(part)
        if message is None:
            self._set_aside(connection, part, now)
            return None
        fence = channels.fence(connection, part.destination) or 0
        if not outbox.begin(connection, part, owner=self.lease.owner, fence=fence, now=now):
            return None
        return Attempt(
            key=key,
            channel_id=part.destination,
            message=message,
            first_try_at=part.first_try_at or now if part.uncertain else now,
            tries=part.attempts + 1,
            doubtful=part.uncertain,
        )

    def _set_aside(self, connection: Connection, part: Part, now: int) -> None:
        """A payload that can't be read is kept for a person, and does not stop the process."""
        log.error("part_unreadable", extra={"part": part.id, "event_id": part.event})
        outbox.wait(
            connection,
            part.delivery_key,
            uncertain=part.uncertain,
            next_at=now + _PARKED_MS,
            problem="unreadable_payload",
            now=now,
            ended=False,
            parked=True,
        )

    def settle(self, connection: Connection, attempt: Attempt, outcome: Outcome, now: int) -> None:
        part = outbox.find(connection, attempt.key)
        if part is None:
            return None
        if isinstance(outcome, Done):
            return self.arrived(connection, attempt.key, outcome.message_id, now)
        if part.state != "pending" or part.in_flight != self.lease.owner:
            return None
        if part.destination != attempt.channel_id:
            return listening.moved(connection, part, now)
        return self._not_arrived(
            connection, part, outcome, now, doubtful=attempt.doubtful, called=True
        )

    def let_go(self, connection: Connection, key: str, problem: str, now: int) -> None:
        part = outbox.find(connection, key)
        if part is None or part.state != "pending" or part.in_flight != self.lease.owner:
            return
        outbox.wait(
            connection,
            key,
            uncertain=True,
            next_at=now + self.rules.wait(part.attempts),
            problem=problem,
            now=now,
            unreadable=part.unreadable,
        )

    def unreached(self, connection: Connection, key: str, outcome: Outcome, now: int) -> None:
        """The destination itself could not be read: nothing was posted under the key."""
        part = outbox.find(connection, key)
        if part is None or part.state != "pending" or part.in_flight:
            return
        if isinstance(outcome, Unknown):  # reading is idempotent: simply repeated
            outcome = NotDone(problem=outcome.problem)
        self._not_arrived(connection, part, outcome, now, doubtful=part.uncertain, called=False)

    def _not_arrived(
        self,
        connection: Connection,
        part: Part,
        outcome: Outcome,
        now: int,
        *,
        doubtful: bool,
        called: bool,
    ) -> None:
        if isinstance(outcome, Rejected) and not doubtful:
            return parts.refused(connection, part, outcome.problem, now)
        asked_ms = outcome.retry_after_ms if isinstance(outcome, NotDone) else None
        wait_ms = self.rules.wait(max(part.attempts, 1), asked_ms)
        parked = isinstance(outcome, Parked)
        if isinstance(outcome, Parked):
            desks.note_problem(connection, part.guild_id, outcome.problem)
        uncertain = doubtful or isinstance(outcome, Unknown)
        outbox.wait(
            connection,
            part.delivery_key,
            uncertain=uncertain,
            next_at=now + (_PARKED_MS if parked else wait_ms),
            problem=getattr(outcome, "problem", None),
            now=now,
            ended=called,
            unreadable=part.unreadable,
            parked=parked,
        )
        if not uncertain:
            outbox_changes.take_in(connection, part.id)
        return None

    def changed(self, connection: Connection, part: Part, outcome: Outcome, now: int) -> None:
        """A change that can be repeated was tried; one that was revised meanwhile is made anew."""
        latest = outbox.find_by_id(connection, part.id)
        if latest is None or latest.state != "pending":
            return None
        if isinstance(outcome, Unknown):
            outcome = NotDone(problem=outcome.problem)
        if isinstance(outcome, Done | Rejected) and latest.revision != part.revision:
            # Whatever was made or refused, it is not what is wanted now.
            return outbox.wait(
                connection, part.delivery_key, uncertain=False, next_at=now, problem=None, now=now
            )
        if isinstance(outcome, Done):
            return parts.arrived(connection, part, None, now)
        outbox_changes.tried(connection, part, now)
        return self._not_arrived(connection, latest, outcome, now, doubtful=False, called=True)

    def arrived(self, connection: Connection, key: str, message_id: int | None, now: int) -> None:
        part = outbox.find(connection, key)
        if part is None:
            return
        if message_id is not None:
            channels.advance_fence(connection, part.destination, message_id)
        if part.state == "pending":
            parts.arrived(connection, part, message_id, now)
        elif message_id is None or message_id == part.message_id:
            return
        elif parts.is_unnamed(part):
            parts.seen_late(connection, part, message_id, now)
        else:
            cards.note_extra(connection, message_id, part.destination, key, now)

    def absent(self, connection: Connection, key: str, now: int) -> None:
        """No message with this key: the part goes again, under a key of its own."""
        part = outbox.find(connection, key)
        if part is not None and part.state == "pending" and not part.in_flight:
            outbox.renew_key(connection, part, new_key(), now)
            outbox_changes.take_in(connection, part.id)

    def look_again(
        self, connection: Connection, key: str, at: int, problem: str | None, now: int
    ) -> None:
        part = outbox.find(connection, key)
        if part is None or part.in_flight:
            return
        if problem in MISSING_PROBLEMS:
            desks.note_problem(connection, part.guild_id, problem)
        unreadable = 0 if problem is None else part.unreadable + 1
        needs_person = unreadable >= self.max_unreadable
        outbox.wait(
            connection,
            key,
            uncertain=True,
            next_at=at,
            problem=problem,
            now=now,
            ended=False,
            unreadable=unreadable,
            person_at=now if needs_person else None,
        )
        if needs_person:
            log.warning("part_needs_person", extra={"part": part.id, "problem": problem})
            doubts.ask(connection, part, now)

    def is_named(self, connection: Connection, message_id: int) -> bool:
        return deliveries.is_named(connection, message_id)

    @staticmethod
    def files(part: Part) -> tuple[FileRef, ...]:
        """The spooled files that go with a part."""
        message = _message(part)
        return () if message is None else message.files

    @staticmethod
    def doubt(part: Part, change: Part | None = None) -> Doubt | None:
        """What there is to reconcile about a part in doubt.

        `change` waits for its message. What is to go again is not repeated: it may not be there.
        """
        if part.first_try_at is None:
            return None
        message = _message(part)
        return Doubt(
            key=part.delivery_key,
            channel_id=part.destination,
            fence=part.fence or 0,
            first_try_at=part.first_try_at,
            last_end_at=part.last_end_at or part.first_try_at,
            unreadable=part.unreadable,
            marks=frozenset() if message is None else message.custom_ids,
            wanted=message is not None and (change is None or change.kind == outbox_changes.EDIT),
        )


def _message(part: Part) -> Message | None:
    try:
        return message_from_json(part.payload or "")
    except ValueError:
        return None
