"""Where people's files are, for the simulation: an in-process `Downloader`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from bot.delivery.downloading import CHUNK, Broken, Came, Download, Refused, Stopped, Take
from bot.delivery.jobs.files import FileRules
from domain.written import Attachment

T = TypeVar("T")


@dataclass
class Cdn:
    """The contents by address, and how the next fetches of an address end instead of well.

    `Broken` comes after half of the contents. `rules` None: the house's own.
    """

    contents: dict[str, bytes] = field(default_factory=dict)
    troubles: dict[str, list[Download]] = field(default_factory=dict)
    fetched: list[str] = field(default_factory=list)
    rules: FileRules | None = None
    before_each: Callable[[str], None] = lambda _: None

    def put(
        self,
        name: str,
        data: bytes,
        *,
        claimed: int | None = None,
        troubles: Sequence[Download] = (),
        spoiler: bool = False,
        voice_seconds: int | None = None,
    ) -> Attachment:
        """A file that a person sends."""
        number = len(self.contents) + 1
        url = f"https://cdn.example/{number}/{name}?hm=1"
        self.contents[url] = data
        self.troubles[url] = list(troubles)
        return Attachment(
            id=number,
            name=name,
            size=len(data) if claimed is None else claimed,
            content_type="application/octet-stream",
            url=url,
            spoiler=spoiler,
            voice_seconds=voice_seconds,
        )

    async def fetch(self, url: str, take: Take) -> Download:
        self.fetched.append(url)
        self.before_each(url)
        trouble = self.troubles[url].pop(0) if self.troubles.get(url) else None
        if isinstance(trouble, Refused):
            return trouble
        if url not in self.contents:
            return Refused(problem="http_404")
        data = self.contents[url]
        whole = len(data) // 2 if isinstance(trouble, Broken) else len(data)
        for start in range(0, whole, CHUNK):
            if not await take(data[start : min(start + CHUNK, whole)]):
                return Stopped()
        return trouble or Came()

    async def at_once(self, work: Callable[[], T], /) -> T:
        """Nothing of the simulation runs in a thread."""
        return work()
