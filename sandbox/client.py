"""The control API's client: the sandbox's verbs from another process, typed."""

import base64
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import aiohttp

from sandbox.entities import Json


class ControlError(Exception):
    """The sandbox did not do it: `status` and `body` are its answer."""

    def __init__(self, verb: str, status: int, body: Json) -> None:
        super().__init__(f"{verb}: {status} {body.get('message') or body.get('error')}")
        self.status = status
        self.body = body


class SandboxClient:
    """One connection to a sandbox's control API. Ids are strings, as on Discord's own wire.

    Every method raises `ControlError` when the sandbox refuses, and aiohttp's errors when it
    isn't there.
    """

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._headers = {"Authorization": f"Bearer {token}"}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(headers=self._headers)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def call(self, verb: str, /, **body: Any) -> Json:
        """Any verb by its name; what is None is left out."""
        if self._session is None:
            raise RuntimeError("use the client as `async with`")
        given = {key: value for key, value in body.items() if value is not None}
        async with self._session.post(f"{self._url}/{verb}", json=given) as response:
            answer: Json = await response.json()
            if response.status != 200:
                raise ControlError(verb, response.status, answer)
            return answer

    # Places

    async def add_user(self, name: str, *, locale: str = "en-US", nitro: bool | None = None) -> str:
        """The new person's id."""
        return _id(await self.call("add_user", name=name, locale=locale, nitro=nitro))

    async def add_guild(self, name: str, owner: str, *, locale: str = "en-US") -> str:
        """The new guild's id; the bot is in it."""
        return _id(await self.call("add_guild", name=name, owner=owner, locale=locale))

    async def add_role(self, guild: str, name: str, *, permissions: int = 0) -> str:
        """The new role's id."""
        body = await self.call("add_role", guild=guild, name=name, permissions=permissions)
        return _id(body)

    async def add_channel(
        self, guild: str, name: str, *, overwrites: Sequence[Mapping[str, Any]] = ()
    ) -> str:
        """The new channel's id. An overwrite: `id`, `kind` (0 role, 1 member), `allow`, `deny`."""
        body = await self.call("add_channel", guild=guild, name=name, overwrites=list(overwrites))
        return _id(body)

    async def join(self, user: str, guild: str, *roles: str) -> None:
        """Make the person a member, with these roles."""
        await self.call("join", user=user, guild=guild, roles=list(roles))

    async def give_role(self, user: str, guild: str, role: str) -> None:
        """A member gets a role."""
        await self.call("give_role", user=user, guild=guild, role=role)

    async def take_role(self, user: str, guild: str, role: str) -> None:
        """A member loses a role."""
        await self.call("take_role", user=user, guild=guild, role=role)

    async def set_dms(
        self, user: str, *, accepting: bool | None = None, blocked: bool | None = None
    ) -> None:
        """Open or close the person's DMs; block the bot or not."""
        await self.call("set_dms", user=user, open=accepting, blocked=blocked)

    async def set_application(
        self,
        *,
        members: bool | None = None,
        presences: bool | None = None,
        message_content: bool | None = None,
        limited: bool | None = None,
    ) -> None:
        """Switch privileged intents on or off; `limited`: by the developer, not by Discord."""
        await self.call(
            "set_application",
            members=members,
            presences=presences,
            message_content=message_content,
            limited=limited,
        )

    async def set_files(self, *, valid_ms: int | None = None, kept: int | None = None) -> None:
        """How long attachments' addresses hold; how many bytes of the bot's uploads are kept."""
        await self.call("set_files", valid_ms=valid_ms, kept=kept)

    async def dm(self, user: str) -> str:
        """The id of the person's DM with the bot."""
        return _id(await self.call("dm", user=user))

    # What people do. Each interaction is answered by its id

    async def command(
        self,
        user: str,
        name: str,
        options: Mapping[str, Any] | None = None,
        *,
        channel: str | None = None,
    ) -> str:
        """A slash command. A person, role or channel is `{"user": id}` and the like."""
        body = await self.call(
            "command", user=user, name=name, options=dict(options or {}), channel=channel
        )
        return str(body["interaction"])

    async def message_command(self, user: str, name: str, message: str) -> str:
        """A command from a message's menu."""
        body = await self.call("message_command", user=user, name=name, message=message)
        return str(body["interaction"])

    async def click(
        self,
        user: str,
        message: str,
        label: str | None = None,
        *,
        custom_id: str | None = None,
        forged: bool | None = None,
    ) -> str:
        """A button, by its label or custom_id."""
        body = await self.call(
            "click", user=user, message=message, label=label, custom_id=custom_id, forged=forged
        )
        return str(body["interaction"])

    async def pick(
        self, user: str, message: str, values: Sequence[Any], label: str | None = None
    ) -> str:
        """Values in a select."""
        body = await self.call("pick", user=user, message=message, values=list(values), label=label)
        return str(body["interaction"])

    async def submit(self, user: str, interaction: str, fields: Mapping[str, Any]) -> str:
        """The form that the interaction was answered with."""
        body = await self.call("submit", user=user, interaction=interaction, fields=dict(fields))
        return str(body["interaction"])

    async def first_answer(self, interaction: str) -> Json:
        """What the person saw first: `seen`, `after_ms`, `message`, `modal`, `choices`."""
        return await self.call("first_answer", interaction=interaction)

    async def answers(self, interaction: str) -> list[Json]:
        """The interaction's messages as they stand now."""
        return list((await self.call("answers", interaction=interaction))["messages"])

    async def say(
        self,
        user: str,
        content: str = "",
        *,
        channel: str | None = None,
        files: Mapping[str, bytes] | Sequence[Mapping[str, Any]] | None = None,
        reply_to: str | None = None,
        forward: str | None = None,
        stickers: Sequence[str] | None = None,
        ping: bool | None = None,
    ) -> Json:
        """Write a message, by default in the DM with the bot; the message.

        Files are bytes by name, or each a mapping: `filename`; `data` as bytes, or a `size` and
        perhaps a `seed` for bytes made up; `content_type`, `spoiler`, `claimed_size`.
        """
        return await self.call(
            "say",
            user=user,
            content=content,
            channel=channel,
            files=_encoded(files or {}),
            reply_to=reply_to,
            forward=forward,
            stickers=stickers,
            ping=ping,
        )

    async def speak(
        self, user: str, data: bytes, *, channel: str | None = None, seconds: float = 1.0
    ) -> Json:
        """Send a voice message; the message."""
        sound = base64.b64encode(data).decode()
        return await self.call("speak", user=user, data=sound, channel=channel, seconds=seconds)

    async def edit(
        self, user: str, message: str, content: str | None = None, *, without: Sequence[str] = ()
    ) -> Json:
        """Change one's own message: other words, or without these attachments; as it is then."""
        return await self.call(
            "edit", user=user, message=message, content=content, without=list(without)
        )

    async def unfurl(self, message: str, url: str) -> Json:
        """Have Discord show under a message what a link leads to: an update that is no edit."""
        return await self.call("unfurl", message=message, url=url)

    async def delete(self, user: str, message: str) -> None:
        """Delete one's own message, or as a moderator another's."""
        await self.call("delete", user=user, message=message)

    async def delete_all(self, user: str, messages: Sequence[str]) -> None:
        """Delete many messages of one channel at once, as a moderator."""
        await self.call("delete_all", user=user, messages=list(messages))

    async def react(self, user: str, message: str, emoji: str) -> None:
        """React to a message."""
        await self.call("react", user=user, message=message, emoji=emoji)

    async def unreact(self, user: str, message: str, emoji: str) -> None:
        """Take a reaction back."""
        await self.call("unreact", user=user, message=message, emoji=emoji)

    async def type_in(self, user: str, channel: str | None = None) -> None:
        """Be seen typing, by default in the DM with the bot."""
        await self.call("type", user=user, channel=channel)

    async def set_thread(
        self,
        channel: str,
        *,
        user: str | None = None,
        name: str | None = None,
        archived: bool | None = None,
        locked: bool | None = None,
    ) -> None:
        """Archive, wake, lock or rename a thread, as somebody or by a power above."""
        await self.call(
            "set_thread", channel=channel, user=user, name=name, archived=archived, locked=locked
        )

    async def view(self, user: str, channel: str | None = None) -> list[Json]:
        """What the person sees there, by default in their DM, in order."""
        return list((await self.call("view", user=user, channel=channel))["messages"])

    # The truth, and faults

    async def messages(
        self,
        channel: str | None = None,
        *,
        author: str | None = None,
        nonce: str | None = None,
        include_deleted: bool = False,
    ) -> list[Json]:
        """Every message that was made, with `nonce`, `deleted`, `edits` and `versions`."""
        body = await self.call(
            "messages",
            channel=channel,
            author=author,
            nonce=nonce,
            include_deleted=include_deleted,
        )
        return list(body["messages"])

    async def truth(self) -> dict[str, list[Json]]:
        """By channel every message there ever was, as it stands or stood, with all `versions`.

        A version has `content`, `attachments` with their `sha256`, and `until` when it stood.
        """
        return dict((await self.call("truth"))["channels"])

    async def requests(self, route: str | None = None) -> list[Json]:
        """The latest REST requests, oldest first."""
        return list((await self.call("requests", route=route))["requests"])

    async def add_fault(self, route: str, kind: str, *, times: int | None = 1, **more: Any) -> int:
        """Arm a fault as `Faults.add` does; `match` narrows it by path, nonce, body. Its number."""
        body = await self.call(
            "fault_add", route=route, kind=kind, times=times, for_ever=times is None, **more
        )
        return int(body["fault"])

    async def fault_reached(self, fault: int) -> None:
        """Wait until the fault strikes. Raises `ControlError` 408 after a minute."""
        await self.call("fault_reached", fault=fault)

    async def release(self, fault: int) -> None:
        """Let what the fault holds go on."""
        await self.call("fault_release", fault=fault)

    async def connected(self, count: int = 1) -> None:
        """Wait until that many gateway sessions are connected. Raises `ControlError` 408."""
        await self.call("gateway_connected", count=count)

    async def gateway_away(self, *, refusing: bool = False) -> None:
        """Cut the bot's gateway off until `gateway_back`; REST goes on."""
        await self.call("gateway_away", refusing=refusing)

    async def gateway_back(self, *, resumable: bool = True) -> None:
        """Let the bot back in: to resume, or to begin anew without what it missed."""
        await self.call("gateway_back", resumable=resumable)

    async def state(self) -> Json:
        """`bot`, `connected`, `identifies`, `resumes` and the `unknown` routes that were asked."""
        return await self.call("state")


def _encoded(files: Mapping[str, bytes] | Sequence[Mapping[str, Any]]) -> list[Json]:
    if isinstance(files, Mapping):
        files = [{"filename": name, "data": data} for name, data in files.items()]
    return [
        {
            key: base64.b64encode(value).decode() if isinstance(value, bytes) else value
            for key, value in each.items()
        }
        for each in files
    ]


def _id(body: Json) -> str:
    return str(body["id"])
