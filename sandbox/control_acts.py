"""Verbs of what people do that the application answers: commands, buttons and forms."""

from typing import TYPE_CHECKING, Any

from sandbox.acts import Interaction
from sandbox.control_setup import Verbs, channel_of, user_of
from sandbox.entities import Channel, Json, Message

if TYPE_CHECKING:
    from sandbox.people import Person
    from sandbox.server import Sandbox


def person_of(sandbox: "Sandbox", body: Json) -> "Person":
    """Whoever the body says acts. Raises KeyError without the key, 10013 for nobody."""
    return sandbox.person(user_of(sandbox, body))


def place_of(sandbox: "Sandbox", body: Json) -> Channel:
    """The channel that the body names, or else the person's DM with the bot."""
    if body.get("channel") is None:
        return sandbox.world.dm(user_of(sandbox, body))
    return channel_of(sandbox, body)


def message_of(sandbox: "Sandbox", body: Json, key: str = "message") -> Message:
    """The message by its id. Raises KeyError when there never was one."""
    return sandbox.world.messages[int(body[key])]


def _begun(interaction: Interaction) -> Json:
    return {"interaction": str(interaction.id)}


def _options(sandbox: "Sandbox", body: Json) -> dict[str, Any]:
    """Options as they are, but `{"user": id}` and its like as the thing itself."""
    return {name: _option(sandbox, body, each) for name, each in body.get("options", {}).items()}


def _option(sandbox: "Sandbox", body: Json, given: Any) -> Any:
    if not isinstance(given, dict):
        return given
    [(kind, key)] = given.items()
    if kind == "user":
        return sandbox.world.user(int(key))
    if kind == "channel":
        return sandbox.world.channel(int(key))
    if kind == "role":
        guild_id = place_of(sandbox, body).guild_id
        return sandbox.world.guild(guild_id or 0).roles[int(key)]
    raise ValueError(f"an option is a value, or one of user, channel, role: {kind}")


def _command(sandbox: "Sandbox", body: Json) -> Json:
    given = _options(sandbox, body)
    place = place_of(sandbox, body)
    return _begun(person_of(sandbox, body).command(body["name"], place, given))


def _autocomplete(sandbox: "Sandbox", body: Json) -> Json:
    given = _options(sandbox, body)
    place = place_of(sandbox, body)
    person = person_of(sandbox, body)
    return _begun(person.autocomplete(body["name"], body["focused"], place, given))


def _message_command(sandbox: "Sandbox", body: Json) -> Json:
    message = message_of(sandbox, body)
    return _begun(person_of(sandbox, body).message_command(body["name"], message))


def _click(sandbox: "Sandbox", body: Json) -> Json:
    pressed = person_of(sandbox, body).click(
        message_of(sandbox, body),
        body.get("label"),
        custom_id=body.get("custom_id"),
        forged=bool(body.get("forged", False)),
    )
    return _begun(pressed)


def _pick(sandbox: "Sandbox", body: Json) -> Json:
    values = [_option(sandbox, body, each) for each in body["values"]]
    picked = person_of(sandbox, body).pick(
        message_of(sandbox, body), values, body.get("label"), custom_id=body.get("custom_id")
    )
    return _begun(picked)


def _submit(sandbox: "Sandbox", body: Json) -> Json:
    shown = sandbox.interactions.get(int(body["interaction"]))
    return _begun(person_of(sandbox, body).submit(shown, body["fields"]))


ACTS: Verbs = {
    "command": _command,
    "autocomplete": _autocomplete,
    "message_command": _message_command,
    "click": _click,
    "pick": _pick,
    "submit": _submit,
}
