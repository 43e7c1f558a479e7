"""People and what they do: everything a member can do in Discord, through what is before them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sandbox import access, commands, components, options, payloads
from sandbox.acts import Interaction, InteractionKind
from sandbox.entities import Channel, Guild, Json, Message, Role, User
from sandbox.errors import NotSeen
from sandbox.permissions import ALL, Permission
from sandbox.writing import Writer

if TYPE_CHECKING:
    from sandbox.interactions import Interactions
    from sandbox.truth import Truth
    from sandbox.world import World

# Which option type's rules a select of people, roles or channels follows.
_SELECTED = {5: options.USER, 6: options.ROLE, 7: options.MENTIONABLE, 8: options.CHANNEL}


class Person(Writer):
    """One person's hands, pen and eyes.

    What isn't in front of them raises `NotSeen`; what Discord forbids them raises `ApiError`.
    An act that the application must answer returns the `Interaction`, their handle on it.
    """

    def __init__(
        self, world: "World", interactions: "Interactions", truth: "Truth", user: User
    ) -> None:
        super().__init__(world, truth, user)
        self._interactions = interactions

    # Commands

    def command(
        self,
        name: str,
        channel: Channel | None = None,
        given: Mapping[str, Any] | None = None,
        /,
        **more: Any,
    ) -> Interaction:
        """A slash command, subcommands after spaces, its options by name. Default place: the DM."""
        return self._command(
            InteractionKind.COMMAND, name, channel or self.dm, {**(given or {}), **more}, None
        )

    def autocomplete(
        self,
        name: str,
        focused: str,
        channel: Channel | None = None,
        given: Mapping[str, Any] | None = None,
        /,
        **more: Any,
    ) -> Interaction:
        """Typing in the option `focused`, whose unfinished words are among the given."""
        typed = {focused: "", **(given or {}), **more}
        return self._command(InteractionKind.AUTOCOMPLETE, name, channel or self.dm, typed, focused)

    def _command(
        self,
        kind: InteractionKind,
        name: str,
        channel: Channel,
        given: Mapping[str, Any],
        focused: str | None,
    ) -> Interaction:
        first, *path = name.split()
        command = self._offered(first, commands.SLASH, channel)
        takes, chain = options.walk(command, path)
        resolved = self._resolved(channel)
        typed = options.typed(takes, given, resolved, self.id, focused=focused)
        data = _about(command) | {"options": options.wrap(chain, typed)}
        if resolved.data:
            data["resolved"] = resolved.data
        return self._interactions.begin(kind, self.user, channel, data)

    def message_command(self, name: str, message: Message) -> Interaction:
        """A command from the menu of a message that they see."""
        channel = self._sees(message)
        command = self._offered(name, commands.MESSAGE_MENU, channel)
        body = payloads.message(self._world, message, viewer=self.id)
        data = _about(command) | {
            "target_id": str(message.id),
            "resolved": {"messages": {str(message.id): body}},
        }
        return self._interactions.begin(InteractionKind.COMMAND, self.user, channel, data)

    def user_command(self, name: str, target: User, channel: Channel) -> Interaction:
        """A command from the menu of a person."""
        command = self._offered(name, commands.USER_MENU, channel)
        resolved = self._resolved(channel)
        data = _about(command) | {
            "target_id": resolved.user(target.id),
            "resolved": resolved.data,
        }
        return self._interactions.begin(InteractionKind.COMMAND, self.user, channel, data)

    def _offered(self, name: str, kind: int, channel: Channel) -> Json:
        if not access.sees(self._world, self.id, channel):
            raise NotSeen(f"{channel.name} isn't in front of {self.user.name}")
        command = commands.find(self._world, name, kind, channel.guild_id)
        if channel.guild_id is None:
            return command
        bits = access.of(self._world, self.id, channel)
        needed = command["default_member_permissions"]
        allowed = (
            needed is None or bits == ALL or (int(needed) and bits & int(needed) == int(needed))
        )
        if not allowed or not bits & Permission.USE_APPLICATION_COMMANDS:
            raise NotSeen(f"{name} isn't offered to {self.user.name}")
        return command

    def _resolved(self, channel: Channel) -> options.Resolved:
        guild = None if channel.guild_id is None else self._world.guilds[channel.guild_id]
        return options.Resolved(self._world, guild, channel)

    # Buttons, selects, forms

    def click(
        self,
        message: Message,
        label: str | None = None,
        *,
        custom_id: str | None = None,
        forged: bool = False,
    ) -> Interaction:
        """A button on a message that they see, by its label or custom_id.

        `forged` presses a custom_id that no message need have, as a doctored client can.
        """
        channel = self._world.channels[message.channel_id]
        data: Json = {"custom_id": custom_id, "component_type": components.BUTTON, "id": 1}
        if not forged:
            self._sees(message)
            found = components.find(message.components, label=label, custom_id=custom_id)
            data = {key: found[key] for key in ("custom_id", "id")}
            data["component_type"] = found["type"]
        return self._press(channel, message, data)

    def pick(
        self,
        message: Message,
        values: object,
        label: str | None = None,
        *,
        custom_id: str | None = None,
    ) -> Interaction:
        """One or several values in a select that they see: labels, or people, roles, channels."""
        channel = self._sees(message)
        found = components.find(message.components, label=label, custom_id=custom_id)
        chosen = list(values) if isinstance(values, list | tuple) else [values]
        if not found.get("min_values", 1) <= len(chosen) <= found.get("max_values", 1):
            raise NotSeen(f"{len(chosen)} values can't be picked there")
        resolved = self._resolved(channel)
        data: Json = {key: found[key] for key in ("custom_id", "id")}
        data["component_type"] = found["type"]
        if found["type"] == components.STRING_SELECT:
            data["values"] = [_option(found, each) for each in chosen]
        else:
            kind = _SELECTED[found["type"]]
            data["values"] = [resolved.entity(kind, each, self.id) for each in chosen]
            data["resolved"] = resolved.data
        return self._press(channel, message, data)

    def _press(self, channel: Channel, message: Message, data: Json) -> Interaction:
        return self._interactions.begin(
            InteractionKind.COMPONENT, self.user, channel, data, message=message
        )

    def submit(
        self, shown: Interaction, given: Mapping[str, Any] | None = None, /, **more: Any
    ) -> Interaction:
        """Send the form that `shown` was answered with, its fields by custom_id or label.

        The form stays on the person's screen whatever has become of the bot.
        """
        if shown.modal is None or shown.user_id != self.id:
            raise NotSeen(f"{self.user.name} was shown no form")
        values = components.by_custom_id(shown.modal, {**(given or {}), **more})
        data = {
            "custom_id": shown.modal["custom_id"],
            "components": components.submitted(shown.modal, values),
        }
        message = None if shown.message_id is None else self._world.messages[shown.message_id]
        return self._interactions.begin(
            InteractionKind.MODAL,
            self.user,
            self._world.channels[shown.channel_id],
            data,
            message=message,
            began_by=self._interactions.metadata(shown),
        )

    # Coming and going

    def join(self, guild: Guild, *roles: Role) -> None:
        """Raises 10026 when banned."""
        self._world.join(self.user, guild, roles=roles)

    def leave(self, guild: Guild) -> None:
        """Raises 10007 when they weren't there."""
        self._world.leave(self.user, guild)

    def close_dms(self) -> None:
        self.user.accepts_dms = False

    def open_dms(self) -> None:
        self.user.accepts_dms = True

    def block_bot(self) -> None:
        self.user.blocks_bot = True

    def unblock_bot(self) -> None:
        self.user.blocks_bot = False


def _about(command: Json) -> Json:
    about: Json = {key: command[key] for key in ("id", "name", "type")}
    if "guild_id" in command:
        about["guild_id"] = command["guild_id"]
    return about


def _option(select: Json, wanted: object) -> str:
    for each in select["options"]:
        if wanted in (each["label"], each["value"]):
            return str(each["value"])
    there = [each["label"] for each in select["options"]]
    raise NotSeen(f"there is no option {wanted!r}; there are {there}")
