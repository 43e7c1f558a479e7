"""Members: nominating their work for a campaign, being named for it, and withdrawing it."""

from dataclasses import replace

import discord
from discord import app_commands

from bot.services.nominations import Nomination, Receipt
from bot.words.entries import (
    NAMED,
    WHICH_CAMPAIGN,
    WITHDRAW_ENTRY,
    entry_page,
    entry_suggestion,
    named,
    nominate_form,
    nominated,
    not_taken,
    nothing_to_withdraw,
    own_entries,
    which_campaign,
    withdrawn,
)
from bot.words.showcase import NOMINATE, WITHDRAW, campaign_suggestion
from bot.words.values import Message
from cogs.host import Handler, Host, Room
from cogs.ui.answering import answer, locale_of, show_form
from cogs.ui.reading import actor_of, guild_of, pressed_id, selected, typed
from domain.errors import Refused


class Nominations(Room):
    """`/nominate`, its form, `/withdraw`, and the buttons of a campaign's card and a receipt."""

    @app_commands.command(name="nominate", description="Nominate your work for a campaign")
    @app_commands.describe(campaign="Which campaign (not needed when only one is open)")
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def nominate(self, interaction: discord.Interaction, campaign: str | None = None) -> None:
        """The form, or where what was nominated stands."""
        await self._begin(interaction, campaign)

    @app_commands.command(name="withdraw", description="Withdraw what you have nominated")
    @app_commands.describe(entry="Its reference")
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def withdraw(self, interaction: discord.Interaction, entry: str) -> None:
        """The twin of `Withdraw`."""

        async def work() -> Message:
            guild_id = guild_of(interaction)
            found = await self.services.nominations.by_reference(guild_id, entry)
            return await self._withdrawn(interaction, found.id)

        await answer(interaction, work)

    @nominate.autocomplete("campaign")
    async def open_campaigns(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """What is open, and what the member has an entry in."""
        found = await self.services.nominations.campaigns_for(
            guild_of(interaction), interaction.user.id, current, self.now
        )
        return [
            app_commands.Choice(name=campaign_suggestion(campaign), value=campaign.slug)
            for campaign in found
        ]

    @withdraw.autocomplete("entry")
    async def own(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """The member's own entries that are not finished."""
        found = await self.services.nominations.to_withdraw(
            guild_of(interaction), interaction.user.id, current
        )
        return [
            app_commands.Choice(name=entry_suggestion(entry), value=entry.reference)
            for entry in found
        ]

    def buttons(self) -> dict[str, Handler]:
        return {
            NOMINATE: self._nominate_pressed,
            WHICH_CAMPAIGN: self._chosen,
            WITHDRAW: self._withdraw_pressed,
            WITHDRAW_ENTRY: self._withdraw_entry_pressed,
            NAMED: self._named_pressed,
        }

    def forms(self) -> dict[str, Handler]:
        return {NOMINATE: self._submitted}

    async def _nominate_pressed(self, interaction: discord.Interaction, argument: str) -> None:
        await self._begin(interaction, pressed_id(argument))

    async def _chosen(self, interaction: discord.Interaction, _argument: str) -> None:
        await self._begin(interaction, pressed_id(selected(interaction)))

    async def _begin(self, interaction: discord.Interaction, campaign: int | str | None) -> None:
        """One read, then the form, or the way to it, or what was entered already."""
        locale = locale_of(interaction)
        ways = await self.services.nominations.ways(
            guild_of(interaction), interaction.user.id, campaign, self.now
        )
        if len(ways.campaigns) == 1:
            await show_form(interaction, _checked, nominate_form(locale, ways.campaigns[0]))
            return

        async def work() -> Message:
            if ways.mine:
                return own_entries(locale, [(one.entry, one.campaign) for one in ways.mine])
            return which_campaign(locale, ways.campaigns)

        await answer(interaction, work)

    async def _submitted(self, interaction: discord.Interaction, argument: str) -> None:
        fields = typed(interaction)

        async def work() -> Message:
            locale = locale_of(interaction)
            work = {name: fields.get(name, "") for name in ("title", "url", "why")}
            try:
                receipt = await self._submit(interaction, pressed_id(argument), **work)
            except Refused as refusal:
                return not_taken(locale, refusal, **work)
            return nominated(locale, receipt.entry, receipt.campaign, repeated=receipt.repeated)

        await answer(interaction, work)

    async def _submit(
        self, interaction: discord.Interaction, campaign_id: int, *, title: str, url: str, why: str
    ) -> Receipt:
        actor = actor_of(interaction)
        nomination = Nomination(
            source=f"i:{interaction.id}",
            guild_id=guild_of(interaction),
            campaign_id=campaign_id,
            author_id=actor.member_id,
            author_name=actor.name,
            title=title,
            url=url,
            why=why,
            locale=locale_of(interaction),
        )
        return await self.services.nominations.submit(nomination, self.now)

    async def _withdraw_pressed(self, interaction: discord.Interaction, argument: str) -> None:
        async def work() -> Message:
            locale = locale_of(interaction)
            campaign, entry = await self.services.nominations.withdraw_mine(
                guild_of(interaction), pressed_id(argument), interaction.user.id, self.now
            )
            if entry is None:
                return nothing_to_withdraw(locale, campaign)
            return withdrawn(locale, entry)

        await answer(interaction, work)

    async def _withdraw_entry_pressed(
        self, interaction: discord.Interaction, argument: str
    ) -> None:
        async def work() -> Message:
            return await self._withdrawn(interaction, pressed_id(argument))

        await answer(interaction, work)

    async def _withdrawn(self, interaction: discord.Interaction, entry_id: int) -> Message:
        entry = await self.services.nominations.withdraw(
            guild_of(interaction), entry_id, interaction.user.id, self.now
        )
        return withdrawn(locale_of(interaction), entry)

    async def _named_pressed(self, interaction: discord.Interaction, argument: str) -> None:
        """The receipt changes where it stands, with the way back on it."""

        async def work() -> Message:
            entry_id, _, wanted = argument.partition(":")
            if wanted not in ("0", "1"):
                raise Refused("stale_button")
            receipt = await self.services.nominations.agree(
                guild_of(interaction),
                pressed_id(entry_id),
                interaction.user.id,
                named=wanted == "1",
            )
            locale = locale_of(interaction)
            page = entry_page(locale, receipt.entry, receipt.campaign)
            return replace(page, text=named(locale, receipt.entry).text)

        await answer(interaction, work, update=True)


async def _checked() -> None:
    """Everything that speaks against the form has been said by now."""


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Nominations(bot))
