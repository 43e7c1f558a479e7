"""The right to deliver under a clock that jumps, and a standby that waits for it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from bot.clock import FakeClock
from bot.delivery.flights import Flights
from bot.delivery.lease import Lease
from storage import outbox
from storage.database import Connection, Database
from storage.errors import DatabaseFull
from storage.runtime import LeaseLost, LeaseRanOut, RuntimeLease, holder

NOW = 1_767_225_600_000
LENGTH = 60_000
HOUR = 3_600_000
KEY = "key-of-sixteen-letters"
real_sleep = asyncio.sleep


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with await Database.open(tmp_path / "ledger.db") as opened:
        yield opened


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def slept(clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What is slept passes on the clock at once; the seconds are kept."""
    seconds: list[float] = []

    async def sleep(wanted: float) -> None:
        seconds.append(wanted)
        clock.jump(int(wanted * 1000))
        await real_sleep(0)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return seconds


def process(database: Database, clock: FakeClock, owner: str) -> Lease:
    return Lease(database, clock, application_id=1, owner=owner, lease_ms=LENGTH)


async def held(database: Database) -> RuntimeLease:
    lease = await database.read(lambda connection: holder(connection, 1))
    assert lease is not None
    return lease


async def check(database: Database, lease: Lease, now: int) -> None:
    await database.write(lambda connection: lease.require(connection, now))


async def test_a_clock_set_forward_stops_the_sending_until_the_lease_is_renewed(
    database: Database, clock: FakeClock
) -> None:
    lease = process(database, clock, "ours")
    await lease.acquire()
    clock.jump(HOUR)
    with pytest.raises(LeaseRanOut):
        await check(database, lease, clock.now())
    assert lease.until <= clock.now()
    await lease.renew_if_due()
    await check(database, lease, clock.now())
    assert lease.until == (await held(database)).lease_until == NOW + HOUR + LENGTH


async def test_a_lease_that_another_took_after_it_ran_out_is_lost(
    database: Database, clock: FakeClock
) -> None:
    ours, theirs = process(database, clock, "ours"), process(database, clock, "theirs")
    await ours.acquire()
    clock.jump(HOUR)
    assert (await theirs.acquire()).owner == "theirs"
    with pytest.raises(LeaseLost):
        await check(database, ours, clock.now())
    with pytest.raises(LeaseLost):
        await ours.renew_if_due()
    assert (await held(database)).owner == "theirs"


async def test_a_clock_set_back_has_its_lease_written_anew_and_no_call_leaves_later_than_that(
    database: Database, clock: FakeClock
) -> None:
    lease = process(database, clock, "ours")
    await lease.acquire()
    clock.jump(-HOUR)
    assert lease.until == NOW - HOUR + LENGTH
    await lease.renew_if_due()
    assert (await held(database)).lease_until == NOW - HOUR + LENGTH


async def test_a_lease_is_renewed_when_a_third_of_it_is_over(
    database: Database, clock: FakeClock
) -> None:
    lease = process(database, clock, "ours")
    await lease.acquire()
    clock.jump(LENGTH // 3 - 1)
    await lease.renew_if_due()
    assert (await held(database)).lease_until == NOW + LENGTH
    clock.jump(1)
    await lease.renew_if_due()
    assert (await held(database)).lease_until == NOW + LENGTH // 3 + LENGTH


async def test_a_disk_that_refuses_for_longer_than_the_lease_ends_nothing(
    database: Database, clock: FakeClock, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = process(database, clock, "ours")
    await lease.acquire()
    tries = 0
    renew = lease.renew

    async def refused_for_long() -> None:
        nonlocal tries
        tries += 1
        if clock.now() < NOW + 10 * LENGTH:
            raise DatabaseFull("no room")
        await renew()
        raise asyncio.CancelledError

    monkeypatch.setattr(lease, "renew", refused_for_long)
    with pytest.raises(asyncio.CancelledError):
        await lease.keep()
    assert tries > 10
    assert (await held(database)).lease_until == clock.now() + LENGTH


async def test_a_standby_does_not_wait_for_a_dead_one_whose_clock_was_ahead(
    database: Database, clock: FakeClock, slept: list[float]
) -> None:
    await process(database, clock, "dead").acquire()
    clock.jump(-HOUR)
    standby = process(database, clock, "standby")
    await standby.wait_for()
    assert (await held(database)).owner == "standby"
    assert clock.now() < NOW - HOUR + LENGTH


async def test_a_call_of_a_dead_one_whose_clock_was_ahead_is_not_waited_for_that_long(
    database: Database, clock: FakeClock, slept: list[float]
) -> None:
    await process(database, clock, "dead").acquire()

    def send(connection: Connection) -> None:
        given = {"event": "e", "ordinal": 0, "guild_id": 1, "destination": 7, "kind": "card"}
        outbox.plan(connection, outbox.NewPart(**given, payload="{}", delivery_key=KEY), NOW)  # type: ignore[arg-type]
        part = outbox.find(connection, KEY)
        assert part is not None
        assert outbox.begin(connection, part, owner="dead", fence=0, now=NOW)

    await database.write(send)
    clock.jump(-HOUR)
    await process(database, clock, "standby").wait_for()
    part = await database.read(lambda connection: outbox.find(connection, KEY))
    assert part is not None
    assert part.in_flight is None
    assert part.last_end_at == clock.now() + LENGTH  # none of its calls could leave after that


async def test_a_standby_leaves_a_living_one_alone_whose_clock_was_set_back(
    database: Database, clock: FakeClock, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    living, standby = process(database, clock, "living"), process(database, clock, "standby")
    await living.acquire()
    clock.jump(-HOUR)
    acquire, looks = standby.acquire, 0

    async def acquire_beside_the_living(**given: int | None) -> RuntimeLease:
        nonlocal looks
        looks += 1
        if looks > 200:
            raise asyncio.CancelledError
        answer = await acquire(**given)
        await living.renew_if_due()
        return answer

    monkeypatch.setattr(standby, "acquire", acquire_beside_the_living)
    with pytest.raises(asyncio.CancelledError):
        await standby.wait_for()
    assert (await held(database)).owner == "living"


async def test_a_standby_waits_for_a_lease_that_is_only_a_little_ahead(
    database: Database, clock: FakeClock, slept: list[float]
) -> None:
    await process(database, clock, "other").acquire()
    clock.jump(-2 * LENGTH)
    await process(database, clock, "standby").wait_for()
    assert clock.now() >= NOW + LENGTH


async def fly(flights: Flights, act: Callable[[], Awaitable[None]]) -> bool:
    started = flights.start("lane", act)
    await flights.land()
    return started


async def test_a_flight_that_meets_a_lease_of_ours_that_ran_out_is_flown_again(
    clock: FakeClock,
) -> None:
    flights = Flights(clock, lambda: None)
    flown: list[int] = []

    async def act() -> None:
        flown.append(clock.now())
        if len(flown) == 1:
            raise LeaseRanOut

    assert await fly(flights, act)
    assert flights.ended is None
    assert not await fly(flights, act)
    clock.jump(1_000)
    assert await fly(flights, act)
    assert len(flown) == 2


async def test_a_lane_that_rests_when_the_clock_is_set_back_need_not_rest_that_long(
    clock: FakeClock,
) -> None:
    flights = Flights(clock, lambda: None)

    async def fails() -> None:
        raise RuntimeError

    assert await fly(flights, fails)
    clock.jump(-HOUR)
    assert await fly(flights, fails)


async def test_lanes_whose_rest_is_long_over_are_forgotten(clock: FakeClock) -> None:
    flights = Flights(clock, lambda: None)

    async def fails() -> None:
        raise RuntimeError

    for lane in range(100):
        flights.start(lane, fails)
        await flights.land()
        clock.jump(HOUR)
    assert len(flights._resting) == 1
