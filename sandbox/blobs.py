"""What is in files: bytes that are held, or made anew each time somebody reads them."""

import hashlib
import random
from collections.abc import Iterator
from functools import cached_property
from typing import Protocol, runtime_checkable
from weakref import WeakValueDictionary

CHUNK = 64 * 1024
BYTES_KEPT = 64 * 1024 * 1024


@runtime_checkable
class Blob(Protocol):
    """The contents of a file. They can be read as often as anybody likes."""

    @property
    def size(self) -> int: ...

    @property
    def sha256(self) -> str: ...

    @property
    def there(self) -> bool:
        """Whether it can still be read; its size and its hash are known for ever."""

    def chunks(self) -> Iterator[bytes | memoryview]:
        """All of it, in order, without a copy of the whole. Raises LookupError when it is gone."""


class Held:
    """Contents in memory, until they are let go."""

    def __init__(self, data: bytes, sha256: str | None = None) -> None:
        self._data: bytes | None = data
        self.size = len(data)
        self._sha256 = sha256

    @cached_property
    def sha256(self) -> str:
        return self._sha256 or hashlib.sha256(self._data or b"").hexdigest()

    @property
    def there(self) -> bool:
        return self._data is not None

    def chunks(self) -> Iterator[bytes | memoryview]:
        if self._data is None:
            raise LookupError("these bytes are no longer kept")
        whole = memoryview(self._data)
        return (whole[start : start + CHUNK] for start in range(0, self.size, CHUNK))

    def let_go(self) -> None:
        """Keep only the size and the hash."""
        _ = self.sha256
        self._data = None


class Made:
    """Contents that take no memory: the same bytes every time, by their size and a seed."""

    there = True

    def __init__(self, size: int, seed: int = 0) -> None:
        self.size = size
        self._seed = seed

    @cached_property
    def sha256(self) -> str:
        summed = hashlib.sha256()
        for chunk in self.chunks():
            summed.update(chunk)
        return summed.hexdigest()

    def chunks(self) -> Iterator[bytes | memoryview]:
        block = random.Random(self._seed).randbytes(CHUNK)  # noqa: S311
        for start in range(0, self.size, CHUNK):
            yield (start.to_bytes(8, "big") + block[8:])[: self.size - start]


class Keep:
    """The contents of all files, equal ones once; what was uploaded is held up to a total.

    Beyond it the oldest upload's bytes are let go: its size and hash stay.
    """

    def __init__(self, most: int = BYTES_KEPT) -> None:
        self.most = most
        self.held = 0
        self._uploads: list[Held] = []
        self._known: WeakValueDictionary[str, Blob] = WeakValueDictionary()

    def know(self, blob: Blob) -> Blob:
        """Contents that somebody else holds; the same ones, if they are known and still there."""
        known = self._known.get(blob.sha256)
        if known is not None and known.there:
            return known
        self._known[blob.sha256] = blob
        return blob

    def upload(self, data: bytes) -> Blob:
        """Contents that came over the wire."""
        fresh = Held(data)
        found = self.know(fresh)
        if found is fresh:
            self._uploads.append(fresh)
            self.held += fresh.size
            while self.held > self.most:
                oldest = self._uploads.pop(0)
                self.held -= oldest.size
                oldest.let_go()
        return found
