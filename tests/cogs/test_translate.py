"""The message command Translate: who may, what is said, and one call however many ask."""

import asyncio
import hashlib
import logging
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from simcord.backend.serializers import message_payload

from bot.services.translations import LOST_MS
from bot.translating import Translated, TranslationFailed
from storage import conversations, outbox, relayed, translations
from storage.database import Connection
from tests.cogs.conftest import Scene
from tests.cogs.people import command_together, shown

ORIGINAL = 4_000_000_000_000_000_001
GREETING = "Guten Tag, der Drucker brennt"


@dataclass
class Provider:
    """Translates as a test says, and keeps what it was asked."""

    failing: list[str] = field(default_factory=list)
    asked: list[tuple[str, str | None, str]] = field(default_factory=list)
    says: str = "Good day, the printer is on fire"
    held: asyncio.Event | None = None

    async def translate(self, text: str, *, source: str | None, target: str) -> Translated:
        self.asked.append((text, source, target))
        if self.held is not None:
            await self.held.wait()
        if self.failing:
            raise TranslationFailed(self.failing.pop(0), "for a test")
        return Translated(text=self.says, source="de")


async def carry(scene: Scene, copy_id: int, text: str = GREETING, **changes: Any) -> None:
    """What a member wrote in their DM has this copy."""
    original = relayed.Relayed(
        id=ORIGINAL,
        conversation_id="c",
        channel_id=5,
        side="member",
        author_id=scene.ada.id,
        author_name="Ada",
        locale="de",
        text=text,
        extras="{}",
        reply_to=None,
        at=scene.clock.now(),
    )
    part = outbox.NewPart(
        event=relayed.event_of(ORIGINAL),
        ordinal=0,
        guild_id=scene.guild.id,
        destination=scene.desk.id,
        kind="copy",
        payload="{}",
        delivery_key="key-of-a-copy-000001",
    )

    def run(connection: Connection) -> None:
        relayed.add(connection, replace(original, **changes))
        outbox.plan(connection, part, scene.clock.now())
        connection.execute(
            "UPDATE outbox_part SET state = 'sent', message_id = ? WHERE delivery_key = ?",
            (copy_id, part.delivery_key),
        )

    await scene.database.write(run)


async def edit(scene: Scene, text: str) -> None:
    """The member edits the original."""

    def run(connection: Connection) -> None:
        original = relayed.find(connection, ORIGINAL)
        assert original is not None
        relayed.edited(connection, original, text, scene.clock.now())

    await scene.database.write(run)


@pytest.fixture
async def conversation(scene: Scene) -> str:
    """A conversation of a member's with a desk that is set up."""
    await scene.set_up()
    await scene.ask(scene.ada)
    request = await scene.newest()
    await scene.database.write(
        lambda connection: conversations.open_(
            connection,
            conversation_id="c",
            request=request,
            channel_id=5,
            now=scene.clock.now(),
        )
    )
    return "c"


@pytest.fixture
async def message(scene: Scene, conversation: str) -> Any:
    """The copy of a member's message at the desk."""
    sent = await scene.cleo.send(scene.desk, "as it was carried")
    await carry(scene, sent.id)
    return sent


@pytest.fixture
def provider(scene: Scene) -> Provider:
    """The one that the bot was started with."""
    made = Provider()
    scene.bot.translator = made
    return made


async def choose(scene: Scene, who: Any, message: Any) -> Any:
    return await who.context_menu(scene.desk, "Translate", message)


async def test_a_coordinator_reads_a_message_in_their_own_language(
    scene: Scene, message: Any, provider: Provider
) -> None:
    result = await choose(scene, scene.ben, message)
    assert "Translated from German" in shown(result)
    assert provider.says in shown(result)
    assert result.response.flags.ephemeral
    assert provider.asked == [(GREETING, "de", "en")]


async def test_a_ready_translation_is_shown_at_once_also_where_nobody_translates_any_more(
    scene: Scene, message: Any, provider: Provider
) -> None:
    await choose(scene, scene.ben, message)
    scene.bot.translator = None
    assert provider.says in shown(await choose(scene, scene.cleo, message))
    assert len(provider.asked) == 1


async def test_an_edited_message_is_translated_anew(
    scene: Scene, message: Any, provider: Provider
) -> None:
    await choose(scene, scene.ben, message)
    await edit(scene, "Er brennt nicht mehr")
    provider.says = "It no longer burns"
    assert "It no longer burns" in shown(await choose(scene, scene.ben, message))
    assert provider.asked[1:] == [("Er brennt nicht mehr", "de", "en")]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("slow", "took too long"),
        ("refused", "refused"),
        ("unavailable", "isn't available"),
        ("unreadable", "no answer that Steward understands"),
        ("language_not_offered", "your Discord's language, English,"),
    ],
)
async def test_a_failure_is_said_and_asking_again_tries_again(
    scene: Scene, message: Any, provider: Provider, code: str, words: str
) -> None:
    provider.failing = [code]
    assert words in shown(await choose(scene, scene.ben, message))
    assert len(provider.asked) == 1
    assert provider.says in shown(await choose(scene, scene.ben, message))
    assert len(provider.asked) == 2


async def test_two_who_ask_at_once_cause_one_call_and_both_are_answered(
    scene: Scene, message: Any, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.held = asyncio.Event()
    service = scene.bot.services.translations
    request, known = type(service).request, []

    async def counted(*arguments: Any, **named: Any) -> Any:
        known.append(await request(*arguments, **named))
        if len(known) == 2:
            assert provider.held is not None
            provider.held.set()
        return known[-1]

    monkeypatch.setattr(type(service), "request", counted)
    stored = scene.env.backend.get_message(scene.desk.id, message.id)
    data = {
        "name": "Translate",
        "type": 3,
        "target_id": str(message.id),
        "resolved": {
            "messages": {str(message.id): dict(message_payload(scene.env.backend, stored))}
        },
    }
    results = await command_together(scene, [scene.ben, scene.cleo], data)
    assert [asked.calls for asked in known] == [True, False]
    assert len(provider.asked) == 1
    for result in results:
        assert provider.says in shown(result)


async def asked_before(scene: Scene, age_ms: int) -> None:
    """An earlier life of the bot asked, and crashed."""

    def ask(connection: Connection) -> None:
        translations.ask(
            connection,
            ORIGINAL,
            "en",
            source_digest=hashlib.sha256(GREETING.encode()).hexdigest(),
            now=scene.clock.now() - age_ms,
        )

    await scene.database.write(ask)


@pytest.mark.parametrize("age_ms", [LOST_MS + 1, -1], ids=["long ago", "in the future"])
async def test_what_was_lost_in_a_crash_is_asked_for_again(
    scene: Scene, message: Any, provider: Provider, age_ms: int
) -> None:
    await asked_before(scene, age_ms)
    assert provider.says in shown(await choose(scene, scene.ben, message))


async def test_what_somebody_asked_for_a_moment_ago_is_not_asked_for_twice(
    scene: Scene, message: Any, provider: Provider
) -> None:
    await asked_before(scene, LOST_MS)
    assert "Choose Translate again" in shown(await choose(scene, scene.ben, message))
    assert provider.asked == []


async def test_a_message_that_is_edited_meanwhile_is_not_shown_as_it_was(
    scene: Scene, message: Any, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slow(text: str, *, source: str | None, target: str) -> Translated:
        await edit(scene, "Er brennt nicht mehr")
        return Translated(text="It burns", source="de")

    monkeypatch.setattr(provider, "translate", slow)
    assert "changed or erased meanwhile" in shown(await choose(scene, scene.ben, message))


async def test_a_message_that_was_not_carried_is_not_translated(
    scene: Scene, message: Any, provider: Provider
) -> None:
    other = await scene.cleo.send(scene.desk, "among ourselves")
    assert "didn't carry this message" in shown(await choose(scene, scene.ben, other))
    assert provider.asked == []


async def test_a_message_without_text_is_not_translated(
    scene: Scene, conversation: str, provider: Provider
) -> None:
    sent = await scene.cleo.send(scene.desk, "a picture")
    await carry(scene, sent.id, " \n")
    assert "no text to translate" in shown(await choose(scene, scene.ben, sent))
    assert provider.asked == []


async def test_a_note_of_the_teams_is_not_sent_anywhere(
    scene: Scene, conversation: str, provider: Provider
) -> None:
    sent = await scene.cleo.send(scene.desk, "among ourselves")
    await carry(scene, 3, side="note", id=sent.id)
    assert "didn't carry this message" in shown(await choose(scene, scene.ben, sent))
    assert provider.asked == []


async def test_what_a_coordinator_wrote_is_translated_by_its_own_message(
    scene: Scene, conversation: str, provider: Provider
) -> None:
    sent = await scene.cleo.send(scene.desk, GREETING)
    await carry(scene, 3, side="desk", id=sent.id)
    assert provider.says in shown(await choose(scene, scene.ben, sent))


async def test_where_nobody_translates_it_is_said(scene: Scene, message: Any) -> None:
    assert "Nobody translates" in shown(await choose(scene, scene.ben, message))


async def test_members_translate_nothing(
    scene: Scene, conversation: str, provider: Provider
) -> None:
    sent = await scene.ada.send(scene.general, "hello")
    await carry(scene, sent.id)
    result = await scene.ada.context_menu(scene.general, "Translate", sent)
    assert "Only coordinators" in shown(result)
    assert provider.asked == []


async def test_a_translation_forges_nothing(scene: Scene, message: Any, provider: Provider) -> None:
    provider.says = "@everyone <@1> [free](https://evil.test) # big"
    embed = (await choose(scene, scene.ben, message)).response.embeds[0]
    assert embed.description == r"\@everyone \<\@1\> \[free\]\(https\://evil.test\) \# big"


async def test_no_word_of_it_is_logged(
    scene: Scene, message: Any, provider: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    provider.failing = ["slow"]
    await choose(scene, scene.ben, message)
    await choose(scene, scene.ben, message)
    events = [record for record in caplog.records if record.name == "cogs.translate"]
    assert [record.message for record in events] == ["translation_failed", "translation_ready"]
    told = " ".join(str(record.__dict__) for record in events)
    assert "brennt" not in told
    assert "fire" not in told
