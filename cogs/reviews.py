"""Reviewers: the next entry, the card of what they hold, and what they decide on it.

A card is shown to its reviewer alone. Its buttons work in a server and under words in a DM; there
the roles are asked of Discord, for a press in a DM carries none.
"""

from collections.abc import Awaitable, Callable

import discord
from discord import app_commands

from bot.services.access import Actor
from bot.services.reviews import Held
from bot.services.showcase import read_note
from bot.words.entries import entry_suggestion, not_taken
from bot.words.reviews import (
    APPROVE,
    EDIT,
    EXTEND,
    GIVE_BACK,
    SEND_BACK,
    SHOW,
    Exchange,
    approve_form,
    edit_form,
    edited,
    extended,
    held_page,
    nothing_to_review,
    review_card,
    reviewed,
    send_back_form,
)
from bot.words.showcase import REVIEW, campaign_suggestion
from bot.words.values import Message, Modal
from cogs.host import Handler, Host, Room
from cogs.ui.answering import Aside, answer, locale_of, show_made_form, worded
from cogs.ui.membership import actor_in
from cogs.ui.reading import actor_of, guild_of, pressed_id, typed
from domain.entries import Entry
from domain.errors import Refused

Form = Callable[[str, Entry, str], Modal]
OnEntry = Callable[[discord.Interaction, int, int, Actor], Awaitable[Message]]
Decide = Callable[[int, Actor], Awaitable[Message]]

_WORDS = ("send_back", "answer")


class Reviews(Room):
    """`/review next, mine, reclaim`, `Review next`, and the review card's buttons and forms."""

    review = app_commands.Group(
        name="review",
        description="Reviewing what is nominated",
        allowed_contexts=app_commands.AppCommandContext(guild=True),
        allowed_installs=app_commands.AppInstallationType(guild=True),
    )

    @review.command(name="next", description="Take the next entry that waits")
    @app_commands.describe(campaign="Which campaign (default: any)")
    async def take(self, interaction: discord.Interaction, campaign: str | None = None) -> None:
        """The twin of `Review next`, for any campaign too."""

        async def work() -> Message:
            campaign_id = None
            if campaign is not None:
                found = await self.services.campaigns.by_slug(guild_of(interaction), campaign)
                campaign_id = found.id
            return await self._claim(interaction, guild_of(interaction), campaign_id)

        await answer(interaction, work)

    @review.command(name="mine", description="What you hold, and until when")
    async def mine(self, interaction: discord.Interaction) -> None:
        """The reviewer's own, with a way to each card."""

        async def work() -> Message:
            held = await self.services.reviews.mine(guild_of(interaction), actor_of(interaction))
            return held_page(locale_of(interaction), held)

        await answer(interaction, work)

    @review.command(name="reclaim", description="Put an entry back that a reviewer doesn't finish")
    @app_commands.describe(entry="The entry's reference")
    async def reclaim(self, interaction: discord.Interaction, entry: str) -> None:
        """For organizers: whoever held it can't decide on it any more."""

        async def work() -> Message:
            guild_id, actor = guild_of(interaction), actor_of(interaction)
            found = await self.services.nominations.by_reference(guild_id, entry)
            after = await self.services.reviews.reclaim(guild_id, found.id, actor, self.now)
            return reviewed(locale_of(interaction), "reclaimed", after)

        await answer(interaction, work)

    @take.autocomplete("campaign")
    async def campaigns_to_review(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Campaigns that are not closed, for reviewers."""
        try:
            found = await self.services.suggesting.to_review(
                guild_of(interaction), actor_of(interaction), current
            )
        except Refused:
            return []
        return [app_commands.Choice(name=campaign_suggestion(one), value=one.slug) for one in found]

    @reclaim.autocomplete("entry")
    async def entries_to_reclaim(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """What reviewers hold, for organizers."""
        try:
            found = await self.services.suggesting.to_reclaim(
                guild_of(interaction), actor_of(interaction), current
            )
        except Refused:
            return []
        return [
            app_commands.Choice(name=entry_suggestion(one), value=one.reference) for one in found
        ]

    def buttons(self) -> dict[str, Handler]:
        return {
            REVIEW: self._next_pressed,
            SHOW: self._on_entry(self._show, update=False),
            EXTEND: self._on_entry(self._extend, update=True),
            GIVE_BACK: self._on_entry(self._give_back, update=True),
            APPROVE: self._asking("approve", lambda to, _, token: approve_form(to, token=token)),
            EDIT: self._asking("edit", lambda to, entry, token: edit_form(to, entry, token=token)),
            SEND_BACK: self._asking(
                "send_back", lambda to, _, token: send_back_form(to, token=token)
            ),
        }

    def forms(self) -> dict[str, Handler]:
        return {APPROVE: self._approved, EDIT: self._edited, SEND_BACK: self._sent_back}

    async def _next_pressed(self, interaction: discord.Interaction, argument: str) -> None:
        """Under a campaign's card, and under the word that the last entry is done with."""

        async def work() -> Message:
            try:
                campaign_id = pressed_id(argument)
                guild_id = interaction.guild_id
                if guild_id is None:
                    guild_id = await self.services.reviews.guild_of_campaign(campaign_id)
                return await self._claim(interaction, guild_id, campaign_id)
            except Refused as refused:
                raise Aside(worded(interaction, refused)) from refused

        await answer(interaction, work, update=True)

    async def _claim(
        self, interaction: discord.Interaction, guild_id: int, campaign_id: int | None
    ) -> Message:
        actor = await actor_in(self.bot, interaction, guild_id)
        held = await self.services.reviews.claim_next(
            guild_id, campaign_id, actor, self.now, interaction_id=interaction.id
        )
        if held is None:
            return nothing_to_review(locale_of(interaction))
        return self._card(interaction, held)

    def _on_entry(self, act: OnEntry, *, update: bool) -> Handler:
        """A press that names an entry; what it is refused with leaves the card as it is."""

        async def handler(interaction: discord.Interaction, argument: str) -> None:
            async def work() -> Message:
                try:
                    entry_id = pressed_id(argument)
                    guild_id = interaction.guild_id
                    if guild_id is None:
                        guild_id = (await self.services.reviews.entry(entry_id)).guild_id
                    actor = await actor_in(self.bot, interaction, guild_id)
                    return await act(interaction, guild_id, entry_id, actor)
                except Refused as refused:
                    raise Aside(worded(interaction, refused)) from refused

            await answer(interaction, work, update=update)

        return handler

    async def _show(
        self, interaction: discord.Interaction, guild_id: int, entry_id: int, actor: Actor
    ) -> Message:
        held = await self.services.reviews.show(guild_id, entry_id, actor, self.now)
        return self._card(interaction, held)

    async def _extend(
        self, interaction: discord.Interaction, guild_id: int, entry_id: int, actor: Actor
    ) -> Message:
        held = await self.services.reviews.extend(guild_id, entry_id, actor, self.now)
        return self._card(interaction, held, text=extended(locale_of(interaction), held.entry))

    async def _give_back(
        self, interaction: discord.Interaction, guild_id: int, entry_id: int, actor: Actor
    ) -> Message:
        entry = await self.services.reviews.give_up(guild_id, entry_id, actor, self.now)
        return reviewed(locale_of(interaction), "given_back", entry)

    def _asking(self, action: str, form: Form) -> Handler:
        """A press that opens a decision's form, where it could be made now."""

        async def handler(interaction: discord.Interaction, token: str) -> None:
            async def make() -> Modal:
                actor = None if interaction.guild_id is None else actor_of(interaction)
                entry = await self.services.reviews.check_can_decide(
                    token, action, interaction.user.id, self.now, actor=actor
                )
                return form(locale_of(interaction), entry, token)

            await show_made_form(interaction, make)

        return handler

    async def _approved(self, interaction: discord.Interaction, token: str) -> None:
        summary = typed(interaction).get("summary", "")

        async def decide(guild_id: int, actor: Actor) -> Message:
            entry = await self.services.reviews.complete(guild_id, token, summary, actor, self.now)
            return reviewed(locale_of(interaction), "approved", entry)

        await self._decided(interaction, token, decide, words=summary)

    async def _sent_back(self, interaction: discord.Interaction, token: str) -> None:
        words = typed(interaction).get("words", "")

        async def decide(guild_id: int, actor: Actor) -> Message:
            entry = await self.services.reviews.send_back(guild_id, token, words, actor, self.now)
            return reviewed(locale_of(interaction), "sent_back", entry)

        await self._decided(interaction, token, decide, words=words)

    async def _edited(self, interaction: discord.Interaction, token: str) -> None:
        fields = typed(interaction)
        given = {name: fields.get(name, "") for name in ("title", "url", "why")}

        async def decide(guild_id: int, actor: Actor) -> Message:
            held = await self.services.reviews.edit(guild_id, token, actor, self.now, **given)
            return self._card(interaction, held, text=edited(locale_of(interaction), held.entry))

        await self._decided(interaction, token, decide, **given)

    async def _decided(
        self, interaction: discord.Interaction, token: str, decide: Decide, **given: str
    ) -> None:
        """A decision's form came in; what it is refused with gives back all that was typed."""

        async def work() -> Message:
            try:
                guild_id = interaction.guild_id
                if guild_id is None:
                    guild_id = await self.services.reviews.guild_behind(
                        token, interaction.user.id, self.now
                    )
                return await decide(guild_id, await actor_in(self.bot, interaction, guild_id))
            except Refused as refused:
                raise Aside(not_taken(locale_of(interaction), refused, **given)) from refused

        await answer(interaction, work, update=True)

    def _card(self, interaction: discord.Interaction, held: Held, *, text: str = "") -> Message:
        """The card of what the reviewer holds, with what passed between them and the author."""
        self.bot.dispatch("review_held", held.entry.id, interaction)
        return review_card(
            locale_of(interaction),
            held.entry,
            held.campaign,
            tokens=held.tokens,
            earlier=[
                Exchange(event=row.event, words=read_note(row.note).words)
                for row in held.history
                if row.event in _WORDS
            ],
            text=text,
        )


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Reviews(bot))
