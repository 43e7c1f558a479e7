"""Those who wait hear at once what has become of a request, while their interaction lives."""

from typing import Any

from tests.cogs.conftest import Scene
from tests.cogs.fairground import Fairground, button
from tests.cogs.people import press


def heard(scene: Scene) -> Any:
    """The room that hears what the worker says."""
    return scene.bot.get_cog("FollowUps")


async def unreached(scene: Scene, problem: str = "dms_closed") -> None:
    """The worker could not reach the newest request's member."""
    request = await scene.newest()
    await scene.database.write(
        lambda connection: (
            connection.execute(
                "UPDATE request SET state = 'queued', attempts = 1, last_problem = ?,"
                " owner_id = NULL,"
                " lease_until = NULL WHERE id = ?",
                (problem, request.id),
            ).rowcount
        )
    )
    await heard(scene).on_request_unreached(request.id)


def follow_ups(result: Any) -> list[str]:
    return [
        (message.content or "") + "".join(embed.description or "" for embed in message.embeds)
        for message in result.followups
    ]


async def claim(scene: Scene) -> Any:
    request = await scene.newest()
    return await scene.ben.slash(scene.general, "desk claim", request=request.reference)


async def test_member_and_owner_are_told_that_the_dms_are_closed(scene: Scene) -> None:
    await scene.set_up()
    asked = await scene.ask(scene.ada)
    claimed = await claim(scene)
    await unreached(scene)
    assert any("direct messages are closed" in text for text in follow_ups(asked))
    assert any("private thread" in text for text in follow_ups(claimed))
    assert all(message.flags.ephemeral for message in asked.followups)


async def test_after_the_tokens_life_nobody_is_written_to(scene: Scene) -> None:
    await scene.set_up()
    asked = await scene.ask(scene.ada)
    scene.clock.advance(15 * 60_000)
    await unreached(scene)
    assert follow_ups(asked) == []


async def test_the_owner_hears_before_a_claim_runs_out_and_nobody_else_does(
    scene: Scene,
) -> None:
    await scene.set_up()
    asked = await scene.ask(scene.ada)
    claimed = await claim(scene)
    request = await scene.newest()
    await heard(scene).on_claim_ending(request.id)
    assert any("Extend" in text for text in follow_ups(claimed))
    assert follow_ups(asked) == []
    await scene.ben.slash(scene.general, "desk release", request=request.reference)
    await heard(scene).on_claim_ending(request.id)
    assert len(follow_ups(claimed)) == 1


async def test_a_reviewer_hears_before_their_time_runs_out_and_who_has_decided_does_not(
    scene: Scene,
) -> None:
    fair = await Fairground.begin(scene)
    await fair.nominate(scene.ada)
    card = await fair.take(fair.rex)
    await heard(scene).on_review_ending(1)
    (told,) = follow_ups(card)
    assert "Press Extend" in told
    assert all(message.flags.ephemeral for message in card.followups)
    await press(scene, fair.rex, button(card, "Give back"))
    other = await fair.take(fair.rita)
    await heard(scene).on_review_ending(1)
    assert len(follow_ups(card)) == len(follow_ups(other)) == 1
    await fair.send(fair.rita, button(other, "Approve"), summary="Good.")
    await heard(scene).on_review_ending(1)
    assert len(follow_ups(other)) == 1
