"""A campaign and an entry in each of their states, and each event as it is accepted there."""

from dataclasses import replace

from domain import campaigns as c
from domain import entries as e

AUTHOR, REVIEWER, OTHER, ORGANIZER = 1, 2, 3, 4
NOW, LEASE, LATER = 1_000_000, 2_000_000, 3_000_000
TOKEN, OLD_TOKEN = "token-of-this-lease-0", "token-of-an-old-one-0"
LINK = "https://example.org/work"

CAMPAIGN = c.Campaign(
    id=5,
    guild_id=70,
    channel_id=71,
    slug="summer-show",
    name="Summer show",
    text="Show us what you made.",
    capacity=3,
    accepted_count=2,
    closes_at=LATER,
    created_by=ORGANIZER,
    created_at=500_000,
    revision=4,
    state=c.Open(),
)
CAMPAIGN_STATES: dict[str, c.State] = {
    "open": c.Open(),
    "draining": c.Draining(),
    "closed": c.Closed(),
}
CAMPAIGN_EVENTS: dict[str, c.Event] = {
    "edit_campaign": c.EditCampaign(
        name="Autumn show",
        slug="autumn-show",
        text="Something new.",
        channel_id=72,
        capacity=2,
        closes_at=NOW + 1,
        now=NOW,
    ),
    "accept": c.Accept(now=NOW),
    "begin_draining": c.BeginDraining(),
    "close": c.Close(unfinished=0),
}

ENTRY = e.Entry(
    id=9,
    reference="E7KQ2",
    campaign_id=5,
    guild_id=70,
    author_id=AUTHOR,
    source="i:77",
    source_locale="en-GB",
    title="A kite",
    url=LINK,
    why="It flies.",
    named=False,
    created_at=600_000,
    revision=0,
    state=e.Queued(),
)
ENTRY_STATES: dict[str, e.State] = {
    "queued": e.Queued(),
    "leased": e.Leased(reviewer_id=REVIEWER, token=TOKEN, lease_until=LEASE),
    "returned": e.Returned(reviewer_id=REVIEWER, words="Which wind?"),
    "done": e.Done(reviewer_id=REVIEWER, summary="A fine kite."),
    "withdrawn": e.Withdrawn(),
}
ENTRY_EVENTS: dict[str, e.Event] = {
    "lease": e.Lease(reviewer_id=OTHER, token=TOKEN, lease_until=LATER, now=NOW),
    "complete": e.Complete(token=TOKEN, summary="A fine kite.", now=NOW),
    "edit": e.EditEntry(token=TOKEN, title="Kite", url=LINK, why="", now=NOW),
    "extend": e.ExtendLease(token=TOKEN, lease_until=LATER, now=NOW),
    "send_back": e.SendBack(token=TOKEN, words="Which wind?", now=NOW),
    "give_up": e.GiveUp(token=TOKEN, now=NOW),
    "lease_elapsed": e.LeaseElapsed(now=LEASE),
    "reclaim": e.Reclaim(organizer_id=ORGANIZER),
    "answer": e.Answer(author_id=AUTHOR, words="A strong one.", title="A red kite"),
    "withdraw": e.Withdraw(author_id=AUTHOR),
}


def campaign_in(state: str) -> c.Campaign:
    """The campaign in that state."""
    return replace(CAMPAIGN, state=CAMPAIGN_STATES[state])


def entry_in(state: str) -> e.Entry:
    """The entry in that state, some events on."""
    return replace(ENTRY, revision=6, state=ENTRY_STATES[state])
