"""A conversation as the worker leaves it, which the tests of cogs do without."""

from typing import Any

from bot.services import listening
from storage import channels, conversations, requests
from tests.cogs.conftest import Scene


async def converse(
    scene: Scene, owner: Any, *, channel_id: int, thread_id: int, message_id: int = 1
) -> Any:
    """The newest request is in conversation with `owner`, there and in that thread."""
    request = await scene.newest()
    talk = f"talk-{request.id}"

    def begin(connection: Any) -> None:
        connection.execute(
            "UPDATE request SET state = 'active', attempts = 1, owner_id = ?,"
            " conversation_id = ? WHERE id = ?",
            (owner.id, talk, request.id),
        )
        active = requests.load(connection, request.id)
        now = scene.clock.now()
        conversations.open_(
            connection, conversation_id=talk, request=active, channel_id=channel_id, now=now
        )
        channels.put_dm_channel(connection, request.member_id, channel_id, now)
        listening.began(connection, talk, active, channel_id, message_id, now)
        conversations.put_thread(connection, request.id, thread_id)
        listening.thread_made(connection, active, talk, thread_id, now)
        connection.execute(
            "INSERT INTO person VALUES (?, ?, 'Ben') ON CONFLICT DO NOTHING",
            (request.guild_id, owner.id),
        )

    await scene.database.write(begin)
    return await scene.newest()


def dm_of(scene: Scene, who: Any) -> int:
    """The channel of a person's direct messages with the bot."""
    return int(scene.env.backend.get_dm_channel(who.id).id)
