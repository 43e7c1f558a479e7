"""Long texts as several messages: nothing is lost, nothing is torn, every piece stands alone."""

import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.splitting import SMALLEST_LIMIT, pieces, split
from domain.text import discord_length

CODE = "".join(f"    line_{number} = {number}\n" for number in range(300))
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
ZALGO = "e" + "\u0301" * 100

# What long messages are made of, and what hostile ones are.
BITS = st.sampled_from(
    [
        "word ",
        "\n",
        "\n\n",
        "  \n \n",
        " " * 70,
        "a" * 90,
        "`",
        "``",
        "```",
        "```py\n",
        "```\n",
        "\n```",
        "````",
        "``````",
        "\\```",
        "\\",
        "    indented\n",
        "**bold** ",
        "||spoiler||",
        "<@123456789012345678>",
        "<@&5>",
        "<:wave:123456789012345678>",
        "<t:1767225600:R>",
        "</desk queue:123>",
        "<",
        "https://example.org/" + "p" * 30,
        "<https://example.org/x>",
        "\U0001f600",
        FAMILY,
        "\U0001f1e9\U0001f1ea",
        "\U0001f44b\U0001f3fd",
        "e\u0301",
        "שלום ",
        "\u202e\u0645\u0631\u062d\u0628\u0627",
        "\u3000",
        "한국어",
    ]
)
texts = st.lists(BITS | st.text(max_size=6), max_size=60).map("".join)
limits = st.integers(SMALLEST_LIMIT, 300)


@given(texts, limits, limits)
@example("```\n" + " " * 300 + "x```", 64, 64)
@example("```x" + "\n" * 300 + "```", 64, 64)
@example("```" + "a" * 24 + "\n" + "\U0001f600" * 90 + "```", 64, 64)
@example("```a``````b```" * 20, 64, 64)
def test_nothing_but_white_space_at_the_cuts_is_lost_and_nothing_but_fences_is_added(
    text: str, limit: int, first: int
) -> None:
    stripped = text.strip()
    found = list(pieces(stripped, limit=limit, first=first))
    assert not found or (found[0].start == 0 and found[-1].end == len(stripped))
    for before, after in pairwise(found):
        assert before.end <= after.start
        assert not stripped[before.end : after.start].strip()
        assert bool(before.closing) == bool(after.opening), "closed here is opened there"
    assert {piece.closing for piece in found} <= {"", "\n```"}
    for piece in found:
        assert re.fullmatch(r"(```[\w+\-.#]{0,24}\n)?", piece.opening)


@given(texts, limits, limits)
@example("```\n" + " " * 300 + "x```", 64, 64)
@example("x" * 64 + " " * 300 + "y", 64, 64)
@example("```    code\n" + " " * 70 + "more ```", 64, 64)
def test_every_piece_fits_and_says_something(text: str, limit: int, first: int) -> None:
    parts = split(text, limit=limit, first=first)
    assert bool(parts) == bool(text.strip())
    for index, part in enumerate(parts):
        assert discord_length(part) <= (limit if index else first)
        assert part.strip()
    assert split(text, limit=limit, first=first) == parts


def words_of(text: str) -> list[str]:
    """What must never be torn, in the order of the text."""
    return re.findall(
        rf"<@\d+>|<:wave:\d+>|<t:\d+:R>|</desk queue:\d+>|{FAMILY}|e\u0301|\U0001f44b\U0001f3fd",
        text,
    )


@given(texts, limits)
def test_what_belongs_together_stays_together(text: str, limit: int) -> None:
    parts = split(text, limit=limit)
    assert words_of("\n".join(parts)) == words_of(text)


def blocks(text: str) -> list[tuple[str, str]]:
    """Code blocks as Discord's own expression finds them: language and body."""
    found = re.findall(r"```(?:([a-zA-Z0-9_+\-.#]+)\n)?\n*([^\n][\s\S]*?)\n*```", text)
    return [(language, body) for language, body in found]


@pytest.mark.parametrize("language", ["py", "c++", "objective-c", ""])
def test_a_code_block_that_is_cut_is_one_in_every_piece_and_keeps_its_language_and_indent(
    language: str,
) -> None:
    text = f"Look:\n```{language}\n{CODE}```\nThat is all."
    parts = split(text)
    assert len(parts) > 3
    inside = [block for part in parts for block in blocks(part)]
    assert {name for name, _ in inside} == {language}
    assert "\n".join(body for _, body in inside) == CODE.rstrip()
    assert parts[0] == "Look:"
    assert parts[-1].endswith("```\nThat is all.")
    assert all(part.count("```") in (0, 2) for part in parts)


def test_a_code_block_that_fits_in_a_piece_is_not_cut_where_a_line_ends_before_it() -> None:
    block = "```sh\n" + "echo hello\n" * 100 + "```"
    assert split("word " * 250 + "\n" + block) == (("word " * 250).strip(), block)


def test_a_fence_that_nobody_closed_stays_the_text_that_discord_shows() -> None:
    text = "```py\n" + "some words " * 500
    parts = split(text)
    assert "".join(parts).count("```") == 1
    assert " ".join(parts).split() == text.split()


def test_an_escaped_fence_is_text() -> None:
    text = "\\```py\n" + "some words " * 500 + "\\```"
    assert "".join(split(text)).count("```") == 2


@pytest.mark.parametrize("ticks", [4, 5, 7, 12])
def test_a_longer_run_of_backticks_opens_what_three_open(ticks: int) -> None:
    text = "`" * ticks + "\n" + CODE + "`" * ticks
    parts = split(text)
    assert all(discord_length(part) <= 2000 for part in parts)
    assert "".join("".join(parts).replace("`", "").split()) == "".join(CODE.split())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        (" \n\t ", ()),
        ("  hello  ", ("hello",)),
        (
            "one two\n\nthree\nfour " + "five " * 12,
            ("one two", "three", ("four " + "five " * 12).strip()),
        ),
        (
            "one\ntwo three " + "four " * 12,
            ("one", "two three" + " four" * 11, "four"),
        ),
        ("a" * 100, ("a" * 64, "a" * 36)),
    ],
)
def test_a_paragraph_is_a_better_place_than_a_line_and_a_line_than_a_word(
    text: str, parts: tuple[str, ...]
) -> None:
    assert split(text, limit=64) == parts


def test_a_link_that_fits_in_a_piece_goes_whole_into_the_next() -> None:
    link = "https://example.org/" + "p" * 1900
    assert split(f"see:({'x' * 100}{link}") == (f"see:({'x' * 100}", link)
    longer = "https://example.org/" + "p" * 3000
    assert "".join(split(longer)) == longer


def test_the_first_piece_leaves_room_for_a_header() -> None:
    parts = split("word " * 1000, first=100)
    assert [
        discord_length(part) <= limit
        for part, limit in zip(parts, (100, 2000, 2000, 2000), strict=True)
    ]
    assert len(parts[0]) > 90


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "word " * 20_000,
        "`" * 100_000,
        "\\" * 100_000,
        "<@" * 50_000,
        "```\n" * 25_000,
        "```py\n" + "\n" * 100_000 + "x```",
        ("a\n\nb\nc " + "w" * 1999 + " ") * 50,
        "e" + "\u0301" * 100_000,
        "\U0001f1e9\U0001f1ea" * 25_000,
        "https://" * 12_500,
        "<" * 100_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_a_hundred_thousand_characters_of_anything_are_split(text: str) -> None:
    parts = split(text)
    assert len(parts) >= 50
    assert all(0 < discord_length(part) <= 2000 for part in parts)


def test_emoji_flags_and_accents_are_cut_between_and_never_inside() -> None:
    assert split("\U0001f600" * 4000) == ("\U0001f600" * 1000,) * 4
    for whole in (FAMILY, ZALGO, "\U0001f1e9\U0001f1ea", "\U0001f44b\U0001f3fd"):
        for part in split(whole * 1500, limit=301):
            assert part == whole * (len(part) // len(whole))


def test_text_from_right_to_left_is_cut_between_words() -> None:
    text = "שלום עולם " * 700
    parts = split(text)
    assert " ".join(parts) == text.strip()
    assert all(len(part) > 1980 for part in parts[:-1])


def test_a_limit_with_no_room_for_a_fence_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 64"):
        split("text", limit=63)
    with pytest.raises(ValueError, match="at least 64"):
        split("text", first=10)
