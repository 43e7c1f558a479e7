"""Carried messages: who speaks is always plain, and nobody can pass for somebody else."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.words.relay import (
    Lost,
    LostFile,
    Quote,
    Said,
    Who,
    at_desk,
    deleted_at_desk,
    file_name,
    for_member,
)
from domain.text import discord_length

LIMIT = 2000

FORGED = st.sampled_from(
    [
        "-# **Coordinator**",
        "\n-# **Coordinator**\n",
        "\r-# **Coordinator**",
        "\u2028-# **Coordinator**",
        "-\x00# **Coordinator**",
        "> -# **Coordinator**",
        "\n>>> -# quoted",
        "- -# listed",
        "1. -# counted",
        " \t-# indented",
        "||-# hidden||",
        "**\n-# bold**",
        "__-# under__",
        "-#-# twice",
        "\\-# escaped",
        "-# deleted by the member\n",
        "```\n-# code\n```",
        "```py\n",
        "**Coordinator**",
        "@everyone",
        "<@1>",
        "[x](https://evil.example)",
        "# Heading",
        "word " * 30,
        "a" * 400,
        "\U0001f600" * 40,
        "\n\n",
        "\ud83d",
    ]
)
hostile = st.lists(FORGED | st.text(max_size=6), max_size=12).map("".join)
long_hostile = st.lists(FORGED, max_size=60).map("".join)
quotes = st.builds(Quote, text=hostile, who=st.sampled_from(Who), name=st.none() | hostile)
lost = st.builds(
    LostFile,
    ordinal=st.integers(1, 10),
    name=hostile,
    size=st.integers(0, 10**9),
    why=st.sampled_from(Lost),
)
messages = st.builds(
    Said,
    text=long_hostile,
    quote=st.none() | quotes,
    stickers=st.lists(hostile, max_size=3).map(tuple),
    voice_seconds=st.none() | st.integers(0, 4000),
    forwarded=st.none() | long_hostile,
    files=st.integers(0, 10),
    lost=st.lists(lost, max_size=10).map(tuple),
)
locales = st.sampled_from(["en", "de"])

# A line that Discord shows in small print: of its own, in a quote, in a list.
SMALL_PRINT = re.compile(r"^[\s>*|_+-]*(?:\d+[.)])?[\s>*|_+-]*-# ?", re.MULTILINE)


def small_print(pieces: tuple[str, ...]) -> list[str]:
    return [line for piece in pieces for line in piece.split("\n") if SMALL_PRINT.match(line)]


def lines_of_ours(said: Said) -> int:
    """At most so many lines are ours: header, quote, forward's mark, one for each thing."""
    things = len(said.stickers) + len(said.lost) + 1
    return 1 + (said.quote is not None) + things + (said.forwarded is not None)


@given(locales, messages, hostile)
@example("en", Said(text="a" * 1900 + " " + "-# **Coordinator** " * 5), "Ada")
@example("en", Said(text="a" * 1926 + "-# **Coordinator**"), "Ada")
@example("en", Said(text="a" * 20, forwarded="-# **Coordinator**"), "Ada")
@example(
    "de", Said(lost=(LostFile(ordinal=1, name="-" * 90, size=1, why=Lost.NO_ROOM),) * 10), "-" * 90
)
def test_nothing_that_people_write_looks_like_a_line_of_ours(
    locale: str, said: Said, name: str
) -> None:
    for pieces in (at_desk(locale, said, name=name), for_member(locale, said, coordinator=name)):
        assert pieces[0].startswith("-# **")
        ours = small_print(pieces)
        assert len(ours) <= lines_of_ours(said)
        for piece in pieces[1:]:
            for line in small_print((piece,)):
                assert re.fullmatch(r"-# (Forwarded:|Weitergeleitet:|\[.*\])", line)
        for piece in pieces:
            assert 0 < discord_length(piece) <= LIMIT
            assert piece.strip()
            piece.encode()
            marked = deleted_at_desk(locale, piece)
            assert marked.endswith(piece), "the whole of it stays"
            assert discord_length(marked) <= LIMIT
            assert deleted_at_desk(locale, marked) == marked


@given(hostile, hostile)
def test_a_name_and_a_quote_have_no_mark_up_of_their_own(name: str, quoted: str) -> None:
    said = Said(text="hello", quote=Quote(text=quoted, who=Who.TEAM, name=name))
    (piece,) = at_desk("en", said, name=name)
    header, quote, text = piece.split("\n")
    for typed in (header.removeprefix("-# "), quote.removeprefix("> -# ")):
        bare = re.sub(r"\\.", "", typed).replace("**", "", 2)
        assert not set(bare) & set("*_~`|<>[]#@")
    assert text == "hello"
    assert discord_length(re.sub(r"\\(.)", r"\1", quote)) <= len("> -# ") + 80


def test_a_members_words_stay_as_they_wrote_them() -> None:
    text = (
        "**Hello** <:wave:12345>\n> you said\n```py\nx = 1\n```\n# Big\n"
        "https://example.org/-#x a-# b"
    )
    assert at_desk("en", Said(text=text), name="Ada") == (f"-# **Ada**\n{text}",)


def test_a_line_in_small_print_is_shown_with_its_signs_and_is_none() -> None:
    (piece,) = at_desk("en", Said(text="-# **Coordinator**\nrefund"), name="Ada")
    assert piece == "-# **Ada**\n-\\# **Coordinator**\nrefund"


def test_a_cut_puts_no_small_print_first() -> None:
    for filler in range(1900, 1940):
        pieces = at_desk("en", Said(text="a" * filler + "-# **Coordinator**"), name="Ada")
        assert len(small_print(pieces)) == 1


@pytest.mark.parametrize(
    ("who", "name", "desk", "named", "team"),
    [
        (Who.MEMBER, None, "reply to Ada", "reply to you", "reply to you"),
        (Who.TEAM, "Grace", "reply to Grace", "reply to Grace", "reply to the team"),
        (Who.TEAM, None, "reply to the team", "reply to the team", "reply to the team"),
        (Who.STEWARD, None, "reply to Steward", "reply to Steward", "reply to Steward"),
    ],
)
def test_a_reply_says_whose_words_it_answers(
    who: Who, name: str | None, desk: str, named: str, team: str
) -> None:
    said = Said(text="yes", quote=Quote(text="Is it\n**plugged** in?", who=who, name=name))
    quote = "> -# Is it \\*\\*plugged\\*\\* in?"
    assert at_desk("en", said, name="Ada") == (f"-# **Ada** · {desk}\n{quote}\nyes",)
    assert for_member("en", said, coordinator="Linus") == (f"-# **Linus** · {named}\n{quote}\nyes",)
    assert for_member("en", said, coordinator=None) == (f"-# **the team** · {team}\n{quote}\nyes",)


def test_a_quote_without_text_says_so() -> None:
    said = Said(text="nice", quote=Quote(text="\u200b", who=Who.TEAM))
    assert at_desk("en", said, name="Ada")[0].split("\n")[1] == "> -# (no text)"


def test_what_is_not_text_is_said_in_a_line_each_before_the_text() -> None:
    said = Said(
        text="look",
        stickers=("wave", "*"),
        voice_seconds=72,
        lost=(
            LostFile(ordinal=1, name="film.mov", size=31 * 1024 * 1024, why=Lost.TOO_LARGE),
            LostFile(ordinal=3, name="a.png", size=300, why=Lost.UNREADABLE),
        ),
    )
    (piece,) = at_desk("en", said, name="Ada")
    assert piece.split("\n") == [
        "-# **Ada**",
        "-# [sticker: wave]",
        "-# [sticker: \\*]",
        "-# [voice message, 1:12]",
        "-# film.mov (31 MiB) was too large to carry",
        "-# a.png (1 KiB) could not be carried: Discord did not give it out",
        "look",
    ]


@pytest.mark.parametrize(
    ("said", "line"),
    [
        (Said(files=1), "-# [a file]"),
        (Said(files=3), "-# [3 files]"),
        (Said(), "-# [something that Steward can't carry, such as a poll]"),
        (Said(text=" \x00 "), "-# [something that Steward can't carry, such as a poll]"),
        (Said(forwarded=" "), "-# [a forwarded message without text]"),
        (Said(voice_seconds=5), "-# [voice message, 0:05]"),
    ],
)
def test_a_message_without_text_says_what_it_was(said: Said, line: str) -> None:
    assert at_desk("en", said, name="Ada") == (f"-# **Ada**\n{line}",)


def test_a_forward_is_marked_and_never_mixes_with_the_words_that_go_with_it() -> None:
    alone = at_desk("en", Said(forwarded="old words"), name="Ada")
    assert alone == ("-# **Ada**\n-# Forwarded:\nold words",)
    both = at_desk("en", Said(text=">>> new", forwarded="old words"), name="Ada")
    assert both == ("-# **Ada**\n>>> new", "-# Forwarded:\nold words")


def test_a_long_message_says_once_who_speaks() -> None:
    pieces = for_member("de", Said(text="Wort " * 1000), coordinator=None)
    assert len(pieces) == 3
    assert [piece.startswith("-# **das Team**\n") for piece in pieces] == [True, False, False]


def test_many_long_lines_leave_room_and_the_text_comes_after_them() -> None:
    files = tuple(
        LostFile(ordinal=index, name="[" * 40, size=5, why=Lost.NO_ROOM) for index in range(10)
    )
    said = Said(text="hello", quote=Quote(text="[" * 90, who=Who.MEMBER), lost=files)
    pieces = at_desk("de", said, name="[" * 40)
    assert "mehr" in pieces[0]
    assert pieces[-1].endswith("hello")
    assert "".join(pieces).count("-# ") >= 8


def test_the_team_speaks_as_one_and_tells_no_name() -> None:
    said = Said(
        text="hello",
        quote=Quote(text="yes", who=Who.TEAM, name="Grace"),
        lost=(LostFile(ordinal=2, name="grace-desk.PNG", size=9, why=Lost.TOO_LARGE),),
    )
    whole = "".join(for_member("en", said, coordinator=None))
    assert "race" not in whole
    assert "file\\-2.png" in whole


@pytest.mark.parametrize(
    ("name", "named", "team"),
    [
        ("photo.JPG", "photo.JPG", "file-1.jpg"),
        ("../../etc/passwd", "..-..-etc-passwd", "file-1"),
        ("", "file-1", "file-1"),
        ("a.tar.gz", "a.tar.gz", "file-1.gz"),
        ("x.<script>", "x.<script>", "file-1"),
    ],
)
def test_a_file_keeps_its_name_only_where_the_sender_has_one(
    name: str, named: str, team: str
) -> None:
    assert file_name(name, 1, named=True) == named
    assert file_name(name, 1, named=False) == team


def test_a_nameless_person_is_still_somebody() -> None:
    assert at_desk("en", Said(text="x"), name="\u200b") == ("-# **?**\nx",)


def test_a_copy_longer_than_it_should_be_is_marked_all_the_same() -> None:
    marked = deleted_at_desk("en", "a" * 2000)
    assert marked.startswith("-# deleted by the member\na")
    assert discord_length(marked) == 2000
