"""A part whose channel can't be read: after a while a person is asked, once, and decides."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.delivery.parts import Parts
from bot.delivery.sender import Attempt
from bot.services.conversations import Conversations
from bot.services.doubts import Doubtful
from bot.words.values import Message
from domain.delivery import Done, Unknown
from domain.errors import Refused
from domain.requests import Route
from storage import desks, mending, outbox
from storage.outbox import Part
from tests.simulation.house import RULES, create
from tests.simulation.simulated_discord import Posted, Trouble
from tests.simulation.story import DESK_CHANNEL, GUILD, Story
from tests.simulation.test_refusals import card, places
from tests.simulation.test_things_that_cross import MINUTE, coordinator, house_of, owner, run

BEN = coordinator(901)
HOUR, ORGANIZER = 60 * MINUTE, 700


class Town(Story):
    """A desk with one member in conversation by DM; `held` are echoes that are late."""

    held: list[Posted] | None = None

    def _deliver_echoes(self, house: object) -> None:
        if self.held is not None:
            self.held += self.discord.echoes
            self.discord.echoes.clear()
        super()._deliver_echoes(house)  # type: ignore[arg-type]

    def break_(self, channel_id: int, send: str, history: str = "refused") -> None:
        """From now on sends to the channel go wrong, and nobody can read it."""
        self.held = []
        kinds = {"send": send, "history": history}
        self.discord.plan = lambda effect, target: Trouble(
            kind=kinds.get(effect, "none") if target == channel_id else "none",
            problem="missing_access" if effect == "history" else "trouble",
        )

    def mend(self, *, history: str = "none") -> None:
        """Discord is well again, and its echoes come in time."""
        self.held = None
        self.discord.plan = lambda effect, _: Trouble(
            kind=history if effect == "history" else "none"
        )

    def looks(self, channel_id: int) -> int:
        return self.discord.calls.count(("history", channel_id))

    def part(self, event: str) -> Part:
        return house_of(self).ledger.look(lambda c: outbox.of_event(c, event))[0]

    async def waiting(self) -> tuple[Doubtful, ...]:
        return await house_of(self).doubts.waiting(GUILD, BEN)


@pytest.fixture
async def town(tmp_path: Path, project_root: Path) -> AsyncIterator[Town]:
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    path = tmp_path / "ledger.db"
    create(path, project_root / "storage/migrations")
    made = Town(path, 1, trouble=0.0, members=1, route=Route.DM)
    await made._set_up()
    ledger = house_of(made).ledger
    desk = replace(ledger.look(lambda c: desks.load(c, GUILD)), set_up_by=ORGANIZER)
    await ledger.write(lambda c: desks.put(c, desk))
    await run(made, 1000)
    await made._ask(1)
    await run(made, 1000)
    await made._claim_all()
    await run(made, MINUTE)
    yield made
    if made.house is not None:
        await made.house.kill()


async def resolve(town: Town) -> Part:
    """The request is resolved; the part that tells the member."""
    house = house_of(town)
    ending = Conversations(house.ledger, house._woken.set)  # type: ignore[arg-type]
    done = await ending.resolve(GUILD, 1, owner(town), "Done.", town.clock.now())
    return town.part(f"r:1:{done.revision}")


async def doubtful_card(town: Town) -> Part:
    """The request's card is gone, and its new posting is in doubt; the part."""
    shown = town.discord.of(DESK_CHANNEL)[0]
    town.break_(DESK_CHANNEL, "lost_after")
    shown.deleted = True
    await house_of(town).receipts.deleted(shown.message_id)
    await run(town, 30 * MINUTE)
    (found,) = await town.waiting()
    assert found.what == "card"
    return found.part


def cards(town: Town) -> list[Posted]:
    return [one for one in town.discord.of(DESK_CHANNEL) if one.custom_ids]


def texts(town: Town, channel_id: int) -> list[str]:
    return [f"{one.shown.title} {one.shown.description}" for one in town.discord.of(channel_id)]


async def in_doubt(town: Town, send: str) -> tuple[int, Part]:
    """The words of the end go wrong, until a person is asked; where they went, and their part."""
    dm, _ = places(house_of(town))
    town.break_(dm, send)
    part = await resolve(town)
    await run(town, 30 * MINUTE)
    (found,) = await town.waiting()
    assert found.part.id == part.id
    return dm, found.part


async def test_after_five_looks_a_person_is_asked_once_and_nobody_looks_again(town: Town) -> None:
    dm, part = await in_doubt(town, "lost_after")
    assert town.looks(dm) == 5
    await run(town, 5 * HOUR)
    assert town.looks(dm) == 5
    _, thread = places(house_of(town))
    asked = [text for text in texts(town, thread) if "a message needs you" in text]
    assert len(asked) == 1
    assert f"<#{dm}>" in asked[0]
    assert "words to the member" in asked[0]
    (found,) = await town.waiting()
    assert (found.what, found.since) == ("words", part.first_try_at)
    assert found.reference is not None
    assert len(town.discord.of(dm)) == 2


async def test_while_steward_still_looks_nobody_decides(town: Town) -> None:
    dm, _ = places(house_of(town))
    town.break_(dm, "lost_before")
    part = await resolve(town)
    while not town.looks(dm):
        await run(town, 1_000)
    assert town.looks(dm) == 1
    assert await town.waiting() == ()
    with pytest.raises(Refused, match="still_checking"):
        await house_of(town).doubts.arrived(GUILD, part.id, 0, BEN, town.clock.now())


async def test_it_arrived_settles_it_and_a_late_echo_names_it(town: Town) -> None:
    dm, part = await in_doubt(town, "lost_after")
    held = town.held
    assert held
    await house_of(town).doubts.arrived(GUILD, part.id, part.revision, BEN, town.clock.now())
    settled = town.part(part.event)
    assert (settled.state, settled.message_id, settled.decided_by) == ("sent", None, 901)
    town.mend()
    town.discord.echoes = [held[0], held[0]]
    await run(town, MINUTE)
    assert town.part(part.event).message_id == held[0].message_id
    assert [one.message_id for one in town.discord.of(dm)][1:] == [held[0].message_id]
    assert await town.waiting() == ()


async def test_it_did_not_arrive_sends_it_again_under_a_key_of_its_own(town: Town) -> None:
    dm, part = await in_doubt(town, "lost_before")
    assert len(town.discord.of(dm)) == 1
    town.mend(history="refused")
    await house_of(town).doubts.absent(GUILD, part.id, part.revision, BEN, town.clock.now())
    await run(town, MINUTE)
    again = town.part(part.event)
    assert (again.state, again.revision) == ("sent", part.revision + 1)
    assert [one.nonce for one in town.discord.of(dm)][1:] == [again.delivery_key]
    assert again.delivery_key != part.delivery_key
    with pytest.raises(Refused, match="doubt_over"):
        await house_of(town).doubts.arrived(GUILD, part.id, part.revision, BEN, town.clock.now())


async def test_a_second_doubt_about_the_same_part_is_asked_about_again(town: Town) -> None:
    _, part = await in_doubt(town, "lost_before")
    await house_of(town).doubts.absent(GUILD, part.id, part.revision, BEN, town.clock.now())
    await run(town, 30 * MINUTE)
    (again,) = await town.waiting()
    assert again.part.revision == part.revision + 1
    _, thread = places(house_of(town))
    assert len([text for text in texts(town, thread) if "a message needs you" in text]) == 2
    with pytest.raises(Refused, match="doubt_over"):
        await house_of(town).doubts.drop(GUILD, part.id, part.revision, BEN, town.clock.now())


async def test_dropped_it_is_not_sent_and_thread_and_card_say_so(town: Town) -> None:
    dm, part = await in_doubt(town, "lost_before")
    await house_of(town).doubts.drop(GUILD, part.id, part.revision, BEN, town.clock.now())
    town.mend()
    await run(town, HOUR)
    dropped = town.part(part.event)
    assert (dropped.state, dropped.problem, dropped.decided_by) == ("dropped", "given_up", 901)
    assert len(town.discord.of(dm)) == 1
    _, thread = places(house_of(town))
    assert texts(town, thread)[-1].startswith("Perhaps not delivered")
    assert "may not have been told that the request is closed" in texts(town, thread)[-1]
    assert "a coordinator gave it up" in card(town)


async def test_a_late_echo_settles_it_without_anybody(town: Town) -> None:
    dm, part = await in_doubt(town, "lost_after")
    assert part.attempts > 1
    held = town.held
    assert held
    town.held = None
    town.discord.echoes = held
    await run(town, MINUTE)
    settled = town.part(part.event)
    assert (settled.state, settled.message_id) == ("sent", held[0].message_id)
    assert settled.decided_by is None
    assert await town.waiting() == ()
    assert len(town.discord.of(dm)) == 2


async def test_a_late_answer_of_the_call_settles_it_without_anybody(town: Town) -> None:
    """Its call outlived the lease of its process: another one has looked in vain since."""
    dm, part = await in_doubt(town, "lost_after")
    house = house_of(town)
    book = Parts(lease=house._lease, rules=RULES.sending, max_unreadable=5)
    attempt = Attempt(
        key=part.delivery_key,
        channel_id=dm,
        message=Message(),
        first_try_at=part.first_try_at or 0,
        tries=1,
        doubtful=False,
    )
    now = town.clock.now()
    unknown = Unknown(problem="http_502")
    await house.ledger.write(lambda c: book.settle(c, attempt, unknown, now))
    assert [found.part for found in await town.waiting()] == [part]
    message_id = town.discord.of(dm)[-1].message_id
    await house.ledger.write(lambda c: book.settle(c, attempt, Done(message_id=message_id), now))
    assert town.part(part.event).message_id == message_id
    assert await town.waiting() == ()


async def test_a_permission_that_somebody_gives_back_is_as_good_as_a_person(town: Town) -> None:
    dm, part = await in_doubt(town, "lost_after")
    house = house_of(town)
    await house.ledger.write(lambda c: mending.hurry(c, GUILD, town.clock.now()))
    with pytest.raises(Refused, match="still_checking"):
        await house.doubts.drop(GUILD, part.id, part.revision, BEN, town.clock.now())
    await run(town, MINUTE)
    assert town.looks(dm) == 6
    assert len(await town.waiting()) == 1
    town.mend()
    await house.ledger.write(lambda c: mending.hurry(c, GUILD, town.clock.now()))
    await run(town, MINUTE)
    assert town.part(part.event).message_id == town.discord.of(dm)[-1].message_id
    _, thread = places(house)
    assert len([text for text in texts(town, thread) if "a message needs you" in text]) == 1


async def test_a_message_that_a_person_vouched_for_is_not_taken_for_the_next_one(
    town: Town,
) -> None:
    dm, part = await in_doubt(town, "lost_after")
    house = house_of(town)
    following = outbox.NewPart(
        event="next",
        ordinal=0,
        guild_id=GUILD,
        destination=dm,
        kind="ended",
        payload=part.payload or "",
        delivery_key="key-of-the-next-one-1",
    )
    await house.ledger.write(lambda c: outbox.plan(c, following, town.clock.now()))
    town.break_(dm, "lost_before", history="none")
    await house.doubts.arrived(GUILD, part.id, part.revision, BEN, town.clock.now())
    await run(town, 3 * MINUTE)
    assert town.part("next").state == "pending"
    town.mend()
    await run(town, 10 * MINUTE)
    assert [one.nonce for one in town.discord.of(dm)][1:] == [
        part.delivery_key,
        town.part("next").delivery_key,
    ]


async def test_where_the_desks_own_channel_is_held_whoever_set_it_up_is_told_once(
    town: Town,
) -> None:
    town.break_(DESK_CHANNEL, "lost_before")
    await town._ask(2)
    await run(town, 5 * HOUR)
    assert [found.what for found in await town.waiting()] == ["card"]
    told = texts(town, town.discord.dm_channels[ORGANIZER])
    assert len([text for text in told if "/desk reconcile" in text]) == 1


async def test_a_card_that_is_there_stays_alone_until_its_request_moves_on(town: Town) -> None:
    part = await doubtful_card(town)
    held = town.held
    assert held
    await house_of(town).doubts.arrived(GUILD, part.id, part.revision, BEN, town.clock.now())
    town.mend()
    await run(town, HOUR)
    assert [one.message_id for one in cards(town)] == [held[0].message_id]
    house = house_of(town)
    by = owner(town)
    to = coordinator(901 + 902 - by.member_id)
    handing_over = Conversations(house.ledger, house._woken.set)  # type: ignore[arg-type]
    await handing_over.hand_over(GUILD, 1, by, to, town.clock.now())
    await run(town, MINUTE)
    assert len(cards(town)) == 2
    assert f"<@{to.member_id}>" in str(cards(town)[-1].shown)


async def test_a_card_that_is_there_and_is_seen_late_is_edited_again(town: Town) -> None:
    part = await doubtful_card(town)
    held = town.held
    assert held
    await house_of(town).doubts.arrived(GUILD, part.id, part.revision, BEN, town.clock.now())
    town.mend()
    town.discord.echoes = held[:1]
    await run(town, MINUTE)
    await resolve(town)
    await run(town, MINUTE)
    (shown,) = town.discord.of(DESK_CHANNEL)
    assert shown.message_id == held[0].message_id
    assert "Resolved" in card(town)


@pytest.mark.parametrize("decision", ["absent", "drop"])
async def test_a_card_that_is_not_there_or_is_given_up_is_posted_again(
    town: Town, decision: str
) -> None:
    part = await doubtful_card(town)
    for one in cards(town):
        one.deleted = True
    town.mend(history="refused")
    decide = getattr(house_of(town).doubts, decision)
    await decide(GUILD, part.id, part.revision, BEN, town.clock.now())
    await run(town, MINUTE)
    assert len(cards(town)) == 1
    assert await town.waiting() == ()


async def test_what_is_in_doubt_elsewhere_is_told_in_the_desks_channel(town: Town) -> None:
    _, thread = places(house_of(town))
    town.break_(thread, "lost_before")
    await resolve(town)
    await run(town, 30 * MINUTE)
    (found,) = await town.waiting()
    assert (found.what, found.part.destination) == ("notice", thread)
    assert found.reference is not None
    (asked,) = [text for text in texts(town, DESK_CHANNEL) if "a message needs you" in text]
    assert f"<#{thread}>" in asked


async def test_only_coordinators_of_its_own_server_decide(town: Town) -> None:
    _, part = await in_doubt(town, "lost_before")
    house = house_of(town)
    desk = replace(house.ledger.look(lambda c: desks.load(c, GUILD)), guild_id=2)
    await house.ledger.write(lambda c: desks.put(c, desk))
    assert await house.doubts.waiting(2, BEN) == ()
    with pytest.raises(Refused, match="doubt_over"):
        await house.doubts.arrived(2, part.id, part.revision, BEN, town.clock.now())
    nobody = replace(BEN, role_ids=frozenset())
    with pytest.raises(Refused, match="not_staff"):
        await house.doubts.arrived(GUILD, part.id, part.revision, nobody, town.clock.now())
    assert len(await town.waiting()) == 1
