"""Limits as Discord counts them: by route and major parameter, and one over all."""

from sandbox.limits import Limits
from sandbox.truth import Exchange

POST = "POST /channels/{channel_id}/messages"


class Counter:
    def __init__(self) -> None:
        self.now = 0
        self.limits = Limits(lambda: self.now)

    def spend(self, path: str, route: str = POST) -> tuple[bool, int, float]:
        exchange = Exchange(number=0, at=0, method="POST", route=route, path=path, query={})
        allowance = self.limits.spend(exchange)
        return allowance.refused, allowance.remaining, allowance.reset_after


def test_each_channel_has_a_limit_of_its_own() -> None:
    counter = Counter()
    counter.limits.set(POST, 2, per_ms=5_000)
    assert counter.spend("/api/v10/channels/1/messages") == (False, 1, 5.0)
    counter.now = 1_000
    assert counter.spend("/api/v10/channels/1/messages") == (False, 0, 4.0)
    assert counter.spend("/api/v10/channels/1/messages") == (True, 0, 4.0)
    assert counter.spend("/api/v10/channels/2/messages") == (False, 1, 5.0)
    counter.now = 5_000
    assert counter.spend("/api/v10/channels/1/messages") == (False, 1, 5.0)


def test_the_global_limit_counts_every_route() -> None:
    counter = Counter()
    counter.limits.set("*", 2, per_ms=1_000)
    assert not counter.spend("/api/v10/channels/1/messages")[0]
    assert not counter.spend("/api/v10/users/@me", "GET /users/@me")[0]
    assert counter.spend("/api/v10/channels/2/messages")[0]
    counter.now = 1_000
    assert not counter.spend("/api/v10/channels/2/messages")[0]


def test_without_a_limit_nobody_is_refused() -> None:
    counter = Counter()
    assert not any(counter.spend("/api/v10/channels/1/messages")[0] for _ in range(1_000))
