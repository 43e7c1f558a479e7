"""Every sentence people read, by key and language; a language is a file, or a few by subject.

Facts that people have typed are escaped here, so that no topic or name can forge a mention, a
heading or a link. What we have made ourselves (a timestamp, a mention) comes as `Plain`.
"""

from bot.words import (
    de,
    de_campaigns,
    de_doubts,
    de_entries,
    de_relay,
    de_showcase,
    de_transcripts,
    de_translating,
    en,
    en_campaigns,
    en_doubts,
    en_entries,
    en_relay,
    en_showcase,
    en_transcripts,
    en_translating,
)
from domain.errors import Detail
from domain.text import escape


class Plain(str):
    """Text of our own, used as it stands."""

    __slots__ = ()


Fact = str | int | Plain

LANGUAGES = {
    "en": en.SENTENCES
    | en_campaigns.SENTENCES
    | en_doubts.SENTENCES
    | en_entries.SENTENCES
    | en_relay.SENTENCES
    | en_showcase.SENTENCES
    | en_transcripts.SENTENCES
    | en_translating.SENTENCES,
    "de": de.SENTENCES
    | de_campaigns.SENTENCES
    | de_doubts.SENTENCES
    | de_entries.SENTENCES
    | de_relay.SENTENCES
    | de_showcase.SENTENCES
    | de_transcripts.SENTENCES
    | de_translating.SENTENCES,
}


def language(locale: str | None) -> str:
    """The language we have for one of Discord's locales, such as `de` or `en-US`."""
    code = (locale or "en").split("-")[0].lower()
    return code if code in LANGUAGES else "en"


def say(locale: str | None, key: str, **facts: Fact) -> str:
    """The sentence with its facts. Raises KeyError for a key or a fact that is missing."""
    sentence = LANGUAGES[language(locale)][key]
    return sentence.format_map(
        {
            name: fact if isinstance(fact, int | Plain) else escape(fact)
            for name, fact in facts.items()
        }
    )


def has(key: str) -> bool:
    """Whether there is such a sentence."""
    return key in LANGUAGES["en"]


def moment(at: int, style: str = "R") -> Plain:
    """A time (UTC ms) as Discord shows it to each reader: `R` relative, `f` date and time."""
    return Plain(f"<t:{at // 1000}:{style}>")


def person(member_id: int) -> Plain:
    """A mention that shows a name; messages are sent so that it alerts nobody."""
    return Plain(f"<@{member_id}>")


def refusal(locale: str | None, code: str, details: dict[str, Detail]) -> str:
    """The sentence for a refusal of the domain: what happened, and what to do next."""
    facts: dict[str, Fact] = {
        "reference": str(details.get("reference") or "?"),
        "owner": _owner(locale, details),
        "until": moment(int(details.get("until") or 0)),
        "name": str(details.get("name") or "?"),
        "number": int(details.get("number") or 0),
        "role": Plain(f"<@&{details.get('role_id') or 0}>"),
        "days": int(details.get("days") or 0),
    }
    key = f"refused.{code}"
    if not details.get("owner_id") and has(f"{key}.unowned"):
        key = f"{key}.unowned"
    return say(locale, key, **facts)


def _owner(locale: str | None, details: dict[str, Detail]) -> Fact:
    name = details.get("owner_name")
    if isinstance(name, str) and name:
        return name
    owner_id = details.get("owner_id")
    if isinstance(owner_id, int):
        return person(owner_id)
    return say(locale, "somebody")


def problem(locale: str | None, code: str) -> str:
    """What a delivery problem means, in plain words."""
    key = f"problem.{code}"
    return say(locale, key if has(key) else "problem.other", code=code)
