"""A conversation in the town: Ada in her direct messages, Ben in the thread at the desk."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest

from sandbox.entities import Channel, Message
from sandbox.people import Person
from tests.journeys.reading import words
from tests.journeys.town import Process, Town


@dataclass
class Talk:
    """One conversation under way."""

    town: Town
    member: Person
    coordinator: Person
    thread: Channel

    @property
    def dm(self) -> Channel:
        return self.member.dm

    def carried(self, channel: Channel) -> list[str]:
        """What the copies say that can be seen there, in order, each without its first line."""
        return [one.partition("\n")[2] for one in self.raw(channel)]

    def raw(self, channel: Channel) -> list[str]:
        """The copies that can be seen there, in order, with all that they say."""
        return [one.content for one in self._ours(channel) if one.content]

    def unmarked(self, channel: Channel) -> list[str]:
        """As `carried`, without those at the desk whose originals were deleted after."""
        return [one for one in self.carried(channel) if not one.startswith("-# ")]

    def notices(self, channel: Channel) -> list[str]:
        """What Steward itself says there that can be seen, in order."""
        return [words(self.town, one) for one in self._ours(channel) if not one.content]

    def _ours(self, channel: Channel) -> list[Message]:
        bot = self.town.sandbox.world.bot
        return self.town.sandbox.truth.messages(channel, author=bot)

    async def both(
        self, at_desk: list[str], to_member: list[str], process: Process | None = None
    ) -> None:
        """Wait until each side has read as much as that, and check that it is that."""
        await self.town.until(
            lambda: (
                len(self.carried(self.thread)) >= len(at_desk)
                and len(self.carried(self.dm)) >= len(to_member)
                and self.settled()
            ),
            process,
        )
        for channel, expected in ((self.thread, at_desk), (self.dm, to_member)):
            found = self.carried(channel)
            assert found == expected, list(zip_longest(found, expected))

    def settled(self) -> bool:
        """Whether nothing waits: neither what came in nor what is to go out."""
        queued = "SELECT 1 FROM inbox_event WHERE state = 'queued'"
        waiting = "SELECT 1 FROM outbox_part WHERE state NOT IN ('sent', 'dropped')"
        return not self.town.rows(f"{queued} UNION ALL {waiting} LIMIT 1")


async def begin(town: Town, settings: Mapping[str, str] | None = None) -> tuple[Process, Talk]:
    """A process that serves, a desk, and a conversation of Ada's with Ben in its thread."""
    process = await town.serve(settings)
    await town.set_up_desk()
    talk = await open_talk(town, town.ada, process)
    return process, talk


async def open_talk(
    town: Town, member: Person, process: Process | None = None, topic: str = "Printer"
) -> Talk:
    """A request of that member's, claimed by Ben, with its thread made and introduced."""
    number = len(town.rows("SELECT 1 FROM request"))
    await town.ask(member, topic)
    card = await town.card(number)
    await town.ben.click(card, "Claim").first_answer()
    await town.until(lambda: thread_of(town, member), process)
    thread = thread_of(town, member)
    assert thread is not None
    talk = Talk(town=town, member=member, coordinator=town.ben, thread=thread)
    read = f"SELECT 1 FROM inbound WHERE channel_id = {thread.id} AND behind = 0"
    await town.until(lambda: talk.settled() and town.rows(read), process)
    return talk


def thread_of(town: Town, member: Person) -> Channel | None:
    """The thread of the member's newest conversation, once it is known."""
    rows = town.rows(
        "SELECT coalesce(thread_id, 0) FROM conversation"
        f" WHERE member_id = {member.id} ORDER BY request_id DESC LIMIT 1"
    )
    return town.sandbox.world.channels.get(int(str(rows[0][0]))) if rows else None
