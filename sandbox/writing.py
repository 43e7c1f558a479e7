"""What people write, change, take back, react to and forward: a person without forms."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sandbox import access, messages, threads
from sandbox.drafts import Draft, File, draft
from sandbox.entities import Attachment, Channel, Json, Message, MessageFlag, User
from sandbox.errors import NotSeen, refusal
from sandbox.permissions import Permission

if TYPE_CHECKING:
    from sandbox.truth import Truth
    from sandbox.world import World

STICKER_FORMAT = 1
# Discord draws it as bars: up to 256 bytes in base64.
FLAT_WAVEFORM = "AAAAAAAAAAAAAAAA"


class Writer:
    """One person's pen and eyes.

    What isn't in front of them raises `NotSeen`; what Discord forbids them raises `ApiError`.
    """

    def __init__(self, world: "World", truth: "Truth", user: User) -> None:
        self._world = world
        self._truth = truth
        self.user = user

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def dm(self) -> Channel:
        """Their DM channel with the bot; opened when it wasn't."""
        return self._world.dm(self.user)

    def view(self, channel: Channel | None = None) -> list[Message]:
        """What they see in the channel, by default their DM with the bot, in order."""
        return self._truth.view(self.user, channel or self.dm)

    def _sees(self, message: Message) -> Channel:
        """The message's channel. Raises `NotSeen` unless they see the message."""
        channel = self._world.channels[message.channel_id]
        hidden = message.visible_to not in (None, self.id)
        if message.deleted or hidden or not access.sees(self._world, self.id, channel):
            raise NotSeen(f"that message isn't in front of {self.user.name}")
        return channel

    # New words

    def say(
        self,
        words: str = "",
        channel: Channel | None = None,
        *,
        files: Sequence[File] = (),
        reply_to: Message | None = None,
        forward: Message | None = None,
        stickers: Sequence[str | Mapping[str, object]] = (),
        ping: bool = True,
    ) -> Message:
        """Write in a channel or thread, by default in their DM with the bot.

        A sticker is its name, or a mapping with `name`, `id`, `format_type`. A forward has no words
        of its own. Without `ping` a reply mentions nobody whom it answers.
        """
        body: Json = {"content": words}
        target = reply_to or forward
        if target is not None:
            self._sees(target)
            body["message_reference"] = {
                "type": 0 if forward is None else 1,
                "channel_id": str(target.channel_id),
                "message_id": str(target.id),
            }
        if forward is not None and (words or files or stickers):
            raise NotSeen("a forward carries nothing of one's own")
        if not ping:
            body["allowed_mentions"] = {"parse": ["users", "roles", "everyone"]}
        sent = draft(body, files, nitro=self.user.nitro)
        sent.stickers.extend(self._sticker(each) for each in stickers)
        return self._post(channel, sent)

    def speak(
        self,
        data: bytes,
        channel: Channel | None = None,
        *,
        seconds: float = 1.0,
        waveform: str = FLAT_WAVEFORM,
        reply_to: Message | None = None,
    ) -> Message:
        """Send a voice message: one sound, and no words."""
        sound = File(
            filename="voice-message.ogg",
            data=data,
            content_type="audio/ogg",
            duration_secs=seconds,
            waveform=waveform,
        )
        body: Json = {"content": ""}
        if reply_to is not None:
            self._sees(reply_to)
            body["message_reference"] = {
                "channel_id": str(reply_to.channel_id),
                "message_id": str(reply_to.id),
            }
        sent = draft(body, [sound], nitro=self.user.nitro)
        return self._post(channel, replace(sent, flags=MessageFlag.VOICE_MESSAGE))

    def _post(self, channel: Channel | None, sent: Draft) -> Message:
        return messages.post(self._world, channel or self.dm, self.id, sent)

    def _sticker(self, given: str | Mapping[str, object]) -> Json:
        named = {"name": given} if isinstance(given, str) else dict(given)
        fresh = {"id": str(self._world.ids.next()), "format_type": STICKER_FORMAT}
        return {**fresh, **named}

    # Words that are there

    def edit(
        self,
        message: Message,
        words: str | None = None,
        *,
        without: Sequence[Attachment] = (),
    ) -> None:
        """Other words, or fewer attachments. Raises 50005 for somebody else's, 50083, 50006."""
        channel = self._sees(message)
        if message.author_id != self.id:
            raise refusal(50005)
        if message.flags & (MessageFlag.VOICE_MESSAGE | MessageFlag.HAS_SNAPSHOT):
            raise NotSeen("what was spoken or forwarded can't be edited")
        threads.require_awake(channel)
        body: Json = {} if words is None else {"content": words}
        if without:
            gone = {each.id for each in without}
            kept = [each.id for each in message.attachments if each.id not in gone]
            body["attachments"] = [{"id": str(each)} for each in kept]
        messages.edit(self._world, message, body, draft(body, nitro=self.user.nitro))

    def delete(self, message: Message) -> None:
        """Their own, or with Manage Messages somebody else's. Raises 50013, 50083."""
        channel = self._sees(message)
        if message.author_id != self.id:
            access.require(self._world, self.id, channel, Permission.MANAGE_MESSAGES)
        threads.require_awake(channel)
        messages.delete(self._world, message)

    def delete_all(self, found: Sequence[Message]) -> None:
        """Many in one channel at once, as a moderator's tool does. Raises 50013, 50003."""
        for message in found:
            channel = self._sees(message)
            if channel.guild_id is None:
                raise refusal(50003)
            access.require(self._world, self.id, channel, Permission.MANAGE_MESSAGES)
        if len({each.channel_id for each in found}) > 1:
            raise ValueError("the messages are in several channels")
        messages.bulk_delete(self._world, list(found))

    def react(self, message: Message, emoji: str) -> None:
        """Raises 50013 for an emoji that isn't there yet where they may add none, 50083."""
        channel = self._sees(message)
        threads.require_awake(channel)
        if emoji not in message.reactions:
            access.require(self._world, self.id, channel, Permission.ADD_REACTIONS)
        messages.react(self._world, message, self.id, emoji)

    def unreact(self, message: Message, emoji: str) -> None:
        """Raises 10014 when they hadn't, 50083."""
        threads.require_awake(self._sees(message))
        messages.unreact(self._world, message, self.id, emoji)

    def type_in(self, channel: Channel | None = None) -> None:
        """Be seen typing. Raises what keeps them from writing there."""
        place = channel or self.dm
        access.require_speech(self._world, self.id, place)
        messages.type_in(self._world, place, self.id)

    def start_thread(self, message: Message, name: str) -> Channel:
        """Raises 160004 when the message has one."""
        parent = self._sees(message)
        return threads.from_message(self._world, parent, message, self.id, name, 4320)

    def set_thread(
        self,
        thread: Channel,
        *,
        name: str | None = None,
        archived: bool | None = None,
        locked: bool | None = None,
    ) -> None:
        """Rename, archive, wake or lock a thread that they may. Raises 50013, 50083, 160005."""
        given = {"name": name, "archived": archived, "locked": locked}
        fields = {key: value for key, value in given.items() if value is not None}
        threads.change(self._world, thread, self.id, fields)
