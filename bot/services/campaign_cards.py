"""How the postings of a campaign's card end; see `bot.services.parts`, which calls this."""

from storage import campaign_cards, cards, outbox
from storage.campaign_cards import CampaignCard
from storage.database import Connection
from storage.outbox import Part

KIND = "campaign_card"
_GONE_MS = 900_000


def event(campaign_id: int, posts: int) -> str:
    """The outbox event of one posting of a campaign's card."""
    return f"campaign:{campaign_id}:{posts}"


def _current(connection: Connection, part: Part) -> CampaignCard | None:
    """The card, where the part is its newest posting."""
    _, campaign_id, posts = part.event.split(":")
    card = campaign_cards.find(connection, int(campaign_id))
    return card if card is not None and card.posts == int(posts) else None


def seen(connection: Connection, part: Part, message_id: int, now: int) -> None:
    """The posting's message is there; one whose place another has taken is deleted."""
    card = _current(connection, part)
    if card is None:
        cards.note_extra(connection, message_id, part.destination, cards.REPLACED, now)
    else:
        campaign_cards.posted(connection, card.campaign_id, card.posts, message_id, now)


def gone(connection: Connection, part: Part, now: int) -> None:
    """The posting was given up, or deleted before we knew it: the card is posted again."""
    card = _current(connection, part)
    if card is not None:
        campaign_cards.lost(connection, card, now)


def refused(connection: Connection, part: Part, problem: str, now: int) -> None:
    """Discord refuses the posting for good: another is tried after a while."""
    card = _current(connection, part)
    if card is not None:
        campaign_cards.lost(connection, card, now)
        campaign_cards.wait(connection, card.campaign_id, now + _GONE_MS, problem)


def is_unnamed(connection: Connection, campaign_id: int, posts: int) -> bool:
    """Whether a person has said that the posting is there, and nobody has seen its message."""
    found = outbox.of_event(connection, event(campaign_id, posts))
    return any(
        part.state == "sent" and part.message_id is None and part.decided_by is not None
        for part in found
    )
