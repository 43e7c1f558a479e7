"""Links from strangers: which are taken, and what of them is shown."""

import re
from typing import Final
from urllib.parse import quote, urlsplit

from domain.errors import Refused

LINK_LIMIT: Final = 500
_BROKEN: Final = re.compile(r"[\s\\\x00-\x1f\x7f-\x9f]")
_SAFE: Final = "!#$%&'*+,-./:;=?@_~"


def checked_link(text: str) -> str:
    """The link as it is kept: http or https, a host, no credentials, nothing that ends mark-up.

    Raises `Refused("invalid_url")`. A backslash is refused, since browsers take it for a slash and
    others don't: the host that is shown would not be the one that is visited.
    """
    link = text.strip()
    if not link or _BROKEN.search(link):
        raise Refused("invalid_url")
    try:
        parts = urlsplit(link)
        host, port = parts.hostname or "", parts.port
        host = host if ":" in host else host.encode("idna").decode("ascii")
    except ValueError as error:
        raise Refused("invalid_url") from error
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not _is_host(host):
        raise Refused("invalid_url")
    where = f"[{host}]" if ":" in host else host
    where += "" if port is None else f":{port}"
    rest = link[link.index(parts.netloc, len(parts.scheme) + 3) + len(parts.netloc) :]
    kept = f"{parts.scheme}://{where}{quote(rest, safe=_SAFE)}"
    if len(kept) > LINK_LIMIT:
        raise Refused("invalid_url")
    return kept


def _is_host(host: str) -> bool:
    if ":" in host:
        return re.fullmatch(r"[0-9a-f:.]+", host) is not None
    labels = host.removesuffix(".").split(".")
    return len(labels) > 1 and all(re.fullmatch(r"[a-z0-9_-]{1,63}", label) for label in labels)


def host_of(link: str) -> str:
    """The host that a checked link leads to, so that people see it before they follow it."""
    return urlsplit(link).hostname or ""
