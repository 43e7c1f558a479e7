"""Members asked for over the gateway: by name, by id, or all of them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandbox import payloads
from sandbox.entities import Guild, Json, Member

if TYPE_CHECKING:
    from sandbox.world import World

SIZE = 1000


def chunks(world: "World", asked: Json) -> Iterator[Json]:
    """The chunks that answer a request, none for a guild where the bot isn't."""
    guild = world.guilds.get(int(asked["guild_id"]))
    if guild is None or world.bot.id not in guild.members:
        return
    found, missing = _found(world, guild, asked)
    count = max(1, -(-len(found) // SIZE))
    for index in range(count):
        part = found[index * SIZE : (index + 1) * SIZE]
        chunk: Json = {
            "guild_id": str(guild.id),
            "members": [payloads.member(world, each) for each in part],
            "chunk_index": index,
            "chunk_count": count,
            "not_found": missing,
        }
        if asked.get("nonce") is not None:
            chunk["nonce"] = asked["nonce"]
        yield chunk


def _found(world: "World", guild: Guild, asked: Json) -> tuple[list[Member], list[str]]:
    wanted = asked.get("user_ids")
    if wanted is not None:
        ids = [int(each) for each in ([wanted] if isinstance(wanted, str | int) else wanted)]
        missing = [str(each) for each in ids if each not in guild.members]
        return [guild.members[each] for each in ids if each in guild.members], missing
    query = str(asked.get("query") or "").lower()
    found = [
        each
        for each in guild.members.values()
        if not query or (each.nick or world.users[each.user_id].name).lower().startswith(query)
    ]
    limit = int(asked.get("limit") or 0)
    return (found[:limit] if limit else found), []
