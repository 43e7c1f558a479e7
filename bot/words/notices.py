"""Words to people who are not in the conversation: whoever set a desk up."""

from bot.words.sentences import Plain, has, say
from bot.words.values import Message, Tone
from domain.text import tidy

MENDED = "thread_deleted"
"""What Steward has put right by itself."""

NO_CONTENT = "no_message_content"
"""Discord does not show Steward what is written in threads any more: no set-up mends that."""

IN_DOUBT = "in_doubt"
"""A message in the desk's own channel needs a person; what follows a colon says which one."""


def desk_problem(guild_name: str, code: str, *, locale: str) -> Message:
    """Something of the desk is missing: what, and what mends it."""
    code = code.partition(":")[0]
    key = f"desk.problem.{code}"
    what = say(locale, key if has(key) else "desk.problem.other", code=code)
    return Message(
        title=say(locale, "desk.needs_you", guild=tidy(guild_name, limit=100) or "?"),
        description=what
        if code in (MENDED, NO_CONTENT, IN_DOUBT)
        else f"{what}\n{say(locale, 'desk.needs_you.do')}",
        tone=Tone.TROUBLE,
    )


def part_in_doubt(what: str, channel_id: int, *, reference: str | None, locale: str) -> Message:
    """A message needs a person: what it was (`words`, `card`, ...), where, and what to do."""
    return Message(
        title=say(
            locale,
            "in_doubt.title" if reference is None else "in_doubt.title.of",
            reference=reference or "",
        ),
        description=say(
            locale,
            "in_doubt.text",
            what=Plain(say(locale, f"doubts.what.{what}")),
            channel=Plain(f"<#{channel_id}>"),
        ),
        tone=Tone.TROUBLE,
    )
