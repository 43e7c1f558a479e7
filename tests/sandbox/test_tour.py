"""The tour and the loopback Discord as a newcomer starts them: as processes."""

import asyncio
import io
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from rich.console import Console

from sandbox import Sandbox, messages
from sandbox.drafts import draft
from sandbox.tour import count
from sandbox.tour_bot import Bot
from sandbox.tour_screen import Screen
from sandbox.tour_town import Misbehaved, Town

ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 45
STEWARD = ("bot", "sandbox")
TOUR = ("sandbox", "--tour", "--bot")


@asynccontextmanager
async def running(
    module: Sequence[str], temporary: Path
) -> AsyncIterator[asyncio.subprocess.Process]:
    """`python -m` this, with its temporary files there; both its outputs are one pipe."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *module,
        cwd=temporary,
        # A token of the viewer's own must not matter; the mark finds what is left running.
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(temporary),
            "STEWARD_DISCORD__TOKEN": "none of the tour's business",
            "TOUR_TEST": str(temporary),
        },
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        limit=1 << 20,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def said(process: asyncio.subprocess.Process) -> str:
    """All that it has still to say; it has ended then."""
    assert process.stdout is not None
    async with asyncio.timeout(WAIT_SECONDS):
        text = (await process.stdout.read()).decode()
        await process.wait()
    return text


async def said_until(process: asyncio.subprocess.Process, words: str) -> str:
    """What it says up to the line with these words."""
    assert process.stdout is not None
    lines = [""]
    async with asyncio.timeout(WAIT_SECONDS):
        while words not in lines[-1]:
            lines.append((await process.stdout.readline()).decode())
            assert lines[-1], "".join(lines)
    return "".join(lines)


def check_nothing_is_left(temporary: Path) -> None:
    """No file, and no process that was started with the mark."""
    assert list(temporary.iterdir()) == []
    mark = f"TOUR_TEST={temporary}".encode()
    left = []
    for each in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in each.read_bytes().split(b"\0"):
                left.append(each.parent.name)
        except OSError:
            continue
    assert left == []


async def test_the_tour_ends_well_with_nothing_lost_doubled_or_left(tmp_path: Path) -> None:
    async with running([*STEWARD, "--tour"], tmp_path) as process:
        text = await said(process)
    assert process.returncode == 0, text
    assert re.search(r"^all +4 +4 +0 +0$", text, re.MULTILINE), text
    assert "\x1b" not in text
    assert text.count("nothing new is sent") == 2, text
    check_nothing_is_left(tmp_path)


async def test_a_tour_in_a_narrow_terminal_without_letters_beyond_ascii_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("COLUMNS", "30")
    async with running(STEWARD, tmp_path) as process:
        await said_until(process, "2. Two members")
        process.terminate()
        await said(process)
    check_nothing_is_left(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_tour_that_is_cut_short_leaves_nothing(tmp_path: Path, number: int) -> None:
    command = [*TOUR, sys.executable, "-m", "bot", "run"]
    async with running(command, tmp_path) as process:
        await said_until(process, "presses [Confirm]")
        process.send_signal(number)
        text = await said(process)
    assert process.returncode == 128 + number
    assert "Traceback" not in text
    check_nothing_is_left(tmp_path)


async def test_a_tour_whose_reader_goes_away_leaves_nothing(tmp_path: Path) -> None:
    command = [*TOUR, sys.executable, "-m", "bot", "run"]
    async with running(command, tmp_path) as process:
        await said_until(process, "presses [Confirm]")
        pipe = process._transport.get_pipe_transport(1)  # type: ignore[attr-defined]
        pipe.close()
        async with asyncio.timeout(WAIT_SECONDS):
            assert await process.wait() == 1
    check_nothing_is_left(tmp_path)


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ([sys.executable, "-c", "print('a last word'); raise SystemExit(3)"], "exit code 3"),
        (["/no/such/program"], "can't be started"),
    ],
)
async def test_a_bot_that_dies_by_itself_is_named_with_the_end_of_its_log(
    tmp_path: Path, bot: list[str], words: str
) -> None:
    async with running([*TOUR, *bot], tmp_path) as process:
        text = await said(process)
    assert process.returncode == 1
    assert words in text
    assert ("a last word" in text) == ("exit" in words)
    check_nothing_is_left(tmp_path)


async def test_a_bot_that_never_comes_is_given_up_on(tmp_path: Path) -> None:
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
    async with running(["sandbox", "--patience", "2", *TOUR[1:], *sleeper], tmp_path) as process:
        text = await said(process)
    assert process.returncode == 1
    assert "After 2 seconds this was still to come: the bot's commands" in text
    check_nothing_is_left(tmp_path)


@pytest.mark.parametrize(
    ("written", "figures"), [(0, "1 lost, 0 doubled"), (2, "0 lost, 1 doubled")]
)
async def test_a_member_who_is_not_written_to_once_is_a_broken_promise(
    tmp_path: Path, written: int, figures: str
) -> None:
    async with Sandbox() as sandbox:
        bot = Bot([], tmp_path, api_base=sandbox.api_base, token=sandbox.token)
        town = Town(sandbox, bot, patience=1)
        world, member = sandbox.world, town.members[0]
        for _ in range(written):
            messages.post(world, member.dm, world.bot.id, draft({"content": "Hello"}))
        shown = io.StringIO()
        with pytest.raises(Misbehaved, match=figures):
            count([member], {member.id: 1}, town, Screen(Console(file=shown)), 1.0)
    assert re.search(rf"^Ada +1 +{min(written, 1)} ", shown.getvalue(), re.MULTILINE)


async def test_the_loopback_discord_alone_answers_and_ends_on_sigterm(tmp_path: Path) -> None:
    async with running([*STEWARD, "--discord-only"], tmp_path) as process:
        text = await said_until(process, "Authorization:")
        found = re.search(r"STEWARD_DISCORD__API_BASE=(\S+)", text)
        token = re.search(r"STEWARD_DISCORD__TOKEN=(\S+)", text)
        assert found, text
        assert token, text
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{found[1]}/gateway") as answer:
                assert (await answer.json())["url"].startswith("ws://127.0.0.1:")
            headers = {"Authorization": f"Bot {token[1]}"}
            async with session.get(f"{found[1]}/users/@me", headers=headers) as answer:
                assert (await answer.json())["id"] in text
        process.terminate()
        await said(process)
    assert process.returncode == 0
    check_nothing_is_left(tmp_path)


async def test_a_port_that_is_taken_is_said_in_a_line(tmp_path: Path) -> None:
    async with running([*STEWARD, "--discord-only"], tmp_path) as first:
        text = await said_until(first, "api_base")
        port = re.findall(r":(\d+)/api", text)[0]
        async with running([*STEWARD, "--port", port], tmp_path) as second:
            refused = await said(second)
        assert second.returncode == 1
        assert port in refused
        assert "Traceback" not in refused
        first.terminate()
        await said(first)
