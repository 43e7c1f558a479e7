"""Edits and deletions reach the copy, whenever they come: queued, under way, or long there."""

from typing import Any

from sandbox.entities import Channel, Message
from sandbox.faults import Fault
from sandbox.people import Person
from tests.journeys.talking import Talk, begin
from tests.journeys.town import MESSAGES, Town

EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"


def hang(town: Town, channel: Channel, kind: str = "hold_before", route: str = MESSAGES) -> Fault:
    """The next such call for that channel hangs until it is released."""
    return town.sandbox.faults.add(
        route, kind, when=lambda exchange: f"/{channel.id}/" in exchange.path
    )


def made(town: Town, route: str, channel: Channel) -> list[Any]:
    """The calls of that kind for the channel that had their effect."""
    return [
        exchange
        for exchange in town.sandbox.truth.requests(route, effect=True)
        if f"/{channel.id}/" in exchange.path
    ]


async def test_five_edits_in_a_second_while_the_send_hangs_are_one_edit(town: Town) -> None:
    process, talk = await begin(town)
    sending = hang(town, talk.thread)
    written = talk.member.say("draft")
    await sending.reached.wait()
    for number in range(5):
        await edit(talk, talk.member, written, f"draft {number}")
    await heard_edit(talk, written, "draft 4")
    sending.release()
    await talk.both(["draft 4"], [], process)
    assert len(made(town, EDIT, talk.thread)) == 1


async def test_edits_while_an_edit_hangs_are_made_by_one_more(town: Town) -> None:
    process, talk = await begin(town)
    written = talk.coordinator.say("draft", talk.thread)
    await talk.both([], ["draft"], process)
    editing = hang(town, talk.dm, route=EDIT)
    talk.coordinator.edit(written, "draft 0")
    await editing.reached.wait()
    for number in range(1, 6):
        await edit(talk, talk.coordinator, written, f"draft {number}")
    await heard_edit(talk, written, "draft 5")
    editing.release()
    await talk.both([], ["draft 5"], process)
    assert len(made(town, EDIT, talk.dm)) == 2


async def test_what_is_deleted_while_it_waits_never_leaves(town: Town) -> None:
    process, talk = await begin(town)
    sending = hang(town, talk.dm)
    talk.coordinator.say("first", talk.thread)
    await sending.reached.wait()
    gone, changed = (talk.coordinator.say(text, talk.thread) for text in ("oh no", "second"))
    await town.until(lambda: parts_of(town, gone) == ["pending"], process)
    talk.coordinator.delete(gone)
    talk.coordinator.edit(changed, "second, better")
    await town.until(lambda: parts_of(town, gone) == ["dropped"], process)
    await heard_edit(talk, changed, "second, better")
    sending.release()
    await talk.both([], ["first", "second, better"], process)
    bodies = [str(exchange.body) for exchange in town.sandbox.truth.requests(MESSAGES)]
    assert not any("oh no" in body for body in bodies)
    assert made(town, EDIT, talk.dm) == []


async def test_what_is_deleted_while_it_is_under_way_is_taken_away_again(town: Town) -> None:
    process, talk = await begin(town)
    for_member, at_desk = hang(town, talk.dm), hang(town, talk.thread, "hold_after")
    mine = talk.member.say("my password")
    wrong = talk.coordinator.say("for somebody else", talk.thread)
    await for_member.reached.wait()
    await at_desk.reached.wait()
    talk.coordinator.delete(wrong)
    talk.member.delete(mine)
    await town.until(
        lambda: len(town.rows("SELECT 1 FROM relayed_message WHERE deleted_at IS NOT NULL")) == 2,
        process,
    )
    for_member.release()
    at_desk.release()
    await town.until(lambda: talk.settled() and made(town, EDIT, talk.thread), process)
    await talk.both(talk.carried(talk.thread), [], process)
    (marked,) = talk.raw(talk.thread)
    assert "deleted" in marked.partition("\n")[0]
    assert len(town.sandbox.truth.messages(talk.dm, include_deleted=True)) == 3


async def test_an_edit_may_change_the_number_of_parts(town: Town) -> None:
    process, talk = await begin(town)
    talk.coordinator.user.nitro = True
    written = talk.coordinator.say("w" * 1000, talk.thread)
    await talk.both([], ["w" * 1000], process)
    talk.coordinator.edit(written, "\n".join(letter * 900 for letter in "xyz"))
    # The copy's own first line leaves no room for as much as one message holds.
    await town.until(lambda: len(talk.raw(talk.dm)) == 2 and talk.settled(), process)
    assert [sum(map(each.count, "xyz")) for each in talk.raw(talk.dm)] == [1800, 900]
    await edit(talk, talk.coordinator, written, "short")
    await heard_edit(talk, written, "short")
    await talk.both([], ["short"], process)


async def edit(talk: Talk, who: Person, message: Message, text: str) -> None:
    """An edit, at a later millisecond than the one before: nobody edits twice in the same."""
    now = talk.town.sandbox.world.now
    await talk.town.until(lambda: now() > (message.edited_at or 0))
    who.edit(message, text)


async def heard_edit(talk: Talk, message: Message, text: str) -> None:
    """Wait until the ledger has the message as edited."""
    await talk.town.until(
        lambda: (
            talk.town.rows(f"SELECT text FROM relayed_message WHERE id = {message.id}") == [(text,)]
        )
    )


def parts_of(town: Town, message: Message) -> list[object]:
    """The states of the message's copies."""
    query = f"SELECT state FROM outbox_part WHERE event = 'm:{message.id}' ORDER BY ordinal"
    return [row[0] for row in town.rows(query)]
