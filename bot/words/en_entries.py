"""English: what is nominated for a campaign, its review, and what its author is told."""

from typing import Final

SENTENCES: Final[dict[str, str]] = {
    # Nominating.
    "nominate.title": "Nominate your work",
    "work.title": "What is it?",
    "work.url": "Link",
    "work.why": "Why should people see it?",
    "work.before.title": "Title before",
    "work.before.url": "Link before",
    "work.before.why": "Reason before",
    "nominated": (
        "You have a place in {name}. That is a promise: a person reviews your entry, and the"
        " campaign can't be closed before."
    ),
    "nominated.again": "You had entered this in {name} already. Here is your receipt again.",
    "entry.in": "Entered in {name}",
    "entry.named": "Your name is shown with it, and you are mentioned once, at the end.",
    "entry.unnamed": "Your name is not shown with it.",
    "entry.queued": "Waiting for a reviewer",
    "entry.leased": "A reviewer has it",
    "entry.returned": "A reviewer asks you something",
    "entry.done": "Done",
    "entry.withdrawn": "Withdrawn",
    "entry.next.queued": (
        "A reviewer takes it. Steward tells you of each step by direct message, if you allow them;"
        " /nominate and the campaign's card tell you too."
    ),
    "entry.next.leased": (
        "The reviewer approves it or asks you something. Steward tells you by direct message, if"
        " you allow them; /nominate and the campaign's card tell you too."
    ),
    "entry.next.returned": "Press Answer. Then it waits for a reviewer again.",
    "entry.next.done": "It is shown with the others when the campaign is closed.",
    "entry.words": "The reviewer's words",
    "entry.summary": "The review",
    "entry.footer": "Only you see this. /nominate shows it again.",
    "button.answer": "Answer",
    "button.name_me": "Show my name",
    "button.unname": "Don't show my name",
    "entries.none": "You have entered nothing yet. /nominate does, or a campaign's card.",
    "entries.title": "Your entries",
    "entries.line": "`{reference}` {title} in {name}: {state}",
    "entry.is_withdrawn": (
        "{reference} is withdrawn. Your place stays used: everybody has one in a campaign."
    ),
    "entry.none_here": "You have no entry in {name}, so there is nothing to withdraw.",
    # Answering a reviewer.
    "answer.title": "Answer for {reference}",
    "answer.words": "Your answer to the reviewer",
    "answer.prompt": (
        "What you write here next is your answer for {reference}. The reviewers read it."
    ),
    "entry.answered": "Your answer is in. {reference} waits for a reviewer again.",
    # Somebody else's message.
    "offer.title": "Your message",
    "offer": (
        "{who} would like to enter this message of yours in {name} on {guild}. Everybody has one"
        " place there, and it would be yours. May it be entered?"
    ),
    "button.offer.named": "Yes, with my name",
    "button.offer.unnamed": "Yes, without my name",
    "button.offer.no": "No",
    "offer.made": "{author} is asked first. It is entered only if they say yes.",
    "offer.declined": "Nothing was entered.",
    "offer.not_a_person": "Nobody can be asked for that message: no member wrote it.",
    # What authors are told of each step.
    "author.submit": "Your entry in {name} on {guild} has its place.",
    "author.submit.next": "A reviewer takes it, and Steward tells you.",
    "author.send_back": "A reviewer of {name} on {guild} asks you something before going on.",
    "author.send_back.next": (
        "Press Answer, or write here within 15 minutes: the next message is your answer."
    ),
    "author.edit": "A reviewer of {name} on {guild} has put your entry right.",
    "author.complete": "Your entry in {name} on {guild} is done.",
    "author.complete.next": "It is shown with the others when the campaign is closed.",
    "author.withdraw": "Your entry in {name} on {guild} is withdrawn. Nobody reviews it any more.",
    # Reviewing.
    "review.card": "For {name}, by {author}, entered {entered}. Yours until {until}.",
    "review.footer": "Only you see this. /review mine shows it again.",
    "review.send_back": "It was sent back with",
    "review.answer": "The author answered",
    "button.approve": "Approve",
    "button.edit": "Edit",
    "button.send_back": "Send back",
    "approve.title": "Approve the entry",
    "approve.summary": "Your review (it is shown with the entry)",
    "send_back.title": "Send the entry back",
    "send_back.words": "What should the author answer?",
    "edit.title": "Put {reference} right",
    "review.none": "Nothing waits that you may review. Your own entry is for somebody else.",
    "review.approved": "{reference} is done. Its author is told. /review next takes the next one.",
    "review.sent_back": "{reference} is back with its author, who is asked to answer.",
    "review.given_back": "{reference} waits in the queue again.",
    "review.reclaimed": "{reference} waits in the queue again. Whoever held it can't decide on it.",
    "review.edited": "{reference} is put right, and its author is told.",
    "review.extended": "{reference} is yours until {until}.",
    "review.mine": "Yours to review: {number}",
    "review.mine.none": "You hold nothing just now. /review next takes the next entry.",
    "review.mine.line": "`{reference}` {title}: until {until}",
    "review.ending": (
        "Your time for this entry ends {until}. Then it goes back to the queue. Press Extend to"
        " keep it."
    ),
}
