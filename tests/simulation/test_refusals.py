"""What Discord refuses for good to a member is said at the desk: once, and in words."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.delivery.lease import Lease
from bot.delivery.parts import Parts
from bot.services.conversations import Conversations
from bot.services.helpdesk import Ask
from bot.words.values import Message
from domain.delivery import Rejected
from domain.requests import Route
from storage import conversations, desks, outbox
from storage.conversations import Conversation
from storage.outbox import Part
from tests.simulation.house import LEASE_MS, RULES, House, create
from tests.simulation.simulated_discord import Discord, Trouble
from tests.simulation.story import DESK_CHANNEL, GUILD, Story
from tests.simulation.test_things_that_cross import (
    MINUTE,
    coordinator,
    house_of,
    owner,
    run,
    states,
)

NOTICE = "Not delivered"


@pytest.fixture
async def story(tmp_path: Path, project_root: Path) -> AsyncIterator[Story]:
    """One process that serves a desk, and one member in conversation with it by DM."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    path = tmp_path / "ledger.db"
    create(path, project_root / "storage/migrations")
    made = Story(path, 1, trouble=0.0, members=1, route=Route.DM)
    await made._set_up()
    await run(made, 1000)
    await made._ask(1)
    await run(made, 1000)
    await made._claim_all()
    await run(made, MINUTE)
    yield made
    if made.house is not None:
        await made.house.kill()


async def resolve(story: Story) -> None:
    house = house_of(story)
    ending = Conversations(house.ledger, house._woken.set)  # type: ignore[arg-type]
    await ending.resolve(GUILD, 1, owner(story), "Done.", story.clock.now())


def places(house: House) -> tuple[int, int]:
    """The DM of the request's conversation, and its thread."""
    found = house.ledger.look(lambda c: conversations.find(c, 1))
    assert found is not None
    assert found.thread_id is not None
    return found.channel_id, found.thread_id


def notices(discord: Discord, channel_id: int) -> list[Message]:
    return [one.shown for one in discord.of(channel_id) if one.shown.title.startswith(NOTICE)]


def card(story: Story) -> str:
    (posted,) = story.discord.of(DESK_CHANNEL)
    return "\n".join(f"{field.name}: {field.value}" for field in posted.shown.fields)


def parts(story: Story) -> list[tuple[str, str]]:
    return house_of(story).ledger.look(
        lambda c: c.execute("SELECT kind, state FROM outbox_part WHERE kind = 'notice'").fetchall()
    )


@pytest.mark.parametrize(
    ("problem", "why", "do"),
    [
        ("dms_closed", "takes no direct messages", "Tell them another way"),
        ("automod", "AutoMod refuses", "in other words"),
        ("http_400_99", "Discord refused: http", "Steward doesn't try again"),
    ],
)
async def test_the_desk_reads_which_words_did_not_arrive_why_and_what_to_do(
    story: Story, problem: str, why: str, do: str
) -> None:
    dm, thread = places(house_of(story))
    story.discord.plan = lambda effect, target: Trouble(
        kind="refused" if (effect, target) == ("send", dm) else "none", problem=problem
    )
    await resolve(story)
    await run(story, 30 * MINUTE)
    (notice,) = notices(story.discord, thread)
    assert "has not been told that the request is closed" in notice.description
    assert why in notice.description
    assert do in notice.description
    assert "Not delivered to the member: " in card(story)
    assert why in card(story)
    assert parts(story) == [("notice", "sent")]


async def test_a_refused_notice_makes_no_other_and_the_card_shows_what_it_was_about(
    story: Story,
) -> None:
    story.discord.plan = lambda effect, target: Trouble(
        kind="refused" if effect == "send" and target != DESK_CHANNEL else "none",
        problem="automod",
    )
    await resolve(story)
    await run(story, 30 * MINUTE)
    assert parts(story) == [("notice", "dropped")]
    assert "Not delivered to the member: The server's AutoMod" in card(story)


async def test_where_the_desk_has_no_thread_the_card_shows_it(story: Story) -> None:
    house = house_of(story)
    dm, _ = places(house)
    story.discord.closed_dms.add(dm)
    await house.ledger.write(lambda c: conversations.put_thread(c, 1, None))
    await resolve(story)
    await run(story, 30 * MINUTE)
    assert parts(story) == []
    assert "Not delivered to the member: The member takes no direct messages" in card(story)


async def test_the_notice_is_in_the_desks_language(story: Story) -> None:
    house = house_of(story)
    dm, thread = places(house)
    story.discord.closed_dms.add(dm)
    desk = house.ledger.look(lambda c: desks.load(c, GUILD))
    await house.ledger.write(lambda c: desks.put(c, replace(desk, locale="de")))
    await resolve(story)
    await run(story, MINUTE)
    last = story.discord.of(thread)[-1].shown
    assert last.title.startswith("Nicht zugestellt")


@pytest.mark.parametrize("fate", ["before", "after"])
async def test_a_crash_at_any_commit_leaves_one_notice(
    story: Story, fate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies at each commit after the resolution in turn, and another goes on."""
    dm, thread = places(house_of(story))
    story.discord.closed_dms.add(dm)
    seen: list[int] = []

    def at_commit(_: int) -> str | None:
        seen.append(1)
        return fate if len(seen) in (3, 6, 9, 12) else None

    await resolve(story)
    house_of(story).ledger.at_commit = at_commit
    monkeypatch.setattr(story, "_at_commit", at_commit)
    await run(story, 30 * MINUTE)
    assert story.kills == 4
    assert len(notices(story.discord, thread)) == 1
    assert parts(story) == [("notice", "sent")]


async def test_a_refusal_that_is_told_twice_is_written_down_once(story: Story) -> None:
    house = house_of(story)
    dm, _ = places(house)
    lease = Lease(
        house.ledger,  # type: ignore[arg-type]
        story.clock,
        application_id=1,
        owner="process-1",
        lease_ms=LEASE_MS,
    )
    await lease.acquire()
    book = Parts(lease=lease, rules=RULES.sending, max_unreadable=5)
    await resolve(story)
    part = closing_words(story)
    now = story.clock.now()

    attempt = await house.ledger.write(lambda c: book.begin(c, part.delivery_key, now))
    assert attempt is not None
    assert attempt.channel_id == dm
    for _ in range(2):
        await house.ledger.write(
            lambda c: book.settle(c, attempt, Rejected(problem="dms_closed"), now)
        )
    assert parts(story) == [("notice", "pending")]


def closing_words(story: Story) -> Part:
    row = house_of(story).ledger.look(
        lambda c: c.execute(
            "SELECT delivery_key FROM outbox_part WHERE kind = 'ended' AND ordinal = 0"
        ).fetchone()
    )
    part = house_of(story).ledger.look(lambda c: outbox.find(c, row[0]))
    assert part is not None
    return part


async def second_server(story: Story) -> Conversation:
    """A conversation of the same member with the desk of another server."""
    house = house_of(story)
    desk = house.ledger.look(lambda c: desks.load(c, GUILD))
    other = replace(desk, guild_id=2, channel_id=DESK_CHANNEL + 1)
    await house.ledger.write(lambda c: desks.put(c, other))
    ask = Ask(
        interaction_id=2,
        guild_id=2,
        guild_name="Harbour",
        member_id=1,
        member_name="Ada",
        topic="Help me",
        details="",
        locale="en",
    )
    asked = (await house.helpdesk.ask(ask, story.clock.now())).request
    await house.helpdesk.claim(2, asked.id, coordinator(901), story.clock.now())
    await run(story, MINUTE)
    found = house.ledger.look(lambda c: conversations.find(c, asked.id))
    assert found is not None
    return found


async def test_words_refused_in_a_dm_that_two_servers_share_lead_to_the_right_desk(
    story: Story,
) -> None:
    """The other server's conversation is in the same DM; its desk reads nothing."""
    house = house_of(story)
    dm, thread = places(house)
    other = await second_server(story)
    assert other.channel_id == dm
    assert other.thread_id is not None
    story.discord.closed_dms.add(dm)
    ending = Conversations(house.ledger, house._woken.set)  # type: ignore[arg-type]
    await ending.resolve(2, other.request_id, coordinator(901), "Done.", story.clock.now())
    await run(story, 5 * MINUTE)
    assert len(notices(story.discord, other.thread_id)) == 1
    assert notices(story.discord, thread) == []


async def test_a_refusal_that_comes_after_the_openings_lease_ran_out_is_on_the_card(
    tmp_path: Path, project_root: Path
) -> None:
    path = tmp_path / "ledger.db"
    create(path, project_root / "storage/migrations")
    story = Story(path, 1, trouble=0.0, members=1, route=Route.DM)
    await story._set_up()
    story.discord.dm_channels[1] = 77
    story.discord.closed_dms.add(77)
    story.discord.plan = lambda effect, target: Trouble(
        delay_ms=90_000 if (effect, target) == ("send", 77) else 0
    )
    await run(story, 1000)
    await story._ask(1)
    await run(story, 1000)
    await story._claim_all()
    await run(story, 80_000)
    assert states(story) == ["needs_reconcile"]
    await run(story, MINUTE)
    assert states(story) == ["queued"]
    assert "Problem: The member takes no direct messages from this server." in card(story)
    (posted,) = story.discord.of(DESK_CHANNEL)
    assert [button.custom_id for button in posted.shown.buttons] == ["claim:1", "thread:1"]
    await house_of(story).kill()
