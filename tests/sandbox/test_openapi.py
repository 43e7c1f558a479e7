"""The sandbox's routes against Discord's OpenAPI file; its exchanges are, in every test here."""

import pytest

from sandbox import Sandbox, payloads
from sandbox.routes import ROUTES
from tests.openapi import OpenApi


def test_every_route_is_one_of_discords(openapi: OpenApi | None) -> None:
    if openapi is None:
        pytest.skip("Discord's OpenAPI file isn't beside the checkout")
    assert [each.name for each in ROUTES if not openapi.knows(each.name)] == []


def test_what_is_not_as_the_file_has_it_is_named(openapi: OpenApi | None, sandbox: Sandbox) -> None:
    if openapi is None:
        pytest.skip("Discord's OpenAPI file isn't beside the checkout")
    exchange = sandbox.truth.begin("GET", "GET /users/@me", "/api/v10/users/@me", {})
    exchange.status = 200
    good = payloads.user(sandbox.world.bot) | {"mfa_enabled": False, "locale": "en-US"}
    assert openapi.problems(exchange, good) == []
    [problem] = openapi.problems(exchange, good | {"username": 5})
    assert "username" in problem
    exchange.route = "GET /nothing"
    assert openapi.problems(exchange, good) == ["GET /nothing: Discord has no such route"]
