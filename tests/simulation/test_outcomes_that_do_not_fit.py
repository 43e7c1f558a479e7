"""An outcome that can't be written by a fault of ours strands nothing: it is found out again."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.delivery.first_messages import FirstMessages
from bot.delivery.parts import Parts
from bot.delivery.sender import Stranded
from storage import deliveries
from tests.simulation.story import DESK_CHANNEL, Story
from tests.simulation.test_things_that_cross import (  # noqa: F401 - a fixture
    MEMBER,
    MINUTE,
    house_of,
    run,
    states,
    story,
)


def fails(times: int, really: Callable[..., Any]) -> Callable[..., Any]:
    """A function that fails so often before it does what it should."""
    left = [times]

    def act(*given: Any, **named: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise RuntimeError("nobody thought of it")
        return really(*given, **named)

    return act


def in_flight(story: Story) -> list[Any]:  # noqa: F811
    return house_of(story).ledger.look(
        lambda c: c.execute(
            "SELECT in_flight FROM outbox_part WHERE in_flight IS NOT NULL"
            " UNION ALL SELECT in_flight FROM delivery WHERE in_flight IS NOT NULL"
        ).fetchall()
    )


@pytest.mark.parametrize("times", [1, 30])
@pytest.mark.parametrize("book", [FirstMessages, Parts])
async def test_what_can_not_be_written_is_in_doubt_and_is_found_out(
    story: Story,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    book: type,
    times: int,
) -> None:
    monkeypatch.setattr(story, "_deliver_echoes", lambda _: story.discord.echoes.clear())
    monkeypatch.setattr(book, "settle", fails(times, book.settle))  # type: ignore[attr-defined]
    await run(story, 20 * MINUTE)
    assert in_flight(story) == []
    assert states(story) == ["active"]
    assert len(story.discord.of(DESK_CHANNEL)) == 1
    assert len(story.discord.of(story.discord.dm_channels[MEMBER])) == 1


async def test_where_not_even_the_doubt_can_be_written_the_process_ends_and_the_next_goes_on(
    story: Story,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(story, "_deliver_echoes", lambda _: story.discord.echoes.clear())
    with monkeypatch.context() as broken:
        broken.setattr(FirstMessages, "settle", fails(1, FirstMessages.settle))
        broken.setattr(FirstMessages, "let_go", fails(1, FirstMessages.let_go))
        with pytest.raises(Stranded):
            await run(story, MINUTE)
    assert len(in_flight(story)) == 1
    house_of(story).ledger.dead = True
    await run(story, 10 * MINUTE)
    assert in_flight(story) == []
    assert states(story) == ["active"]
    assert len(story.discord.of(story.discord.dm_channels[MEMBER])) == 1
    assert house_of(story).ledger.look(deliveries.uncertain_count) == 0
