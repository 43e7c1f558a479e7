"""Translations: each status carries only its fields, and a result counts for its own try alone."""

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest

from storage import relayed, translations
from storage.migrate import load, statements
from storage.relayed import Relayed
from storage.translations import Translation
from tests.storage.long_past import MIGRATIONS

ORIGINAL = 900
DIGEST = "d" * 64
OTHER = "e" * 64


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """A ledger with two messages that were carried."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        for migration in load(MIGRATIONS):
            for statement in statements(migration.sql):
                made.execute(statement)
        made.execute("INSERT INTO conversation VALUES ('c', 1, 70, 2, 7, NULL, 1)")
        for original_id in (ORIGINAL, ORIGINAL + 1):
            relayed.add(made, original(original_id))
        made.execute("PRAGMA foreign_keys = ON")
        yield made


def original(original_id: int = ORIGINAL) -> Relayed:
    return Relayed(
        id=original_id,
        conversation_id="c",
        channel_id=7,
        side="member",
        author_id=2,
        author_name="Ada",
        locale="en-US",
        text="Good day",
        extras="{}",
        reply_to=None,
        at=1,
    )


def ask(connection: sqlite3.Connection, digest: str = DIGEST, now: int = 10) -> Translation:
    return translations.ask(connection, ORIGINAL, "de", source_digest=digest, now=now)


def found(connection: sqlite3.Connection) -> Translation:
    translation = translations.find(connection, ORIGINAL, "de")
    assert translation is not None
    return translation


def test_what_nobody_asked_for_is_not_there(connection: sqlite3.Connection) -> None:
    assert translations.find(connection, ORIGINAL, "de") is None


def test_a_translation_is_asked_for_and_then_ready(connection: sqlite3.Connection) -> None:
    asked = ask(connection)
    assert (asked.status, asked.tries, asked.requested_at) == ("requested", 1, 10)
    assert found(connection) == asked
    assert translations.ready(connection, asked, "Guten Tag", "en", 12)
    now = found(connection)
    assert (now.status, now.text, now.source_locale, now.finished_at) == (
        "ready",
        "Guten Tag",
        "en",
        12,
    )


def test_after_a_failure_it_is_asked_for_anew(connection: sqlite3.Connection) -> None:
    assert translations.failed(connection, ask(connection), "slow", 12)
    assert (found(connection).status, found(connection).code) == ("failed", "slow")
    again = ask(connection, now=20)
    assert (again.status, again.code, again.finished_at) == ("requested", None, None)
    assert (again.tries, again.requested_at) == (2, 20)


def test_an_edited_message_is_asked_for_anew_and_its_old_translation_is_gone(
    connection: sqlite3.Connection,
) -> None:
    translations.ready(connection, ask(connection), "Guten Tag", "en", 12)
    again = ask(connection, OTHER, 20)
    assert (again.source_digest, again.text, again.source_locale) == (OTHER, None, None)


def test_the_late_result_of_an_older_try_changes_nothing(connection: sqlite3.Connection) -> None:
    old = ask(connection)
    new = ask(connection, OTHER, 20)
    assert not translations.ready(connection, old, "Alt", "en", 21)
    assert not translations.failed(connection, old, "slow", 21)
    assert found(connection) == new
    assert translations.ready(connection, new, "Neu", None, 22)
    assert not translations.failed(connection, new, "slow", 23)
    assert found(connection).text == "Neu"


def test_a_message_has_one_translation_a_language(connection: sqlite3.Connection) -> None:
    asked = ask(connection)
    for original_id, target in ((ORIGINAL, "fr"), (ORIGINAL + 1, "de")):
        translations.ask(connection, original_id, target, source_digest=DIGEST, now=10)
    translations.ready(connection, asked, "Guten Tag", "en", 12)
    for original_id, target in ((ORIGINAL, "fr"), (ORIGINAL + 1, "de")):
        other = translations.find(connection, original_id, target)
        assert other is not None
        assert other.status == "requested"


def test_a_translation_is_of_a_carried_message_and_changes_nothing_of_it(
    connection: sqlite3.Connection,
) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        translations.ask(connection, 1, "de", source_digest=DIGEST, now=10)
    translations.ready(connection, ask(connection), "Guten Tag", "en", 12)
    assert relayed.find(connection, ORIGINAL) == original()


@pytest.mark.parametrize("fate", ["edited", "emptied", "erased"])
def test_what_is_edited_or_erased_leaves_no_translation_and_no_late_result(
    connection: sqlite3.Connection, fate: str
) -> None:
    translations.ask(connection, ORIGINAL + 1, "de", source_digest=DIGEST, now=10)
    translations.ready(connection, ask(connection), "Guten Tag", "en", 12)
    under_way = translations.ask(connection, ORIGINAL, "fr", source_digest=DIGEST, now=10)
    if fate == "edited":
        relayed.edited(connection, original(), "Good night", 20)
    elif fate == "emptied":
        connection.execute("UPDATE relayed_message SET text = '' WHERE id = ?", (ORIGINAL,))
    else:
        connection.execute("DELETE FROM relayed_message WHERE id = ?", (ORIGINAL,))
    assert translations.find(connection, ORIGINAL, "de") is None
    assert not translations.ready(connection, under_way, "Bonjour", "en", 21)
    assert translations.find(connection, ORIGINAL, "fr") is None
    assert translations.find(connection, ORIGINAL + 1, "de") is not None


def test_the_late_result_of_an_older_wording_is_not_taken_for_the_new_ones(
    connection: sqlite3.Connection,
) -> None:
    old = ask(connection)
    relayed.edited(connection, original(), "Good night", 20)
    new = ask(connection, OTHER, 21)
    assert old.tries == new.tries
    assert not translations.ready(connection, old, "Guten Tag", "en", 22)
    assert not translations.failed(connection, old, "slow", 22)
    assert translations.ready(connection, new, "Gute Nacht", "en", 23)


@pytest.mark.parametrize(
    ("status", "values"),
    [
        ("requested", "'en', NULL, NULL, NULL"),
        ("requested", "NULL, 'text', NULL, NULL"),
        ("requested", "NULL, NULL, 'slow', NULL"),
        ("requested", "NULL, NULL, NULL, 3"),
        ("ready", "'en', NULL, NULL, 3"),
        ("ready", "'en', '', NULL, 3"),
        ("ready", "'en', 'text', 'slow', 3"),
        ("ready", "'en', 'text', NULL, NULL"),
        ("failed", "NULL, NULL, NULL, 3"),
        ("failed", "NULL, NULL, '', 3"),
        ("failed", "NULL, 'text', 'slow', 3"),
        ("failed", "'en', NULL, 'slow', 3"),
        ("failed", "NULL, NULL, 'slow', NULL"),
        ("lost", "NULL, NULL, NULL, NULL"),
    ],
)
def test_the_table_refuses_a_status_with_a_field_too_many_or_too_few(
    connection: sqlite3.Connection, status: str, values: str
) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        connection.execute(
            "INSERT INTO translation (original_id, target_locale, status, source_digest, tries,"
            " requested_at, source_locale, text, code, finished_at)"
            f" VALUES ({ORIGINAL}, 'de', '{status}', '{DIGEST}', 1, 1, {values})"
        )
