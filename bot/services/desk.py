"""Setting a guild's desk up."""

from collections.abc import Callable

from storage import cards, desks
from storage.database import Connection, Database
from storage.desks import Desk


class Desks:
    """Use cases over the desks of all guilds."""

    def __init__(self, database: Database, wake: Callable[[], None]) -> None:
        self._database = database
        self._wake = wake

    async def set_up(self, desk: Desk) -> None:
        """Settle the guild's desk, or settle it anew; open cards move to a new channel.

        The caller has checked that the person holds Manage Server and what the channel allows.
        """

        def set_up(connection: Connection) -> None:
            earlier = desks.find(connection, desk.guild_id)
            desks.put(connection, desk)
            if earlier is not None:
                cards.refresh_open(
                    connection,
                    desk.guild_id,
                    moved=earlier.channel_id != desk.channel_id,
                    now=desk.set_up_at,
                )

        await self._database.write(set_up)
        self._wake()

    async def find(self, guild_id: int) -> Desk | None:
        """The guild's desk, or None before its first set-up."""
        return await self._database.read(lambda connection: desks.find(connection, guild_id))
