"""Files in a conversation: whole, once, in order, and never more in memory than a little of one."""

from collections.abc import Callable
from pathlib import Path

from sandbox.blobs import Made
from sandbox.drafts import File
from sandbox.entities import Channel
from sandbox.truth import Exchange
from tests.journeys.talking import Talk, begin
from tests.journeys.town import MESSAGES, Process, Town

MIB = 1024 * 1024
FETCH = "GET /attachments/{channel_id}/{attachment_id}/{filename}"


def films(first: int, number: int = 10, size: int = 10 * MIB) -> list[File]:
    return [
        File(filename=f"film-{seed}.bin", data=Made(size, seed=seed), content_type="video/mp4")
        for seed in range(first, first + number)
    ]


def hashes(files: list[File]) -> list[str]:
    return [file.blob.sha256 for file in files]


def arrived(talk: Talk, channel: Channel) -> list[str]:
    """The hashes of the files that can be seen there, in order."""
    bot = talk.town.sandbox.world.bot
    return [
        one.blob.sha256
        for message in talk.town.sandbox.truth.messages(channel, author=bot)
        for one in message.attachments
    ]


def named(name: str) -> Callable[[Exchange], bool]:
    """Whether a request is for the file of that name."""
    return lambda exchange: exchange.path.endswith(name)


def forget_peak(process: Process) -> None:
    Path(f"/proc/{process.pid}/clear_refs").write_text("5")


def memory(process: Process, what: str) -> int:
    """`VmRSS` is what the process holds, `VmHWM` the most since `forget_peak`, in bytes."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith(f"{what}:"))
    return int(line.split()[1]) * 1024


def spooled(town: Town) -> list[Path]:
    folder = town.database.with_name(f"{town.database.name}.files")
    return sorted(folder.iterdir()) if folder.exists() else []


async def test_ten_files_of_ten_mebibytes_go_both_ways_and_take_no_memory(town: Town) -> None:
    process, talk = await begin(town)
    forget_peak(process)
    before = memory(process, "VmRSS")
    theirs, ours = films(0), films(10)
    talk.member.say("mine", files=theirs)
    talk.coordinator.say("ours", talk.thread, files=ours)
    await town.until(
        lambda: (
            len(arrived(talk, talk.thread)) == len(arrived(talk, talk.dm)) == 10 and talk.settled()
        ),
        process,
    )
    assert arrived(talk, talk.thread) == hashes(theirs)
    assert arrived(talk, talk.dm) == hashes(ours)
    assert memory(process, "VmHWM") - before < 16 * MIB
    assert len(spooled(town)) == 20


async def test_whatever_is_wrong_with_a_file_the_others_and_the_words_arrive(town: Town) -> None:
    process, talk = await begin(town, {"DELIVERY__MAX_FILE_MIB": "1"})
    faults = town.sandbox.faults
    faults.add(FETCH, "cut_body", times=2, when=named("cut.bin"))
    faults.add(FETCH, "status_before", status=503, when=named("cut.bin"))
    faults.add(FETCH, "wrong_type", times=None, when=named("type.png"))
    faults.add(FETCH, "no_length", times=None, when=named("bare.bin"))
    faults.add(FETCH, "length_below", times=None, when=named("short.bin"))
    faults.add(FETCH, "status_before", status=404, times=None, when=named("gone.bin"))
    files = [
        File(filename="cut.bin", data=Made(MIB, seed=1)),
        File(filename="type.png", data=Made(1000, seed=2), content_type="image/png"),
        File(filename="bare.bin", data=Made(2000, seed=3)),
        File(filename="short.bin", data=Made(3000, seed=4)),
        File(filename="gone.bin", data=Made(4000, seed=5)),
        File(filename="liar.bin", data=Made(2 * MIB, seed=6), claimed_size=10),
        File(filename="large.bin", data=Made(3 * MIB, seed=7)),
    ]
    talk.member.say("look", files=files)
    talk.member.say("that was it")
    talk.coordinator.say("meanwhile", talk.thread)
    lines = (
        "-# short.bin (3 KiB) could not be carried: Discord did not give it out",
        "-# gone.bin (4 KiB) could not be carried: Discord did not give it out",
        "-# liar.bin (1 MiB) was too large to carry",
        "-# large.bin (3 MiB) was too large to carry",
        "look",
    )
    await talk.both(["\n".join(lines), "that was it"], ["meanwhile"], process)
    assert arrived(talk, talk.thread) == hashes(files[:3])
    assert [path.name for path in spooled(town)] == sorted(hashes(files[:3]))
    asked = town.sandbox.truth.requests(FETCH)
    assert sum(named("cut.bin")(one) for one in asked) == 4
    assert sum(named("large.bin")(one) for one in asked) == 0


async def test_a_death_in_the_middle_leaves_one_message_with_its_file(town: Town) -> None:
    process, talk = await begin(town)
    fetching = town.sandbox.faults.add(FETCH, "hold_before")
    file = File(filename="a.bin", data=Made(MIB, seed=1))
    talk.member.say("look", files=[file])
    await fetching.reached.wait()
    await process.kill()
    fetching.abandon()
    sending = town.sandbox.faults.add(MESSAGES, "hold_after", when=lambda one: bool(one.files))
    process = await town.serve()
    await sending.reached.wait()
    await process.kill()
    sending.abandon()
    process = await town.serve()
    await talk.both(["look"], [], process)
    assert arrived(talk, talk.thread) == hashes([file])
    assert [path.name for path in spooled(town)] == hashes([file])
