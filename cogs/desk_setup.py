"""`/desk setup`: who can see the desk and what is missing, shown before anything is settled."""

import functools
import secrets
from dataclasses import dataclass
from typing import Literal
from zoneinfo import available_timezones

import discord
from discord import app_commands

from bot.services.desk import DeskChoice
from bot.words import setting_up
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of
from cogs.ui.reading import guild_of, guild_seen
from domain import permissions
from domain.requests import Route

_KEPT_MS = 600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A set-up that waits to be confirmed by whoever began it."""

    choice: DeskChoice
    until: int


class DeskSetup(Room):
    """A confirmation is kept in memory for ten minutes; after a restart it says to begin anew."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot)
        self._pending: dict[str, Pending] = {}

    async def cog_load(self) -> None:
        desk = self.bot.tree.get_command("desk")
        assert isinstance(desk, app_commands.Group)
        desk.add_command(self.command())

    def command(self) -> app_commands.Command["DeskSetup", ..., None]:
        """`/desk setup`, for the group that another room owns."""
        command: app_commands.Command[DeskSetup, ..., None] = app_commands.Command(
            name="setup",
            description="Set the help desk up, or mend it",
            callback=self.set_up,
        )
        command.autocomplete("timezone")(self.timezones)
        return command

    @app_commands.describe(
        channel="The team's own channel: requests appear here",
        coordinators="Who answers requests",
        reviewers="Who reviews showcase entries",
        organizers="Who runs the desk",
        help_channel="Where private threads go when a member's DMs are closed",
        route="How members are answered (default: by DM)",
        identity="What members see of the team (default: the coordinator's name)",
        timezone="For times that people type (default: UTC)",
    )
    async def set_up(  # noqa: PLR0917 - a slash command's options are its parameters
        self,
        interaction: discord.Interaction,
        channel: discord.TextChannel,
        coordinators: discord.Role,
        reviewers: discord.Role | None = None,
        organizers: discord.Role | None = None,
        help_channel: discord.TextChannel | None = None,
        route: Literal["dm", "thread"] = "dm",
        identity: Literal["name", "team"] = "name",
        timezone: str = "UTC",
    ) -> None:
        """Check, show who can see the desk, and ask to confirm."""
        choice = DeskChoice(
            guild_id=guild_of(interaction),
            guild_name="" if interaction.guild is None else interaction.guild.name,
            channel_id=channel.id,
            help_channel_id=None if help_channel is None else help_channel.id,
            coordinator_role_id=coordinators.id,
            reviewer_role_id=None if reviewers is None else reviewers.id,
            organizer_role_id=None if organizers is None else organizers.id,
            route=Route(route),
            identity=identity,
            timezone=timezone,
            locale=str(interaction.guild_locale or interaction.locale),
            set_up_by=interaction.user.id,
        )
        await answer(interaction, lambda: self._check(interaction, choice))

    async def _check(self, interaction: discord.Interaction, choice: DeskChoice) -> Message:
        objection = await self._objection(interaction, choice)
        if objection is not None:
            return objection
        assert interaction.guild is not None
        return self._ask(locale_of(interaction), choice, interaction.guild)

    async def _objection(
        self, interaction: discord.Interaction, choice: DeskChoice
    ) -> Message | None:
        """What speaks against it now: asked when it is begun, and again when it is confirmed."""
        locale = locale_of(interaction)
        guild = guild_seen(interaction)
        if not interaction.permissions.manage_guild:
            return setting_up.sentence(locale, "not_allowed")
        if choice.timezone not in _timezones():
            return setting_up.sentence(locale, "timezone")
        if choice.route is Route.THREAD and choice.help_channel_id is None:
            return setting_up.sentence(locale, "needs_help_channel")
        if choice.help_channel_id == choice.channel_id:
            return setting_up.sentence(locale, "same_channel")
        if guild.id in (
            choice.coordinator_role_id,
            choice.reviewer_role_id,
            choice.organizer_role_id,
        ):
            return setting_up.sentence(locale, "everyone_role")
        channel = guild.get_channel(choice.channel_id)
        if channel is None:
            return setting_up.sentence(locale, "no_channel")
        if channel.permissions_for(guild.default_role).view_channel:
            return setting_up.everyone_sees(locale, choice.channel_id)
        missing = await self._missing(guild, choice)
        return setting_up.missing_permissions(locale, missing) if missing else None

    async def _missing(self, guild: discord.Guild, choice: DeskChoice) -> list[setting_up.Missing]:
        """What the bot lacks, by its roles as Discord says they are now."""
        assert self.bot.user is not None
        me = await guild.fetch_member(self.bot.user.id)
        wanted: dict[int, tuple[str, ...]] = {choice.channel_id: permissions.DESK}
        if choice.help_channel_id is not None:
            wanted[choice.help_channel_id] = permissions.HELP
        found = []
        for channel_id, names in wanted.items():
            channel = guild.get_channel(channel_id)
            allowed = None if channel is None else channel.permissions_for(me)
            lacking = tuple(name for name in names if allowed is None or not getattr(allowed, name))
            if lacking:
                found.append(setting_up.Missing(channel_id=channel_id, permissions=lacking))
        return found

    def _ask(self, locale: str, choice: DeskChoice, guild: discord.Guild) -> Message:
        channel = guild.get_channel(choice.channel_id)
        assert channel is not None
        now = self.now
        self._pending = {key: one for key, one in self._pending.items() if one.until > now}
        token = secrets.token_urlsafe(15)
        self._pending[token] = Pending(choice=choice, until=now + _KEPT_MS)
        readers = [
            role.id for role in reversed(guild.roles) if channel.permissions_for(role).view_channel
        ]
        return setting_up.confirm(
            locale,
            channel_id=choice.channel_id,
            role_ids=readers,
            coordinators_id=choice.coordinator_role_id,
            token=token,
        )

    def buttons(self) -> dict[str, Handler]:
        return {"setup": self._confirmed, "setup-not": self._dismissed}

    async def _confirmed(self, interaction: discord.Interaction, token: str) -> None:
        async def work() -> Message:
            locale = locale_of(interaction)
            pending = self._taken(interaction, token)
            if pending is None:
                return setting_up.sentence(locale, "expired")
            objection = await self._objection(interaction, pending.choice)
            if objection is not None:
                return objection
            await self.services.desks.set_up(pending.choice, self.now)
            return setting_up.done(locale, pending.choice.channel_id)

        await answer(interaction, work, update=True)

    async def _dismissed(self, interaction: discord.Interaction, token: str) -> None:
        async def work() -> Message:
            self._taken(interaction, token)
            return setting_up.sentence(locale_of(interaction), "dismissed")

        await answer(interaction, work, update=True)

    def _taken(self, interaction: discord.Interaction, token: str) -> Pending | None:
        """The set-up under this token, once, for whoever began it."""
        pending = self._pending.get(token)
        if pending is None or pending.choice.set_up_by != interaction.user.id:
            return None
        del self._pending[token]
        return pending if pending.until > self.now else None

    async def timezones(
        self, _: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Time zones whose name has what was typed; at most 25."""
        wanted = current.casefold().replace(" ", "_")
        found = [zone for zone in _timezones() if wanted in zone.casefold()]
        return [app_commands.Choice(name=zone, value=zone) for zone in found[:25]]


@functools.cache
def _timezones() -> tuple[str, ...]:
    """The time zones there are; finding them walks a folder, too slow for every letter typed."""
    return tuple(sorted(available_timezones()))


async def setup(bot: Host) -> None:
    """Load this room, after `cogs.desk`, whose group its command joins."""
    await bot.add_cog(DeskSetup(bot))
