"""The least that discord.py can be: a client with one command that only answers.

Run by itself, as `python -m bench.bare_bot`; it says `ready` on standard error once it can be used.
From the environment: BARE_API_BASE, BARE_GATEWAY, BARE_TOKEN, and BARE_INTENTS as a number. With
BARE_LEDGER, a file's path, the command also puts one row on disk before it answers, in the two
lines that most bots would write for it. With BARE_RELAYS_TO, a channel's id, what is written in a
DM is posted there.
"""

import os
import sys

import aiosqlite
import discord
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

ANSWER = "Your request is in the queue."


class BareBot(discord.Client):
    """Caches no messages and no members, as Steward doesn't."""

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
        )
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(_help)

        self.ledger: aiosqlite.Connection | None = None

    async def setup_hook(self) -> None:
        if path := os.environ.get("BARE_LEDGER"):
            self.ledger = await aiosqlite.connect(path)
            await self.ledger.execute("PRAGMA journal_mode = WAL")
            await self.ledger.execute("PRAGMA synchronous = FULL")
            await self.ledger.execute("CREATE TABLE ask (id INTEGER PRIMARY KEY, topic TEXT)")
        await self.tree.sync()

    async def close(self) -> None:
        await super().close()
        if self.ledger is not None:
            await self.ledger.close()

    async def on_message(self, message: discord.Message) -> None:
        to = os.environ.get("BARE_RELAYS_TO")
        if to is None or message.guild is not None or message.author.bot:
            return
        if self.ledger is not None:
            await self.ledger.execute(
                "INSERT INTO ask VALUES (?, ?)", (message.id, message.content)
            )
            await self.ledger.commit()
        await self.get_partial_messageable(int(to)).send(
            f"**{message.author.display_name}**: {message.content}"
        )

    async def on_ready(self) -> None:
        print("ready", file=sys.stderr, flush=True)


@app_commands.command(name="help", description="Ask for help")
async def _help(interaction: discord.Interaction[BareBot], topic: str) -> None:
    ledger = interaction.client.ledger
    if ledger is not None:
        await ledger.execute("INSERT INTO ask VALUES (?, ?)", (interaction.id, topic))
        await ledger.commit()
    await interaction.response.send_message(ANSWER, ephemeral=True)


def main() -> None:
    """Run until SIGINT or SIGTERM."""
    Route.BASE = os.environ["BARE_API_BASE"]
    DiscordWebSocket.DEFAULT_GATEWAY = URL(os.environ["BARE_GATEWAY"])
    intents = discord.Intents._from_value(int(os.environ["BARE_INTENTS"]))  # noqa: SLF001
    BareBot(intents).run(os.environ["BARE_TOKEN"], log_handler=None)


if __name__ == "__main__":
    main()
