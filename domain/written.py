"""What a person wrote in a room: one message as it stands, free of any library's objects.

The inbox keeps it as JSON until it is worked.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file at Discord. Its address is signed and dies within a day; `size` is a claim, in bytes.

    `voice_seconds` is how long a voice message is; None for any other file.
    """

    id: int
    name: str
    size: int
    content_type: str
    url: str
    spoiler: bool = False
    voice_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forward:
    """A message from elsewhere that the person forwarded."""

    text: str
    attachments: tuple[Attachment, ...] = ()
    stickers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A person's message. `role_ids` None: not known (a DM, or read from the channel's history).

    `manages_guild`: whether the author holds Manage Server; None: not known.
    `hidden`: it came without what it says, for want of the message-content intent. Of a DM, which
    that intent is not about, it means nothing.
    `at` and `edited_at` are UTC ms. `reply_to` is the message it answers in the same channel.
    `marked`: the reactions that we have put under it, as history tells.
    """

    message_id: int
    channel_id: int
    guild_id: int | None
    author_id: int
    author_name: str
    at: int
    text: str
    role_ids: frozenset[int] | None = None
    manages_guild: bool | None = None
    edited_at: int | None = None
    reply_to: int | None = None
    attachments: tuple[Attachment, ...] = ()
    stickers: tuple[str, ...] = ()
    forwards: tuple[Forward, ...] = ()
    hidden: bool = False
    marked: tuple[str, ...] = ()

    def to_json(self) -> str:
        fields = asdict(self)
        fields["role_ids"] = None if self.role_ids is None else sorted(self.role_ids)
        return json.dumps(fields, ensure_ascii=False, sort_keys=True)


def written_from_json(text: str) -> Written:
    """What `Written.to_json` wrote; raises ValueError on anything else."""
    try:
        data: dict[str, Any] = json.loads(text)
        roles = data.pop("role_ids")
        return Written(
            **{
                **data,
                "attachments": _attachments(data["attachments"]),
                "stickers": tuple(data["stickers"]),
                "marked": tuple(data.get("marked", ())),
                "forwards": tuple(
                    Forward(
                        text=one["text"],
                        attachments=_attachments(one["attachments"]),
                        stickers=tuple(one["stickers"]),
                    )
                    for one in data["forwards"]
                ),
            },
            role_ids=None if roles is None else frozenset(roles),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("not a message that was written") from error


def _attachments(items: list[dict[str, Any]]) -> tuple[Attachment, ...]:
    return tuple(Attachment(**item) for item in items)
