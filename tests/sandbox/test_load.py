"""Many people at once, and nothing left behind."""

import asyncio

import discord

from sandbox import Sandbox
from sandbox.acts import Seen
from tests.sandbox.rig import Listener, connected, point_at


async def test_a_crowd_is_answered_one_by_one_each_in_their_own_words() -> None:
    async with Sandbox() as sandbox:
        world = sandbox.world
        guild = world.add_guild("Town", owner=world.owner)
        square = world.add_channel(guild, "square")
        crowd = [sandbox.person(world.add_user(f"member{number}")) for number in range(1_000)]
        for each in crowd:
            each.join(guild)
        intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
        async with connected(sandbox, intents) as bot:

            @bot.tree.command(description="Greet")
            async def greet(interaction: discord.Interaction) -> None:
                await interaction.response.send_message(interaction.user.name, ephemeral=True)

            await bot.tree.sync()
            for start in range(0, 300, 50):
                acts = [each.command("greet", square) for each in crowd[start : start + 50]]
                firsts = await asyncio.gather(*(act.first_answer() for act in acts))
                assert {each.seen for each in firsts} == {Seen.MESSAGE}
        for each in crowd[:300]:
            assert [said.content for said in each.view(square)] == [each.user.name]
        for each in crowd[300:]:
            assert each.view(square) == []


async def test_nothing_is_left_running_once_it_is_closed() -> None:
    before = asyncio.all_tasks()
    async with Sandbox() as sandbox:
        point_at(sandbox)
        client = Listener(discord.Intents.none())
        await client.login(sandbox.token)
        running = asyncio.create_task(client.connect())
        await client.hear("ready")
        ada = sandbox.person(sandbox.world.add_user("ada"))
        channel = client.get_partial_messageable(ada.dm.id)
        fault = sandbox.faults.add("POST /channels/{channel_id}/messages", "hold_after")
        sending = asyncio.create_task(channel.send("held"))
        sandbox.world.join(ada.user, sandbox.world.add_guild("Town", owner=sandbox.world.owner))
        await fault.reached.wait()
        await client.close()
        await asyncio.gather(running, sending, return_exceptions=True)
    await sandbox.stop()
    assert asyncio.all_tasks() == before
