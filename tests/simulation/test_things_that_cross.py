"""Answers that cross a person's decision, refusals that never end, and long waiting lines."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.services.access import Actor
from bot.services.conversations import Conversations
from bot.services.helpdesk import Ask
from bot.services.reconciling import Reconciling
from bot.words.values import Message
from domain.delivery import Outcome, Rejected
from domain.requests import Route
from storage import channels, conversations, deliveries, desks, requests
from tests.simulation.house import RULES, House, create
from tests.simulation.simulated_discord import Posted, Trouble
from tests.simulation.story import COORDINATOR_ROLE, DESK_CHANNEL, GUILD, START, Story
from tests.simulation.test_new_dms_paused import PausedStory

MEMBER = 1
MINUTE = 60_000


@pytest.fixture
async def story(tmp_path: Path, project_root: Path) -> AsyncIterator[Story]:
    """A desk, one process that serves it, and one member who has asked and was claimed."""
    path = tmp_path / "ledger.db"
    create(path, project_root / "storage/migrations")
    made = Story(path, 1, trouble=0.0, route=Route.DM)
    await made._set_up()
    await run(made, 1000)
    await made._ask(MEMBER)
    await run(made, 1000)
    await made._claim()
    yield made
    if made.house is not None:
        await made.house.kill()


async def run(story: Story, milliseconds: int) -> None:
    await story._run_until(story.clock.now() + milliseconds)


def house_of(story: Story) -> House:
    assert story.house is not None
    return story.house


def states(story: Story) -> list[str]:
    rows = house_of(story).ledger.look(
        lambda connection: connection.execute("SELECT state FROM request ORDER BY id").fetchall()
    )
    return [state for (state,) in rows]


def owner(story: Story) -> Actor:
    row = house_of(story).ledger.look(
        lambda connection: connection.execute("SELECT owner_id FROM request").fetchone()
    )
    return coordinator(row[0])


def coordinator(member_id: int) -> Actor:
    return Actor(member_id=member_id, name="Ben", role_ids=frozenset({COORDINATOR_ROLE}))


async def test_a_first_message_seen_after_a_person_said_that_it_arrived_stays(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gateway is behind, the history closed, and nobody can tell: Ben asks Ada, who has it."""
    held: list[Posted] = []
    kinds = {"send": "lost_after", "history": "refused"}
    story.discord.plan = lambda effect, target: Trouble(
        kind="none" if target == DESK_CHANNEL else kinds.get(effect, "none"), problem="forbidden"
    )

    def hold(_: House) -> None:
        held.extend(story.discord.echoes)
        story.discord.echoes.clear()

    with monkeypatch.context() as patched:
        patched.setattr(story, "_deliver_echoes", hold)
        await run(story, 10 * MINUTE)
        assert states(story) == ["needs_reconcile"]
        house = house_of(story)
        reconciling = Reconciling(house.ledger, RULES.requests, lambda: None)  # type: ignore[arg-type]
        await reconciling.arrived(GUILD, 1, owner(story), story.clock.now())
    dm = story.discord.dm_channels[MEMBER]
    first = next(one for one in held if one.channel_id == dm)
    story.discord.echoes = [first, first]
    await run(story, MINUTE)
    assert states(story) == ["active"]
    assert [one.message_id for one in story.discord.of(dm)] == [first.message_id]
    found = house_of(story).ledger.look(lambda c: deliveries.find(c, first.nonce))
    assert found is not None
    assert found.message_id == first.message_id


@pytest.mark.parametrize("effect", ["edit", "start_thread"])
async def test_a_card_that_discord_will_not_change_is_not_posted_again_and_again(
    story: Story, effect: str
) -> None:
    story.discord.plan = lambda called, _: Trouble(
        kind="refused" if called == effect else "none", problem="invalid_form"
    )
    await run(story, 10 * MINUTE)
    assert states(story) == ["active"]
    assert len([one for one in story.discord.messages if one.channel_id == DESK_CHANNEL]) == 1
    assert sum(called == effect for called, _ in story.discord.calls) < 20
    problem = house_of(story).ledger.look(lambda c: desks.load(c, GUILD)).problem
    assert problem == "invalid_form"


async def test_a_topic_that_may_not_stand_in_a_threads_name_costs_nobody_the_thread(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = story.discord.start_thread

    async def filtered(guild_id: int, channel_id: int, message_id: int, name: str) -> Outcome:
        if "Help me" in name:
            return Rejected(problem="invalid_form")
        return await start(guild_id, channel_id, message_id, name)

    monkeypatch.setattr(story.discord, "start_thread", filtered)
    await run(story, MINUTE)
    reference = house_of(story).ledger.look(lambda c: requests.load(c, 1)).reference
    assert list(story.discord.threads.values()) == [reference]
    assert len(story.discord.of(DESK_CHANNEL)) == 1


async def test_a_member_who_takes_no_more_messages_does_not_silence_the_desks_thread(
    story: Story,
) -> None:
    await run(story, MINUTE)
    house = house_of(story)
    conversation = house.ledger.look(lambda c: conversations.find(c, 1))
    assert conversation is not None
    assert conversation.thread_id is not None
    before = len(story.discord.of(conversation.thread_id))
    story.discord.closed_dms.add(conversation.channel_id)
    story.discord.plan = lambda effect, target: Trouble(
        delay_ms=5_000 if (effect, target) == ("send", conversation.thread_id) else 0
    )
    ending = Conversations(house.ledger, house._woken.set)  # type: ignore[arg-type]
    await ending.resolve(GUILD, 1, owner(story), "Done.", story.clock.now())
    await run(story, MINUTE)
    assert len(story.discord.of(conversation.thread_id)) == before + 2  # the end, and its refusal


async def test_a_new_owner_joins_the_thread_that_is_there_though_its_card_was_deleted(
    story: Story,
) -> None:
    await run(story, MINUTE)
    house = house_of(story)
    card = story.discord.of(DESK_CHANNEL)[0]
    card.deleted = True
    assert await house.receipts.deleted(card.message_id)
    await run(story, MINUTE)
    by = owner(story)
    to = coordinator(901 + 902 - by.member_id)
    handing_over = Conversations(house.ledger, house._woken.set)  # type: ignore[arg-type]
    await handing_over.hand_over(GUILD, 1, by, to, story.clock.now())
    await run(story, MINUTE)
    assert list(story.discord.threads) == [card.message_id]
    joined = [target for called, target in story.discord.calls if called == "add_to_thread"]
    assert joined == [card.message_id, card.message_id]


async def test_a_new_owner_joins_a_thread_that_has_fallen_asleep(story: Story) -> None:
    await run(story, MINUTE)
    house = house_of(story)
    (thread_id,) = story.discord.threads
    story.discord.archived.add(thread_id)
    by = owner(story)
    to = coordinator(901 + 902 - by.member_id)
    before = len(story.discord.calls)
    handing_over = Conversations(house.ledger, house._woken.set)  # type: ignore[arg-type]
    await handing_over.hand_over(GUILD, 1, by, to, story.clock.now())
    await run(story, MINUTE)
    asked = [
        effect
        for effect, target in story.discord.calls[before:]
        if target == thread_id and effect.endswith("_thread")
    ]
    assert asked == ["add_to_thread", "edit_thread", "add_to_thread"]
    assert thread_id not in story.discord.archived


async def test_two_servers_never_write_at_once_into_the_dm_of_a_member_they_share(
    tmp_path: Path, project_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.db"
    create(path, project_root / "storage/migrations")
    story = Story(path, 1, trouble=0.0, route=Route.DM)
    await story._set_up()
    story.discord.plan = lambda effect, target: Trouble(
        delay_ms=5_000 if effect == "send" and target != DESK_CHANNEL else 0
    )
    under_way: list[int] = []
    send = story.discord.send

    async def watched(channel_id: int, message: Message, *, key: str, not_after: int) -> Outcome:
        assert channel_id == DESK_CHANNEL or channel_id not in under_way
        under_way.append(channel_id)
        try:
            return await send(channel_id, message, key=key, not_after=not_after)
        finally:
            under_way.remove(channel_id)

    monkeypatch.setattr(story.discord, "send", watched)
    # An echo is a receipt while the call's own answer is still on its way: here there is none.
    monkeypatch.setattr(story, "_deliver_echoes", lambda _: story.discord.echoes.clear())
    house = house_of(story)
    desk = house.ledger.look(lambda c: desks.load(c, GUILD))
    await house.ledger.write(lambda c: desks.put(c, replace(desk, guild_id=2)))
    for guild_id in (GUILD, 2):
        ask = Ask(
            interaction_id=guild_id,
            guild_id=guild_id,
            guild_name="Harbour",
            member_id=MEMBER,
            member_name="Ada",
            topic="Help me",
            details="",
            locale="en",
        )
        asked = (await house.helpdesk.ask(ask, story.clock.now())).request
        await house.helpdesk.claim(guild_id, asked.id, coordinator(901), story.clock.now())
    await run(story, MINUTE)
    assert states(story) == ["active", "active"]
    assert len(story.discord.of(story.discord.dm_channels[MEMBER])) == 2
    await house_of(story).kill()


async def test_however_long_the_line_no_claim_is_lost_and_a_known_dm_does_not_wait_in_it(
    tmp_path: Path, project_root: Path
) -> None:
    path, members = tmp_path / "ledger.db", 130
    create(path, project_root / "storage/migrations")
    story = PausedStory(path, seed=7, trouble=0.0, members=members, route=Route.DM)
    await story._set_up()
    for member_id in range(1, members + 1):
        await story._ask(member_id)
    await story._claim_all()
    story.discord.dm_channels[members] = 77
    await house_of(story).ledger.write(
        lambda connection: channels.put_dm_channel(connection, members, 77, START)
    )
    await run(story, MINUTE)
    assert states(story)[-1] == "active"
    await run(story, 30 * MINUTE)
    lost = house_of(story).ledger.look(
        lambda connection: connection.execute(
            "SELECT count(*) FROM request_event WHERE event = 'lease_elapsed'"
        ).fetchone()
    )
    assert lost == (0,)
    await house_of(story).kill()


async def test_a_send_that_fails_by_our_own_fault_is_reconciled_and_not_left_under_way(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = story.discord.send
    failed: list[str] = []

    async def broken(channel_id: int, message: Message, *, key: str, not_after: int) -> Outcome:
        if channel_id != DESK_CHANNEL and not failed:
            failed.append(key)
            raise RuntimeError("nobody thought of it")
        return await send(channel_id, message, key=key, not_after=not_after)

    monkeypatch.setattr(story.discord, "send", broken)
    await run(story, 5 * MINUTE)
    assert failed
    assert states(story) == ["active"]
