"""Members ask for help from the direct messages, for a server that they are in."""

from typing import Any

import pytest

from storage import offers
from tests.cogs.conftest import Scene
from tests.cogs.people import press, shown, submit
from tests.cogs.talking import dm_of


class Delivering:
    """In place of the receipts: this process hears what people write."""

    async def echo(self, *_: object) -> None:
        return

    async def deleted(self, _message_id: int) -> bool:
        return False


@pytest.fixture
async def town(scene: Scene) -> Scene:
    """A set-up desk, and a bot that hears."""
    await scene.set_up()
    scene.bot.receipts = Delivering()  # type: ignore[assignment]
    return scene


async def open_form(scene: Scene, who: Any, guild_id: int) -> Any:
    """Press the button in the person's DM."""
    dm = scene.env.backend.get_dm_channel(who.id)
    changes = {"channel_id": str(dm.id), "in_dm": True}
    return await press(scene, who, f"dmask:{guild_id}", **changes)


def field(result: Any, field_id: str) -> Any:
    components = [row["component"] for row in result.modal["components"]]
    return next(one for one in components if one["custom_id"] == field_id)


async def kept(scene: Scene, who: Any) -> tuple[str, ...]:
    dm = dm_of(scene, who)
    return await scene.database.read(lambda connection: offers.texts(connection, dm))


async def test_what_was_written_becomes_the_details_of_what_is_asked(town: Scene) -> None:
    await town.ada.send_dm("My key is lost")
    await town.ada.send_dm("It was red")
    form = await open_form(town, town.ada, town.guild.id)
    assert field(form, "details")["value"] == "My key is lost\nIt was red"
    custom_id = form.modal["custom_id"]
    typed = {"topic": "Key", "details": "My key is lost\nIt was red"}
    result = await submit(town, town.ada, custom_id, typed, in_dm=True)
    request = await town.newest()
    assert request.reference in shown(result)
    assert "You are next" in shown(result)
    assert (request.guild_id, request.topic) == (town.guild.id, "Key")
    assert request.details == "My key is lost\nIt was red"
    assert await kept(town, town.ada) == ()
    again = await submit(town, town.ada, custom_id, typed, in_dm=True)
    assert "already have an open request" in shown(again)
    assert "It was red" in shown(again)


async def test_what_is_written_in_a_server_begins_no_offer(town: Scene) -> None:
    await town.ada.send(town.general, "lunch?")
    rows = await town.database.read(
        lambda connection: connection.execute("SELECT * FROM dm_offer").fetchall()
    )
    assert rows == []


async def test_what_is_edited_or_deleted_is_not_kept_as_it_was(town: Scene) -> None:
    eva = town.env.create_user("eva")
    first = await eva.send_dm("My pasword is 1234")
    second = await eva.send_dm("oops")
    await eva.edit(first, "It leaks")
    await eva.delete(second)
    assert await kept(town, eva) == ("It leaks",)


async def test_without_a_word_the_form_is_empty(town: Scene) -> None:
    form = await open_form(town, town.ada, town.guild.id)
    assert "value" not in field(form, "details")


async def test_the_same_rules_hold_as_in_the_server(town: Scene) -> None:
    await town.ask(town.ada)
    first = await town.newest()
    form = await open_form(town, town.ada, town.guild.id)
    assert form.modal is None
    assert first.reference in shown(form)
    result = await submit(town, town.ben, f"dmhelp:{town.guild.id}:1", {"topic": " "}, in_dm=True)
    assert "no readable text" in shown(result)
    assert await town.states() == ["queued"]


async def test_who_is_not_in_that_server_gets_their_words_back(town: Scene) -> None:
    stranger = town.env.create_user("stranger")
    typed = {"topic": "Let me in", "details": "please"}
    result = await submit(town, stranger, f"dmhelp:{town.guild.id}:1", typed, in_dm=True)
    assert "aren't in that server" in shown(result)
    assert "Let me in" in shown(result)
    assert await town.states() == []


@pytest.mark.parametrize("argument", ["", "x", "1", "99999999999999999999"])
async def test_a_button_of_no_server_is_answered(town: Scene, argument: str) -> None:
    for result in (
        await press(town, town.ada, f"dmask:{argument}", in_dm=True),
        await submit(town, town.ada, f"dmhelp:{argument}:1", {"topic": "Key"}, in_dm=True),
    ):
        assert result.modal is None
        assert shown(result)
    assert await town.states() == []
