"""English: messages of which nobody knows whether they arrived."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # The page of /desk reconcile.
    "doubts.none": "No message is in doubt.",
    "doubts.title": "In doubt: {number}",
    "doubts.line": "`{reference}` {member}, since {since}: {problem}",
    "doubts.steward": "Steward is finding out by itself.",
    "doubts.person": "Needs you: ask the member, then press what is so.",
    "doubts.buttons": "The buttons are for {reference}.",
    "doubts.part": "{what} in {channel}, since {since}: {problem}",
    "doubts.part.of": "`{reference}` {what} in {channel}, since {since}: {problem}",
    "doubts.part.person": (
        "Needs you: look there, or ask whom it was for, then press what is so. Nothing more is sent"
        " there until then."
    ),
    "doubts.part.buttons": "The buttons are for: {what} in {channel}, since {since}.",
    "doubts.what.words": "words to the member",
    "doubts.what.card": "a card",
    "doubts.what.panel": "a panel",
    "doubts.what.organizer": "words to an organizer",
    "doubts.what.notice": "a notice",
    "doubts.unknown": "Discord has not said whether the message arrived ({code}).",
    "decided.arrived": "{reference}: the conversation has begun.",
    "decided.absent": "{reference} waits in the queue again.",
    "decided.dropped": "{reference} is ended without an answer.",
    "decided.part.arrived": "It arrived. What waited behind it is sent now.",
    "decided.part.absent": "It did not arrive, and is sent again.",
    "decided.part.dropped": "It is given up. What waited behind it is sent now.",
    "refused.doubt_over": (
        "That message is not in doubt here, or no longer. /desk reconcile shows what is."
    ),
    "drop.reason": "nobody could find out whether the first message arrived",
    # Told once, when a message begins to need a person.
    "in_doubt.title": "A message needs you",
    "in_doubt.title.of": "{reference}: a message needs you",
    "in_doubt.text": (
        "Did this arrive in {channel}: {what}? Discord doesn't let Steward find out. Look there, or"
        " ask whom it was for, then say it with /desk reconcile. Nothing more is sent there until"
        " then."
    ),
    "desk.problem.in_doubt": (
        "Discord doesn't let Steward find out whether a message arrived in the desk's channel, and"
        " nothing more is posted there until a coordinator says it with /desk reconcile."
    ),
    # Words to a member that a person has given up.
    "problem.given_up": "Nobody could find out whether it arrived, and a coordinator gave it up.",
    "undelivered.title.given_up": "Perhaps not delivered: {reference}",
    "undelivered.what.ended.given_up": (
        "{member} may not have been told that the request is closed."
    ),
    "undelivered.what.other.given_up": "{member} may not have got a message about the request.",
    "undelivered.do.given_up": "Steward doesn't try again. If it matters, ask them.",
}
