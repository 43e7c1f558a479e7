"""What people do and see that simcord's actors don't: forged presses, languages, raw forms."""

from typing import Any

from simcord.backend.serializers import message_payload
from simcord.interactions import base_payload
from simcord.results import InteractionResult

COMMAND = 2
COMPONENT = 3
SUGGESTIONS = 4
FORM = 5


def shown(result: Any) -> str:
    """All that a person reads in an answer."""
    message = result.response
    assert message is not None, "nothing was answered"
    parts = [message.content]
    for embed in message.embeds:
        parts += [embed.title or "", embed.description or ""]
        parts += [f"{field.name} {field.value}" for field in embed.fields]
        parts += [embed.footer.text or ""]
    return "\n".join(parts)


def labels(result: Any) -> list[str]:
    """The labels of an answer's buttons, in order."""
    message = result.response
    assert message is not None, "nothing was answered"
    return [button["label"] for row in message.components for button in row["components"]]


def custom_ids(result: Any) -> list[str]:
    """The custom ids of an answer's buttons, in order."""
    message = result.response
    assert message is not None, "nothing was answered"
    return [button["custom_id"] for row in message.components for button in row["components"]]


def fields(**typed: str) -> list[dict[str, Any]]:
    """A submitted form's components, as Discord sends labelled inputs."""
    return [
        {"type": 18, "component": {"type": 4, "custom_id": field_id, "value": value}}
        for field_id, value in typed.items()
    ]


async def press(scene: Any, who: Any, custom_id: str, **changes: Any) -> InteractionResult:
    """Press a button with any custom id, on a message of the bot's that may be long gone."""
    return await _raw(scene, who, COMPONENT, {"custom_id": custom_id, "component_type": 2}, changes)


async def submit(
    scene: Any, who: Any, custom_id: str, typed: dict[str, str], **changes: Any
) -> InteractionResult:
    """Send a form in that this process need not have shown."""
    data = {"custom_id": custom_id, "components": fields(**typed)}
    return await _raw(scene, who, FORM, data, changes)


async def run_command(scene: Any, who: Any, data: dict[str, Any]) -> InteractionResult:
    """Run a command as an outdated client, or a forger, would send it."""
    return await _raw(scene, who, COMMAND, {"id": "1", "type": 1} | data, {})


async def suggest(scene: Any, who: Any, data: dict[str, Any]) -> InteractionResult:
    """Type in an option, as an outdated client would ask for suggestions."""
    return await _raw(scene, who, SUGGESTIONS, {"id": "1", "type": 1} | data, {})


async def press_together(scene: Any, people: list[Any], custom_id: str) -> list[InteractionResult]:
    """Several people press before anybody is answered; their answers in the same order."""
    data = {"custom_id": custom_id, "component_type": 2}
    return await _together(scene, people, COMPONENT, data)


async def command_together(
    scene: Any, people: list[Any], data: dict[str, Any]
) -> list[InteractionResult]:
    """Several people run a command before anybody is answered; their answers in the same order."""
    return await _together(scene, people, COMMAND, {"id": "1", "type": 1} | data)


async def _together(
    scene: Any, people: list[Any], kind: int, data: dict[str, Any]
) -> list[InteractionResult]:
    records = [_emit(scene, who, kind, data, {}) for who in people]
    await scene.env.settle()
    return [InteractionResult(scene.env, record) for record in records]


async def _raw(
    scene: Any, who: Any, kind: int, data: dict[str, Any], changes: dict[str, Any]
) -> InteractionResult:
    record = _emit(scene, who, kind, data, changes)
    await scene.env.settle()
    return InteractionResult(scene.env, record)


def _emit(scene: Any, who: Any, kind: int, data: dict[str, Any], changes: dict[str, Any]) -> Any:
    """`changes` go over the payload; `in_dm` leaves the guild out; `times` delivers it again."""
    backend = scene.env.backend
    in_dm = changes.pop("in_dm", False)
    times = changes.pop("times", 1)
    channel = backend.get_dm_channel(who.id) if in_dm else scene.general
    record, payload = base_payload(
        backend,
        type=kind,
        channel_id=channel.id,
        guild_id=None if in_dm else scene.guild.id,
        user_id=who.id,
        data=data,
    )
    if kind == COMPONENT:
        card = backend.create_message(channel.id, backend.bot_user.id, "An old card")
        record.source_message_id = card.id
        payload["message"] = dict(message_payload(backend, card))
    payload.update(changes)
    for _ in range(times):
        backend.emit("INTERACTION_CREATE", payload)
    return record
