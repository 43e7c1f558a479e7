"""Whatever a client sends, it is answered: by Discord's rules, never by a crash of the sandbox."""

import random
from collections import Counter
from typing import Any

import aiohttp

from sandbox import Sandbox, threads
from sandbox.routes import ROUTES

FIELDS = (
    *("content", "embeds", "components", "flags", "nonce", "enforce_nonce", "message_reference"),
    *("attachments", "allowed_mentions", "name", "type", "options", "data", "recipient_id"),
    *("messages", "archived", "locked", "auto_archive_duration", "invitable", "description"),
)
VALUES: tuple[Any, ...] = (
    *(None, "", "5", "x" * 3_000, 1, -1, 2**70, True, [], {}, [1], {"a": 1}, [[]], [{}], [None]),
    [{"type": 1, "components": [{"type": 2}]}],
    [{"title": 5}],
    [{"fields": [{"name": 1}]}],
    {"parse": ["everyone"]},
)


def made_up(chance: random.Random) -> Any:
    fields = {chance.choice(FIELDS): chance.choice(VALUES) for _ in range(chance.randint(0, 4))}
    return chance.choice([fields, fields, [fields], chance.choice(VALUES)])


async def test_no_request_of_any_shape_breaks_the_sandbox() -> None:
    chance, statuses = random.Random(7), Counter[int]()
    async with Sandbox() as sandbox:
        world = sandbox.world
        ada = sandbox.person(world.add_user("ada"))
        headers = {"Authorization": f"Bot {sandbox.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            for _ in range(60):
                guild = world.add_guild("Town", owner=world.owner)
                ada.join(guild)
                channel = world.add_channel(guild, "square")
                thread = threads.in_channel(world, channel, world.bot.id, "desk", private=True)
                said = ada.say("hello", channel)
                for route in chance.sample(ROUTES, 10):
                    places = [channel.id, thread.id, ada.dm.id]
                    ids = {
                        "guild_id": guild.id,
                        "channel_id": chance.choice(places),
                        "message_id": chance.choice([said.id, 1]),
                        "user_id": chance.choice([ada.id, world.bot.id, 3]),
                        "emoji_name": chance.choice(["👍", "x"]),
                        "application_id": world.bot.id,
                        "webhook_id": world.bot.id,
                        "webhook_token": "unknown",
                        "interaction_id": 1,
                        "interaction_token": "unknown",
                        "role_id": guild.id,
                        "command_id": 1,
                    }
                    wrong = chance.choice([None, None, None, "abc", "-1", str(2**80)])
                    if wrong is not None:
                        ids[chance.choice(list(ids))] = wrong
                    url = sandbox.api_base + route.template.format(**ids)
                    body = made_up(chance)
                    async with session.request(route.method, url, json=body) as response:
                        statuses[response.status] += 1
                        assert response.status < 500, (route.name, body, await response.text())
    assert statuses.keys() >= {200, 204, 400, 403, 404}
