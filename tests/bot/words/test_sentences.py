"""Every sentence, in every language, with the same facts."""

import pkgutil
import string
from importlib import import_module

import pytest

from bot import words
from bot.words.sentences import (
    LANGUAGES,
    Plain,
    has,
    language,
    moment,
    person,
    problem,
    refusal,
    say,
)
from domain.delivery import Answered, Effect, NotDone, Parked, Rejected, classify
from domain.errors import REFUSALS

# The JSON error codes that classify a send that was not done.
DISCORDS_CODES = (
    10003,
    10004,
    10013,
    20009,
    20028,
    40003,
    40005,
    50001,
    50006,
    50007,
    50013,
    50035,
    50083,
    50278,
    130000,
    160005,
    160006,
    200000,
    240000,
)


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_a_language_has_every_sentence_with_the_same_facts(code: str) -> None:
    english = LANGUAGES["en"]
    assert set(LANGUAGES[code]) == set(english)
    for key, sentence in LANGUAGES[code].items():
        assert placeholders(sentence) == placeholders(english[key]), key


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_every_sentence_of_a_languages_files_is_said_and_in_one_of_them_alone(code: str) -> None:
    names = [module.name for module in pkgutil.iter_modules(words.__path__)]
    files = [name for name in names if name == code or name.startswith(f"{code}_")]
    keys = [key for name in files for key in import_module(f"bot.words.{name}").SENTENCES]
    assert sorted(keys) == sorted(LANGUAGES[code])


@pytest.mark.parametrize("code", sorted(REFUSALS))
@pytest.mark.parametrize("locale", ["en-US", "de", "fr", None])
def test_every_refusal_has_a_sentence_of_its_own(code: str, locale: str | None) -> None:
    sentence = refusal(locale, code, {"reference": "ABCDE", "owner_name": "Ada", "until": 5000})
    assert sentence.strip()
    assert "_" not in sentence.replace("help_channel", "")


def test_an_unknown_language_is_spoken_to_in_english() -> None:
    assert language("de") == "de"
    assert language("de-AT") == "de"
    assert language("xx") == "en"
    assert say("xx", "button.claim") == "Claim"


def test_what_people_typed_is_escaped_and_what_we_made_is_not() -> None:
    typed = say("en", "first.hello", owner="**@everyone** <@1>", guild="# [x](http://y)")
    assert "**" not in typed
    assert "<@1>" not in typed
    assert "](" not in typed
    assert person(5) == "<@5>"
    assert "<@5>" in say("en", "card.active", owner=person(5))
    assert isinstance(moment(1000), Plain)


def test_a_refusal_names_the_owner_where_there_is_one() -> None:
    named = refusal("en", "request_not_available", {"owner_id": 7, "owner_name": "Ada"})
    assert "Ada has this request" in named
    assert "<@7>" in refusal("en", "request_not_available", {"owner_id": 7})
    assert "isn't in a state" in refusal("en", "request_not_available", {})


def test_an_unknown_problem_is_still_a_sentence() -> None:
    assert "http\\_404" in problem("en", "http_404")
    assert "direct messages" in problem("en", "dms_closed")


@pytest.mark.parametrize("code", DISCORDS_CODES)
def test_every_answer_of_discords_that_we_know_is_said_in_plain_words(code: int) -> None:
    outcome = classify(Effect.CREATE_MESSAGE, Answered(status=403, code=code))
    assert isinstance(outcome, Rejected | Parked | NotDone)
    assert has(f"problem.{outcome.problem}")
    assert outcome.problem not in problem("en", outcome.problem)
