"""What is said to an entry's author of its steps, and to its reviewer of their lease."""

import secrets

from bot.services.showcase import read_note
from bot.words.entries import word_to_author
from bot.words.reviews import lease_ending
from bot.words.values import Message
from domain.entries import Leased
from storage import campaigns, desks, entries, outbox, showcase_words
from storage.database import Connection
from storage.showcase_words import Word

KIND = "entry_word"


def plan_words(connection: Connection, person_id: int, channel_id: int, now: int) -> None:
    """Plan all that a person is still to be told in their DM, in order."""
    for word in showcase_words.to_person(connection, person_id):
        message = _message(connection, word)
        if message is None:
            continue
        outbox.plan(
            connection,
            outbox.NewPart(
                event=f"w:{word.entry_id}:{word.revision}:{person_id}",
                ordinal=0,
                guild_id=entries.load(connection, word.entry_id).guild_id,
                destination=channel_id,
                kind=KIND,
                payload=message.to_json(),
                delivery_key=secrets.token_urlsafe(15),
            ),
            now,
        )
    showcase_words.forget(connection, person_id)


def _message(connection: Connection, word: Word) -> Message | None:
    """The word as it is true now; None for one that is not any more."""
    entry = entries.load(connection, word.entry_id)
    desk = desks.load(connection, entry.guild_id)
    is_current = entry.revision == word.revision
    if word.person_id != entry.author_id:
        is_held = is_current and isinstance(entry.state, Leased)
        return lease_ending(desk.locale, entry) if is_held else None
    step = entries.history(connection, entry.id)[word.revision]
    if step.event == "send_back" and not is_current:
        return None
    return word_to_author(
        entry.source_locale,
        step.event,
        entry,
        campaigns.load(connection, entry.campaign_id),
        guild_name=desk.guild_name,
        before=read_note(step.note).before,
    )
