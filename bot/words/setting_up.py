"""What `/desk setup` says: who can see the desk, and what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.words.sentences import Plain, say
from bot.words.values import Button, Field, Message, Style, Tone

_MOST_ROLES = 200
_ROLES_A_FIELD = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A channel, and Discord's names of the permissions that the bot lacks in it."""

    channel_id: int
    permissions: tuple[str, ...]


def missing_permissions(locale: str, missing: Sequence[Missing]) -> Message:
    """Which permissions have to be given, where."""
    return Message(
        title=say(locale, "setup.missing.title"),
        description=say(locale, "setup.missing"),
        fields=tuple(
            Field(
                name="\u200b",
                value=f"<#{one.channel_id}>\n"
                + "\n".join(f"- {say(locale, f'permission.{name}')}" for name in one.permissions),
            )
            for one in missing
        ),
        tone=Tone.TROUBLE,
    )


def everyone_sees(locale: str, channel_id: int) -> Message:
    """Refused: the desk would be public."""
    return Message(
        title=say(locale, "setup.public.title"),
        description=say(locale, "setup.public", channel=Plain(f"<#{channel_id}>")),
        tone=Tone.TROUBLE,
    )


def confirm(
    locale: str, *, channel_id: int, role_ids: Sequence[int], coordinators_id: int, token: str
) -> Message:
    """Who will read along, to be confirmed; and that the coordinators can't, where they can't."""
    fields = _readers(locale, role_ids)
    if coordinators_id not in role_ids:
        blind = say(locale, "setup.blind", role=Plain(f"<@&{coordinators_id}>"))
        fields.append(Field(name=say(locale, "card.problem"), value=blind))
    return Message(
        title=say(locale, "setup.confirm.title"),
        description=say(locale, "setup.confirm", channel=Plain(f"<#{channel_id}>")),
        fields=tuple(fields),
        tone=Tone.WAITING,
        buttons=(
            Button(
                label=say(locale, "button.confirm"),
                custom_id=f"setup:{token}",
                style=Style.PRIMARY,
            ),
            Button(label=say(locale, "button.dismiss"), custom_id=f"setup-not:{token}"),
        ),
    )


def _readers(locale: str, role_ids: Sequence[int]) -> list[Field]:
    """The roles as mentions, as many as a message holds, and how many more there are."""
    shown = role_ids[:_MOST_ROLES]
    values = [
        ", ".join(f"<@&{role_id}>" for role_id in shown[start : start + _ROLES_A_FIELD])
        for start in range(0, len(shown), _ROLES_A_FIELD)
    ]
    if len(role_ids) > _MOST_ROLES:
        values.append(say(locale, "setup.more", number=len(role_ids) - _MOST_ROLES))
    first, *others = values or [say(locale, "setup.readers.none")]
    return [
        Field(name=say(locale, "setup.readers"), value=first),
        *(Field(name="\u200b", value=value) for value in others),
    ]


def done(locale: str, channel_id: int) -> Message:
    """The desk is ready."""
    return Message(
        title=say(locale, "setup.done.title"),
        description=say(locale, "setup.done", channel=Plain(f"<#{channel_id}>")),
        tone=Tone.GOOD,
    )


def sentence(locale: str, key: str) -> Message:
    """One sentence of the set-up."""
    return Message(text=say(locale, f"setup.{key}"))
