"""Reads a page that is handed out, as a browser would that forgives nothing."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "img"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    texts: list[str] = field(default_factory=list)
    children: list["Element"] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def all(self, tag: str, **attributes: str) -> list["Element"]:
        found = [
            inner
            for inner in self.children
            if inner.tag == tag and attributes.items() <= inner.attributes.items()
        ]
        for inner in self.children:
            found += inner.all(tag, **attributes)
        return found


class Page(HTMLParser):
    """Reads a page into elements; a tag that is closed out of turn fails the test."""

    def __init__(self, data: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]
        self.feed(data.decode())
        self.close()
        assert self._open == [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        assert len(element.attributes) == len(attrs)
        self._open[-1].children.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def everything(element: Element) -> list[Element]:
    return [one for inner in element.children for one in (inner, *everything(inner))]
