"""Interactions: three seconds to answer, fifteen minutes of token."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from sandbox import access, components, messages, payloads
from sandbox.acts import (
    ACKNOWLEDGE_MS,
    SEEN_FIRST,
    TOKEN_MS,
    Callback,
    FirstAnswer,
    Interaction,
    InteractionKind,
    Seen,
)
from sandbox.drafts import Draft, File, draft
from sandbox.entities import Channel, Json, Message, MessageFlag, MessageKind, User
from sandbox.errors import invalid, refusal
from sandbox.world import World

KEPT = 50_000


class Interactions:
    """All interactions of a world, by id and by token; the oldest of many are forgotten."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._by_id: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}

    def begin(
        self,
        kind: InteractionKind,
        person: User,
        channel: Channel,
        data: Json,
        *,
        message: Message | None = None,
        began_by: Json | None = None,
    ) -> Interaction:
        """Tell the application what this person did, and give them three seconds' patience."""
        made = Interaction(
            id=self._world.ids.next(),
            token=secrets.token_urlsafe(48),
            kind=kind,
            user_id=person.id,
            channel_id=channel.id,
            created_at=self._world.now(),
            data=data,
            message_id=None if message is None else message.id,
            began_by=began_by,
        )
        self._by_id[made.id] = self._by_token[made.token] = made
        if len(self._by_id) > KEPT:
            oldest = self._by_id.pop(next(iter(self._by_id)))
            del self._by_token[oldest.token]
        self._wait(made)
        self._world.emit("INTERACTION_CREATE", self._payload(made, person, channel, message))
        return made

    def _wait(self, made: Interaction) -> None:
        left = made.created_at + ACKNOWLEDGE_MS - self._world.now()
        if left <= 0:
            self._give_up(made)
            return
        loop = asyncio.get_running_loop()
        made.watch(loop.call_later(left / 1000, self._wait, made))

    def _give_up(self, made: Interaction) -> None:
        made.settle(FirstAnswer(seen=Seen.NO_ANSWER, after_ms=ACKNOWLEDGE_MS))

    def expire(self) -> None:
        """Let every person whose three seconds are over see that, for a clock moved by hand."""
        for each in self._by_id.values():
            if each.first is None and self._world.now() >= each.created_at + ACKNOWLEDGE_MS:
                self._give_up(each)

    def close(self) -> None:
        """Wait for nothing any more."""
        for each in self._by_id.values():
            each.let_go()

    def get(self, interaction_id: int) -> Interaction:
        """Raises KeyError when there is none."""
        return self._by_id[interaction_id]

    def _payload(
        self, of: Interaction, person: User, channel: Channel, message: Message | None
    ) -> Json:
        world = self._world
        body: Json = {
            "id": str(of.id),
            "application_id": str(world.bot.id),
            "type": int(of.kind),
            "token": of.token,
            "version": 1,
            "data": of.data,
            "channel_id": str(channel.id),
            "channel": payloads.channel(world, channel),
            "locale": person.locale,
            "app_permissions": str(access.of(world, world.bot.id, channel)),
            "entitlements": [],
            "authorizing_integration_owners": owners(channel),
            "attachment_size_limit": 10 * 1024 * 1024,
            "context": 0 if channel.guild_id is not None else 1,
        }
        permissions = str(access.of(world, person.id, channel))
        body["channel"]["permissions"] = permissions
        if channel.guild_id is None:
            body["user"] = payloads.user(person)
        else:
            guild = world.guilds[channel.guild_id]
            member = payloads.member(world, guild.members[person.id])
            body |= {
                "guild_id": str(guild.id),
                "guild_locale": guild.locale,
                "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
                "member": member | {"permissions": permissions},
            }
        if message is not None:
            body["message"] = payloads.message(world, message, viewer=person.id)
        return body

    # The application's side

    def live(self, interaction_id: int, token: str) -> Interaction:
        """The interaction that may still be answered first.

        Raises 10062 for one that is unknown or too late, 40060 for one already answered.
        """
        found = self._by_token.get(token)
        if found is None or found.id != interaction_id:
            raise refusal(10062)
        if found.first is not None and found.first.seen is not Seen.NO_ANSWER:
            raise refusal(40060)
        if self._world.now() - found.created_at >= ACKNOWLEDGE_MS or found.first is not None:
            self._give_up(found)
            raise refusal(10062)
        return found

    def followed(self, token: str) -> Interaction:
        """The interaction whose token still holds. Raises 10015, and 50027 after 15 minutes."""
        found = self._by_token.get(token)
        if found is None:
            raise refusal(10015)
        if self._world.now() - found.created_at >= TOKEN_MS:
            raise refusal(50027)
        return found

    def answer(
        self, of: Interaction, body: Mapping[str, Any], files: Sequence[File]
    ) -> Message | None:
        """Take the first answer; the message that it is or changes. Raises 50035 and 50006."""
        try:
            kind = Callback(body.get("type", 0))
        except ValueError:
            raise invalid(type=("BASE_TYPE_CHOICES", "Value must be one of the types.")) from None
        data = body.get("data") or {}
        message = self._take(of, kind, data, files)
        choices = data.get("choices") or [] if kind is Callback.CHOICES else []
        of.settle(
            FirstAnswer(
                seen=SEEN_FIRST[kind],
                after_ms=self._world.now() - of.created_at,
                message=message,
                modal=dict(data) if kind is Callback.MODAL else None,
                choices=choices,
            )
        )
        return message

    def _take(
        self, of: Interaction, kind: Callback, data: Mapping[str, Any], files: Sequence[File]
    ) -> Message | None:
        wrong = (kind is Callback.CHOICES) != (of.kind is InteractionKind.AUTOCOMPLETE)
        wrong |= kind is Callback.MODAL and of.kind is InteractionKind.MODAL
        wrong |= kind in (Callback.UPDATE, Callback.DEFER_UPDATE) and of.message_id is None
        if wrong and kind is not Callback.PONG:
            words = "This interaction can't be answered so."
            raise invalid(type=("INTERACTION_CALLBACK_TYPE_INVALID", words))
        if kind is Callback.MESSAGE:
            return self._reply(of, draft(data, files))
        if kind is Callback.DEFER:
            of.loading = True
            flags = int(data.get("flags") or 0) | MessageFlag.LOADING
            return self._say(of, Draft(flags=flags))
        if kind is Callback.MODAL and (found := components.modal_problems(data)):
            raise invalid(**found)
        if kind is Callback.CHOICES and len(data.get("choices") or []) > 25:
            raise invalid(data__choices=("BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length."))
        if kind in (Callback.UPDATE, Callback.DEFER_UPDATE):
            of.original_id = of.message_id
            shown = self.message(of, "@original")
            if kind is Callback.UPDATE:
                messages.edit(self._world, shown, data, draft(data, files), quiet=True)
            return shown
        return None

    def _reply(self, of: Interaction, said: Draft) -> Message:
        if said.empty:
            raise refusal(50006)
        return self._say(of, said)

    def _say(self, of: Interaction, said: Draft) -> Message:
        first = of.original_id is None
        kind, reference = MessageKind.DEFAULT, None
        if of.kind is InteractionKind.COMMAND and first:
            menu = of.data.get("type", 1) != 1
            kind = MessageKind.CONTEXT_MENU_COMMAND if menu else MessageKind.CHAT_INPUT_COMMAND
        elif (target := of.message_id if first else of.original_id) is not None:
            kind = MessageKind.REPLY
            reference = {
                "type": 0,
                "channel_id": str(of.channel_id),
                "message_id": str(target),
            }
        channel = self._world.channel(of.channel_id)
        if reference is not None and channel.guild_id is not None:
            reference["guild_id"] = str(channel.guild_id)
        made = messages.create(
            self._world,
            channel,
            self._world.bot.id,
            said,
            kind=kind,
            visible_to=of.user_id if said.flags & MessageFlag.EPHEMERAL else None,
            interaction=self._metadata(of, first=first),
            reference=reference,
        )
        if first:
            of.original_id = made.id
        of.sent.append(made)
        return made

    def _metadata(self, of: Interaction, *, first: bool) -> Json:
        channel = self._world.channels[of.channel_id]
        body: Json = {
            "id": str(of.id),
            "type": int(of.kind),
            "user": payloads.user(self._world.users[of.user_id]),
            "authorizing_integration_owners": owners(channel),
        }
        if of.kind is InteractionKind.COMPONENT and of.message_id is not None:
            body["interacted_message_id"] = str(of.message_id)
        if of.kind is InteractionKind.MODAL and of.began_by is not None:
            body["triggering_interaction_metadata"] = of.began_by
        if not first and of.original_id is not None:
            body["original_response_message_id"] = str(of.original_id)
        return body

    def metadata(self, of: Interaction) -> Json:
        """What a message or a form says of the interaction that it comes from."""
        return self._metadata(of, first=True)

    def message(self, of: Interaction, which: str) -> Message:
        """`@original` or one of the answers by id. Raises 10008."""
        wanted = of.original_id if which == "@original" else int(which)
        found = self._world.messages.get(wanted or 0)
        mine = {each.id for each in of.sent} | {of.original_id}
        if found is None or found.id not in mine or found.deleted:
            raise refusal(10008)
        return found

    def follow_up(self, of: Interaction, body: Mapping[str, Any], files: Sequence[File]) -> Message:
        """One more message. The first after a deferral takes the place of 'thinking'."""
        if of.first is None or of.first.seen is Seen.NO_ANSWER:
            raise refusal(10015)
        said = draft(body, files)
        if said.empty:
            raise refusal(50006)
        if of.loading:
            return self.edit(of, "@original", body, files)
        return self._say(of, said)

    def edit(
        self, of: Interaction, which: str, body: Mapping[str, Any], files: Sequence[File]
    ) -> Message:
        """Change an answer; 'thinking' becomes words. Raises 10008, 50035, 50006."""
        found = self.message(of, which)
        said = draft(body, files)
        was_loading = bool(found.flags & MessageFlag.LOADING)
        if was_loading and said.empty:
            raise refusal(50006)
        found.flags &= ~MessageFlag.LOADING
        of.loading = of.loading and not was_loading
        messages.edit(self._world, found, body, said, quiet=was_loading)
        return found


def owners(channel: Channel) -> Json:
    """Who installed the application, as Discord says it."""
    return {"0": str(channel.guild_id or 0)}
