"""Setting a guild's desk up."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from bot.services import listening
from bot.services.access import Actor, require_organizer
from bot.words.notices import NO_CONTENT
from bot.words.panel import panel
from domain.requests import Route
from storage import cards, desks, mending, outbox
from storage.database import Connection, Database
from storage.desks import Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskChoice:
    """What `/desk setup` was asked for, checked by the caller."""

    guild_id: int
    guild_name: str
    channel_id: int
    help_channel_id: int | None
    coordinator_role_id: int
    reviewer_role_id: int | None
    organizer_role_id: int | None
    route: Route
    identity: str
    timezone: str
    locale: str
    set_up_by: int


class Desks:
    """Use cases over the desks of all guilds."""

    def __init__(self, database: Database, wake: Callable[[], None]) -> None:
        self._database = database
        self._wake = wake

    async def set_up(self, choice: DeskChoice, now: int) -> None:
        """Settle the guild's desk, or settle it anew; open cards move to a new channel.

        The caller has checked that the person holds Manage Server and what the channel allows.
        """
        fields = {name: getattr(choice, name) for name in DeskChoice.__dataclass_fields__}
        desk = Desk(**fields, problem=None, set_up_at=now)

        def set_up(connection: Connection) -> None:
            earlier = desks.find(connection, desk.guild_id)
            desks.put(connection, desk)
            mending.hurry(connection, desk.guild_id, desk.set_up_at)
            if earlier is not None:
                moved = earlier.channel_id != desk.channel_id
                if moved:
                    outbox.drop_cards(connection, earlier.channel_id)
                cards.refresh_open(connection, desk.guild_id, moved=moved, now=desk.set_up_at)

        await self._database.write(set_up)
        self._wake()

    async def require_organizer(self, guild_id: int, actor: Actor) -> None:
        """Raise `Refused`, `desk_not_ready` or `not_organizer`, unless the actor organizes now."""
        desk = await self._database.read(lambda connection: desks.load(connection, guild_id))
        require_organizer(desk, actor)

    async def post_panel(
        self, guild_id: int, channel_id: int, actor: Actor, *, interaction_id: int, now: int
    ) -> None:
        """Post the standing `Ask for help` button in a channel; the same interaction posts once.

        Raises `Refused`: `desk_not_ready`, `not_organizer`.
        """
        key = secrets.token_urlsafe(15)

        def plan(connection: Connection) -> None:
            desk = desks.load(connection, guild_id)
            require_organizer(desk, actor)
            outbox.plan(
                connection,
                outbox.NewPart(
                    event=f"panel:{interaction_id}",
                    ordinal=0,
                    guild_id=guild_id,
                    destination=channel_id,
                    kind="panel",
                    payload=panel(desk.locale).to_json(),
                    delivery_key=key,
                ),
                now,
            )

        await self._database.write(plan)
        self._wake()

    async def lost_channel(self, guild_id: int, channel_id: int) -> None:
        """A channel of the guild was deleted; its organizer is told where it was the desk's."""
        await self._lost(
            guild_id,
            lambda desk: {
                desk.channel_id: "unknown_channel",
                desk.help_channel_id: "help_channel_deleted",
            }.get(channel_id),
        )

    async def lost_role(self, guild_id: int, role_id: int) -> None:
        """A role of the guild was deleted; its organizer is told where coordinators held it."""
        await self._lost(
            guild_id,
            lambda desk: {desk.coordinator_role_id: "coordinator_role_deleted"}.get(role_id),
        )

    async def lost_thread(self, guild_id: int, thread_id: int, now: int) -> None:
        """A thread of the guild was deleted: a live request gets a new card with a new thread."""
        if await self._database.write(
            lambda connection: listening.thread_lost(connection, guild_id, thread_id, now)
        ):
            self._wake()

    async def content_refused(self) -> None:
        """Discord no longer shows us what is written in threads: every desk's organizer is told."""

        def note(connection: Connection) -> None:
            for guild_id in desks.guilds(connection):
                desks.note_problem(connection, guild_id, NO_CONTENT)

        await self._database.write(note)
        self._wake()

    async def content_allowed(self) -> None:
        """Discord shows us what is written in threads: where it did not, that is over."""
        if await self._database.read(lambda connection: desks.has_problem(connection, NO_CONTENT)):
            await self._database.write(
                lambda connection: desks.forget_problem(connection, NO_CONTENT)
            )

    async def permissions_changed(self, guild_id: int, now: int) -> None:
        """What waits in the guild for a permission is tried again; nothing is written if none."""
        if not await self._database.read(lambda connection: mending.waits(connection, guild_id)):
            return
        await self._database.write(lambda connection: mending.hurry(connection, guild_id, now))
        self._wake()

    async def _lost(self, guild_id: int, problem_of: Callable[[Desk], str | None]) -> None:
        def note(connection: Connection) -> bool:
            desk = desks.find(connection, guild_id)
            problem = None if desk is None else problem_of(desk)
            if problem is not None:
                desks.note_problem(connection, guild_id, problem)
            return problem is not None

        if await self._database.write(note):
            self._wake()

    async def find(self, guild_id: int) -> Desk | None:
        """The guild's desk, or None before its first set-up."""
        return await self._database.read(lambda connection: desks.find(connection, guild_id))
