"""A conversation as a coordinator may read it afterwards, and on record that they did."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.services.access import Actor, require_coordinator
from bot.services.requests import RequestRules
from domain.errors import Refused
from domain.requests import Request
from storage import audit, conversations, desks, files, relayed, requests, retention
from storage.audit import Act
from storage.database import Connection, Database
from storage.relayed import Relayed, RelayedSide, Version

TRANSCRIPT = "transcript"
"""What the audit calls the fetching of one."""

MOST_TEXT = 8_000_000
"""The most characters that are read; no file has room for more."""

_DAY_MS = 86_400_000
_LOOKED_AT = 200
_SUGGESTED = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A file that somebody sent; `sha256` None: it was not kept. `type` is what Discord said."""

    name: str
    size: int
    type: str
    sha256: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What somebody wrote, as it stands now. Times are UTC ms."""

    at: int
    side: RelayedSide
    author_name: str
    text: str
    stickers: tuple[str, ...]
    voice_seconds: int | None
    forwarded: str | None
    deleted_at: int | None
    versions: tuple[Version, ...]
    files: tuple[Sent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """A step of the request. `who` is a name, or an id where nobody knows one; None: Steward."""

    event: str
    state: str
    who: str | None
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A request and its conversation, in order; `more` messages than these were too many.

    `member` None: nobody knows what they are called. Times are UTC ms.
    """

    request: Request
    guild_name: str
    timezone: str
    member: str | None
    ended_at: int | None
    steps: tuple[Happened, ...]
    messages: tuple[Spoken, ...]
    more: int


class Transcripts:
    """Use cases over one ledger; `spooled` says where a kept file is, by its hash."""

    def __init__(
        self, database: Database, rules: RequestRules, spooled: Callable[[str], Path] | None = None
    ) -> None:
        self._database = database
        self._rules = rules
        self._spooled = spooled

    async def suggest(self, guild_id: int, actor: Actor, typed: str) -> tuple[Request, ...]:
        """Conversations of the guild, under way or ended of late, that have `typed` in them.

        In reference or topic, that is; at most 25. Raises `Refused`: `not_staff`,
        `desk_not_ready`.
        """

        def find(connection: Connection) -> tuple[Request, ...]:
            require_coordinator(desks.load(connection, guild_id), actor)
            wanted = typed.casefold().strip()
            under_way = requests.in_conversation(connection, guild_id, limit=_LOOKED_AT)
            ended = requests.ended(connection, guild_id, limit=_LOOKED_AT)
            return tuple(
                request
                for request in (*under_way, *ended)
                if request.state_name in ("active", "resolved")
                and (wanted in request.reference.casefold() or wanted in request.topic.casefold())
            )[:_SUGGESTED]

        return await self._database.read(find)

    async def read(self, guild_id: int, reference: str, actor: Actor) -> Told:
        """The conversation of a request of the guild, as of one moment.

        Raises `Refused`: `desk_not_ready`, `not_staff`, `request_not_found`,
        `conversation_not_begun`, `conversation_erased`.
        """
        return await self._database.read(
            lambda connection: _told(
                connection, self._allowed(connection, guild_id, reference.strip(), actor)
            )
        )

    def contents(self, file: Sent) -> bytes | None:
        """What is in a file, from the disk: it may block. None where it is not there any more."""
        if file.sha256 is None or self._spooled is None:
            return None
        try:
            return self._spooled(file.sha256).read_bytes()
        except OSError:
            return None

    async def fetched(self, told: Told, actor: Actor, now: int) -> None:
        """Put on record that the actor gets the transcript. To be called before they do.

        Raises what `read` does: the content may have been erased meanwhile.
        """
        request = told.request

        def record(connection: Connection) -> None:
            self._allowed(connection, request.guild_id, request.reference, actor)
            audit.record(
                connection,
                Act(
                    guild_id=request.guild_id,
                    at=now,
                    action=TRANSCRIPT,
                    actor_id=actor.member_id,
                    request_id=request.id,
                    member_id=request.member_id,
                ),
            )

        await self._database.write(record)

    def _allowed(
        self, connection: Connection, guild_id: int, reference: str, actor: Actor
    ) -> Request:
        require_coordinator(desks.load(connection, guild_id), actor)
        request = requests.by_reference(connection, guild_id, reference)
        if not retention.is_kept(connection, request.id):
            days = -(-self._rules.retention_ms // _DAY_MS)
            raise Refused("conversation_erased", reference=request.reference, days=days)
        if conversations.find(connection, request.id) is None:
            raise Refused("conversation_not_begun", reference=request.reference)
        return request


def _told(connection: Connection, request: Request) -> Told:
    desk = desks.load(connection, request.guild_id)
    conversation = conversations.find(connection, request.id)
    assert conversation is not None
    messages = _messages(connection, conversation.id)
    return Told(
        request=request,
        guild_name=desk.guild_name,
        timezone=desk.timezone,
        member=desks.name_of(connection, request.guild_id, request.member_id),
        ended_at=retention.ended_at(connection, request.id),
        steps=_steps(connection, request),
        messages=messages,
        more=relayed.how_many(connection, conversation.id) - len(messages),
    )


def _steps(connection: Connection, request: Request) -> tuple[Happened, ...]:
    return tuple(
        Happened(
            event=row.event,
            state=row.state,
            who=_who(connection, request.guild_id, row.actor_id),
            at=row.at,
        )
        for row in requests.history(connection, request.id)
    )


def _who(connection: Connection, guild_id: int, actor_id: int | None) -> str | None:
    if actor_id is None:
        return None
    return desks.name_of(connection, guild_id, actor_id) or str(actor_id)


def _messages(connection: Connection, conversation_id: str) -> tuple[Spoken, ...]:
    """From the first on, until `MOST_TEXT` is reached: a flood of words must not fill memory."""
    found = []
    room = MOST_TEXT
    for message in relayed.of_conversation(connection, conversation_id):
        spoken = _spoken(connection, message)
        room -= len(spoken.text) + len(spoken.forwarded or "")
        room -= sum(len(version.text) for version in spoken.versions)
        if room < 0:
            break
        found.append(spoken)
    return tuple(found)


def _spoken(connection: Connection, message: Relayed) -> Spoken:
    extras = json.loads(message.extras)
    return Spoken(
        at=message.at,
        side=message.side,
        author_name=message.author_name,
        text=message.text,
        stickers=tuple(extras.get("stickers", ())),
        voice_seconds=extras.get("voice_seconds"),
        forwarded=extras.get("forwarded"),
        deleted_at=message.deleted_at,
        versions=relayed.versions(connection, message.id),
        files=tuple(
            Sent(
                name=file.name,
                size=file.size or file.claimed,
                type=file.content_type,
                sha256=file.sha256,
            )
            for file in files.of_message(connection, message.id)
        ),
    )
