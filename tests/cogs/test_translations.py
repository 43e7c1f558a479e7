"""Commands are described in people's own languages, and named the same in all of them."""

from collections.abc import Iterator
from typing import Any

import pytest
from discord import app_commands

from bot.words.commands import DESCRIPTIONS, MENU_NAMES, described, menu_name
from bot.words.sentences import LANGUAGES
from tests.cogs.conftest import Scene


def entries(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A command, or an option, and all that is in it."""
    yield entry
    for option in entry.get("options", ()):
        yield from entries(option)


async def payload_of(scene: Scene, *, menus: bool) -> list[dict[str, Any]]:
    """What Discord is told: of the commands in menus, or of those that are typed."""
    tree = scene.bot.tree
    assert tree.translator is not None
    return [
        await command.get_translated_payload(tree, tree.translator)
        for command in tree.get_commands()
        if isinstance(command, app_commands.ContextMenu) is menus
    ]


@pytest.fixture
async def told(scene: Scene) -> list[dict[str, Any]]:
    """Everything that Discord is told has a description."""
    typed = await payload_of(scene, menus=False)
    return [entry for command in typed for entry in entries(command)]


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
async def test_everything_is_described_in_every_language_we_speak(
    told: list[dict[str, Any]], language: str
) -> None:
    for entry in told:
        text = entry["description_localizations"].get(language)
        assert text, entry["description"]
        assert len(text) <= 100, text
    assert set(DESCRIPTIONS[language]) == {entry["description"] for entry in told}


async def test_names_are_the_same_in_every_language(told: list[dict[str, Any]]) -> None:
    for entry in told:
        assert not entry.get("name_localizations")
        for choice in entry.get("choices", ()):
            assert not choice.get("name_localizations")


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
async def test_a_menus_commands_have_a_name_in_every_language(scene: Scene, language: str) -> None:
    told = await payload_of(scene, menus=True)
    for entry in told:
        name = entry["name_localizations"].get(language)
        assert name, entry["name"]
        assert len(name) <= 32, name
    assert set(MENU_NAMES[language]) == {entry["name"] for entry in told}
    assert menu_name("Translate", "fr") is None


async def test_a_changed_translation_is_told_to_discord(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await scene.bot.commands_hash()
    assert before == await scene.bot.commands_hash()
    monkeypatch.setitem(DESCRIPTIONS["de"], "The help desk", "Anders")
    assert await scene.bot.commands_hash() != before


def test_a_language_that_we_do_not_speak_is_shown_english() -> None:
    assert described("The help desk", "de") == DESCRIPTIONS["de"]["The help desk"]
    assert described("The help desk", "fr") is None
    assert described("Nothing of ours", "de") is None
