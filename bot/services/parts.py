"""How a part of the outbox ends: its message is there, or it is given up.

Plain functions inside a transaction, for the worker, which finds out by itself, and for a person
who decides where Discord's history can't be read.
"""

from bot.services import attachments, campaign_cards, listening, marking, refusals
from domain.delivery import TOO_LARGE
from storage import cards, desks, outbox, outbox_changes
from storage.database import Connection
from storage.outbox import Part

_CARD_GONE_MS = 900_000


def card_event(request_id: int, posts: int) -> str:
    """The outbox event of one posting of a request's card."""
    return f"card:{request_id}:{posts}"


def of_card(part: Part) -> tuple[int, int]:
    """The request, and the number of the posting, of a card's part."""
    _, request_id, posts = part.event.split(":")
    return int(request_id), int(posts)


def arrived(connection: Connection, part: Part, message_id: int | None, now: int) -> None:
    """The message of a pending part is there; None: it has been deleted since."""
    outbox.sent(connection, part.delivery_key, message_id, now)
    if part.kind == campaign_cards.KIND:
        if message_id is None:
            return campaign_cards.gone(connection, part, now)
        return campaign_cards.seen(connection, part, message_id, now)
    if part.kind != "card":
        return marking.review_part(connection, part, now)
    request_id, posts = of_card(part)
    card = cards.find(connection, request_id)
    assert card is not None
    if message_id is None and card.posts == posts:
        cards.lost(connection, card, now)
    elif message_id is not None:
        _card_seen(connection, part, message_id, now)
    return None


def _card_seen(connection: Connection, part: Part, message_id: int, now: int) -> None:
    request_id, posts = of_card(part)
    card = cards.find(connection, request_id)
    if card is not None and card.posts == posts:
        cards.posted(connection, request_id, posts, message_id, now)
    else:  # it has been posted again since, in another channel perhaps: a new card takes its place
        cards.note_extra(connection, message_id, part.destination, cards.REPLACED, now)


def said_to_be_there(connection: Connection, part: Part, now: int) -> None:
    """A person says that the message of a pending part is there, and nobody knows its id.

    Such a card can't be edited, and carries no thread. What it shows is true until the request
    moves on: then it is posted again.
    """
    outbox.sent(connection, part.delivery_key, None, now)
    if part.kind == "card":
        request_id, posts = of_card(part)
        card = cards.find(connection, request_id)
        if card is not None and card.posts == posts and card.thread == "wanted":
            cards.touch(connection, request_id, card.guild_id, now)
    else:
        marking.review_part(connection, part, now)


def seen_late(connection: Connection, part: Part, message_id: int, now: int) -> None:
    """The message of a part that a person said was there is known now."""
    outbox.name(connection, part.delivery_key, message_id)
    if part.kind == campaign_cards.KIND:
        campaign_cards.seen(connection, part, message_id, now)
    if part.kind == "card":
        _card_seen(connection, part, message_id, now)


def is_unnamed(part: Part) -> bool:
    """Whether a person has said that the part's message is there, and nobody has seen it."""
    return part.state == "sent" and part.message_id is None and part.decided_by is not None


def refused(connection: Connection, part: Part, problem: str, now: int) -> None:
    """Discord has refused a part for good: it is given up, and the desk told.

    A desk's thread that is gone is replaced, and the part waits for the new one. What should say
    something else by now, or nothing, was not refused as it stands. Files that are too large for
    Discord are named instead, and the part goes without them.
    """
    if problem == "unknown_channel" and listening.rerouted(connection, part, now):
        return
    if outbox_changes.change_of(connection, part.id) is not None:
        outbox.wait(
            connection, part.delivery_key, uncertain=False, next_at=now, problem=problem, now=now
        )
        if outbox_changes.take_in(connection, part.id):
            return
    if problem == TOO_LARGE and attachments.refused(connection, part, now):
        return
    outbox.drop(connection, part, problem)
    if part.kind == "card":
        request_id, posts = of_card(part)
        card = cards.find(connection, request_id)
        if card is not None and card.posts == posts:  # else the desk has moved away
            desks.note_problem(connection, part.guild_id, problem)
            cards.lost(connection, card, now)
            cards.wait(connection, request_id, now + _CARD_GONE_MS, problem)
    elif part.kind == campaign_cards.KIND:
        campaign_cards.refused(connection, part, problem, now)
    else:
        refusals.tell_desk(connection, part, problem, now)
        marking.review_part(connection, part, now)


def given_up(connection: Connection, part: Part, now: int) -> None:
    """A person gives a part up. A request or campaign needs its card: it gets a new one."""
    outbox.drop(connection, part, refusals.GIVEN_UP)
    if part.kind == "card":
        request_id, posts = of_card(part)
        card = cards.find(connection, request_id)
        if card is not None and card.posts == posts:
            cards.lost(connection, card, now)
    elif part.kind == campaign_cards.KIND:
        campaign_cards.gone(connection, part, now)
    else:
        refusals.tell_desk(connection, part, refusals.GIVEN_UP, now)
        marking.review_part(connection, part, now)
