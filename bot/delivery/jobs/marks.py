"""Marks: the reactions that tell people how what they wrote fares, lowest in priority.

Reactions are idempotent: a call whose outcome is unknown is repeated. They have a few places of
their own to fly in, so that no delivery ever waits for one.
"""

import logging
from dataclasses import replace

from bot.clock import Clock
from bot.delivery.flights import Flights
from bot.delivery.messenger import Messenger
from bot.delivery.sender import Rules
from bot.services.marking import is_note
from bot.words.marks import EMOJIS, PROBLEM
from domain.delivery import Done, NotDone, Outcome, Parked, Rejected
from domain.written import Written
from storage import channels, desks, marks
from storage.database import Connection, Database
from storage.marks import Mark

log = logging.getLogger(__name__)

PLACES = 2
_BATCH = 100
_MOST_TRIES = 16
_MOST_UNHEARD = 1000
_OVER = ("thread_archived", "thread_locked")
"""A thread in which nobody talks any more: it is not woken for a mark."""


class ShowMarks:
    """One call a step; a channel's marks one after the other."""

    name = "show_marks"

    def __init__(
        self,
        database: Database,
        messenger: Messenger,
        clock: Clock,
        flights: Flights,
        rules: Rules,
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._flights = flights
        self._rules = rules
        self._began = False
        # Messages that could not be written down: by id, whether they wait for their mark still.
        self._unheard: dict[int, tuple[int, bool]] = {}

    def unheard(self, written: Written) -> None:
        """The message could not be written down: its author sees that, without the ledger.

        It is read again when the disk can be written: then its mark takes the place of this one.
        """
        if written.guild_id is not None and is_note("desk", written.text):
            return
        if len(self._unheard) >= _MOST_UNHEARD:
            del self._unheard[next(iter(self._unheard))]
        self._unheard[written.message_id] = (written.channel_id, True)
        self._warn(written.channel_id, written.message_id)

    async def run(self, now: int) -> int | None:
        """Start a step for each channel with something to show; answer when there is more."""
        if not self._began:
            await self._begin()
        for message_id, (channel_id, waits) in self._unheard.items():
            if waits:
                self._warn(channel_id, message_id)
        due, following = await self._database.read(
            lambda connection: (
                marks.due(connection, now, limit=_BATCH),
                marks.next_due(connection, now),
            )
        )
        for mark in due:

            async def step(mark: Mark = mark) -> None:
                await self._step(mark.message_id)

            self._flights.start(("mark", mark.channel_id), step)
        return following

    def _warn(self, channel_id: int, message_id: int) -> None:
        async def warn() -> None:
            if self._unheard.get(message_id) == (channel_id, True):
                self._unheard[message_id] = (channel_id, False)
                outcome = await self._messenger.react(channel_id, message_id, PROBLEM)
                log.info("unheard_marked", extra={"outcome": type(outcome).__name__})

        self._flights.start(("mark", channel_id), warn)

    async def _begin(self) -> None:
        """A permission may have been given while nobody was there to hear of it."""
        if await self._database.read(marks.is_given_up):
            await self._database.write(marks.try_again)
        self._began = True

    async def _step(self, message_id: int) -> None:
        mark = await self._database.read(lambda connection: marks.find(connection, message_id))
        if mark is None or mark.next_at is None or mark.next_at > self._clock.now():
            return
        mark = await self._with_warning(mark)
        if mark.shown not in (None, mark.wanted) or mark.wanted == "none":
            await self._take_away(mark)
        else:
            await self._put(mark)

    async def _with_warning(self, mark: Mark) -> Mark:
        """What could not be written down once has been read since: then it bears our warning."""
        _, waits = self._unheard.pop(mark.message_id, (0, True))
        if waits or mark.shown is not None:
            return mark
        warned = replace(mark, shown="problem")
        await self._database.write(lambda connection: marks.shows(connection, warned))
        return warned

    async def _take_away(self, mark: Mark) -> None:
        outcome: Outcome = Done()
        if mark.shown is not None:
            emoji = EMOJIS[mark.shown]
            outcome = await self._messenger.unreact(mark.channel_id, mark.message_id, emoji)
        now = self._clock.now()
        if isinstance(outcome, Done | Rejected):  # refused: there is none
            await self._database.write(lambda connection: marks.taken_away(connection, mark, now))
        else:
            await self._not_done(mark, outcome)

    async def _put(self, mark: Mark) -> None:
        emoji = EMOJIS[mark.wanted]
        outcome = await self._messenger.react(mark.channel_id, mark.message_id, emoji)
        if isinstance(outcome, Done):
            await self._database.write(lambda connection: marks.put(connection, mark))
        else:
            await self._not_done(mark, outcome)

    async def _not_done(self, mark: Mark, outcome: Outcome) -> None:
        problem = str(getattr(outcome, "problem", "unknown"))
        log.debug("not_marked", extra={"channel": mark.channel_id, "problem": problem})
        asked_ms = outcome.retry_after_ms if isinstance(outcome, NotDone) else None
        at = self._clock.now() + self._rules.wait(mark.tries + 1, asked_ms)

        def end(connection: Connection) -> None:
            over = isinstance(outcome, Rejected) or problem in _OVER
            if over or mark.tries + 1 >= _MOST_TRIES:
                marks.forget(connection, mark.message_id)
            elif not isinstance(outcome, Parked):
                marks.wait(connection, mark, at)
            elif channels.is_dm(connection, mark.channel_id):
                # In a DM there is no permission that somebody could give.
                marks.forget(connection, mark.message_id)
            else:
                marks.give_up_channel(connection, mark.channel_id, mark.guild_id)
                desks.note_problem(connection, mark.guild_id, problem)

        await self._database.write(end)
