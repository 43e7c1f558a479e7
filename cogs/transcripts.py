"""Coordinators: a conversation as a file."""

import asyncio
import logging

import discord
from discord import app_commands

from bot.services.transcripts import Spoken, Told
from bot.transcripts import Line, Transcript, Version, render
from bot.words.desk import suggestion
from bot.words.transcripts import STEWARD, borne, fetched, happened
from cogs.host import Host, Room
from cogs.ui.answering import Document, answer_with_file, locale_of
from cogs.ui.reading import actor_of, guild_of
from domain.errors import Refused
from domain.requests import Resolved

log = logging.getLogger(__name__)


class Transcripts(Room):
    """`/transcript`. One file is made at a time: a long conversation takes seconds, and memory."""

    def __init__(self, bot: Host) -> None:
        super().__init__(bot)
        self._making = asyncio.Lock()

    @app_commands.command(name="transcript", description="A conversation as a file")
    @app_commands.describe(request="Its reference")
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def transcript(self, interaction: discord.Interaction, request: str) -> None:
        """The file, for the person alone; that they fetched it is on record before they have it."""

        async def work() -> Document:
            actor = actor_of(interaction)
            locale = locale_of(interaction)
            async with self._making:
                told = await self.services.transcripts.read(guild_of(interaction), request, actor)
                data = await asyncio.to_thread(lambda: render(transcript_of(told, locale)))
            await self.services.transcripts.fetched(told, actor, self.now)
            reference = told.request.reference
            log.info(
                "transcript_fetched", extra={"request": told.request.id, "by": actor.member_id}
            )
            return Document(message=fetched(locale, reference), name=f"{reference}.html", data=data)

        await answer_with_file(interaction, work)

    @transcript.autocomplete("request")
    async def conversations(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Conversations of this guild; none for who may not read them."""
        try:
            found = await self.services.transcripts.suggest(
                guild_of(interaction), actor_of(interaction), current
            )
        except Refused:
            return []
        return [
            app_commands.Choice(name=suggestion(request), value=request.reference)
            for request in found
        ]


def transcript_of(told: Told, locale: str) -> Transcript:
    """The conversation as a page for a reader of that locale: what happened, and what was said."""
    request = told.request
    member = f"{told.member} ({request.member_id})" if told.member else str(request.member_id)
    lines = [*_steps(told, locale), *(_line(spoken, locale) for spoken in told.messages)]
    if request.details:
        lines.insert(
            1,
            Line(
                at=request.created_at,
                side="member",
                author=told.member or str(request.member_id),
                text=request.details,
            ),
        )
    return Transcript(
        reference=request.reference,
        topic=request.topic,
        member=member,
        guild=told.guild_name,
        opened_at=request.created_at,
        ended_at=told.ended_at,
        timezone=told.timezone,
        locale=locale,
        # At one moment a step comes before what was said.
        lines=tuple(sorted(lines, key=lambda line: line.at)),
        left_out=told.more,
    )


def _steps(told: Told, locale: str) -> list[Line]:
    state = told.request.state
    resolution = state.resolution if isinstance(state, Resolved) else ""
    lines = []
    for step in told.steps:
        text = happened(
            locale,
            step.event,
            step.state,
            who=step.who or STEWARD,
            topic=told.request.topic,
            resolution=resolution,
        )
        if text:
            lines.append(Line(at=step.at, side="system", author=STEWARD, text=text))
    return lines


def _line(spoken: Spoken, locale: str) -> Line:
    bore = borne(
        locale,
        stickers=spoken.stickers,
        voice_seconds=spoken.voice_seconds,
        forwarded=spoken.forwarded,
    )
    return Line(
        at=spoken.at,
        side=spoken.side,
        author=spoken.author_name,
        text="\n".join(part for part in (spoken.text, bore) if part),
        versions=tuple(
            Version(text=version.text, until=version.until) for version in spoken.versions
        ),
        deleted_at=spoken.deleted_at,
    )


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Transcripts(bot))
