"""A transcript holds what was said, and nothing that anybody said does anything in it."""

import base64
import hashlib
import re
from dataclasses import replace

import pytest

from bot.transcripts import (
    MOST_BYTES,
    MOST_IMAGE_BYTES,
    VERSIONS_SHOWN,
    File,
    Line,
    Transcript,
    Version,
    image_type,
    render,
)
from tests.bot.reading import Element, Page, everything

NEW_YEAR = 1_767_225_600_000
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
IMAGES = {
    "image/png": PNG,
    "image/jpeg": b"\xff\xd8\xff\xe0" + bytes(20),
    "image/gif": b"GIF89a" + bytes(20),
    "image/webp": b"RIFF\x10\x00\x00\x00WEBPVP8 " + bytes(20),
}
TAGS = {
    "html", "head", "meta", "title", "style", "body", "header", "h1", "bdi", "dl", "dt", "dd",
    "main", "article", "p", "strong", "time", "del", "details", "summary", "div", "ul", "li", "img",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "dir", "charset", "http-equiv", "content", "name", "class", "datetime", "src", "alt",
}  # fmt: skip


def line(text: str = "Hello", **changes: object) -> Line:
    return replace(Line(at=NEW_YEAR, side="member", author="Ada", text=text), **changes)  # type: ignore[arg-type]


def transcript(*lines: Line, **changes: object) -> Transcript:
    made = Transcript(
        reference="K7M2Q",
        topic="Printer",
        member="Ada",
        guild="Harbour",
        opened_at=NEW_YEAR,
        ended_at=NEW_YEAR + 3_600_000,
        timezone="Europe/Berlin",
        locale="en-US",
        lines=lines,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def read(made: Transcript) -> Element:
    """The page's elements; on the way, that it is inert whatever is in it."""
    data = render(made)
    assert len(data) <= MOST_BYTES
    root = Page(data).root
    for tag in {element.tag for element in everything(root)}:
        assert tag in TAGS
    for element in everything(root):
        assert element.attributes.keys() <= ATTRIBUTES, element
        address = element.attributes.get("src", "data:image/png;base64,")
        assert re.match(r"data:image/(png|jpeg|gif|webp);base64,", address)
    return root


def said(made: Transcript) -> list[str]:
    return [paragraph.text for paragraph in read(made).all("p", **{"class": "text"})]


def test_the_page_says_whose_conversation_it_is_and_when_it_was() -> None:
    root = read(transcript(line()))
    assert [one.text for one in root.all("h1")] == ["K7M2Q · Printer"]
    facts = [one.text for one in root.all("dd")]
    assert facts == ["Ada", "Harbour", "2026-01-01 01:00", "2026-01-01 02:00", "Europe/Berlin"]
    assert root.all("time")[0].attributes["datetime"] == "2026-01-01T01:00:00+01:00"
    (html,) = root.all("html")
    assert html.attributes["lang"] == "en"


def test_each_line_says_who_wrote_it_from_which_side_and_when() -> None:
    root = read(
        transcript(
            line("Help"),
            line("Sure", side="desk", author="Ben", at=NEW_YEAR + 60_000),
            line("Odd one", side="note", author="Cleo"),
            line("Ended", side="system", author="Steward"),
        )
    )
    articles = root.all("article")
    assert [one.attributes["class"] for one in articles] == ["member", "desk", "note", "system"]
    heads = [one.all("header")[0].text.strip() for one in articles]
    assert heads[0] == "Ada · member · 2026-01-01 01:00"
    assert heads[1] == "Ben · team · 2026-01-01 01:01"
    assert "not for the member" in heads[2]
    assert heads[3] == "Steward · 2026-01-01 01:00"
    assert [one.all("p", **{"class": "text"})[0].text for one in articles] == [
        "Help",
        "Sure",
        "Odd one",
        "Ended",
    ]


def test_it_is_in_the_readers_language() -> None:
    root = read(transcript(line(deleted_at=NEW_YEAR), locale="de"))
    assert root.all("html")[0].attributes["lang"] == "de"
    assert "Gelöscht 01.01.2026 01:00" in root.text
    assert "Mitglied" in root.text


@pytest.mark.parametrize("timezone", ["Nowhere/Town", "", "../../etc/passwd", "Europe", "a\0b"])
def test_a_time_zone_that_is_none_is_taken_for_utc(timezone: str) -> None:
    root = read(transcript(line(), timezone=timezone))
    assert root.all("time")[0].attributes["datetime"] == "2026-01-01T00:00:00+00:00"
    assert root.all("dd")[-1].text == "UTC"


def test_a_conversation_that_goes_on_or_had_no_words_is_a_page_too() -> None:
    root = read(transcript(ended_at=None))
    assert "Nothing was written." in root.text
    assert "Ended" not in root.text


HOSTILE = (
    "<script>alert(1)</script>",
    "</p></article></main><script src=https://evil.test></script>",
    "</title></style><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x=\'',
    "' onclick='alert(1)",
    "<!-- --><![CDATA[x]]><?php ?>",
    "{{ 7 * 7 }}{% raw %}{# no #}",
    "&lt;b&gt; &amp; &#60;",
    "javascript:alert(1) https://evil.test/pixel.png",
    "<iframe srcdoc='x'></iframe><base href=//evil.test><form action=//evil.test>",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_is_written_is_shown_as_it_was_and_does_nothing(text: str) -> None:
    hostile = line(
        text,
        author=text,
        versions=(Version(text=text, until=NEW_YEAR),),
        files=(File(name=text, size=1, type=text, data=PNG), File(name=text, size=1, type=text)),
    )
    made = transcript(
        hostile,
        replace(hostile, deleted_at=NEW_YEAR),
        topic=text,
        member=text,
        guild=text,
    )
    root = read(made)
    assert said(made) == [text] * 4
    assert len(root.all("article")) == 2
    assert root.all("title")[0].text.endswith(text)
    assert {image.attributes["alt"] for image in root.all("img")} == {text}


def test_the_policy_allows_the_pages_own_style_and_images_in_it_and_nothing_else() -> None:
    root = read(transcript(line("<style>body{}</style>")))
    (meta,) = root.all("meta", **{"http-equiv": "Content-Security-Policy"})
    policy = dict(part.strip().split(" ", 1) for part in meta.attributes["content"].split(";"))
    (style,) = root.all("style")
    digest = base64.b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
    assert policy == {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert "url(" not in style.text
    assert "@import" not in style.text
    head = root.all("head")[0].children
    assert head.index(meta) < head.index(style)


def test_it_is_readable_on_a_phone_and_in_the_dark() -> None:
    root = read(transcript(line()))
    (viewport,) = root.all("meta", name="viewport")
    assert viewport.attributes["content"].startswith("width=device-width")
    assert "prefers-color-scheme: dark" in root.all("style")[0].text


def test_words_from_right_to_left_turn_nothing_but_themselves() -> None:
    root = read(
        transcript(
            line("שלום \u202etxt.exe", author="ada\u202egnp", files=(
                File(name="\u202egnp.exe", size=1, type="image/png"),
            )),
            topic="مرحبا",
        )
    )  # fmt: skip
    (text,) = root.all("p", **{"class": "text"})
    assert text.attributes["dir"] == "auto"
    names = [one.text for one in root.all("bdi")]
    assert "adagnp" in names
    assert "gnp.exe" in names
    assert "مرحبا" in names


def test_lines_stay_lines_and_what_no_page_may_hold_is_left_out() -> None:
    texts = said(transcript(line("one\r\ntwo\rthree\x00\x1b[2J\ud800\x85\ufffe\tfour😀")))
    assert texts == ["one\ntwo\nthree[2J\tfour😀"]


def test_edits_are_shown_with_what_was_said_before() -> None:
    versions = (
        Version(text="fist", until=NEW_YEAR),
        Version(text="frist", until=NEW_YEAR + 60_000),
    )
    root = read(transcript(line("first", versions=versions)))
    assert root.all("summary")[0].text == "Edited 2 times"
    (details,) = root.all("details")
    assert [one.text for one in details.all("p", **{"class": "text"})] == ["fist", "frist"]
    assert "Until 2026-01-01 01:01" in details.text


def test_of_very_many_edits_the_last_are_shown_and_all_are_counted() -> None:
    versions = tuple(Version(text=f"v{number}", until=NEW_YEAR) for number in range(500))
    made = transcript(line("now", versions=versions))
    assert read(made).all("summary")[0].text == "Edited 500 times"
    assert said(made) == ["now", *(f"v{number}" for number in range(500 - VERSIONS_SHOWN, 500))]


def test_a_deleted_message_is_struck_out_and_says_when() -> None:
    root = read(transcript(line("oops", deleted_at=NEW_YEAR), line("kept")))
    assert [one.text for one in root.all("del")] == ["oops"]
    assert "Deleted 2026-01-01 01:00" in root.text


@pytest.mark.parametrize("kind", sorted(IMAGES))
def test_a_small_image_is_in_the_page(kind: str) -> None:
    picture = File(name="a.bin", size=28, type="application/octet-stream", data=IMAGES[kind])
    (image,) = read(transcript(line(files=(picture,)))).all("img")
    head, _, held = image.attributes["src"].partition(",")
    assert head == f"data:{kind};base64"
    assert base64.b64decode(held) == IMAGES[kind]


@pytest.mark.parametrize(
    "data",
    [
        None,
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"<html><script>alert(1)</script>",
        b"RIFF\x10\x00\x00\x00WAVEfmt ",
        b"GIF88a",
        PNG + bytes(MOST_IMAGE_BYTES),
    ],
)
def test_what_is_no_image_or_a_large_one_is_named_with_its_size(data: bytes | None) -> None:
    picture = File(name="a.png", size=12_345, type="image/png", data=data)
    root = read(transcript(line("", files=(picture,))))
    assert root.all("img") == []
    assert [one.text for one in root.all("li")] == ["a.png (12 KB)"]
    assert root.all("p", **{"class": "text"}) == []


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1 KB"),
        (1_499_999, "1 MB"),
        (25_000_000, "25 MB"),
    ],
)
def test_sizes_are_for_people(size: int, shown: str) -> None:
    picture = File(name="a", size=size, type="")
    assert f"a ({shown})" in read(transcript(line(files=(picture,)))).text


def test_more_images_than_there_is_room_for_are_listed_and_crowd_out_no_words() -> None:
    picture = File(name="a.png", size=1, type="image/png", data=PNG + bytes(900_000))
    made = transcript(*(line(f"m{number}", files=(picture,)) for number in range(12)))
    root = read(made)
    assert 0 < len(root.all("img")) < 12
    assert len(root.all("li")) == len(root.all("article")) == 12


def test_a_huge_conversation_is_cut_to_fit_and_says_how_much_is_left_out() -> None:
    made = transcript(*(line("&" * 4000) for _ in range(400)))
    root = read(made)
    shown = len(root.all("article"))
    assert 100 < shown < 400
    assert f"{400 - shown} messages more do not fit" in root.text


def test_one_huge_text_is_cut() -> None:
    (text,) = said(transcript(line("x" * 1_000_000)))
    assert text.endswith("…")
    assert len(text) == 20_000


def test_the_same_conversation_gives_the_same_file() -> None:
    assert render(transcript(line())) == render(transcript(line()))


def test_images_are_known_by_their_first_bytes_alone() -> None:
    assert {kind: image_type(data) for kind, data in IMAGES.items()} == {
        kind: kind for kind in IMAGES
    }
    assert image_type(b"BM" + bytes(20)) is None
