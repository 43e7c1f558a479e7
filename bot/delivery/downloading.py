"""The port to Discord's files, and HTTP behind it: one try, streamed, bounded in time.

The address is one that Discord gave: no redirect is followed, nothing of ours is sent along, and
what the answer says of its size or type is not believed.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

import aiohttp
from yarl import URL

STALLED_SECONDS: Final = 30.0
"""So long without a byte is too long."""
WHOLE_SECONDS: Final = 300.0
CHUNK: Final = 64 * 1024

Take = Callable[[bytes], Awaitable[bool]]
"""Takes the next bytes; False: no more of them are wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """All there was has been taken, as far as the connection tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """The taker wanted no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """It did not come whole; another try may help."""

    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Discord does not give it out, and another try won't change that."""

    problem: str


Download = Came | Stopped | Broken | Refused


class Downloader(Protocol):
    """Whoever fetches files."""

    async def fetch(self, url: str, take: Take) -> Download:
        """Fetch what is at `url`, in pieces; raises nothing but what `take` does."""


class HttpDownloader:
    """Fetches over HTTP. Close it when no fetch is under way any more."""

    def __init__(
        self, *, stalled_seconds: float = STALLED_SECONDS, whole_seconds: float = WHOLE_SECONDS
    ) -> None:
        self._patience = aiohttp.ClientTimeout(
            total=whole_seconds, connect=stalled_seconds, sock_read=stalled_seconds
        )
        self._session: aiohttp.ClientSession | None = None

    async def fetch(self, url: str, take: Take) -> Download:
        """One try at `url`; see `Downloader`."""
        try:
            return await self._fetch(url, take)
        except TimeoutError:
            return Broken(problem="slow")
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError):
            return Refused(problem="bad_address")
        except (aiohttp.ClientError, OSError) as error:
            return Broken(problem=type(error).__name__)

    async def _fetch(self, url: str, take: Take) -> Download:
        try:
            address = URL(url, encoded=True)  # as it was signed
        except ValueError:
            return Refused(problem="bad_address")
        async with self._open().get(address, allow_redirects=False) as response:
            if response.status != 200:
                return _not_given(response.status)
            if response.headers.get("Content-Encoding", "identity") != "identity":
                return Broken(problem="encoded")
            async for piece in response.content.iter_chunked(CHUNK):
                if not await take(piece):
                    return Stopped()
        return Came()

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                timeout=self._patience,
                auto_decompress=False,
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"Accept-Encoding": "identity"},
            )
        return self._session

    async def close(self) -> None:
        """Close what connections are open."""
        if self._session is not None:
            await self._session.close()
            self._session = None


def _not_given(status: int) -> Download:
    problem = f"http_{status}"
    if status >= 500 or status in (408, 425, 429):
        return Broken(problem=problem)
    return Refused(problem=problem)
