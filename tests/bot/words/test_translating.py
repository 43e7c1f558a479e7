"""A translation as it is shown: it fits, and it says from which language it is."""

import pytest

from bot.words.sentences import LANGUAGES
from bot.words.translating import being_translated, gone, language_name, not_translated, translation
from domain.text import discord_length


@pytest.mark.parametrize("letter", ["a", "*", "😀", "\\"])
def test_a_long_translation_is_cut_to_fit_and_says_so(letter: str) -> None:
    shown = translation("en-GB", letter * 8000, "de")
    assert 3000 < discord_length(shown.description) <= 4000
    assert shown.description.endswith("…")
    assert "cut here" in shown.footer


def test_a_short_one_is_whole() -> None:
    shown = translation("de", "Guten *Tag*", "en")
    assert shown.description == r"Guten \*Tag\*"
    assert shown.title == "Übersetzt aus: Englisch"
    assert "gekürzt" not in shown.footer


def test_an_unknown_language_is_not_named_and_one_without_a_name_is_named_by_its_code() -> None:
    assert translation("en-US", "x", None).title == "Translation"
    assert translation("en-US", "x", "eo").title == "Translated from eo"
    assert language_name("de", "zt") == "Chinesisch (traditionell)"


@pytest.mark.parametrize("locale", sorted(LANGUAGES))
def test_every_end_has_its_sentence(locale: str) -> None:
    codes = ("slow", "refused", "unavailable", "unreadable", "language_not_offered")
    told = [not_translated(locale, code, "fr").text for code in codes]
    told += [being_translated(locale).text, gone(locale).text]
    assert all(told)
    assert len(set(told)) == len(told)
