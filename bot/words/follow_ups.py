"""Words that follow up an answer: what has become of a request since."""

from bot.words.sentences import Plain, moment, problem, say
from bot.words.values import Message, Tone
from domain.requests import Request, Route


def unreached_for_member(locale: str, request: Request, code: str) -> Message:
    """The team could not write to them: why, and what they can do."""
    key = "unreached.member" if code in ("dms_closed", "no_mutual_guild") else "unreached.other"
    return Message(
        title=say(locale, "receipt.title", reference=request.reference),
        description=say(locale, key, problem=Plain(problem(locale, code))),
        tone=Tone.TROUBLE,
    )


def unreached_for_owner(locale: str, request: Request, code: str) -> Message:
    """The member could not be reached: why, and what the coordinator can do."""
    key = "unreached.owner" if request.route is Route.DM else "unreached.owner.thread"
    return Message(
        text=say(locale, key, reference=request.reference, problem=Plain(problem(locale, code)))
    )


def claim_ending(locale: str, request: Request, until: int) -> Message:
    """The claim runs out soon."""
    return Message(
        text=say(locale, "claim_ending", reference=request.reference, until=moment(until))
    )
