"""Strangers' text: what it may still do to whoever reads it, and how long it is."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.text import discord_length, escape, escape_within, shorten, tidy

# What names and topics of people with too much time are made of.
HOSTILE = st.sampled_from(
    [
        "@everyone",
        "<@123>",
        "<@&5>",
        "<#9>",
        "<t:0:R>",
        "</help:1>",
        "<:x:1>",
        "[click](https://evil.example)",
        "https://evil.example",
        "# Big",
        "-# small",
        "> quote",
        ">>> all",
        "- list",
        "||spoiler||",
        "```py\n",
        "`code`",
        "**bold**",
        "__under__",
        "~~gone~~",
        "*i*",
        "_i_",
        "\\",
        "\u202e",
        "\u200b",
        "\u2066",
        "\u00ad",
        "\u0301" * 20,
        "\U0001f469\u200d\U0001f680",
        "\U0001f600",
        "\ud83d",
        "\n\n\n\n",
        " \n \n \n ",
        "\r\n",
        "\t",
        "\x00",
        "e\u200b\u0301",
    ]
)
texts = st.lists(HOSTILE | st.text(max_size=8), max_size=12).map("".join)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(texts)
def test_a_length_is_counted_in_utf16_units(text: str) -> None:
    assert discord_length(text) == units(text)


@given(texts, st.integers(1, 60))
def test_a_shortened_text_fits_and_begins_as_the_whole_did(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert units(short) <= limit
    if units(text) <= limit:
        assert short == text
    else:
        assert short.endswith("…")
        assert text.startswith(short[:-1])
    assert shorten(short, limit) == short


@given(st.text(st.characters(min_codepoint=0x1F300, max_codepoint=0x1F6FF), min_size=3))
def test_a_cut_never_splits_a_character(text: str) -> None:
    for limit in range(1, units(text)):
        cut = shorten(text, limit)
        assert limit - 1 <= units(cut) <= limit
        assert text.startswith(cut.removesuffix("…"))


@given(texts, st.integers(1, 200), st.booleans())
@example("e\u200b\u0301", 10, False)
@example("a\n \n \nb", 10, True)
def test_tidy_text_is_short_visible_and_disturbs_nothing_around_it(
    text: str,
    limit: int,
    lines: bool,
) -> None:
    clean = tidy(text, limit=limit, lines=lines)
    assert units(clean) <= limit
    clean.encode("utf-8")
    assert clean == clean.strip()
    assert not set(clean) & set("\r\t\x00\u200b\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u00ad")
    assert "\n\n\n" not in clean
    assert "  " not in clean
    assert lines or "\n" not in clean
    assert all(unicodedata.category(each) != "Cc" for each in clean.replace("\n", ""))
    assert not re.search("[\u0300-\u036f]{4}", clean)
    assert unicodedata.is_normalized("NFC", clean)
    assert tidy(clean, limit=limit, lines=lines) == clean


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\t", "\u200b", "\u200d\u200d", "\u3164", "\u2800", "\u0301\u0302", "\ufe0f"],
)
def test_text_that_nobody_can_see_is_no_text(text: str) -> None:
    assert tidy(text, limit=10) == ""
    assert tidy(text, limit=10, lines=True) == ""


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("  My   printer\n eats\tink ", "My printer eats ink"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("Z\u0351\u0352\u0353\u0357\u0358algo", "Z\u0353\u0351\u0352algo"),
        ("\u202eevil\u202c", "evil"),
        ("\U0001f469\u200d\U0001f680", "\U0001f469\u200d\U0001f680"),
        ("नमस्\u200dते", "नमस्\u200dते"),
        ("a" * 30, "a" * 19 + "…"),
    ],
)
def test_tidy_keeps_what_people_meant(text: str, clean: str) -> None:
    assert tidy(text, limit=20) == clean


def test_lines_stay_where_they_are_wanted() -> None:
    assert tidy(" one \n\n\n\n two\t2 \r\n three", limit=50, lines=True) == "one\n\ntwo 2\nthree"


MARKUP = set("\\*_~`|<>[]()#:@-")


@given(texts)
def test_escaped_text_shows_itself_and_has_no_mark_up_left(text: str) -> None:
    safe = escape(text)
    pieces = re.findall(r"\\.|[^\\]", safe, re.DOTALL)
    assert "".join(pieces) == safe, "no backslash stands alone"
    assert not {piece for piece in pieces if len(piece) == 1} & MARKUP
    assert "".join(piece[-1] for piece in pieces) == text


def test_plain_words_need_no_escape() -> None:
    for text in ("Ada Lovelace", "Grüße, 東京!", "50% off; 3 + 4 = 7?", "\U0001f600"):
        assert escape(text) == text


@given(texts, st.integers(1, 60))
def test_an_escaped_text_fits_whole_escapes_and_all(text: str, limit: int) -> None:
    shown = escape_within(text, limit)
    assert units(shown) <= limit
    plain = re.sub(r"\\(.)", r"\1", shown, flags=re.DOTALL)
    assert escape(plain) == shown
    assert plain.removesuffix("…") == text[: len(plain.removesuffix("…"))]
