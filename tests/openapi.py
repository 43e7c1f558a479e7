"""Holds a sandbox's answers, and what a client asks of it, to Discord's own OpenAPI file.

The file isn't part of the project: it is looked for beside the checkout. A folder's conftest makes
a fixture of it for the whole session, and watches its sandboxes:

    openapi = load(project_root)
    problems = [] if openapi is None else openapi.attach(sandbox)
    ...
    assert problems == []
"""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs

from sandbox import Sandbox
from sandbox.truth import Exchange

PLACE = Path("shared/discord-api-spec/openapi.json")


class OpenApi:
    """Discord's file, with a compiled validator for each operation that was met."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document
        self._asked, self._answered = _as_spoken(document["components"])
        self._validators: dict[tuple[str, str], jsonschema_rs.Validator | None] = {}

    def attach(self, sandbox: Sandbox) -> list[str]:
        """The problems of this sandbox's exchanges, a list that grows as they come."""
        problems: list[str] = []

        def look(exchange: Exchange, answer: Any) -> None:
            problems.extend(self.problems(exchange, answer))

        sandbox.on_exchange(look)
        return problems

    def knows(self, route: str) -> bool:
        """Whether Discord has this route, under these names."""
        return self._operation(route) is not None

    def problems(self, exchange: Exchange, answer: Any) -> list[str]:
        """What in this exchange isn't as Discord's file has it, each as one line.

        A request is held to it only where it was taken: clients may ask for nonsense on purpose.
        """
        found = []
        if not self.knows(exchange.route):
            return [f"{exchange.route}: Discord has no such route"]
        if exchange.body is not None and exchange.effect:
            found += self._check(exchange, "request", exchange.body)
        if answer is not None:
            found += self._check(exchange, str(exchange.status), answer)
        return found

    def _check(self, exchange: Exchange, what: str, value: Any) -> list[str]:
        key = (exchange.route, what)
        if key not in self._validators:
            self._validators[key] = self._compile(*key)
        validator = self._validators[key]
        if validator is None:
            return [f"{exchange.route}: Discord's file has no {what}"]
        return [
            f"{exchange.route} {what}: {'/'.join(map(str, error.instance_path))}: {error.message}"
            for error in validator.iter_errors(value)
        ]

    def _operation(self, route: str) -> dict[str, Any] | None:
        method, template = route.split(" ", 1)
        operation: dict[str, Any] | None = (
            self._document["paths"].get(template, {}).get(method.lower())
        )
        return operation

    def _compile(self, route: str, what: str) -> "jsonschema_rs.Validator | None":
        operation = self._operation(route)
        assert operation is not None
        described = (
            operation.get("requestBody") if what == "request" else self._response(operation, what)
        )
        if described is None:
            return None
        schema = described["content"]["application/json"]["schema"]
        components = self._asked if what == "request" else self._answered
        whole = {"components": components, "allOf": [schema]}
        return jsonschema_rs.Draft202012Validator(whole)

    def _response(self, operation: dict[str, Any], status: str) -> dict[str, Any] | None:
        responses = operation["responses"]
        found: dict[str, Any] | None = responses.get(status) or responses.get(f"{status[0]}XX")
        if found is not None and "$ref" in found:
            name = found["$ref"].rpartition("/")[2]
            found = self._document["components"]["responses"][name]
        return found


def _as_spoken(components: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The file's components for requests and for answers, where Discord and the file differ.

    Discord takes ids as numbers too, which discord.py sends. The codes inside `errors` are words,
    as its documentation has them, while the file calls them integers. And a reference's type 1 is
    a forward, which the file leaves out.
    """
    schemas = components["schemas"]
    snowflake = schemas["SnowflakeType"]
    asked = {"anyOf": [snowflake, {"type": "integer", "minimum": 0}]}
    code = {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}
    inner = {**schemas["InnerErrors"], "properties": {"_errors": {"type": "array", "items": code}}}
    reference = {"MessageReferenceType": {"enum": [0, 1]}}
    return (
        {**components, "schemas": {**schemas, **reference, "SnowflakeType": asked}},
        {**components, "schemas": {**schemas, **reference, "InnerErrors": inner}},
    )


def load(project_root: Path) -> OpenApi | None:
    """Discord's file, or None where it isn't there."""
    path = project_root.parent / PLACE
    return OpenApi(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None
