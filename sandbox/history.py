"""A channel's history, by pages: what everybody there can read again."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandbox.entities import Channel, Message

if TYPE_CHECKING:
    from sandbox.world import World


def page(
    world: "World",
    channel: Channel,
    *,
    limit: int,
    before: int | None = None,
    after: int | None = None,
    around: int | None = None,
) -> list[Message]:
    """What the channel holds for everybody, newest first, at most `limit`."""
    if around is not None:
        older = _older(world, channel, around, limit // 2)
        return [*reversed(_newer(world, channel, around - 1, limit - len(older))), *older]
    if after is not None:
        return list(reversed(_newer(world, channel, after, limit)))
    return _older(world, channel, before, limit)


def _older(world: "World", channel: Channel, before: int | None, limit: int) -> list[Message]:
    ids = channel.message_ids
    end = len(ids) if before is None else bisect_left(ids, before)
    return _first(world, (ids[index] for index in range(end - 1, -1, -1)), limit)


def _newer(world: "World", channel: Channel, after: int, limit: int) -> list[Message]:
    ids = channel.message_ids
    start = bisect_right(ids, after)
    return _first(world, (ids[index] for index in range(start, len(ids))), limit)


def _first(world: "World", ids: Iterator[int], limit: int) -> list[Message]:
    found: list[Message] = []
    for message_id in ids:
        if len(found) == limit:
            break
        message = world.messages[message_id]
        if not message.deleted and not message.ephemeral:
            found.append(message)
    return found
