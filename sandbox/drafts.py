"""What somebody wants said: a message's body held to Discord's limits before it exists."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sandbox import components
from sandbox.blobs import Blob, Held
from sandbox.entities import Json, MessageFlag
from sandbox.errors import invalid, refusal

LONGEST_CONTENT = 2000
LARGEST_FILE = 10 * 1024 * 1024
LONGEST_BY_NITRO = 4000
LARGEST_BY_NITRO = 500 * 1024 * 1024
SPOILER = "SPOILER_"
_EMBED_LIMITS = {"title": 256, "description": 4096}

Problems = dict[str, tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file to post: bytes, or contents that are made when they are read.

    `claimed_size` makes Discord lie of the size. `waveform` and `duration_secs` are a voice
    message's.
    """

    filename: str
    data: bytes | Blob
    content_type: str = "application/octet-stream"
    description: str | None = None
    spoiler: bool = False
    claimed_size: int | None = None
    duration_secs: float | None = None
    waveform: str | None = None
    slot: int | None = None  # the n of the part `files[n]` that it came in
    title: str | None = None

    @property
    def blob(self) -> Blob:
        return Held(self.data) if isinstance(self.data, bytes) else self.data


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A message's content, held to the limits. Its nonce isn't checked before it is sent."""

    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    files: Sequence[File] = ()
    stickers: list[Json] = field(default_factory=list)
    snapshots: list[Json] = field(default_factory=list)
    reference: Json | None = None
    nonce: str | int | None = None
    enforce_nonce: bool = False
    flags: int = 0
    allowed_mentions: Json | None = None

    @property
    def empty(self) -> bool:
        forwards = self.reference is not None and self.reference.get("type") == 1
        parts = (self.content, self.embeds, self.components, self.files)
        return not any((*parts, self.stickers, self.snapshots, forwards))


def draft(body: Mapping[str, Any], files: Sequence[File] = (), *, nitro: bool = False) -> Draft:
    """Read a message from a request's JSON. Raises 50035 naming each bad field, 40005 for size.

    Who pays for Nitro may write more, and send larger files.
    """
    content = _text(body.get("content"))
    embeds = [_embed(each) for each in body.get("embeds") or []]
    flags = int(body.get("flags") or 0)
    nonce = body.get("nonce")
    raw = body.get("components") or []
    problems: Problems = {}
    longest = LONGEST_BY_NITRO if nitro else LONGEST_CONTENT
    _check_length(content, longest, "content", problems)
    _check_embeds(embeds, problems)
    if nonce is not None and not _good_nonce(nonce):
        problems["nonce"] = ("NONCE_TYPE_TOO_LONG", "Must be 25 or fewer in length.")
    if len(files) > 10:
        problems["attachments"] = ("BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    v2 = bool(flags & MessageFlag.COMPONENTS_V2)
    problems |= components.problems(raw, v2=v2)
    if v2 and (content or embeds):
        words = "The 'content' and 'embeds' fields cannot be used with components v2"
        problems["content"] = ("MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", words)
    if problems:
        raise invalid(**problems)
    largest = LARGEST_BY_NITRO if nitro else LARGEST_FILE
    if any(each.blob.size > largest for each in files):
        raise refusal(40005)
    return Draft(
        content=content,
        embeds=embeds,
        components=components.normal(raw),
        files=_described(files, body.get("attachments") or []),
        reference=body.get("message_reference"),
        nonce=nonce,
        enforce_nonce=bool(body.get("enforce_nonce")),
        flags=flags,
        allowed_mentions=body.get("allowed_mentions"),
    )


def _text(content: object) -> str:
    if content is None:
        return ""
    if not isinstance(content, str):
        raise invalid(content=("BASE_TYPE_STRING", "Must be a string."))
    return content.strip()


def _good_nonce(nonce: object) -> bool:
    if isinstance(nonce, str):
        return len(nonce) <= 25
    return isinstance(nonce, int) and -(1 << 63) <= nonce < 1 << 63


def _check_embeds(embeds: list[Json], problems: Problems) -> None:
    if len(embeds) > 10:
        problems["embeds"] = ("BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.")
    total = 0
    for index, embed in enumerate(embeds):
        total += embed_length(embed)
        for key, limit in _EMBED_LIMITS.items():
            _check_length(embed.get(key), limit, f"embeds__{index}__{key}", problems)
        _check_fields(embed.get("fields", []), f"embeds__{index}__fields", problems)
        footer = embed.get("footer", {}).get("text")
        _check_length(footer, 2048, f"embeds__{index}__footer__text", problems)
        author = embed.get("author", {}).get("name")
        _check_length(author, 256, f"embeds__{index}__author__name", problems)
    if total > 6000:
        words = "Embed size exceeds maximum size of 6000"
        problems["embeds"] = ("MAX_EMBED_SIZE_EXCEEDED", words)


def _check_fields(fields: list[Json], path: str, problems: Problems) -> None:
    if len(fields) > 25:
        problems[path] = ("BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    for index, each in enumerate(fields):
        for key, limit in (("name", 256), ("value", 1024)):
            where = f"{path}__{index}__{key}"
            if not each.get(key, "").strip():
                problems[where] = ("BASE_TYPE_REQUIRED", "This field is required")
            _check_length(each.get(key), limit, where, problems)


def _check_length(text: str | None, limit: int, path: str, problems: Problems) -> None:
    if text is not None and len(text) > limit:
        problems[path] = ("BASE_TYPE_MAX_LENGTH", f"Must be {limit} or fewer in length.")


def embed_length(embed: Json) -> int:
    """The characters that count towards the 6,000 of all embeds together."""
    texts = [embed.get("title"), embed.get("description")]
    texts += [embed.get("footer", {}).get("text"), embed.get("author", {}).get("name")]
    for each in embed.get("fields", []):
        texts += [each.get("name"), each.get("value")]
    return sum(len(text) for text in texts if text)


def _embed(raw: Json) -> Json:
    """As Discord gives it back: a rich embed without empty parts."""
    known = ("url", "title", "description", "color", "timestamp", "footer", "author")
    embed: Json = {"type": "rich"}
    embed |= {key: raw[key] for key in known if raw.get(key) is not None}
    for key in ("image", "thumbnail"):
        if raw.get(key):
            embed[key] = {"url": raw[key]["url"], "width": 0, "height": 0}
    if raw.get("fields"):
        embed["fields"] = [
            {"name": each["name"], "value": each["value"], "inline": bool(each.get("inline"))}
            for each in raw["fields"]
        ]
    return embed


def _described(files: Sequence[File], attachments: list[Json]) -> list[File]:
    """Files take their name and description from the entry whose id is their place.

    What a name can't hold is replaced in it; the title then keeps it as it was.
    """
    by_id = {str(each.get("id")): each for each in attachments}
    made = []
    for index, each in enumerate(files):
        entry = by_id.get(str(index if each.slot is None else each.slot), {})
        given = str(entry.get("filename") or each.filename)
        name = re.sub(r"[^\w.-]", "_", given)
        title = entry.get("title") or (given.rpartition(".")[0] or given if name != given else None)
        hidden = bool(each.spoiler or entry.get("is_spoiler"))
        if hidden and not name.startswith(SPOILER):
            name = SPOILER + name
        words = entry.get("description") or each.description
        made.append(
            replace(
                each,
                filename=name,
                title=title,
                description=words,
                spoiler=name.startswith(SPOILER),
            )
        )
    return made


_MENTION = re.compile(r"<@!?([0-9]{15,21})>")
_ROLE_MENTION = re.compile(r"<@&([0-9]{15,21})>")
_EVERYONE = re.compile(r"@(everyone|here)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """Whom a message really pings."""

    users: list[int]
    roles: list[int]
    everyone: bool


def mentions(content: str, allowed: Json | None, *, may_mention_everyone: bool) -> Mentions:
    """What of the mentions in `content` is left by `allowed_mentions`; None allows all."""
    users = _found(_MENTION, content)
    roles = _found(_ROLE_MENTION, content)
    everyone = may_mention_everyone and _EVERYONE.search(content) is not None
    if allowed is None:
        return Mentions(users=users, roles=roles, everyone=everyone)
    kinds = set(allowed.get("parse") or [])
    return Mentions(
        users=_left(users, "users", kinds, allowed),
        roles=_left(roles, "roles", kinds, allowed),
        everyone=everyone and "everyone" in kinds,
    )


def _found(pattern: re.Pattern[str], content: str) -> list[int]:
    return list(dict.fromkeys(int(each) for each in pattern.findall(content)))


def _left(ids: list[int], kind: str, kinds: set[str], allowed: Json) -> list[int]:
    if kind in kinds:
        return ids
    named = {int(each) for each in allowed.get(kind) or []}
    return [each for each in ids if each in named]
