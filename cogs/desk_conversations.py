"""Ending a conversation and handing it on: `/desk resolve, hand-over, take` and their buttons."""

import discord
from discord import app_commands

from bot.services.access import Actor
from bot.services.conversations import RESOLUTION_LIMIT
from bot.words.conversations import (
    hand_over_form,
    handed_over,
    resolve_form,
    resolved,
    taken,
)
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of, show_form
from cogs.ui.reading import actor_of, guild_of, guild_seen, picked, pressed_id, typed
from cogs.ui.suggesting import suggest
from domain.errors import Refused

_ACTIVE = frozenset({"active"})


class DeskConversations(Room):
    """Three commands that join the desk's group, and the buttons of an active card."""

    async def cog_load(self) -> None:
        desk = self.bot.tree.get_command("desk")
        assert isinstance(desk, app_commands.Group)
        for name, description, callback in (
            ("resolve", "End a conversation of yours", self.resolve),
            ("hand-over", "Give a conversation to another coordinator", self.hand_over),
            ("take", "Take a conversation that nobody has", self.take),
        ):
            command: app_commands.Command[DeskConversations, ..., None] = app_commands.Command(
                name=name, description=description, callback=callback
            )
            command.autocomplete("request")(self.in_conversation)
            desk.add_command(command)

    @app_commands.describe(request="Its reference")
    async def resolve(self, interaction: discord.Interaction, request: str) -> None:
        """The twin of `Resolve`."""
        await self._resolve_form(interaction, request=request)

    @app_commands.describe(request="Its reference", to="Who shall have it")
    async def hand_over(
        self, interaction: discord.Interaction, request: str, to: discord.Member
    ) -> None:
        """The twin of `Hand over`."""

        async def work() -> Message:
            request_id = await self._found(interaction, request)
            return await self._hand_over(interaction, request_id, to.id)

        await answer(interaction, work)

    @app_commands.describe(request="Its reference")
    async def take(self, interaction: discord.Interaction, request: str) -> None:
        """The twin of `Take`."""

        async def work() -> Message:
            return await self._take(interaction, await self._found(interaction, request))

        await answer(interaction, work)

    async def in_conversation(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """The person's own conversations, and those that nobody has."""
        return await suggest(self, interaction, current, _ACTIVE)

    def buttons(self) -> dict[str, Handler]:
        return {
            "resolve": self._resolve_pressed,
            "handover": self._hand_over_pressed,
            "take": self._take_pressed,
        }

    def forms(self) -> dict[str, Handler]:
        return {"resolve": self._resolved, "handover": self._handed_over}

    async def _found(self, interaction: discord.Interaction, reference: str) -> int:
        found = await self.services.helpdesk.find(
            guild_of(interaction), reference, actor_of(interaction)
        )
        return found.id

    async def _resolve_pressed(self, interaction: discord.Interaction, argument: str) -> None:
        await self._resolve_form(interaction, pressed=argument)

    async def _resolve_form(
        self, interaction: discord.Interaction, *, request: str = "", pressed: str = ""
    ) -> None:
        async def find() -> int:
            if pressed:
                return pressed_id(pressed)
            return await self._found(interaction, request)

        async def check() -> None:
            await self.services.conversations.check_may_end(
                guild_of(interaction), await find(), actor_of(interaction)
            )

        try:
            request_id = await find()
        except Refused:
            request_id = 0
        form = resolve_form(
            locale_of(interaction),
            custom_id=f"resolve:{request_id}:{interaction.id}",
            limit=RESOLUTION_LIMIT,
        )
        await show_form(interaction, check, form)

    async def _resolved(self, interaction: discord.Interaction, argument: str) -> None:
        async def work() -> Message:
            request = await self.services.conversations.resolve(
                guild_of(interaction),
                pressed_id(argument.partition(":")[0]),
                actor_of(interaction),
                typed(interaction).get("resolution", ""),
                self.now,
            )
            return resolved(locale_of(interaction), request)

        await answer(interaction, work)

    async def _hand_over_pressed(self, interaction: discord.Interaction, argument: str) -> None:
        async def check() -> None:
            await self.services.conversations.check_may_hand_over(
                guild_of(interaction), pressed_id(argument), actor_of(interaction)
            )

        form = hand_over_form(
            locale_of(interaction), custom_id=f"handover:{argument[:19]}:{interaction.id}"
        )
        await show_form(interaction, check, form)

    async def _handed_over(self, interaction: discord.Interaction, argument: str) -> None:
        async def work() -> Message:
            chosen = picked(interaction, "to")
            if not chosen:
                raise Refused("stale_button")
            request_id = pressed_id(argument.partition(":")[0])
            return await self._hand_over(interaction, request_id, chosen[0])

        await answer(interaction, work)

    async def _hand_over(
        self, interaction: discord.Interaction, request_id: int, to_id: int
    ) -> Message:
        to = await _with_live_roles(guild_seen(interaction), to_id)
        request = await self.services.conversations.hand_over(
            guild_of(interaction), request_id, actor_of(interaction), to, self.now
        )
        return handed_over(locale_of(interaction), request, to_id)

    async def _take_pressed(self, interaction: discord.Interaction, argument: str) -> None:
        async def work() -> Message:
            return await self._take(interaction, pressed_id(argument))

        await answer(interaction, work)

    async def _take(self, interaction: discord.Interaction, request_id: int) -> Message:
        request = await self.services.conversations.take(
            guild_of(interaction), request_id, actor_of(interaction), self.now
        )
        return taken(locale_of(interaction), request)


async def _with_live_roles(guild: discord.Guild, member_id: int) -> Actor:
    """A person as Discord knows them now; somebody who has left holds no role."""
    try:
        member = await guild.fetch_member(member_id)
    except discord.NotFound:
        return Actor(member_id=member_id, name="?", role_ids=frozenset())
    return Actor(
        member_id=member.id,
        name=member.display_name,
        role_ids=frozenset(role.id for role in member.roles),
    )


async def setup(bot: Host) -> None:
    """Load this room, after `cogs.desk`, whose group its commands join."""
    await bot.add_cog(DeskConversations(bot))
