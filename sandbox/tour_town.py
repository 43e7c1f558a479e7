"""The tour's small town: a guild with a help desk's channel, its people, and the bot beside it."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from sandbox.acts import Interaction, Seen
from sandbox.entities import Channel, Message, MessageFlag
from sandbox.people import Person
from sandbox.permissions import Permission
from sandbox.server import Sandbox
from sandbox.tour_bot import Bot
from sandbox.tour_reading import called

T = TypeVar("T")

_LOOK_SECONDS = 0.05


class Misbehaved(Exception):
    """Something that must come didn't, or came wrong."""


class Town:
    """Olga owns the guild, Ben and Cleo coordinate, everybody else is a member.

    `patience` is for how many seconds at most anything is waited for.
    """

    def __init__(self, sandbox: Sandbox, bot: Bot, *, patience: float) -> None:
        self.sandbox = sandbox
        self.bot = bot
        self._patience = patience
        world = sandbox.world
        olga = world.add_user("olga", global_name="Olga")
        self.guild = world.add_guild("Harbour", owner=olga)
        self.coordinators = world.add_role(self.guild, "Coordinators")
        self.general = world.add_channel(self.guild, "general")
        self.desk = world.add_channel(self.guild, "desk")
        world.set_overwrite(
            self.desk, self.guild.roles[self.guild.id], deny=Permission.VIEW_CHANNEL
        )
        for role in (self.coordinators, world.bot_role(self.guild)):
            world.set_overwrite(self.desk, role, allow=Permission.VIEW_CHANNEL)
        self.olga = sandbox.person(olga)
        self.ben = self._joins("Ben", coordinator=True)
        self.cleo = self._joins("Cleo", coordinator=True)
        self.members = [self._joins(name) for name in ("Ada", "Dan", "Emil")]

    def _joins(self, name: str, *, coordinator: bool = False) -> Person:
        who = self.sandbox.person(self.sandbox.world.add_user(name.lower(), global_name=name))
        who.join(self.guild, *((self.coordinators,) if coordinator else ()))
        return who

    async def until(self, what: str, holds: Callable[[], T | None]) -> T:
        """What `holds` answers once that is something. Raises `Misbehaved` when it never is."""
        try:
            async with asyncio.timeout(self._patience):
                while not (found := holds()):
                    if self.bot.exit_code is not None:
                        raise Misbehaved(
                            f"The bot ended by itself, with exit code {self.bot.exit_code}, "
                            f"while this was due: {what}."
                        )
                    await asyncio.sleep(_LOOK_SECONDS)
        except TimeoutError:
            raise Misbehaved(
                f"After {self._patience:g} seconds this was still to come: {what}."
            ) from None
        return found

    async def answer(self, who: Person, act: Interaction) -> Message:
        """The message that somebody's act was answered with, or that it changed."""
        first = await act.first_answer()
        if first.seen is Seen.NO_ANSWER:
            raise Misbehaved(f"{called(who.user)} had no answer within Discord's three seconds.")

        def shown() -> Message | None:
            message = act.messages[-1] if act.messages else None
            if message is None and first.seen is Seen.UPDATED and act.message_id is not None:
                message = self.sandbox.world.messages[act.message_id]
            return None if message is None or message.flags & MessageFlag.LOADING else message

        return await self.until(f"an answer for {called(who.user)}", shown)

    def cards(self) -> list[Message]:
        """What stands at the desk for all coordinators, oldest first."""
        return [each for each in self.ben.view(self.desk) if not each.ephemeral]

    def thread(self) -> Channel | None:
        """The first thread that was started at the desk."""
        threads = (
            each for each in self.sandbox.world.channels.values() if each.parent_id == self.desk.id
        )
        return next(threads, None)

    def from_bot(self, who: Person) -> list[Message]:
        """Every message that the bot ever wrote to somebody, whatever became of it."""
        return self.sandbox.truth.messages(
            who.dm, author=self.sandbox.world.bot, include_deleted=True
        )

    def wire(self, who: Person) -> list[str]:
        """The bot's calls to somebody's DM, in order, and what became of each."""
        said: list[str] = []
        nonces: set[str] = set()
        for each in self.sandbox.truth.requests():
            if f"/channels/{who.dm.id}/messages" not in each.path:
                continue
            line = f"{each.method} to {called(who.user)}'s DM"
            again = each.nonce in nonces
            if each.nonce is not None:
                nonces.add(each.nonce)
                line += f", nonce {each.nonce[:6]}.."
            if each.effect and each.status is None:
                said.append(f"{line}: stored by Discord; no answer came back")
            else:
                same = again and len(self.from_bot(who)) == 1
                words = " with the message it has; nothing new is sent" if same else ""
                said.append(f"{line}: answered {each.status}{words}")
        return said


def has_button(message: Message, label: str) -> bool:
    """Whether this can be pressed there."""
    return any(
        each.get("label") == label and not each.get("disabled")
        for row in message.components
        for each in row.get("components", ())
    )
