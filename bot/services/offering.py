"""A direct message that nobody listens to: what its author is told, and what becomes of the text.

They are told once in ten minutes, however much they write: that it was not passed on, and how to
ask for help, or where what they have asked for stands. What they wrote is kept as long, to be the
details of what they ask for; then, and when it has been used, it is erased.
"""

import secrets
from collections.abc import Callable, Sequence

from bot.services.helpdesk import DETAILS_LIMIT
from bot.words import rooms as words
from bot.words.values import Message
from domain.requests import TERMINAL, Request
from domain.text import shorten, tidy
from domain.written import Written
from storage import conversations, desks, offers, outbox, requests
from storage.database import Connection, Database
from storage.offers import Offer, Told

OFFER_MS = 600_000
_MOST_TEXTS = 20
_RECENT = 10


class Offering:
    """Use cases over one ledger. `wake` tells the worker that there is something to do."""

    def __init__(self, database: Database, wake: Callable[[], None]) -> None:
        self._database = database
        self._wake = wake

    async def wrote(self, written: Written, now: int) -> None:
        """Somebody wrote in a direct message that nobody listens to."""
        if not await self._database.read(lambda connection: _matters(connection, written, now)):
            return

        def keep(connection: Connection) -> None:
            if not _matters(connection, written, now):
                return
            channel_id = written.channel_id
            if _is_new(connection, offers.find(connection, channel_id), written, now):
                offers.begin(
                    connection,
                    channel_id,
                    written.author_id,
                    written.message_id,
                    expires_at=now + OFFER_MS,
                    now=now,
                )
            offers.keep(connection, channel_id, written.message_id, _text(written))

        await self._database.write(keep)
        self._wake()

    async def edited(self, written: Written) -> None:
        """What is kept of a message says something else now."""
        text = _text(written)
        if await self._database.read(lambda c: offers.holds(c, written.message_id)):
            await self._database.write(lambda c: offers.reword(c, written.message_id, text))

    async def deleted(self, message_id: int) -> None:
        """What its author has deleted is not kept either."""
        if await self._database.read(lambda c: offers.holds(c, message_id)):
            await self._database.write(lambda c: offers.forget(c, message_id))

    async def text_in(self, channel_id: int, member_id: int, now: int) -> str:
        """What the member wrote there in the last minutes, to begin the details with."""

        def find(connection: Connection) -> str:
            offer = offers.find(connection, channel_id)
            if offer is None or offer.member_id != member_id or offer.expires_at <= now:
                return ""
            return shorten("\n".join(offers.texts(connection, channel_id)), DETAILS_LIMIT)

        return await self._database.read(find)

    async def used(self, channel_id: int, member_id: int) -> None:
        """The member has asked: what was kept for that is erased."""

        def erase(connection: Connection) -> None:
            offer = offers.find(connection, channel_id)
            if offer is not None and offer.member_id == member_id:
                offers.erase(connection, channel_id)

        await self._database.write(erase)


def _matters(connection: Connection, written: Written, now: int) -> bool:
    """Whether the message changes anything: it is new, and there is room for what it says."""
    offer = offers.find(connection, written.channel_id)
    if offer is not None and written.message_id <= offer.last_id:
        return False
    if _is_new(connection, offer, written, now):
        return True
    if offer is not None and offer.told == "waiting":
        return False
    kept = offers.texts(connection, written.channel_id)
    return len(kept) < _MOST_TEXTS and sum(map(len, kept)) < DETAILS_LIMIT


def _is_new(connection: Connection, offer: Offer | None, written: Written, now: int) -> bool:
    """Whether an offer begins: the last one is over, or what was said then is not so any more."""
    if offer is None or offer.expires_at <= now:
        return True
    if offer.told is None:
        return offer.next_at is None  # there was nothing to tell then; perhaps there is by now
    latest = requests.of_member(connection, written.author_id, guild_id=None, limit=1)
    if latest and latest[0].created_at > offer.expires_at - OFFER_MS:
        return True
    waits = bool(open_requests(connection, written.author_id))
    return waits != (offer.told == "waiting")


def open_requests(connection: Connection, member_id: int) -> tuple[Request, ...]:
    """The member's open requests among their latest, wherever they are."""
    latest = requests.of_member(connection, member_id, guild_id=None, limit=_RECENT)
    return tuple(one for one in latest if type(one.state) not in TERMINAL)


def tell_waiting(connection: Connection, offer: Offer, now: int) -> bool:
    """Say where the member's open requests stand; False where they have none."""
    found = open_requests(connection, offer.member_id)
    if not found:
        return False
    waiting = []
    for request in found:
        conversation = conversations.find(connection, request.id)
        waiting.append(
            words.Waiting(
                request=request,
                guild_name=desks.load(connection, request.guild_id).guild_name,
                channel_id=None if conversation is None else conversation.channel_id,
            )
        )
    message = words.not_passed_on(found[0].source_locale, waiting)
    _tell(connection, offer, "waiting", message, found[0].guild_id, now)
    offers.erase(connection, offer.channel_id)
    return True


def tell_ways(connection: Connection, offer: Offer, guild_ids: Sequence[int], now: int) -> None:
    """Say that nobody reads this, with a button for each of these guilds that has a desk."""
    found = [desk for one in guild_ids if (desk := desks.find(connection, one)) is not None]
    latest = requests.of_member(connection, offer.member_id, guild_id=None, limit=1)
    locale = latest[0].source_locale if latest else found[0].locale if found else "en"
    ways = [words.Desk(guild_id=desk.guild_id, guild_name=desk.guild_name) for desk in found]
    guild_id = found[0].guild_id if found else next(iter(desks.guilds(connection)), None)
    if guild_id is None:
        offers.told(connection, offer, None)
        return
    _tell(connection, offer, "offer", words.no_conversation(locale, ways), guild_id, now)


def _tell(
    connection: Connection, offer: Offer, what: Told, message: Message, guild_id: int, now: int
) -> None:
    if not offers.told(connection, offer, what):
        return
    outbox.plan(
        connection,
        outbox.NewPart(
            event=f"offer:{offer.channel_id}:{offer.first_id}",
            ordinal=0,
            guild_id=guild_id,
            destination=offer.channel_id,
            kind="notice",
            payload=message.to_json(),
            delivery_key=secrets.token_urlsafe(15),
        ),
        now,
    )


def _text(written: Written) -> str:
    return tidy(written.text, limit=DETAILS_LIMIT, lines=True)
