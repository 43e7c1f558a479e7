"""Files go along with what is written, once, in order; what can't be carried is named."""

import contextlib
import errno
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.delivery.downloading import Broken, Refused
from bot.delivery.jobs.files import FileRules
from bot.delivery.spool import Incoming, SpoolTrouble
from bot.words.marks import DELIVERED, PROBLEM, TAKEN
from bot.words.values import FileRef
from domain.written import Forward
from storage import files
from tests.simulation.simulated_discord import Killed, Trouble, no_trouble
from tests.simulation.talk import MINUTE, Talk

MIB = 1024 * 1024


@pytest.fixture
async def talk(
    tmp_path: Path, project_root: Path, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[Talk]:
    caplog.set_level("INFO", "bot")
    made = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    yield made
    if made.house is not None:
        await made.house.kill()


def spooled(talk: Talk) -> dict[str, bytes]:
    folder = talk.path.with_name(f"{talk.path.name}.files")
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def names(files: tuple[FileRef, ...]) -> list[str]:
    return [file.name for file in files]


def states(talk: Talk) -> list[str]:
    return talk.living.ledger.look(
        lambda connection: [
            row[0]
            for row in connection.execute(
                "SELECT state FROM relayed_file ORDER BY message_id, ordinal"
            )
        ]
    )


async def test_files_go_along_both_ways(talk: Talk) -> None:
    cdn = talk.discord.cdn
    await talk.hear(
        talk.member_writes("look", attachments=(cdn.put("a.png", b"one"), cdn.put("b", b"two"))),
        talk.staff_writes("here", attachments=(cdn.put("form.pdf", b"three"),)),
    )
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["look"]
    assert talk.shown(talk.dm) == ["here"]
    assert [names(one) for one in talk.files(talk.thread)] == [["a.png", "b"]]
    assert [names(one) for one in talk.files(talk.dm)] == [["form.pdf"]]
    [(form,)] = talk.files(talk.dm)
    assert form.sha256 == hashlib.sha256(b"three").hexdigest()
    assert spooled(talk)[form.sha256] == b"three"
    assert len(spooled(talk)) == 3


async def test_a_file_without_words_and_a_forwarded_one_are_carried_too(talk: Talk) -> None:
    cdn = talk.discord.cdn
    forward = Forward(text="from elsewhere", attachments=(cdn.put("map.png", b"map"),))
    await talk.hear(
        talk.member_writes("", attachments=(cdn.put("a.png", b"one", spoiler=True),)),
        talk.member_writes("", forwards=(forward,)),
        talk.member_writes("", attachments=(cdn.put("v.ogg", b"hm", voice_seconds=65),)),
    )
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == [
        "-# [a file]",
        "-# Forwarded:\nfrom elsewhere",
        "-# [voice message, 1:05]",
    ]
    assert [names(one) for one in talk.files(talk.thread)] == [["a.png"], ["map.png"], ["v.ogg"]]
    assert [one[0].spoiler for one in talk.files(talk.thread)] == [True, False, False]


async def test_what_is_written_meanwhile_waits_for_the_file_before_it(talk: Talk) -> None:
    cdn = talk.discord.cdn
    broken = [Broken(problem="cut")] * 2
    await talk.hear(
        talk.member_writes("first", attachments=(cdn.put("a.png", b"one", troubles=broken),)),
        talk.member_writes("second"),
        talk.staff_writes("meanwhile"),
    )
    await talk.run(500)
    assert talk.shown(talk.thread) == []
    assert talk.shown(talk.dm) == ["meanwhile"]
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["first", "second"]
    assert len(cdn.fetched) == 3


async def test_a_file_that_never_comes_whole_is_named_in_the_end(talk: Talk) -> None:
    cdn = talk.discord.cdn
    broken = cdn.put("a.png", b"one" * 1000, troubles=[Broken(problem="cut")] * 99)
    gone = cdn.put("b.png", b"two", troubles=[Refused(problem="http_404")])
    await talk.hear(talk.member_writes("look", attachments=(broken, gone)))
    await talk.run(2 * MINUTE)
    [shown] = talk.shown(talk.thread)
    assert shown.splitlines() == [
        r"-# a.png (3 KiB) could not be carried: Discord did not give it out",
        r"-# b.png (1 KiB) could not be carried: Discord did not give it out",
        "look",
    ]
    assert len(cdn.fetched) == 5 + 1
    assert spooled(talk) == {}


async def test_less_than_was_promised_is_no_whole_file(talk: Talk) -> None:
    cdn = talk.discord.cdn
    await talk.hear(talk.member_writes("x", attachments=(cdn.put("a.png", b"one", claimed=4),)))
    await talk.run(2 * MINUTE)
    assert states(talk) == ["unreadable"]
    assert talk.files(talk.thread) == []


async def test_one_that_is_too_large_is_named_whatever_it_claims(talk: Talk) -> None:
    cdn = talk.discord.cdn
    honest = cdn.put("film.mov", b"", claimed=31 * MIB)
    liar = cdn.put("small.txt", b"\0" * (25 * MIB + 1), claimed=3)
    await talk.hear(talk.member_writes("look", attachments=(honest, liar)))
    await talk.run(MINUTE)
    [shown] = talk.shown(talk.thread)
    assert shown.splitlines() == [
        "-# film.mov (31 MiB) was too large to carry",
        "-# small.txt (25 MiB) was too large to carry",
        "look",
    ]
    assert cdn.fetched == [liar.url]
    assert spooled(talk) == {}


async def test_more_than_goes_in_one_message_goes_in_several_in_order(talk: Talk) -> None:
    cdn = talk.discord.cdn
    sizes = (6 * MIB, 4 * MIB, 5 * MIB, 6 * MIB, 1)
    came = tuple(cdn.put(f"{index}.bin", bytes(size)) for index, size in enumerate(sizes))
    await talk.hear(
        talk.member_writes("word " * 450, attachments=came),
        talk.member_writes("that was it"),
    )
    await talk.run(MINUTE)
    assert [names(one) for one in talk.files(talk.thread)] == [
        ["0.bin", "1.bin"],
        ["2.bin"],
        ["3.bin", "4.bin"],
    ]
    copies = [one.shown for one in talk.discord.of(talk.thread) if one.shown.quiet]
    assert [bool(one.text) for one in copies] == [True, True, False, False, True]
    assert copies[0].files
    assert copies[-1].text.endswith("that was it")


async def test_what_discord_does_not_take_is_named_in_its_place(talk: Talk) -> None:
    cdn = talk.discord.cdn
    large = [cdn.put(f"large{index}.mov", bytes(12 * MIB)) for index in range(2)]
    small = cdn.put("small.txt", b"small")
    await talk.hear(
        talk.staff_writes("here", attachments=(large[0], small, large[1])),
        talk.staff_writes("read it"),
    )
    await talk.run(MINUTE)
    texts = [one.shown.text for one in talk.discord.of(talk.dm) if one.shown.quiet]
    assert texts == [
        "-# **Ben**\n-# large0.mov (12 MiB) was too large to carry\nhere",
        "",
        "-# large1.mov (12 MiB) was too large to carry",
        "-# **Ben**\nread it",
    ]
    assert [names(one) for one in talk.files(talk.dm)] == [["small.txt"]]
    assert states(talk) == ["too_large", "kept", "too_large"]
    await talk.run(MINUTE)
    assert list(spooled(talk).values()) == [b"small"]


async def test_an_edit_leaves_files_alone_and_a_deletion_takes_them_along(talk: Talk) -> None:
    cdn = talk.discord.cdn
    came = (cdn.put("a.bin", bytes(9 * MIB)), cdn.put("b.bin", bytes(9 * MIB)))
    written = talk.staff_writes("short", attachments=came)
    await talk.hear(written)
    await talk.run(MINUTE)
    written = await talk.edit(written, "long " * 500)
    await talk.run(MINUTE)
    copies = [one.shown for one in talk.discord.of(talk.dm) if one.shown.quiet]
    assert [bool(one.text) for one in copies] == [True, False, True]
    assert sum(effect == "send" and to == talk.dm for effect, to in talk.discord.calls) == 4
    await talk.edit(written, "short again")
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == ["short again", ""]
    await talk.delete(written)
    await talk.run(MINUTE)
    assert talk.shown(talk.dm) == []


async def test_an_edit_of_what_still_waits_keeps_its_files(talk: Talk) -> None:
    cdn = talk.discord.cdn
    talk.discord.plan = lambda effect, _: Trouble(kind="not_done" if effect == "send" else "none")
    written = talk.member_writes("first", attachments=(cdn.put("a.png", b"one"),))
    await talk.hear(written)
    await talk.run(1000)
    await talk.edit(written, "second")
    await talk.run(1000)
    talk.discord.plan = no_trouble
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["second"]
    assert [names(one) for one in talk.files(talk.thread)] == [["a.png"]]


async def test_a_member_who_deletes_leaves_a_mark_over_words_and_files(talk: Talk) -> None:
    cdn = talk.discord.cdn
    came = (cdn.put("a.bin", bytes(9 * MIB)), cdn.put("b.bin", bytes(9 * MIB)))
    written = talk.member_writes("look", attachments=came)
    await talk.hear(written)
    await talk.run(MINUTE)
    await talk.delete(written)
    await talk.run(MINUTE)
    texts = [one.shown.text for one in talk.discord.of(talk.thread) if one.shown.quiet]
    assert texts == ["-# deleted by the member\n-# **Ada**\nlook", "-# deleted by the member"]


async def test_what_is_deleted_while_its_file_comes_is_not_carried_and_not_kept(
    talk: Talk,
) -> None:
    cdn = talk.discord.cdn
    broken = cdn.put("a.png", b"one", troubles=[Broken(problem="cut")])
    kept = cdn.put("b.png", b"two")
    written = talk.member_writes("look", attachments=(kept, broken))
    await talk.hear(written, talk.member_writes("next"))
    await talk.run(500)
    assert states(talk) == ["kept", "wanted"]
    await talk.delete(written)
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == ["next"]
    assert states(talk) == []
    assert spooled(talk) == {}


async def test_the_files_of_notes_and_of_who_is_no_coordinator_are_not_kept(talk: Talk) -> None:
    cdn = talk.discord.cdn
    note, stranger = cdn.put("note.png", b"note"), cdn.put("stranger.png", b"stranger")
    await talk.hear(
        talk.staff_writes("// hm", attachments=(note,)),
        talk.staff_writes("me too", who=77, role_ids=frozenset(), attachments=(stranger,)),
    )
    await talk.run(MINUTE)
    assert note.url not in cdn.fetched
    assert talk.files(talk.dm) == []
    assert spooled(talk) == {}


async def test_with_the_team_s_identity_no_file_keeps_its_name(talk: Talk) -> None:
    await talk.living.ledger.write(
        lambda connection: connection.execute("UPDATE desk SET identity = 'team'")
    )
    cdn = talk.discord.cdn
    came = (cdn.put("grace-hopper.PNG", b"one"), cdn.put("grace.mov", b"", claimed=99 * MIB))
    await talk.hear(
        talk.staff_writes("hello", attachments=came),
        talk.member_writes("hi", attachments=(cdn.put("ada.png", b"two"),)),
    )
    await talk.run(MINUTE)
    assert [names(one) for one in talk.files(talk.dm)] == [["file-1.png"]]
    assert r"file\-2.mov (99 MiB)" in talk.shown(talk.dm)[0]
    assert [names(one) for one in talk.files(talk.thread)] == [["ada.png"]]


async def test_a_file_that_is_gone_from_the_spool_is_named_and_its_message_goes(
    talk: Talk,
) -> None:
    cdn = talk.discord.cdn
    talk.discord.plan = lambda effect, _: Trouble(kind="not_done" if effect == "send" else "none")
    came = (cdn.put("a.png", b"one"), cdn.put("b.png", b"two"))
    await talk.hear(talk.member_writes("look", attachments=came))
    await talk.run(1000)
    lost = hashlib.sha256(b"one").hexdigest()
    talk.path.with_name(f"{talk.path.name}.files").joinpath(lost).unlink()
    talk.discord.plan = no_trouble
    await talk.run(MINUTE)
    assert talk.shown(talk.thread) == [
        "-# a.png (1 KiB) could not be carried: Steward has lost it\nlook"
    ]
    assert [names(one) for one in talk.files(talk.thread)] == [["b.png"]]


async def test_the_eleventh_file_is_named(talk: Talk) -> None:
    cdn = talk.discord.cdn
    came = tuple(cdn.put(f"{index}.png", bytes([index])) for index in range(11))
    await talk.hear(talk.member_writes("look", attachments=came))
    await talk.run(MINUTE)
    assert [len(one) for one in talk.files(talk.thread)] == [10]
    assert talk.shown(talk.thread)[0].startswith("-# 10.png (1 KiB) could not be carried")


class Disk:
    """A disk that can be full, in the place where the spool writes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        write = Incoming.write

        def writing(incoming: Incoming, data: bytes) -> None:
            if self.full:
                raise SpoolTrouble(OSError(errno.ENOSPC, "No space left on device"))
            write(incoming, data)

        monkeypatch.setattr(Incoming, "write", writing)


async def test_a_full_disk_holds_the_message_and_its_author_is_told_once(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    disk.full = True
    cdn = talk.discord.cdn
    look = talk.member_writes("look", attachments=(cdn.put("a.png", b"one"),))
    then = talk.member_writes("and then", attachments=(cdn.put("b.png", b"two"),))
    await talk.hear(look, then, talk.staff_writes("hello"))
    await talk.run(5 * MINUTE)
    assert talk.shown(talk.thread) == []
    assert talk.shown(talk.dm) == ["hello"]
    assert talk.said(talk.dm).count("This waits for a moment") == 1
    problems = talk.living.ledger.look(
        lambda connection: connection.execute(
            "SELECT problem FROM inbox_event WHERE state = 'queued' ORDER BY position"
        ).fetchall()
    )
    assert problems == [("disk_full",), (None,)]
    assert spooled(talk) == {}
    assert talk.discord.reactions[look.message_id] == {PROBLEM}
    assert talk.discord.reactions[then.message_id] == {TAKEN}
    disk.full = False
    await talk.run(6 * MINUTE)
    assert talk.discord.reactions[look.message_id] == {DELIVERED}
    assert talk.discord.reactions[then.message_id] == {DELIVERED}
    assert talk.shown(talk.thread) == ["look", "and then"]
    assert [names(one) for one in talk.files(talk.thread)] == [["a.png"], ["b.png"]]
    assert talk.counts("inbox_event") == {"done": 3}


async def test_the_spool_takes_no_more_than_it_may(tmp_path: Path, project_root: Path) -> None:
    rules = FileRules(most_bytes=1000, spool_bytes=1500)
    migrations = project_root / "storage/migrations"
    talk = await Talk.begin(tmp_path / "ledger.db", migrations, files=rules)
    cdn = talk.discord.cdn
    fits, does_not = cdn.put("a.png", b"1" * 900), cdn.put("b.png", b"2" * 700)
    liar = cdn.put("c.png", b"3" * 700, claimed=1)
    same = cdn.put("d.png", b"1" * 900)
    await talk.hear(
        talk.member_writes("one", attachments=(fits, does_not, liar)),
        talk.staff_writes("two", attachments=(cdn.put("e.png", b"5" * 500),)),
        talk.staff_writes("three", attachments=(same,)),
    )
    await talk.run(MINUTE)
    assert sum(map(len, spooled(talk).values())) <= 1500
    [shown] = talk.shown(talk.thread)
    assert shown.splitlines() == [
        "-# b.png (1 KiB) could not be carried: Steward had no room for it",
        "-# c.png (1 KiB) could not be carried: Steward had no room for it",
        "one",
    ]
    assert [names(one) for one in talk.files(talk.dm)] == [["e.png"]]
    await talk.living.kill()


async def test_what_nobody_needs_makes_room(tmp_path: Path, project_root: Path) -> None:
    rules = FileRules(most_bytes=1000, spool_bytes=1500)
    migrations = project_root / "storage/migrations"
    talk = await Talk.begin(tmp_path / "ledger.db", migrations, files=rules)
    cdn = talk.discord.cdn
    old = talk.member_writes("one", attachments=(cdn.put("a.png", b"1" * 900),))
    await talk.hear(old)
    await talk.run(MINUTE)
    await talk.living.ledger.write(lambda connection: files.release(connection, old.message_id))
    await talk.hear(talk.member_writes("two", attachments=(cdn.put("b.png", b"2" * 900),)))
    await talk.run(MINUTE)
    assert [names(one) for one in talk.files(talk.thread)] == [["a.png"], ["b.png"]]
    assert list(spooled(talk).values()) == [b"2" * 900]
    await talk.living.kill()


@pytest.mark.parametrize("fate", ["before", "after"])
async def test_a_death_at_any_commit_leaves_no_file_behind_and_loses_none(
    talk: Talk, fate: str
) -> None:
    cdn = talk.discord.cdn
    for number in range(12):
        sender = talk.living
        commits = sender.ledger.commits
        sender.ledger.at_commit = (
            lambda now, at=commits + 1 + number: fate if now == at else None  # type: ignore[misc]
        )
        data = f"{fate} {number}".encode()
        written = talk.member_writes(f"m{number}", attachments=(cdn.put("a.png", data),))
        with contextlib.suppress(Killed):
            await talk.hear(written)
        await talk.run(4 * MINUTE)
    await talk.run(4 * MINUTE)
    assert talk.kills >= 10
    assert talk.shown(talk.thread) == [f"m{number}" for number in range(12)]
    assert len(talk.files(talk.thread)) == 12
    await talk.living.kill()
    talk.house = None
    await talk.run(4 * MINUTE)
    assert sorted(spooled(talk).values()) == sorted(f"{fate} {n}".encode() for n in range(12))
    assert states(talk) == ["kept"] * 12


async def test_a_start_removes_what_no_row_names_unless_something_can_not_be_read(
    talk: Talk,
) -> None:
    cdn = talk.discord.cdn
    await talk.hear(talk.member_writes("look", attachments=(cdn.put("a.png", b"one"),)))
    await talk.run(MINUTE)
    folder = talk.path.with_name(f"{talk.path.name}.files")
    await talk.living.ledger.write(
        lambda connection: connection.execute(
            "INSERT INTO inbox_event (id, channel_id, position, rank, kind, payload, state, at,"
            " next_at, set_aside) VALUES ('m:5', 5, 5, 0, 'message', '?', 'queued', 1, 1, 1)"
        )
    )
    for held in (True, False):
        (folder / ("0" * 64)).write_bytes(b"stray")
        (folder / "unfinished.part").write_bytes(b"half")
        await talk.living.kill()
        talk.house = None
        await talk.run(4 * MINUTE)
        assert sorted(spooled(talk).values()) == ([b"one", b"stray"] if held else [b"one"])
        await talk.living.ledger.write(
            lambda connection: connection.execute("UPDATE inbox_event SET set_aside = 0")
        )


async def test_an_edit_that_crosses_with_a_send_that_fails_keeps_the_files(talk: Talk) -> None:
    cdn = talk.discord.cdn
    sends = 0

    def plan(effect: str, target: int) -> Trouble:
        nonlocal sends
        if effect != "send" or target != talk.thread:
            return Trouble()
        sends += 1
        return Trouble(kind="lost_before", delay_ms=5_000) if sends == 1 else Trouble()

    talk.discord.plan = plan
    written = talk.member_writes("first", attachments=(cdn.put("a.png", b"one"),))
    await talk.hear(written)
    await talk.run(1000)
    assert sends == 1
    await talk.edit(written, "second")
    await talk.run(5 * MINUTE)
    assert talk.shown(talk.thread) == ["second"]
    assert [names(one) for one in talk.files(talk.thread)] == [["a.png"]]


@pytest.mark.parametrize("seed", range(6))
async def test_files_arrive_once_and_whole_whatever_goes_wrong(
    tmp_path: Path, project_root: Path, seed: int
) -> None:
    talk = await Talk.begin(tmp_path / "ledger.db", project_root / "storage/migrations")
    talk.random.seed(seed)
    talk.trouble = 0.3
    cdn = talk.discord.cdn
    for number in range(8):
        broken = [Broken(problem="cut")] * talk.random.choice((0, 0, 1, 3))
        file = cdn.put(f"{number}.bin", f"file {number}".encode(), troubles=broken)
        written = talk.member_writes(f"m{number}", attachments=(file,))
        if talk.house is not None and not talk.house.dead:
            with contextlib.suppress(Killed):
                await talk.hear(written)
        await talk.run(talk.random.choice((100, 5_000, MINUTE)))
    assert talk.faults
    talk.trouble = 0.0
    await talk.run(20 * MINUTE)
    assert talk.shown(talk.thread) == [f"m{number}" for number in range(8)]
    assert [names(one) for one in talk.files(talk.thread)] == [[f"{n}.bin"] for n in range(8)]
    assert sorted(spooled(talk).values()) == [f"file {n}".encode() for n in range(8)]
    await talk.living.kill()


async def test_a_program_is_named_and_not_even_fetched(talk: Talk) -> None:
    cdn = talk.discord.cdn
    program = cdn.put("invoice.pdf.exe", b"MZ")
    await talk.hear(talk.member_writes("pay this", attachments=(program,)))
    await talk.run(MINUTE)
    [shown] = talk.shown(talk.thread)
    assert shown.splitlines() == [
        "-# invoice.pdf.exe (1 KiB) was not carried: programs are not handed on",
        "pay this",
    ]
    assert cdn.fetched == []
    assert spooled(talk) == {}
