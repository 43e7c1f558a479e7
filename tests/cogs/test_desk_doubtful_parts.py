"""Messages other than first ones that only a person can settle: `/desk reconcile` asks for them."""

from dataclasses import replace
from typing import Any

import pytest

from storage import channels, desks, outbox
from storage.outbox import Part
from tests.cogs.conftest import Scene
from tests.cogs.people import custom_ids, labels, press, shown
from tests.cogs.test_desk_doubts import in_doubt

HALL = 4711


async def doubtful(scene: Scene, number: int = 1, *, person: bool = True) -> Part:
    """A notice whose channel could not be read; with `person`, so often that one is asked."""
    key = f"key-of-a-part-{number:06}"
    now = scene.clock.now() + number

    def run(connection: Any) -> Part:
        new = outbox.NewPart(
            event=f"notice:{number}",
            ordinal=0,
            guild_id=scene.guild.id,
            destination=HALL + number,
            kind="notice",
            payload="{}",
            delivery_key=key,
        )
        assert outbox.plan(connection, new, now)
        channels.advance_fence(connection, HALL + number, 1)
        part = outbox.find(connection, key)
        assert part is not None
        assert outbox.begin(connection, part, owner="me", fence=1, now=now)
        outbox.wait(
            connection,
            key,
            uncertain=True,
            next_at=now,
            problem="missing_access",
            now=now,
            unreadable=5 if person else 4,
            person_at=now if person else None,
        )
        return part

    return await scene.database.write(run)


async def now_of(scene: Scene, part: Part) -> Part:
    found = await scene.database.read(lambda connection: outbox.with_id(connection, part.id))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("label", "words", "state"),
    [
        ("It arrived", "It arrived", "sent"),
        ("It did not arrive", "is sent again", "pending"),
        ("Drop it", "given up", "dropped"),
    ],
)
async def test_a_coordinator_decides(scene: Scene, label: str, words: str, state: str) -> None:
    await scene.set_up()
    part = await doubtful(scene)
    scene.woken.clear()
    listed = await scene.cleo.slash(scene.desk, "desk reconcile")
    assert f"a notice in <#{part.destination}>" in shown(listed)
    assert f"<t:{(part.created_at) // 1000}:R>" in shown(listed)
    assert "Steward can't see the channel" in shown(listed)
    assert labels(listed) == ["It arrived", "It did not arrive", "Drop it"]
    decided = await scene.cleo.click(listed.response, label=label)
    assert words in shown(decided)
    after = await now_of(scene, part)
    assert (after.state, after.person_at, after.decided_by) == (state, None, scene.cleo.id)
    assert scene.woken.is_set()
    assert "No message is in doubt" in shown(await scene.cleo.slash(scene.desk, "desk reconcile"))


async def test_a_stale_button_says_so_and_changes_nothing(scene: Scene) -> None:
    await scene.set_up()
    part = await doubtful(scene)
    listed = await scene.ben.slash(scene.desk, "desk reconcile")
    old = custom_ids(listed)
    await press(scene, scene.cleo, old[1])
    again = await now_of(scene, part)
    assert again.delivery_key != part.delivery_key
    for custom_id in [*old, f"part_drop:{part.id}", "part_drop:x:0", "part_drop:999:0"]:
        late = shown(await press(scene, scene.ben, custom_id))
        assert "no longer" in late
    assert await now_of(scene, part) == again


async def test_another_servers_message_is_neither_shown_nor_decided(scene: Scene) -> None:
    await scene.set_up()
    part = await doubtful(scene)

    def move(connection: Any) -> None:
        desk = desks.load(connection, scene.guild.id)
        desks.put(connection, replace(desk, guild_id=1))
        connection.execute("UPDATE outbox_part SET guild_id = 1 WHERE id = ?", (part.id,))

    await scene.database.write(move)
    before = await now_of(scene, part)
    assert "No message is in doubt" in shown(await scene.ben.slash(scene.desk, "desk reconcile"))
    for name in ("arrived", "absent", "drop"):
        answer = await press(scene, scene.ben, f"part_{name}:{part.id}:{part.revision}")
        assert "not in doubt here" in shown(answer)
    assert await now_of(scene, part) == before


async def test_members_see_and_decide_nothing(scene: Scene) -> None:
    await scene.set_up()
    part = await doubtful(scene)
    before = await now_of(scene, part)
    assert "Only coordinators" in shown(await press(scene, scene.ada, "doubts:0"))
    for name in ("arrived", "absent", "drop"):
        answer = await press(scene, scene.ada, f"part_{name}:{part.id}:{part.revision}")
        assert "Only coordinators" in shown(answer)
    await scene.ben.slash(scene.desk, "desk reconcile")
    assert await now_of(scene, part) == before


async def test_while_steward_can_still_find_out_nobody_is_asked(scene: Scene) -> None:
    await scene.set_up()
    part = await doubtful(scene, person=False)
    assert "No message is in doubt" in shown(await scene.ben.slash(scene.desk, "desk reconcile"))
    answer = await press(scene, scene.ben, f"part_arrived:{part.id}:{part.revision}")
    assert "still finding out" in shown(answer)


async def test_a_button_leads_through_all_that_need_a_person(scene: Scene) -> None:
    request = await in_doubt(scene, unreadable=5)
    first = await doubtful(scene, 5000)
    second = await doubtful(scene, 9000)
    listed = await scene.ben.slash(scene.desk, "desk reconcile")
    assert "In doubt: 3" in shown(listed)
    asked = [custom_ids(listed)[0]]
    for _ in range(3):
        listed = await scene.ben.click(listed.response, label="Next")
        asked.append(custom_ids(listed)[0])
    assert asked == [
        f"arrived:{request.id}",
        f"part_arrived:{first.id}:0",
        f"part_arrived:{second.id}:0",
        f"arrived:{request.id}",
    ]
