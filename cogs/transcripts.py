"""Coordinators: a conversation as a file."""

import asyncio
import logging
from collections.abc import Callable

import discord
from discord import app_commands

from bot.services.transcripts import Sent, Spoken, Told
from bot.transcripts import MOST_IMAGE_BYTES, File, Line, Transcript, Version, image_type, render
from bot.words.desk import suggestion
from bot.words.transcripts import STEWARD, borne, fetched, happened
from cogs.host import Host, Room
from cogs.ui.answering import Document, answer_with_file, locale_of
from cogs.ui.reading import actor_of, guild_of
from domain.errors import Refused
from domain.requests import Resolved

log = logging.getLogger(__name__)

_MOST_SHOWN = 3_000_000


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
                data = await asyncio.to_thread(lambda: self._made(told, locale))
            await self.services.transcripts.fetched(told, actor, self.now)
            reference = told.request.reference
            log.info(
                "transcript_fetched", extra={"request": told.request.id, "by": actor.member_id}
            )
            return Document(message=fetched(locale, reference), name=f"{reference}.html", data=data)

        await answer_with_file(interaction, work)

    def _made(self, told: Told, locale: str) -> bytes:
        return render(transcript_of(told, locale, self.services.transcripts.contents))

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


def transcript_of(
    told: Told, locale: str, contents: Callable[[Sent], bytes | None] = lambda _: None
) -> Transcript:
    """The conversation as a page for a reader of that locale: what happened, and what was said.

    `contents` reads a file: small images, until there is as much as a page may show.
    """
    room = _MOST_SHOWN

    def file_of(sent: Sent) -> File:
        nonlocal room
        data = contents(sent) if sent.size <= min(MOST_IMAGE_BYTES, room) else None
        if data is not None and image_type(data) is None:
            data = None
        room -= len(data or b"")
        return File(name=sent.name, size=sent.size, type=sent.type, data=data)

    request = told.request
    member = f"{told.member} ({request.member_id})" if told.member else str(request.member_id)
    lines = [*_steps(told, locale), *(_line(spoken, locale, file_of) for spoken in told.messages)]
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


def _line(spoken: Spoken, locale: str, file_of: Callable[[Sent], File]) -> Line:
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
        files=tuple(file_of(sent) for sent in spoken.files),
    )


async def setup(bot: Host) -> None:
    """Load this room."""
    await bot.add_cog(Transcripts(bot))
