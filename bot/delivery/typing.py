"""Passing on that a member types: for the moment alone, never kept, and never in anything's way.

Only from DMs. In a private thread of the server Discord tells of typing with the guild-typing
intent alone, which comes with all the typing in all channels of all servers: Steward does without.
Staff's typing is not passed on, for a note can't be told from a reply before it is written.
"""

import logging

from bot.clock import Clock
from bot.delivery.messenger import Messenger
from domain.delivery import Done
from domain.requests import Active
from storage import conversations, requests, rooms
from storage.database import Connection, Database
from storage.errors import StorageError

log = logging.getLogger(__name__)

_EVERY_MS = 8_000


class Typing:
    """At most one call in 8 s a room."""

    def __init__(self, database: Database, messenger: Messenger, clock: Clock) -> None:
        self._database = database
        self._messenger = messenger
        self._clock = clock
        self._seen: dict[int, int] = {}

    async def began(self, channel_id: int, user_id: int) -> None:
        """Somebody types in a DM with us: the desk's thread that it writes to shows that."""
        now = self._clock.now()
        # A clock that was set back must not silence a room: only what lies just behind counts.
        self._seen = {room: at for room, at in self._seen.items() if 0 <= now - at < _EVERY_MS}
        if channel_id in self._seen:
            return
        self._seen[channel_id] = now
        try:
            thread_id = await self._database.read(
                lambda connection: _thread(connection, channel_id, user_id)
            )
        except StorageError as error:
            log.debug("typing_not_shown", extra={"problem": str(error)})
            return
        if thread_id is None:
            return
        outcome = await self._messenger.type(thread_id)
        if not isinstance(outcome, Done):
            problem = getattr(outcome, "problem", None)
            log.debug("typing_not_shown", extra={"channel": thread_id, "problem": problem})


def _thread(connection: Connection, channel_id: int, user_id: int) -> int | None:
    """The thread that the member's DM writes to; None where it follows nothing."""
    room = rooms.live(connection, channel_id)
    if room is None or room.side != "member":
        return None
    conversation = conversations.load(connection, room.conversation_id)
    request = requests.load(connection, conversation.request_id)
    if not isinstance(request.state, Active) or request.member_id != user_id:
        return None
    return conversation.thread_id
