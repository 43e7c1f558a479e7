"""The discord.py side of Steward: one bot object, its cogs, and the gateway under supervision."""

import asyncio
import hashlib
import json
import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord
from discord.ext import commands

from bot.clock import Clock
from bot.delivery import discord_internals, discord_reading, discord_wire
from bot.delivery.receipts import Receipts
from bot.delivery.typing import Typing
from bot.services import Services
from bot.translating import Translator
from domain.delivery import backoff_ms
from domain.written import Written
from storage.errors import StorageError

log = logging.getLogger(__name__)

# cogs.desk comes first of the desk's: it owns the group that the others' commands join.
EXTENSIONS = (
    "cogs.answers",
    "cogs.help",
    "cogs.requests",
    "cogs.conversation",
    "cogs.dm_help",
    "cogs.reopen",
    "cogs.reply",
    "cogs.desk",
    "cogs.desk_conversations",
    "cogs.desk_doubts",
    "cogs.desk_panel",
    "cogs.desk_setup",
    "cogs.follow_ups",
    "cogs.interactions",
    "cogs.nominations",
    "cogs.reviews",
    "cogs.transcripts",
    "cogs.translate",
    "cogs.translations",
)

_FATAL_CLOSES = {
    4004: "Discord refuses the token",
    4010: "Discord refuses the shard",
    4011: "Discord wants this bot to be sharded",
    4012: "Discord refuses the gateway version",
    4013: "Discord refuses the intents",
    4014: "Discord refuses the privileged intents: turn them on in the developer portal",
}


class CannotConnect(Exception):
    """Discord will not have this application as it is; the message says why, in one line."""


def intents(*, message_content: bool = False) -> discord.Intents:
    """The fewest intents: guilds, messages in guilds and DMs, with the echo of our own, and typing
    in DMs.

    `message_content`: also what is written in desks' threads, which Discord has to allow.
    """
    wanted = discord.Intents.none()
    wanted.guilds = True
    wanted.guild_messages = True
    wanted.dm_messages = True
    wanted.dm_typing = True
    wanted.message_content = message_content
    return wanted


class StewardBot(commands.Bot):
    """discord.py's bot with Steward's services, and perhaps a translator, for the cogs to call.

    `receipts` and `typing` are set once this process delivers; until then the gateway isn't
    connected.
    """

    def __init__(
        self, services: Services, clock: Clock, translator: Translator | None = None
    ) -> None:
        _miss_no_voice()
        super().__init__(
            # No message is ever a command: `on_message` hands none on. Any other prefix makes the
            # library warn of an intent that commands would need.
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents(),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            # After the last guild's news. Whoever comes later is told by `on_guild_available`.
            guild_ready_timeout=0.5,
            max_ratelimit_timeout=30.0,
            http_trace=discord_wire.trace(),
        )
        self.services = services
        self.clock = clock
        self.translator = translator
        self.receipts: Receipts | None = None
        self.typing: Typing | None = None
        self.on_connection: Callable[[bool], None] = lambda _: None

    async def setup_hook(self) -> None:
        flags = self.application_flags
        allowed = flags.gateway_message_content or flags.gateway_message_content_limited
        discord_internals.use_intents(self, intents(message_content=allowed))
        if not allowed:
            log.warning("message_content_off", extra={"instead": "/reply"})
        for extension in EXTENSIONS:
            await self.load_extension(extension)

    async def on_connect(self) -> None:
        """A new session, before any of its events: what came before it was told to nobody."""
        self.services.intake.cut()

    async def on_ready(self) -> None:
        log.info("gateway_ready", extra={"guilds": len(self.guilds)})
        if self.receipts is not None:
            self.receipts.session_began()
        self.services.intake.gap()
        self.on_connection(True)
        if self.intents.message_content:
            await self.services.desks.content_allowed()

    async def on_guild_available(self, _: discord.Guild) -> None:
        """A guild came late, or is back after Discord had lost it for a while."""
        if self.is_ready():
            self.services.intake.gap()

    async def on_resumed(self) -> None:
        log.info("gateway_resumed")
        self.services.intake.gap()
        self.on_connection(True)

    async def on_disconnect(self) -> None:
        self.services.intake.cut()
        self.on_connection(False)

    async def on_message(self, message: discord.Message, /) -> None:
        """A person's message goes into the inbox; the echo of one of ours is a receipt.

        Answers to interactions have no nonce of ours.
        """
        if self.receipts is None or self.user is None:
            return
        if message.author.id != self.user.id:
            written = self._written(message)
            if written is not None:
                await self._heard(written)
        elif message.nonce is not None and not message.flags.ephemeral:
            await self.receipts.echo(str(message.nonce), message.id, message.channel.id)

    async def _heard(self, written: Written) -> None:
        """Into the inbox; a direct message that nobody listens to is answered at least."""
        heard = await self.services.intake.wrote(written, self.clock.now())
        if not heard and written.guild_id is None:
            await self.services.offering.wrote(written, self.clock.now())

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        written = self._written(payload.message)
        if self.receipts is not None and written is not None:
            await self.services.intake.edited(written, self.clock.now())
            if written.guild_id is None:
                await self.services.offering.edited(written)

    def _written(self, message: discord.Message) -> Written | None:
        return discord_reading.written(message, sees_content=self.intents.message_content)

    async def on_raw_typing(self, payload: discord.RawTypingEvent) -> None:
        if self.typing is not None and payload.guild_id is None:
            await self.typing.began(payload.channel_id, payload.user_id)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        await self._gone(payload.channel_id, [payload.message_id])
        if payload.guild_id is None:
            await self.services.offering.deleted(payload.message_id)

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        await self._gone(payload.channel_id, list(payload.message_ids))

    async def _gone(self, channel_id: int, message_ids: list[int]) -> None:
        if self.receipts is None:
            return
        await self.services.intake.deleted(channel_id, message_ids, self.clock.now())
        for message_id in message_ids:
            if await self.receipts.deleted(message_id):
                log.info("card_deleted", extra={"sent_id": message_id})
                self.on_connection(True)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.services.desks.lost_channel(channel.guild.id, channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self.services.desks.lost_thread(payload.guild_id, payload.thread_id, self.clock.now())

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread that is not locked may be one that was: what waits for it is tried again."""
        if not payload.data["thread_metadata"].get("locked"):
            await self._permissions_changed(payload.guild_id)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        await self.services.desks.lost_role(role.guild.id, role.id)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        if before.overwrites != after.overwrites:
            await self._permissions_changed(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        if before.permissions != after.permissions:
            await self._permissions_changed(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Of ourselves: Discord tells that without the members intent, too."""
        if self.user is not None and after.id == self.user.id and before.roles != after.roles:
            await self._permissions_changed(after.guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self._permissions_changed(guild.id)

    async def _permissions_changed(self, guild_id: int) -> None:
        await self.services.desks.permissions_changed(guild_id, self.clock.now())

    async def on_error(self, event_method: str, /, *_: Any, **__: Any) -> None:
        log.error("event_failed", exc_info=sys.exception(), extra={"handler": event_method})

    async def commands_hash(self) -> str:
        """The hash of what Discord is told about our commands, in every language."""
        translator = self.tree.translator
        payload = [
            command.to_dict(self.tree)
            if translator is None
            else await command.get_translated_payload(self.tree, translator)
            for command in self.tree.get_commands()
        ]
        text = json.dumps(payload, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    async def stay_connected(self) -> None:
        """Keep the gateway connected for ever, with back-off after what breaks it.

        When Discord takes the message-content intent away, it goes on without. Raises
        `CannotConnect` for what trying again cannot mend.
        """
        tries = 0
        while True:
            started = self.clock.now()
            try:
                await self.connect()
            except discord.PrivilegedIntentsRequired as error:
                if not self.intents.message_content:
                    raise CannotConnect(_FATAL_CLOSES[4014]) from error
                await self._go_without_content()
            except discord.ConnectionClosed as error:
                why = _FATAL_CLOSES.get(error.code)
                if why is not None or self.is_closed():
                    raise CannotConnect(why or f"the gateway closed with {error.code}") from error
            except Exception:
                log.exception("gateway_broken")
            if self.is_closed():
                return
            await discord_internals.leave_gateway(self)
            tries = 1 if self.clock.now() - started > 60_000 else tries + 1
            await asyncio.sleep(backoff_ms(tries, base_ms=1000, cap_ms=60_000, jitter=0.5) / 1000)

    async def _go_without_content(self) -> None:
        """What is written in desks' threads is not read from now on; their organizers are told."""
        log.warning("message_content_refused", extra={"instead": "/reply"})
        discord_internals.use_intents(self, intents())
        try:
            await self.services.desks.content_refused()
        except StorageError as error:
            log.warning("refusal_not_noted", extra={"problem": str(error)})


def _miss_no_voice() -> None:
    """Keep the library from warning that it can't speak: Steward never does."""
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False


def _why(error: Exception) -> str:
    """What keeps us from Discord, in a few words."""
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "its name can't be looked up from here"
    if isinstance(error, aiohttp.ClientConnectorError):
        return "nothing answers at its address"
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    if isinstance(error, discord.HTTPException):
        return f"it answered with HTTP {error.status}"
    return f"the connection failed ({type(error).__name__})"


async def log_in(client: discord.Client, token: str) -> int:
    """Log in over REST; answer the application's id.

    Raises `CannotConnect` when the token is refused, and `Unreachable` when Discord isn't there.
    """
    try:
        await client.login(token)
    except discord.LoginFailure as error:
        raise CannotConnect(
            "discord.token: Discord refuses it; copy it anew from the developer portal"
        ) from error
    except (discord.DiscordException, aiohttp.ClientError, OSError, ValueError) as error:
        raise Unreachable(f"Discord can't be reached: {_why(error)}") from error
    application_id = client.application_id
    if application_id is None:
        raise Unreachable("Discord did not name the application")
    return application_id


async def find_gateway(client: discord.Client) -> None:
    """Use the gateway that the REST server names. Raises `Unreachable`."""
    try:
        await discord_internals.use_gateway_of(client)
    except (discord.DiscordException, aiohttp.ClientError, OSError, ValueError) as error:
        raise Unreachable(f"Discord did not name its gateway: {type(error).__name__}") from error


class Unreachable(Exception):
    """Discord could not be reached just now; the message says why, in one line."""


@asynccontextmanager
async def visiting(token: str) -> AsyncIterator[discord.Client]:
    """A client that is logged in over REST alone, to look round.

    Raises `CannotConnect` or `Unreachable`, also for what goes wrong while it is used.
    """
    _miss_no_voice()
    client = discord.Client(intents=intents(), max_ratelimit_timeout=30.0)
    try:
        await log_in(client, token)
        yield client
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        raise Unreachable(f"Discord can't be reached: {_why(error)}") from error
    finally:
        await client.close()
