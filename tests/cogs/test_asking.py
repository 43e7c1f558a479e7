"""Members ask for help."""

from typing import Any

from tests.cogs.conftest import Scene


def shown(result: Any) -> str:
    """All that a person reads in an answer."""
    message = result.response
    parts = [message.content]
    for embed in message.embeds:
        parts += [embed.title or "", embed.description or ""]
        parts += [f"{field.name} {field.value}" for field in embed.fields]
    return "\n".join(parts)


async def test_a_member_asks_at_once_and_gets_a_receipt(scene: Scene) -> None:
    await scene.set_up()
    result = await scene.ask(scene.ada, "Printer on fire")
    request = await scene.newest()
    assert result.ephemeral
    assert request.reference in shown(result)
    assert "You are next" in shown(result)
    assert (request.topic, request.member_id, request.state_name) == (
        "Printer on fire",
        scene.ada.id,
        "queued",
    )
