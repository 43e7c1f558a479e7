"""Seeded conversations in which everything goes wrong: each message is on the other side once."""

import asyncio
import random
from functools import partial
from pathlib import Path

import pytest

from bot.words.marks import DELIVERED
from domain.written import Written
from tests.simulation.simulated_discord import Killed
from tests.simulation.talk import MINUTE, Talk

SEEDS = range(10)
_MESSAGES = 40
_SETTLING_MS = 40 * MINUTE


class WildTalk(Talk):
    """Both sides write, edit and delete at random, the gateway loses what it likes to lose."""

    def unfold(self, seed: int, trouble: float) -> None:
        self.random = random.Random(seed)
        self.trouble = trouble
        self.texts: dict[int, str] = {}
        self.all: list[Written] = []
        self.deaf_until = 0
        start = self.clock.now()
        for number in range(_MESSAGES):
            at = start + self.random.randrange(20 * MINUTE)
            self.time.at(at, partial(self._writes, number))
            if self.random.random() < 0.4:
                self.time.at(at + self.random.randrange(5 * MINUTE), self._edits)
            if self.random.random() < 0.2:
                self.time.at(at + self.random.randrange(5 * MINUTE), self._deletes)
            if self.random.random() < trouble / 4:
                self.time.at(at, self._gap)

    async def settle(self) -> None:
        await self.run(30 * MINUTE)
        self.trouble = 0.0
        self._reconnects()
        for minute in range(10):
            self.time.at(self.clock.now() + minute * MINUTE, lambda: self._do(self._decide_all()))
        await self.run(_SETTLING_MS)

    def _gap(self) -> None:
        """The gateway is away for a while; what happens meanwhile is told to nobody."""
        self.deaf_until = self.clock.now() + self.random.randrange(MINUTE)
        self.time.at(self.deaf_until, self._reconnects)

    def _reconnects(self) -> None:
        if self.house is not None and not self.house.dead:
            self.house.intake.gap()

    def _tell(self, what: str, *arguments: object) -> None:
        """The gateway tells the living process, once or twice, unless it is away."""
        if self.clock.now() < self.deaf_until or self.house is None or self.house.dead:
            return
        house = self.house

        async def tell() -> None:
            try:
                await getattr(house.intake, what)(*arguments, self.clock.now())
            except Killed:
                return

        for _ in range(self.random.choice((1, 1, 2)) if self.trouble else 1):
            self._do(tell())

    def _writes(self, number: int) -> None:
        write = self.member_writes if self.random.random() < 0.5 else self.staff_writes
        written = write(f"message {number}")
        self.all.append(written)
        self._tell("wrote", written)

    def _edits(self) -> None:
        living = [one for one in self.all if one.message_id in self.discord.written[one.channel_id]]
        if living:
            written = self.random.choice(living)
            text = f"{written.text}, edited {self.clock.now()}"
            edited = self.discord.rewrite(
                self.discord.written[written.channel_id][written.message_id], text
            )
            self._tell("edited", edited)

    def _deletes(self) -> None:
        living = [one for one in self.all if one.message_id in self.discord.written[one.channel_id]]
        if living:
            written = self.random.choice(living)
            self.discord.unwrite(written)
            self._tell("deleted", written.channel_id, [written.message_id])

    def findings(self) -> list[str]:
        """Where the other side is not what it must be."""
        wrong = []
        if self._some_unnamed():
            return []  # a person has said that a copy arrived: nobody knows which, to change it
        for here, there in ((self.dm, self.thread), (self.thread, self.dm)):
            alive = self.discord.written.get(here, {})
            shown = self.shown(there)
            expected = [one.text for _, one in sorted(alive.items())]
            bodies = [body for body in shown if not self._is_of_deleted(body, alive)]
            if bodies != expected:
                wrong.append(f"{there} shows {bodies} for {expected}")
            if there == self.dm and len(shown) != len(expected):
                wrong.append(f"the member still reads {shown} where only {expected} is left")
        open_ = self.counts("inbox_event").get("queued", 0) + self.counts("outbox_part").get(
            "pending", 0
        )
        if open_:
            wrong.append(f"{open_} events and parts are left")
        return wrong + self._marks_that_are_not_so()

    def _marks_that_are_not_so(self) -> list[str]:
        """Messages that are delivered, and whose reactions do not say that alone."""
        return [
            f"message {one} bears {self.discord.marks(one)}"
            for channel_id in (self.dm, self.thread)
            for one in self.discord.written.get(channel_id, {})
            if self.discord.marks(one) != {DELIVERED}
        ]

    def _some_unnamed(self) -> bool:
        (number,) = self.living.ledger.look(
            lambda connection: connection.execute(
                "SELECT count(*) FROM outbox_part WHERE decided_by IS NOT NULL"
            ).fetchone()
        )
        return bool(number)

    def _is_of_deleted(self, body: str, alive: dict[int, Written]) -> bool:
        """Whether what is shown is a message whose original its author has deleted."""
        number = body.removeprefix("-# deleted by the member\n").removeprefix("message ")
        number = number.partition(",")[0].rpartition(" ")[2]
        gone = [one for one in self.all if one.message_id not in alive]
        return any(one.text == f"message {number}" for one in gone)


async def _play(path: Path, migrations: Path, seed: int, trouble: float) -> list[str]:
    random.seed(seed)
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    talk = await WildTalk.begin(path, migrations)
    assert isinstance(talk, WildTalk)
    talk.unfold(seed, trouble)
    await talk.settle()
    wrong = talk.findings()
    assert talk.house is not None
    await talk.house.kill()
    return wrong


@pytest.mark.parametrize("trouble", [0.0, 0.2, 0.5])
async def test_each_message_is_on_the_other_side_once_and_in_order(
    trouble: float, tmp_path: Path, project_root: Path
) -> None:
    wrong = {}
    for seed in SEEDS:
        found = await _play(
            tmp_path / f"{seed}.db", project_root / "storage/migrations", seed, trouble
        )
        if found:
            wrong[seed] = found
    assert wrong == {}
