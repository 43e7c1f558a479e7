"""A conversation under way in the simulation, for tests of what is carried in it."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from bot.delivery.jobs.files import FileRules
from bot.services.access import Actor
from bot.services.choosing import Chosen
from bot.services.helpdesk import Ask
from bot.words.values import FileRef, Message
from domain.requests import Route
from domain.written import Written
from storage import conversations, desks
from tests.simulation.house import House, create
from tests.simulation.story import COORDINATOR_ROLE, GUILD, Story

MEMBER = 1
MINUTE = 60_000
STAFF = frozenset({COORDINATOR_ROLE})


class Talk(Story):
    """One member with an active request, its DM and its thread; nothing goes wrong by itself."""

    @classmethod
    async def begin(
        cls,
        path: Path,
        migrations: Path,
        *,
        route: Route = Route.DM,
        files: FileRules | None = None,
    ) -> Self:
        create(path, migrations)
        talk = cls(path, 1, trouble=0.0, route=route)
        talk.discord.cdn.rules = files
        await talk._set_up()
        await talk.run(1000)
        await talk._ask(MEMBER)
        await talk.run(1000)
        await talk._claim()
        await talk.run(MINUTE)
        return talk

    async def also_in(self, guild_id: int) -> int:
        """The same member has an active request in a second guild too; answer its id."""
        here = self.living
        desk = here.ledger.look(lambda connection: desks.load(connection, GUILD))
        there = replace(desk, guild_id=guild_id, guild_name="Village", channel_id=500 + guild_id)
        await here.ledger.write(lambda connection: desks.put(connection, there))
        return await self.ask_in(guild_id)

    async def ask_in(self, guild_id: int) -> int:
        """The member asks once more in that guild, and a coordinator takes it."""
        self.discord.next_id += 1
        ask = Ask(
            interaction_id=self.discord.next_id,
            guild_id=guild_id,
            guild_name="Village",
            member_id=MEMBER,
            member_name="Ada",
            topic="Keys",
            details="",
            locale="en",
        )
        given = await self.living.helpdesk.ask(ask, self.clock.now())
        ben = Actor(member_id=901, name="Ben", role_ids=STAFF)
        await self.living.helpdesk.claim(guild_id, given.request.id, ben, self.clock.now())
        await self.run(MINUTE)
        return given.request.id

    async def choose(self, request_id: int) -> None:
        """The member chooses which conversation their direct messages go to."""
        self.discord.next_id += 1
        chosen = Chosen(
            interaction_id=self.discord.next_id,
            member_id=MEMBER,
            request_id=request_id,
            channel_id=self.dm,
        )
        await self.living.choosing.choose(chosen, self.clock.now())

    def thread_of(self, request_id: int) -> int:
        """The request's thread at the desk."""
        found = self.living.ledger.look(
            lambda connection: conversations.find(connection, request_id)
        )
        assert found is not None
        assert found.thread_id is not None
        return found.thread_id

    async def run(self, milliseconds: int) -> None:
        await self._run_until(self.clock.now() + milliseconds)

    @property
    def living(self) -> House:
        assert self.house is not None
        return self.house

    @property
    def dm(self) -> int:
        return self.discord.dm_channels[MEMBER]

    @property
    def thread(self) -> int:
        return max(self.discord.threads)

    def member_writes(self, text: str, **more: Any) -> Written:
        """The member writes in their DM; nobody is told of it yet."""
        return self.discord.write(self.dm, MEMBER, text, author_name="Ada", **more)

    def staff_writes(self, text: str, who: int = 901, **more: Any) -> Written:
        """A coordinator writes in the thread; nobody is told of it yet."""
        more.setdefault("role_ids", STAFF)
        return self.discord.write(self.thread, who, text, author_name="Ben", guild_id=GUILD, **more)

    async def hear(self, *messages: Written) -> None:
        """The gateway tells of messages."""
        for written in messages:
            await self.living.intake.wrote(written, self.clock.now())

    async def edit(self, written: Written, text: str) -> Written:
        edited = self.discord.rewrite(written, text)
        await self.living.intake.edited(edited, self.clock.now())
        return edited

    async def delete(self, written: Written) -> None:
        self.discord.unwrite(written)
        await self.living.intake.deleted(written.channel_id, [written.message_id], self.clock.now())

    def shown(self, channel_id: int) -> list[str]:
        """What people read there that was carried: each copy without its header."""
        return [_body(one.shown) for one in self.discord.of(channel_id) if one.shown.quiet]

    def files(self, channel_id: int) -> list[tuple[FileRef, ...]]:
        """The files of each copy there that bears any."""
        return [one.shown.files for one in self.discord.of(channel_id) if one.shown.files]

    def said(self, channel_id: int) -> list[str]:
        """What Steward itself says there, in embeds."""
        return [
            one.shown.title or one.shown.description
            for one in self.discord.of(channel_id)
            if not one.shown.quiet
        ]

    def counts(self, table: str) -> dict[str, int]:
        """How many rows of the table are in each state."""
        rows = self.living.ledger.look(
            lambda connection: connection.execute(
                f"SELECT state, count(*) FROM {table} GROUP BY state"
            ).fetchall()
        )
        return dict(rows)


def _body(message: Message) -> str:
    return message.text.partition("\n")[2]
