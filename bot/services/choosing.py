"""Which conversation a member's direct messages go to, where several share them."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.services.notices import choices_in
from bot.words.rooms import Choice
from domain.errors import Refused
from domain.requests import Active
from storage import channels, conversations, inbox, requests, rooms
from storage.database import Connection, Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A member's choice, pressed in that direct message (None: in a server).

    `interaction_id` also says when: what was written before it goes where it was meant for then.
    """

    interaction_id: int
    member_id: int
    request_id: int
    channel_id: int | None


class Choosing:
    """Use cases over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(self, database: Database, wake: Callable[[], None]) -> None:
        self._database = database
        self._wake = wake

    async def choices(self, member_id: int, channel_id: int | None) -> tuple[Choice, ...]:
        """The conversations that the member's direct messages can go to, oldest first.

        `channel_id` is the direct message; None: the one that they have with us, if any.
        """

        def find(connection: Connection) -> tuple[Choice, ...]:
            found = channel_id or channels.dm_channel(connection, member_id)
            return () if found is None else choices_in(connection, found, member_id=member_id)

        return await self._database.read(find)

    async def choose(self, chosen: Chosen, now: int) -> Choice:
        """Let the member's direct messages go to a conversation from now on.

        What waited for the choice goes there. An earlier choice is revoked; choosing the same again
        changes nothing else. Raises `Refused`: `request_not_found` for what isn't theirs,
        `no_conversation` for what is not open, or is not talked about there.
        """

        def choose(connection: Connection) -> Choice:
            request = requests.load(connection, chosen.request_id)
            if request.member_id != chosen.member_id:
                raise Refused("request_not_found")
            conversation = conversations.find(connection, request.id)
            if conversation is None or not isinstance(request.state, Active):
                raise Refused("no_conversation")
            channel_id = conversation.channel_id
            if chosen.channel_id not in (None, channel_id):
                raise Refused("no_conversation")
            _follow(connection, channel_id, conversation.id, chosen.interaction_id, now)
            found = choices_in(connection, channel_id, member_id=chosen.member_id)
            return next(choice for choice in found if choice.value == str(request.id))

        choice = await self._database.write(choose)
        self._wake()
        return choice


def _follow(
    connection: Connection, channel_id: int, conversation_id: str, since_id: int, now: int
) -> None:
    room = rooms.live(connection, channel_id)
    if room is None or room.conversation_id != conversation_id:
        rooms.follow(connection, channel_id, "member", conversation_id, now, since_id=since_id)
    inbox.choose(connection, channel_id, conversation_id, now)
