"""English: a campaign's card, its announcement, and what organizers read of it."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # The card.
    "campaign.open": "Open: nominate your work. Everybody has one place.",
    "campaign.draining": "Takes no more entries. What is in is being reviewed.",
    "campaign.closed": "Closed: every entry has been dealt with.",
    "campaign.places": "Places",
    "campaign.places.left": "{left} of {capacity} left",
    "campaign.deadline": "Deadline",
    "campaign.reviewed": "Reviewed",
    "campaign.reviewed.of": "{done} of {promised}",
    "campaign.withdrawn": "{withdrawn} withdrawn",
    "button.nominate": "Nominate",
    "button.review_next": "Review next",
    # Opening, changing and closing one.
    "campaign.confirm": (
        "The card appears in {channel}. Is the deadline right? It is shown in your own time."
    ),
    "campaign.dismissed": "No campaign was opened.",
    "campaign.created": "{name} is open until {until}. Its card appears in {channel} in a moment.",
    "campaign.edited": "{name} is changed: open until {until}, in {channel}.",
    "campaign.drained": (
        "{name} takes no more entries. /campaign close ends it once every entry is dealt with."
    ),
    "campaign.closed_now": "{name} is closed. What was shown there appears in {channel}.",
    "campaign.not_allowed": (
        "Steward can't write in {channel}. It needs View Channel, Send Messages and Embed Links"
        " there."
    ),
    "campaign.which": "For which campaign?",
    "campaign.which.placeholder": "Choose a campaign",
    "campaign.none_open": "No campaign is open here just now.",
    # Lists and progress.
    "campaigns.none": "There is no campaign here yet. /campaign create opens one.",
    "campaigns.end": "Nothing more comes after that page.",
    "campaigns.title": "Campaigns",
    "campaigns.line.open": (
        "{name} ({slug}) in {channel}: open until {until}, {accepted} of {capacity} places taken"
    ),
    "campaigns.line.draining": (
        "{name} ({slug}) in {channel}: takes no more entries, {accepted} of {capacity} places taken"
    ),
    "campaigns.line.closed": (
        "{name} ({slug}) in {channel}: closed, {accepted} of {capacity} places taken"
    ),
    "progress.accepted": "{bar} {number} of {capacity} places promised",
    "progress.queued": "Waiting for a reviewer: {number}",
    "progress.leased": "Being reviewed: {number}",
    "progress.returned": "Back with their authors: {number}",
    "progress.done": "Done: {number}",
    "progress.withdrawn": "Withdrawn: {number}",
    "unfinished.title": "Not finished yet",
    "unfinished.queued": "`{reference}` {title}: waits for a reviewer, entered {since}",
    "unfinished.leased": "`{reference}` {title}: with {reviewer} until {until}",
    "unfinished.returned": "`{reference}` {title}: {author} is to answer {reviewer}",
    "unfinished.more": "and {number} more: /campaign progress",
    "unfinished.do": (
        "Reviewers take what waits with /review next. What is stuck with somebody goes back with"
        " /review reclaim. Authors answer, or /withdraw."
    ),
    # What can't be undone is asked twice.
    "confirm.close_campaign": (
        "Close {name}? It can't be opened again, and what was made for it is shown in {channel}."
    ),
    "confirm.close_campaign.again": "Really close {name}, now?",
    "confirm.backed_out": "Nothing was changed.",
    "button.yes": "Yes",
    "button.cancel": "Cancel",
    # The announcement, and the gallery.
    "gallery.title": "{name}: what you made",
    "gallery.none": "No entry was completed.",
    "gallery.page": "{first} to {last} of {total}",
    "gallery.end": "Nothing more comes after that page.",
    "gallery.thanks": "Thank you, {people}!",
    "work.open": "Open",
    "work.by": "by {author}",
    # What is handed out: a table, and a web page of what was made.
    "export.ready": (
        "{name}: every entry as a table, and what is done as a page that opens in any browser."
    ),
    "export.left_out": "{number} entries more did not fit into the table.",
    "made.guild": "Server",
    "made.closed": "Deadline",
    "made.works": "Works",
    "made.by": "by",
    "made.open": "Open",
    "made.why": "Why you should see it",
    "made.review": "Review",
    "made.empty": "Nothing is done yet.",
    "made.left_out.one": "One work more does not fit into this file.",
    "made.left_out.many": "{number} works more do not fit into this file.",
}
