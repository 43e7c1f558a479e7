"""Words to people who are not in the conversation: whoever set a desk up."""

from bot.words.sentences import has, say
from bot.words.values import Message, Tone
from domain.text import tidy

MENDED = "thread_deleted"
"""What Steward has put right by itself."""


def desk_problem(guild_name: str, code: str, *, locale: str) -> Message:
    """Something of the desk is missing: what, and what mends it."""
    key = f"desk.problem.{code}"
    what = say(locale, key if has(key) else "desk.problem.other", code=code)
    return Message(
        title=say(locale, "desk.problem.title", guild=tidy(guild_name, limit=100) or "?"),
        description=what if code == MENDED else f"{what}\n{say(locale, 'desk.problem.do')}",
        tone=Tone.TROUBLE,
    )
