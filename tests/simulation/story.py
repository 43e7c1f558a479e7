"""One seeded run: people ask and claim while everything goes wrong; then it must all come right."""

import asyncio
import random
from collections import Counter
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import Any

from bot.clock import FakeClock
from bot.services.access import Actor
from bot.services.helpdesk import Ask
from bot.services.reconciling import Reconciling
from domain.errors import Refused
from domain.requests import Route
from storage import desks, requests
from storage.desks import Desk
from tests.simulation.house import RULES, House, create
from tests.simulation.simulated_discord import Discord, Killed, Posted, Trouble, VirtualTime

START = 1_767_225_600_000
GUILD, DESK_CHANNEL, HELP_CHANNEL, COORDINATOR_ROLE = 1, 500, 550, 600
COORDINATORS = (901, 902)
SETTLING_MS = 20 * 60_000
_KINDS = (
    "lost_before",
    "lost_after",
    "not_done",
    "killed_before",
    "killed_after",
)


class Story:
    """A run of `seed` over a ledger at `path`. `trouble` is how often a call goes wrong, 0 to 1."""

    def __init__(
        self,
        path: Path,
        seed: int,
        *,
        trouble: float,
        members: int = 4,
        route: Route | None = None,
    ) -> None:
        self.random = random.Random(seed)
        self.clock = FakeClock(START)
        self.time = VirtualTime(self.clock)
        self.discord = Discord(time=self.time, plan=self._plan)
        self.discord.members = {who: frozenset({COORDINATOR_ROLE}) for who in COORDINATORS}
        self.path = path
        self.trouble = trouble
        self.members = members
        self.route = route or self.random.choice((Route.DM, Route.DM, Route.THREAD))
        self.kills = 0
        self.faults = 0
        self.house: House | None = None
        self._owners = 0
        self._up_at = START

    def _plan(self, _effect: str, _target: int) -> Trouble:
        if self.random.random() >= self.trouble:
            return Trouble(delay_ms=self.random.choice((0, 0, 50, 400)))
        self.faults += 1
        kind = self.random.choice(_KINDS)
        return Trouble(
            kind=kind,
            delay_ms=self.random.choice((0, 1_000, 8_000, 20_000)),
            late=self.random.random() < 0.3 and kind != "not_done",
            pauses_new_dms=kind == "not_done" and self.random.random() < 0.2,
        )

    def _at_commit(self, _number: int) -> str | None:
        if self.random.random() < self.trouble / 20:
            self.kills += 1
            return self.random.choice(("before", "after"))
        return None

    async def play(self) -> None:
        """Twenty minutes of trouble, then as long as it takes to settle."""
        await self._set_up()
        for member_id in range(1, self.members + 1):
            self.time.at(
                START + self.random.randrange(600_000),
                partial(self._asks, member_id),
            )
            for _ in range(3):
                self.time.at(
                    START + self.random.randrange(1_200_000),
                    lambda: self._do(self._claim()),
                )
        await self._run_until(START + 1_200_000)
        self.trouble = 0.0
        for minute in range(10):  # the coordinators go on with what waits
            self.time.at(self.clock.now() + minute * 60_000, lambda: self._do(self._claim_all()))
            self.time.at(self.clock.now() + minute * 60_000, lambda: self._do(self._decide_all()))
        await self._run_until(self.clock.now() + SETTLING_MS)

    async def _set_up(self) -> None:
        house = self._new_house()
        desk = Desk(
            guild_id=GUILD,
            guild_name="Harbour",
            channel_id=DESK_CHANNEL,
            help_channel_id=HELP_CHANNEL,
            coordinator_role_id=COORDINATOR_ROLE,
            reviewer_role_id=None,
            organizer_role_id=None,
            route=self.route,
            identity="name",
            timezone="UTC",
            locale="en",
            problem=None,
            set_up_by=1,
            set_up_at=START,
        )
        await house.ledger.write(lambda connection: desks.put(connection, desk))
        house.ledger.at_commit = self._at_commit
        self.house = house

    def _new_house(self) -> House:
        self._owners += 1
        return House(self.path, self.discord, f"process-{self._owners}")

    def _do(self, act: Coroutine[Any, Any, None]) -> None:
        if self.house is None or self.house.dead:
            act.close()
            return
        self.house.spawn(act)

    def _asks(self, member_id: int) -> None:
        self._do(self._ask(member_id))

    async def _ask(self, member_id: int) -> None:
        assert self.house is not None
        try:
            await self.house.helpdesk.ask(
                Ask(
                    interaction_id=10_000 + member_id,
                    guild_id=GUILD,
                    guild_name="Harbour",
                    member_id=member_id,
                    member_name=f"Member {member_id}",
                    topic="Help me",
                    details="",
                    locale="en",
                ),
                self.clock.now(),
            )
        except (Refused, Killed):
            return

    async def _claim(self) -> None:
        assert self.house is not None
        who = self.random.choice(COORDINATORS)
        actor = Actor(
            member_id=who, name=f"Coordinator {who}", role_ids=frozenset({COORDINATOR_ROLE})
        )
        try:
            page = await self.house.helpdesk.queue(GUILD, actor)
            for request in page.waiting[:2]:
                await self.house.helpdesk.claim(GUILD, request.id, actor, self.clock.now())
        except (Refused, Killed):
            return

    async def _claim_all(self) -> None:
        for _ in range(self.members):
            await self._claim()

    async def _decide_all(self) -> None:
        """A coordinator looks, and says what is so; a card that can't be edited they delete."""
        assert self.house is not None
        actor = Actor(member_id=901, name="Ben", role_ids=frozenset({COORDINATOR_ROLE}))
        try:
            for found in await self.house.doubts.waiting(GUILD, actor):
                part = found.part
                there = [
                    one
                    for one in self.discord.of(part.destination)
                    if one.nonce == part.delivery_key
                ]
                decide = self.house.doubts.arrived
                if not there or part.kind == "card":
                    decide = self.house.doubts.absent
                    for one in there:
                        one.deleted = True
                await decide(GUILD, part.id, part.revision, actor, self.clock.now())
            await self._decide_first_messages(self.house, actor)
        except (Refused, Killed):
            return

    async def _decide_first_messages(self, house: House, actor: Actor) -> None:
        deciding = Reconciling(house.ledger, RULES.requests, house._woken.set)  # type: ignore[arg-type]
        for doubt in await deciding.waiting(GUILD, actor):
            if not doubt.needs_person:
                continue
            mark = f"end:{doubt.request.id}:"
            is_there = any(
                custom_id.startswith(mark)
                for one in self.discord.messages
                if not one.deleted
                for custom_id in one.custom_ids
            )
            decide = deciding.arrived if is_there else deciding.absent
            await decide(GUILD, doubt.request.id, actor, self.clock.now())

    async def _run_until(self, end: int) -> None:
        while self.clock.now() < end:
            house = await self._living_house()
            following = end
            if house is not None:
                following = await house.step()
                for _ in range(40):
                    await asyncio.sleep(0)
                self._deliver_echoes(house)
                if house.woken():
                    continue
                if house.dead:
                    continue
            else:
                following = self._up_at
            upcoming = self.time.next_at()
            if upcoming is not None:
                following = min(following, upcoming)
            self.time.advance_to(max(self.clock.now() + 1, min(following, end)))
            for _ in range(40):
                await asyncio.sleep(0)

    async def _living_house(self) -> House | None:
        if self.house is not None and self.house.dead:
            self.kills += 1
            await self.house.kill()
            self.house = None
            self._up_at = self.clock.now() + self.random.choice((100, 5_000, 90_000))
        if self.house is None and self.clock.now() >= self._up_at:
            self.house = self._new_house()
            self.house.ledger.at_commit = self._at_commit
        if self.house is not None:
            self.discord.kill = self._kill
        return self.house

    def _kill(self) -> None:
        assert self.house is not None
        self.house.ledger.dead = True

    def _deliver_echoes(self, house: House) -> None:
        echoes, self.discord.echoes = self.discord.echoes, []
        for posted in echoes:
            for _ in range(self.random.choice((0, 1, 1, 1, 2)) if self.trouble else 1):
                self._echo(house, posted)

    def _echo(self, house: House, posted: Posted) -> None:
        async def echo() -> None:
            try:
                await house.receipts.echo(posted.nonce, posted.message_id, posted.channel_id)
            except Killed:
                return

        if not house.dead:
            house.spawn(echo())

    def findings(self) -> list[str]:
        """What is not as it must be, now that all has settled."""
        assert self.house is not None
        look = self.house.ledger.look
        wrong = []
        states = look(lambda c: c.execute("SELECT id, state, member_id FROM request").fetchall())
        for request_id, state, member_id in states:
            if state != "active":
                wrong.append(f"request {request_id} is {state}")
            channels = self._channels(request_id, member_id)
            if len(channels) != 1:
                wrong.append(f"member {member_id} has {len(channels)} channels")
            mark = f"end:{request_id}:"  # a channel of theirs may show them other words too
            first = [
                one
                for channel in channels
                for one in self.discord.of(channel)
                if any(custom_id.startswith(mark) for custom_id in one.custom_ids)
            ]
            if len(first) != 1:
                wrong.append(f"member {member_id} has {len(first)} first messages")
            shown = [
                one
                for one in self.discord.of(DESK_CHANNEL)
                if one.nonce in self._card_keys(request_id)
            ]
            if len(shown) != 1:
                wrong.append(f"request {request_id} has {len(shown)} cards")
            elif shown[0].message_id not in self.discord.threads:
                wrong.append(f"request {request_id} has no thread")
            events = look(partial(requests.history, request_id=request_id))
            if [row.revision for row in events] != list(range(len(events))):
                wrong.append(f"request {request_id} has gaps in its history")
        uncertain = look(
            lambda c: c.execute("SELECT count(*) FROM outbox_part WHERE state <> 'sent'").fetchone()
        )[0]
        if uncertain:
            wrong.append(f"{uncertain} parts are not sent")
        return wrong + self._twice() + self._unaccounted()

    def _twice(self) -> list[str]:
        """Keys under which people see more than one message."""
        shown = Counter(one.nonce for one in self.discord.messages if not one.deleted)
        return [f"{count} messages of the key {key}" for key, count in shown.items() if count > 1]

    def _unaccounted(self) -> list[str]:
        """Messages that people see and that no receipt is for: one too many, wherever it is."""
        assert self.house is not None
        sent = self.house.ledger.look(
            lambda c: c.execute(
                "SELECT delivery_key FROM delivery WHERE status = 'sent' UNION ALL"
                " SELECT delivery_key FROM outbox_part WHERE state = 'sent'"
            ).fetchall()
        )
        keys = {row[0] for row in sent}
        return [
            f"message {one.message_id} in {one.channel_id} is of no receipt"
            for one in self.discord.messages
            if not one.deleted and one.nonce not in keys
        ]

    def _channels(self, request_id: int, member_id: int) -> list[int]:
        """Where the request's first message may be: the member's DM, or private threads."""
        assert self.house is not None
        if self.route is Route.DM:
            return [self.discord.dm_channels[member_id]]
        reference = self.house.ledger.look(lambda c: requests.load(c, request_id)).reference
        threads = self.discord.private_threads_of.get(HELP_CHANNEL, {})
        return [one for one, name in threads.items() if name.endswith(reference)]

    def _card_keys(self, request_id: int) -> set[str]:
        assert self.house is not None
        event = f"card:{request_id}:%"
        rows = self.house.ledger.look(
            lambda c: c.execute(
                "SELECT delivery_key FROM outbox_part WHERE event LIKE ?", (event,)
            ).fetchall()
        )
        return {row[0] for row in rows}


async def play(path: Path, migrations: Path, seed: int, *, trouble: float) -> list[str]:
    """Play one seed; answer what is wrong at its end."""
    random.seed(seed)
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    create(path, migrations)
    story = Story(path, seed, trouble=trouble)
    await story.play()
    wrong = story.findings()
    assert story.house is not None
    await story.house.kill()
    return wrong
