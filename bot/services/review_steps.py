"""A reviewer's step: what is behind a button or a hold, and how it ends where it can't be made.

Plain functions inside a transaction.
"""

from bot.services import buttons
from bot.services.access import Actor, require_reviewer
from bot.services.showcase import entry_in_guild, move_entry
from domain.entries import Entry, Event, GiveUp, Leased, LeaseElapsed, transition
from domain.errors import Refused
from storage import desks, entries
from storage.buttons import Button
from storage.database import Connection


def behind(
    connection: Connection, guild_id: int, button: str, action: str, actor: Actor, now: int
) -> tuple[Entry, str]:
    """The entry behind a decision's button and the lease's token; the button is used up."""
    require_reviewer(desks.load(connection, guild_id), actor)
    entry, live = seen(connection, button, actor.member_id, now)
    buttons.use(connection, button, actor.member_id, now, action=action)
    return entry_in_guild(connection, guild_id, entry.id), live.payload or ""


def seen(connection: Connection, button: str, member_id: int, now: int) -> tuple[Entry, Button]:
    """The entry behind a live button of that person, and the button."""
    live = buttons.look(connection, button, member_id, now)
    if not live.subject.startswith("entry:"):
        raise Refused("stale_button")
    return entries.load(connection, int(live.subject.partition(":")[2])), live


def require_lease(
    connection: Connection, entry: Entry, token: str, member_id: int, now: int
) -> None:
    """Raise what deciding with that token would be refused with; nothing is changed."""
    try:
        transition(entry, GiveUp(token=token, now=now))
    except Refused as refused:
        raise whose(connection, entry, refused, member_id) from refused


def put_back(connection: Connection, button: str, member_id: int, now: int) -> None:
    """Queue the entry behind the button again, if its lease has run out."""
    entry, _ = seen(connection, button, member_id, now)
    if isinstance(entry.state, Leased) and entry.state.lease_until <= now:
        move_entry(connection, entry, LeaseElapsed(now=now), actor_id=None, now=now)


def own(connection: Connection, guild_id: int, entry_id: int, actor: Actor) -> tuple[Entry, str]:
    """The entry and the token of the lease by which the actor holds it."""
    require_reviewer(desks.load(connection, guild_id), actor)
    entry = entry_in_guild(connection, guild_id, entry_id)
    if not isinstance(entry.state, Leased):
        raise Refused("entry_not_leased", reference=entry.reference)
    if entry.state.reviewer_id != actor.member_id:
        refused = Refused("lease_token_mismatch", owner_id=entry.state.reviewer_id)
        raise whose(connection, entry, refused, actor.member_id)
    return entry, entry.state.token


def whose(connection: Connection, entry: Entry, refused: Refused, member_id: int) -> Refused:
    """The refusal with its holder's name, or with nobody where the actor holds it anew."""
    owner_id = refused.details.get("owner_id")
    if not isinstance(owner_id, int) or owner_id == member_id:
        return Refused(refused.code, reference=entry.reference)
    name = desks.name_of(connection, entry.guild_id, owner_id)
    return Refused(refused.code, reference=entry.reference, owner_id=owner_id, owner_name=name)


def step(
    connection: Connection, entry: Entry, event: Event, actor: Actor, now: int
) -> Entry | Refused:
    """The entry one event on; `lease_expired` is returned, and the entry queued again."""
    try:
        return move_entry(connection, entry, event, actor_id=actor.member_id, now=now)
    except Refused as refused:
        if refused.code == "lease_token_mismatch":
            raise whose(connection, entry, refused, actor.member_id) from refused
        if refused.code != "lease_expired":
            raise
        move_entry(connection, entry, LeaseElapsed(now=now), actor_id=None, now=now)
        return refused
