"""/transcript: who may fetch one, what is in it, and that the fetching is on record."""

import base64
import hashlib
import html
import json
import re
import sys
from typing import Any

import pytest

from bot.delivery.spool import Spool
from bot.services import transcripts
from bot.services.requests import apply
from bot.transcripts import Transcript, render
from bot.words.commands import DESCRIPTIONS
from domain.files import FileState
from domain.requests import Resolve
from storage import audit, conversations, desks, files, relayed, requests
from storage.audit import Act
from storage.database import Connection
from storage.errors import StorageError
from tests.cogs.conftest import Scene
from tests.cogs.people import command_together, run_command, shown, suggest

FIRST = 4_000_000_000_000_000_001
HOSTILE = "</p><script>alert(1)</script> @everyone <@1> \u202e"


@pytest.fixture
async def reference(scene: Scene) -> str:
    """Ada's conversation with Ben, in which both have written."""
    await scene.set_up()
    await scene.ask(scene.ada, "Printer")
    request = await scene.newest()

    def begin(connection: Connection) -> None:
        connection.execute(
            "UPDATE request SET state = 'active', attempts = 1, owner_id = ?,"
            " conversation_id = 'talk', details = 'It eats paper.' WHERE id = ?",
            (scene.ben.id, request.id),
        )
        conversations.open_(
            connection, conversation_id="talk", request=request, channel_id=77, now=1
        )
        desks.remember_name(connection, request.guild_id, scene.ben.id, "Ben")

    await scene.database.write(begin)
    await say(scene, 0, "member", "Ada", "It burns now")
    await say(scene, 1, "desk", "Ben", "Leave the room")
    await say(scene, 2, "note", "Ben", "// again")
    reference: str = request.reference
    return reference


async def say(scene: Scene, number: int, side: Any, name: str, text: str, **more: Any) -> None:
    values: dict[str, Any] = {
        "id": FIRST + number,
        "conversation_id": "talk",
        "channel_id": 77,
        "side": side,
        "author_id": 5,
        "author_name": name,
        "locale": "en",
        "text": text,
        "extras": '{"stickers": [], "voice_seconds": null, "forwarded": null}',
        "reply_to": None,
        "at": scene.clock.now() + number,
    }
    message = relayed.Relayed(**values | more)
    await scene.database.write(lambda connection: relayed.add(connection, message))


async def run(scene: Scene, sql: str, *values: object) -> None:
    """Change the ledger behind everybody's back."""

    def change(connection: Connection) -> None:
        connection.execute(sql, values)

    await scene.database.write(change)


async def fetch(scene: Scene, who: Any, reference: str) -> Any:
    return await who.slash(scene.general, "transcript", request=reference)


def page_of(scene: Scene, result: Any) -> str:
    """The one file of an answer."""
    (attachment,) = result.response.attachments
    data: bytes = scene.env.backend.cdn.get(attachment.url)
    return data.decode()


async def on_record(scene: Scene) -> tuple[Act, ...]:
    request = await scene.newest()
    return await scene.database.read(
        lambda connection: audit.of_request(connection, request.id, limit=10)
    )


def inside(page: str) -> str:
    """What a reader sees between the page's header and its end."""
    return html.unescape(re.sub(r"<[^>]*>", "", page[page.index("<main>") :]))


async def test_a_coordinator_gets_the_conversation_as_a_file_and_alone(
    scene: Scene, reference: str
) -> None:
    result = await fetch(scene, scene.cleo, reference.lower())
    assert result.response.flags.ephemeral
    assert "on record" in shown(result)
    assert result.response.attachments[0].filename == f"{reference}.html"
    text = inside(page_of(scene, result))
    order = ["ada asked for help: Printer", "It eats paper.", "It burns now", "Leave the room"]
    assert [at for at in map(text.find, order) if at >= 0] == sorted(map(text.find, order))
    assert "note at the desk, not for the member" in text


async def test_who_fetched_it_and_of_whom_is_on_record(scene: Scene, reference: str) -> None:
    await fetch(scene, scene.cleo, reference)
    request = await scene.newest()
    act = Act(
        guild_id=scene.guild.id,
        at=scene.clock.now(),
        action=transcripts.TRANSCRIPT,
        actor_id=scene.cleo.id,
        request_id=request.id,
        member_id=scene.ada.id,
    )
    assert await on_record(scene) == (act,)


async def test_what_can_not_be_put_on_record_is_not_shown(
    scene: Scene, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise StorageError("no room")

    monkeypatch.setattr(audit, "record", full)
    result = await fetch(scene, scene.cleo, reference)
    assert "Something went wrong on our side" in shown(result)
    assert result.response.attachments == []


@pytest.mark.parametrize("who", ["ada", "ben"])
async def test_nobody_reads_one_without_the_role_at_that_moment(
    scene: Scene, reference: str, who: str
) -> None:
    person = getattr(scene, who)
    if person is scene.ben:
        scene.env.backend.remove_member_role(scene.guild.id, person.id, scene.coordinators.id)
    result = await fetch(scene, person, reference)
    assert "Only coordinators can do this" in shown(result)
    assert result.response.attachments == []
    assert await suggested(scene, person, "") == []
    assert await on_record(scene) == ()


@pytest.mark.parametrize("typed", ["", "NOSUCH", "' OR 1=1 --", "x" * 6000])
async def test_an_unknown_reference_is_an_answer(scene: Scene, reference: str, typed: str) -> None:
    data = {"name": "transcript", "options": [{"name": "request", "type": 3, "value": typed}]}
    result = await run_command(scene, scene.ben, data)
    assert "There is no such request here" in shown(result)
    assert await on_record(scene) == ()


async def test_another_guilds_conversation_is_no_request_here(scene: Scene, reference: str) -> None:
    def move(connection: Connection) -> None:
        connection.execute(
            "INSERT INTO desk SELECT 7, guild_name, channel_id, help_channel_id,"
            " coordinator_role_id, reviewer_role_id, organizer_role_id, route, identity, timezone,"
            " locale, problem, problem_told, set_up_by, set_up_at FROM desk"
        )
        connection.execute("UPDATE request SET guild_id = 7")

    await scene.database.write(move)
    result = await fetch(scene, scene.ben, reference)
    assert "There is no such request here" in shown(result)
    assert result.response.attachments == []
    assert await suggested(scene, scene.ben, reference) == []
    assert await on_record(scene) == ()


async def test_before_a_conversation_there_is_nothing_to_fetch(scene: Scene) -> None:
    await scene.set_up()
    await scene.ask(scene.ada)
    request = await scene.newest()
    result = await fetch(scene, scene.ben, request.reference)
    assert "has not begun" in shown(result)
    assert await suggested(scene, scene.ben, "") == []


@pytest.mark.parametrize("content", ["going", "gone"])
async def test_what_has_been_erased_is_kindly_said_to_be(
    scene: Scene, reference: str, content: str
) -> None:
    await run(
        scene,
        "UPDATE request SET state = 'resolved', resolution = 'Done', attempts = NULL,"
        " ended_at = 5, content = ?",
        content,
    )
    result = await fetch(scene, scene.ben, reference)
    assert f"What was said in {reference} has been erased" in shown(result)
    assert "90 days" in shown(result)
    assert result.response.attachments == []
    assert await suggested(scene, scene.ben, "") == []
    assert await on_record(scene) == ()


async def test_what_is_erased_while_the_file_is_made_is_not_shown(
    scene: Scene, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = scene.bot.services.transcripts
    read = service.read

    async def slow(*values: Any) -> transcripts.Told:
        told = await read(*values)
        await run(
            scene,
            "UPDATE request SET state = 'resolved', resolution = 'Done', attempts = NULL,"
            " ended_at = 5, content = 'going'",
        )
        return told

    monkeypatch.setattr(service, "read", slow)
    result = await fetch(scene, scene.ben, reference)
    assert "has been erased" in shown(result)
    assert result.response.attachments == []


async def test_what_people_wrote_does_nothing_in_the_file_nor_beside_it(
    scene: Scene, reference: str
) -> None:
    extras = json.dumps({"stickers": [HOSTILE], "voice_seconds": 7, "forwarded": HOSTILE})
    await say(scene, 5, "member", HOSTILE, HOSTILE, extras=extras)
    await run(scene, "UPDATE request SET topic = ?, details = ?", HOSTILE, HOSTILE)
    result = await fetch(scene, scene.ben, reference)
    page = page_of(scene, result)
    assert "<script" not in page
    text = inside(page)
    assert text.count("<script>alert(1)</script> @everyone <@1>") >= 5
    assert "[voice message, 7 s]" in text
    assert "@everyone" not in shown(result)


async def test_edits_deletions_and_the_end_are_in_it(scene: Scene, reference: str) -> None:
    def change(connection: Connection) -> None:
        first = relayed.find(connection, FIRST)
        assert first is not None
        relayed.edited(connection, first, "It smoulders", scene.clock.now())
        relayed.deleted(connection, FIRST + 1, scene.clock.now())
        request = requests.by_reference(connection, scene.guild.id, reference)
        event = Resolve(owner_id=scene.ben.id, resolution="New toner")
        apply(connection, request, event, actor_id=scene.ben.id, now=scene.clock.now())

    scene.clock.advance(5000)
    await scene.database.write(change)
    page = page_of(scene, await fetch(scene, scene.ben, reference))
    text = inside(page)
    assert "It burns now" in text
    assert "It smoulders" in text
    assert "Edited once" in text
    assert "<del>Leave the room</del>" in page
    assert "Ben resolved the request: New toner" in text
    assert "Ended" in page[: page.index("<main>")]


async def test_more_words_than_any_file_holds_are_counted(
    scene: Scene, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "MOST_TEXT", len("It burns now"))
    text = inside(page_of(scene, await fetch(scene, scene.ben, reference)))
    assert "It burns now" in text
    assert "Leave the room" not in text
    assert "2 messages more do not fit into this file." in text


async def suggested(scene: Scene, who: Any, typed: str) -> list[str]:
    """The references suggested for what was typed."""
    option = {"name": "request", "type": 3, "value": typed, "focused": True}
    result = await suggest(scene, who, {"name": "transcript", "options": [option]})
    return [choice["value"] for choice in result.autocomplete_choices or []]


async def test_conversations_under_way_and_ended_ones_are_suggested(
    scene: Scene, reference: str
) -> None:
    await scene.ask(scene.cleo, "Scanner")
    for typed in ("", reference[:3].lower(), "PRINT"):
        assert await suggested(scene, scene.cleo, typed) == [reference]
    assert await suggested(scene, scene.cleo, "Scanner") == []
    await run(
        scene,
        "UPDATE request SET state = 'resolved', resolution = 'Done', attempts = NULL,"
        " ended_at = 5 WHERE reference = ?",
        reference,
    )
    assert await suggested(scene, scene.cleo, "print") == [reference]


async def test_at_most_25_are_suggested(scene: Scene, reference: str) -> None:
    await run(
        scene,
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)"
        " INSERT INTO request (reference, interaction_id, guild_id, member_id, topic, details,"
        " source_locale, route, created_at, revision, state, attempts, conversation_id)"
        " SELECT 'X' || i, i, guild_id, member_id, topic, details, source_locale, route, 1, 0,"
        " 'active', 1, 'c' FROM request, n",
    )
    assert len(await suggested(scene, scene.ben, "")) == 25


async def test_one_is_made_at_a_time_and_everybody_gets_theirs(
    scene: Scene, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    making = 0
    most = 0

    def slow(transcript: Transcript) -> bytes:
        nonlocal making, most
        making += 1
        most = max(most, making)
        page = render(transcript)
        making -= 1
        return page

    monkeypatch.setattr(sys.modules["cogs.transcripts"], "render", slow)
    data = {"name": "transcript", "options": [{"name": "request", "type": 3, "value": reference}]}
    results = await command_together(scene, [scene.ben, scene.cleo, scene.owner], data)
    assert all("Leave the room" in inside(page_of(scene, result)) for result in results)
    assert most == 1
    assert len(await on_record(scene)) == 3


def test_the_command_is_explained_in_german_too() -> None:
    assert DESCRIPTIONS["de"]["A conversation as a file"]


async def test_files_are_listed_and_small_images_shown(scene: Scene, reference: str) -> None:
    spool = Spool.beside(scene.database.path)
    png = b"\x89PNG\r\n\x1a\n" + bytes(50)
    contents = {"a.png": png, "b.txt": b"words", "c.png": bytes(20), "gone.png": png + b"!"}
    await send(scene, spool, contents)
    spool.remove(hashlib.sha256(contents["gone.png"]).hexdigest())
    page = page_of(scene, await fetch(scene, scene.cleo, reference))
    assert [name for name in contents if name in inside(page)] == list(contents)
    assert "film.mov" in inside(page)
    assert page.count("<img ") == 1
    assert f"data:image/png;base64,{base64.b64encode(png).decode()}" in page


async def send(scene: Scene, spool: Spool, contents: dict[str, bytes]) -> None:
    """The first message bears these files, and one that was too large."""

    def put(connection: Connection) -> None:
        for ordinal, (name, data) in enumerate([*contents.items(), ("film.mov", b"")], start=1):
            new = files.NewFile(
                message_id=FIRST,
                ordinal=ordinal,
                channel_id=77,
                name=name,
                claimed=len(data),
                content_type="image/png",
                spoiler=False,
                url="https://cdn.example/",
            )
            files.want(connection, new, 1)
            file = files.find(connection, FIRST, ordinal)
            assert file is not None
            if not data:
                files.lose(connection, FIRST, ordinal, FileState.TOO_LARGE)
                continue
            incoming = spool.begin()
            incoming.write(data)
            files.keep(connection, file, sha256=incoming.keep(), size=len(data), now=1)

    await scene.database.write(put)
