import time

import pytest

from bot.clock import Clock, FakeClock, SystemClock


def test_the_system_clock_tells_milliseconds_since_1970() -> None:
    before = time.time_ns() // 1_000_000
    clock: Clock = SystemClock()
    assert before <= clock.now() <= time.time_ns() // 1_000_000


def test_a_fake_clock_moves_only_when_told() -> None:
    clock = FakeClock(1_000)
    assert (clock.now(), clock.now()) == (1_000, 1_000)
    assert clock.advance(250) == 1_250
    assert clock.now() == 1_250


def test_a_fake_clock_does_not_go_back() -> None:
    clock = FakeClock(1_000)
    with pytest.raises(ValueError, match="0 ms or more"):
        clock.advance(-1)
    assert clock.now() == 1_000
