"""Who translates: the port that a command calls, and LibreTranslate behind it over HTTP.

What was written goes to that one address and nowhere else: no redirect is followed, and neither
text nor answer is ever logged.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, Final, Protocol

import aiohttp

from domain.text import shorten, tidy

PATIENCE_SECONDS: Final = 10.0
SPEAKS_FOR_ITSELF: Final = 24
"""From so many characters on, the provider finds out better what language it is than we guess."""
MOST_SENT: Final = 4000
MOST_KEPT: Final = 8000
MOST_READ: Final = 262_144

_AUTO: Final = "auto"
_OTHERWISE: Final = {"no": "nb"}
_TRADITIONAL: Final = frozenset({"zh-tw", "zh-hk", "zh-mo", "zh-hant"})
_CODE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z]{2,8})?")
_UNOFFERED: Final = ("is not supported", "not available as a target language")


class TranslationFailed(Exception):
    """There is no translation. `code` is why.

    `slow`: no whole answer in time; `refused`: the provider says no; `unavailable`: it is broken or
    not there; `unreadable`: its answer is none; `language_not_offered`. `detail` names the error
    for whoever runs Steward, without a word of the text or the answer.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True, kw_only=True)
class Translated:
    """A translation, and the code of the language that it is from, where that is known."""

    text: str
    source: str | None


class Translator(Protocol):
    """Whoever translates."""

    async def translate(self, text: str, *, source: str | None, target: str) -> Translated:
        """`text` in the language `target`; `source` is its author's own language, if known.

        Both are as `language_code` gives them. Raises `TranslationFailed`, and nothing else.
        """


def language_code(locale: str) -> str:
    """The language of one of Discord's locales, as LibreTranslate names it: `de`, `zh`, `zt`."""
    lowered = locale.strip().replace("_", "-").lower()
    if lowered in _TRADITIONAL:
        return "zt"
    code = lowered.partition("-")[0]
    return _OTHERWISE.get(code, code)


class LibreTranslate:
    """LibreTranslate at `url`. A call is one try, and over after `patience` seconds."""

    def __init__(
        self, url: str, api_key: str | None = None, *, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._url = url.rstrip("/")
        self._api_key = api_key
        self._patience = aiohttp.ClientTimeout(total=patience)

    async def translate(self, text: str, *, source: str | None, target: str) -> Translated:
        """`text`, of which at most `MOST_SENT` are sent, in the language `target`, tidied.

        People write in other languages than their own: a text that is long enough speaks for
        itself, and so does one that would be in `target` already. Raises `TranslationFailed`.
        """
        known = _AUTO if len(text) >= SPEAKS_FOR_ITSELF or source == target else source or _AUTO
        wanted = {
            "q": shorten(text, MOST_SENT),
            "source": known,
            "target": target,
            "format": "text",
        }
        if self._api_key is not None:
            wanted["api_key"] = self._api_key
        answer = await self._call("POST", "/translate", wanted)
        found = answer.get("translatedText") if isinstance(answer, dict) else None
        readable = tidy(found, limit=MOST_KEPT, lines=True) if isinstance(found, str) else ""
        if not readable:
            raise TranslationFailed("unreadable", "no translatedText")
        return Translated(text=readable, source=_detected(answer) if known == _AUTO else known)

    async def languages(self) -> frozenset[str]:
        """The codes of the languages on offer. Raises `TranslationFailed`."""
        answer = await self._call("GET", "/languages", None)
        try:
            return frozenset(str(language["code"]) for language in answer)
        except (KeyError, TypeError):
            raise TranslationFailed("unreadable", "no list of languages") from None

    async def _call(self, method: str, path: str, body: dict[str, str] | None) -> Any:
        """What the provider answers, as JSON; every way to fail is a `TranslationFailed`."""
        try:
            async with (
                aiohttp.ClientSession(timeout=self._patience, auto_decompress=False) as session,
                session.request(
                    method,
                    self._url + path,
                    json=body,
                    allow_redirects=False,
                    headers={"Accept": "application/json", "Accept-Encoding": "identity"},
                ) as response,
            ):
                status, raw = response.status, await _read(response)
        # Not chained: what these errors hold may be a piece of the answer.
        except TimeoutError:
            raise TranslationFailed("slow", "no answer in time") from None
        except aiohttp.ClientResponseError as error:
            raise TranslationFailed("unreadable", type(error).__name__) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise TranslationFailed("unavailable", type(error).__name__) from None
        if status != 200:
            raise TranslationFailed(_why(status, raw), f"HTTP {status}")
        return _parsed(raw)


async def _read(response: aiohttp.ClientResponse) -> bytes:
    """The answer's body; raises `TranslationFailed` as soon as it is longer than `MOST_READ`."""
    parts: list[bytes] = []
    room = MOST_READ
    async for part in response.content.iter_any():
        room -= len(part)
        if room < 0:
            raise TranslationFailed("unreadable", "an answer far too long")
        parts.append(part)
    return b"".join(parts)


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        raise TranslationFailed("unreadable", "not JSON") from None


def _why(status: int, raw: bytes) -> str:
    """The code for an answer that is none."""
    if status >= 500:
        return "unavailable"
    if not 400 <= status < 500:
        return "unreadable"
    try:
        answer = _parsed(raw)
    except TranslationFailed:
        return "refused"
    said = answer.get("error") if isinstance(answer, dict) else None
    if status == 400 and isinstance(said, str) and any(words in said for words in _UNOFFERED):
        return "language_not_offered"
    return "refused"


def _detected(answer: Any) -> str | None:
    """The language that the provider takes it for; with no confidence at all it has guessed."""
    detected = answer.get("detectedLanguage")
    if not isinstance(detected, dict) or not detected.get("confidence"):
        return None
    code = detected.get("language")
    return language_code(code) if isinstance(code, str) and _CODE.fullmatch(code) else None
