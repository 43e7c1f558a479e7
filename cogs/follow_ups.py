"""A word to those who wait, while their interaction lives.

A member who can't be reached by DM, the coordinator who claimed them, and whoever's claim or review
is about to run out are told at once, for them alone. Nothing depends on it: the cards, `/requests`
and `/review mine` say the same for as long as it is so.
"""

import logging
from dataclasses import dataclass
from typing import Final

import discord
from discord.ext import commands

from bot.rendering import discord_kwargs
from bot.words.follow_ups import claim_ending, unreached_for_member, unreached_for_owner
from bot.words.reviews import lease_ending
from bot.words.values import Message
from cogs.host import Host, Room
from cogs.ui.answering import locale_of
from domain.entries import Leased
from domain.requests import Claimed, Queued

log = logging.getLogger(__name__)

# A token lives for fifteen minutes; in the last one a follow-up may come too late.
TOKEN_MS: Final = 14 * 60_000
MOST: Final = 5_000


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody's interaction, and until when it can be followed up (UTC ms)."""

    interaction: discord.Interaction
    until: int


class FollowUps(Room):
    """Listens to what other rooms and the worker dispatch; at most `MOST` wait of each kind."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot)
        self._members: dict[int, Waiting] = {}
        self._owners: dict[int, Waiting] = {}
        self._reviewers: dict[int, Waiting] = {}

    @commands.Cog.listener()
    async def on_help_asked(self, request_id: int, interaction: discord.Interaction) -> None:
        """A member has asked."""
        self._keep(self._members, request_id, interaction)

    @commands.Cog.listener()
    async def on_request_claimed(self, request_id: int, interaction: discord.Interaction) -> None:
        """A coordinator has claimed."""
        self._keep(self._owners, request_id, interaction)

    @commands.Cog.listener()
    async def on_request_unreached(self, request_id: int) -> None:
        """The worker could not open the member's DM."""
        request = await self.services.overview.request(request_id)
        if not isinstance(request.state, Queued) or request.state.last_problem is None:
            return
        problem = request.state.last_problem
        if (member := self._live(self._members, request_id)) is not None:
            words = unreached_for_member(locale_of(member), request, problem)
            await self._tell(member, words)
        if (owner := self._live(self._owners, request_id)) is not None:
            await self._tell(owner, unreached_for_owner(locale_of(owner), request, problem))

    @commands.Cog.listener()
    async def on_claim_ending(self, request_id: int) -> None:
        """A claim runs out soon."""
        owner = self._live(self._owners, request_id)
        if owner is None:
            return
        request = await self.services.overview.request(request_id)
        if isinstance(request.state, Claimed) and request.state.owner_id == owner.user.id:
            words = claim_ending(locale_of(owner), request, request.state.lease_until)
            await self._tell(owner, words)

    @commands.Cog.listener()
    async def on_review_held(self, entry_id: int, interaction: discord.Interaction) -> None:
        """A reviewer has been shown the card of what they hold."""
        self._keep(self._reviewers, entry_id, interaction)

    @commands.Cog.listener()
    async def on_review_ending(self, entry_id: int) -> None:
        """A reviewer's time for an entry runs out soon."""
        reviewer = self._live(self._reviewers, entry_id)
        if reviewer is None:
            return
        entry = await self.services.reviews.entry(entry_id)
        if isinstance(entry.state, Leased) and entry.state.reviewer_id == reviewer.user.id:
            await self._tell(reviewer, lease_ending(locale_of(reviewer), entry))

    def _keep(
        self, waiting: dict[int, Waiting], about_id: int, interaction: discord.Interaction
    ) -> None:
        now = self.now
        while waiting:  # oldest first: what is over, or one too many
            oldest = next(iter(waiting))
            if waiting[oldest].until > now and len(waiting) < MOST:
                break
            del waiting[oldest]
        waiting.pop(about_id, None)
        waiting[about_id] = Waiting(interaction, now + TOKEN_MS)

    def _live(self, waiting: dict[int, Waiting], about_id: int) -> discord.Interaction | None:
        found = waiting.get(about_id)
        return None if found is None or found.until <= self.now else found.interaction

    async def _tell(self, interaction: discord.Interaction, message: Message) -> None:
        try:
            await interaction.followup.send(ephemeral=True, **discord_kwargs(message))
        except (discord.DiscordException, OSError) as error:
            log.info("follow_up_not_shown", extra={"problem": type(error).__name__})


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(FollowUps(bot))
