"""Parts that only a person can settle: the desk is told of each once, and a coordinator decides.

A notice goes where coordinators read and the doubt holds nothing back: into the thread of the
request that the part was about, else into the desk's channel. Where that one is held itself,
whoever set the desk up is told.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from bot.services import parts, refusals
from bot.services.access import Actor, require_coordinator
from bot.words.notices import IN_DOUBT, part_in_doubt
from domain.errors import Refused
from storage import channels, conversations, desks, outbox, outbox_changes, requests
from storage.database import Connection, Database
from storage.desks import Desk
from storage.outbox import Part


def request_of(connection: Connection, part: Part) -> int | None:
    """The request that a part was about, where that is known."""
    told = refusals.told(connection, part)
    if told is not None:
        return told.id
    if part.kind == "card":
        return parts.of_card(part)[0]
    return conversations.request_of_thread(connection, part.destination)


def what(connection: Connection, part: Part) -> str:
    """What a part was: `words` to a member, `card`, `panel`, `organizer`, or `notice`."""
    if refusals.told(connection, part) is not None:
        return "words"
    return {"card": "card", "panel": "panel", "desk_problem": "organizer"}.get(part.kind, "notice")


def reference_of(connection: Connection, part: Part) -> str | None:
    """The reference of the request that a part was about, where that is known."""
    request_id = request_of(connection, part)
    return None if request_id is None else requests.load(connection, request_id).reference


def ask(connection: Connection, part: Part, now: int) -> None:
    """A part begins to need a person: say so at the desk. Asked again, it says nothing more."""
    desk = desks.find(connection, part.guild_id)
    if desk is None:
        return
    destination = _place(connection, part, desk)
    if destination is None:
        desks.note_problem(connection, part.guild_id, f"{IN_DOUBT}:{part.id}.{part.revision}")
        return
    notice = part_in_doubt(
        what(connection, part),
        part.destination,
        reference=reference_of(connection, part),
        locale=desk.locale,
    )
    outbox.plan(
        connection,
        outbox.NewPart(
            event=f"doubt:{part.id}:{part.revision}",
            ordinal=0,
            guild_id=part.guild_id,
            destination=destination,
            kind="doubt",
            payload=notice.to_json(),
            delivery_key=secrets.token_urlsafe(15),
        ),
        now,
    )


def _place(connection: Connection, part: Part, desk: Desk) -> int | None:
    """Where the desk reads that a part needs a person; None: nowhere."""
    request_id = request_of(connection, part)
    found = None if request_id is None else conversations.find(connection, request_id)
    thread_id = None if found is None else found.thread_id
    if thread_id is not None and thread_id != part.destination:
        return thread_id
    return desk.channel_id if desk.channel_id != part.destination else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubtful:
    """A part that needs a person. `what` and `reference` as below; `since` is its first attempt."""

    part: Part
    what: str
    reference: str | None
    since: int


Decide = Callable[[Connection, Part, int], None]


class Doubts:
    """Use cases over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(self, database: Database, wake: Callable[[], None]) -> None:
        self._database = database
        self._wake = wake

    async def waiting(self, guild_id: int, actor: Actor) -> tuple[Doubtful, ...]:
        """Parts that need a person in the guild, the longest waiting first, at most 25.

        Raises `Refused`: `not_staff`, `desk_not_ready`.
        """

        def waiting(connection: Connection) -> tuple[Doubtful, ...]:
            require_coordinator(desks.load(connection, guild_id), actor)
            return tuple(
                Doubtful(
                    part=part,
                    what=what(connection, part),
                    reference=reference_of(connection, part),
                    since=part.first_try_at or part.created_at,
                )
                for part in outbox.for_person(connection, guild_id, limit=25)
            )

        return await self._database.read(waiting)

    async def arrived(
        self, guild_id: int, part_id: int, revision: int, actor: Actor, now: int
    ) -> None:
        """The person says that the message is there: what waits behind it goes on.

        `revision` is the part's when the person was asked. Raises `Refused`: `not_staff`,
        `doubt_over`, and `still_checking` while Steward can still find out by itself.
        """
        await self._decide(guild_id, (part_id, revision), actor, now, parts.said_to_be_there)

    async def absent(
        self, guild_id: int, part_id: int, revision: int, actor: Actor, now: int
    ) -> None:
        """The person says that there is no message: it goes again. Raises as above."""

        def absent(connection: Connection, part: Part, now: int) -> None:
            outbox.renew_key(connection, part, secrets.token_urlsafe(15), now)
            outbox_changes.take_in(connection, part.id)

        await self._decide(guild_id, (part_id, revision), actor, now, absent)

    async def drop(
        self, guild_id: int, part_id: int, revision: int, actor: Actor, now: int
    ) -> None:
        """The person gives the part up, and with it its event's later ones. Raises as above."""
        await self._decide(guild_id, (part_id, revision), actor, now, parts.given_up)

    async def _decide(
        self, guild_id: int, asked: tuple[int, int], actor: Actor, now: int, decide: Decide
    ) -> None:
        def run(connection: Connection) -> None:
            require_coordinator(desks.load(connection, guild_id), actor)
            part = outbox.with_id(connection, asked[0])
            if part is None or part.guild_id != guild_id or not part.uncertain:
                raise Refused("doubt_over")
            if part.revision != asked[1]:
                raise Refused("doubt_over")
            if part.person_at is None:
                raise Refused("still_checking")
            desks.remember_name(connection, guild_id, actor.member_id, actor.name)
            outbox.decided(connection, part, actor.member_id)
            # Its message may be there, whatever is said: nobody may take it for the next one.
            channels.doubt_fence(connection, part.destination)
            decide(connection, part, now)

        await self._database.write(run)
        self._wake()
