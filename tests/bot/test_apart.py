import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.apart import apart
from domain.errors import Refused

ROOT = Path(__file__).resolve().parents[2]


def test_what_the_work_returns_comes_from_another_process() -> None:
    assert apart(os.getpid) != os.getpid()


def test_what_the_work_changes_stays_there() -> None:
    changed: list[int] = []
    apart(lambda: changed.append(1))
    assert changed == []


def test_what_the_work_raises_is_raised_here() -> None:
    def work() -> None:
        raise Refused("not_staff", role_id=7)

    with pytest.raises(Refused) as caught:
        apart(work)
    assert (caught.value.code, caught.value.details) == ("not_staff", {"role_id": 7})


def test_an_answer_larger_than_a_pipe_arrives_whole() -> None:
    assert len(apart(lambda: b"x" * 1_000_000)) == 1_000_000


def test_a_child_that_dies_is_not_waited_for_in_vain() -> None:
    with pytest.raises(RuntimeError, match=str(-signal.SIGKILL)):
        apart(lambda: os.kill(os.getpid(), signal.SIGKILL))


def test_what_is_buffered_is_written_once() -> None:
    program = "import sys; from bot.apart import apart; sys.stdout.write('a'); apart(int)"
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, check=True, timeout=60
    )
    assert said.stdout == b"a"
