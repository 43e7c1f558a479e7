"""The sandbox's own API for another process: the same verbs as people's, as JSON under a token.

`POST /sandbox/<verb>` takes a JSON object and answers one. Ids are strings. What isn't in front of
a person answers 409 with `not_seen`; what Discord refuses answers its status and code; a body of
the wrong shape answers 400.
"""

import asyncio
import hmac
import secrets
from typing import Any

from aiohttp import web

from sandbox.control_acts import ACTS
from sandbox.control_faults import FAULT_VERBS
from sandbox.control_reads import READS
from sandbox.control_setup import SETUP, Verbs
from sandbox.control_words import WORDS
from sandbox.errors import ApiError, NotSeen
from sandbox.server import Sandbox

VERBS: Verbs = {**SETUP, **ACTS, **WORDS, **READS, **FAULT_VERBS}
LONGEST_WAIT_S = 60.0


class Control:
    """Serves the verbs beside the sandbox's own routes. `token` is what a client must show."""

    def __init__(self, sandbox: Sandbox, token: str | None = None) -> None:
        self._sandbox = sandbox
        self.token = token or secrets.token_urlsafe(24)
        sandbox.app.router.add_post("/sandbox/{verb}", self._serve)

    @property
    def url(self) -> str:
        """Where the verbs are, once the sandbox listens."""
        return f"{self._sandbox.base}/sandbox"

    async def _serve(self, request: web.Request) -> web.Response:
        shown = request.headers.get("Authorization", "")
        if not hmac.compare_digest(shown.encode(), f"Bearer {self.token}".encode()):
            return _answer(401, {"error": "unauthorized"})
        verb = VERBS.get(request.match_info["verb"])
        if verb is None:
            return _answer(404, {"error": "unknown_verb", "verbs": sorted(VERBS)})
        try:
            body = await request.json() if request.can_read_body else {}
            answer = verb(self._sandbox, body)
            if not isinstance(answer, dict):
                async with asyncio.timeout(LONGEST_WAIT_S):
                    answer = await answer
        except NotSeen as problem:
            return _answer(409, {"error": "not_seen", "message": str(problem)})
        except ApiError as problem:
            return _answer(problem.status, {"error": "refused", **problem.body()})
        except TimeoutError:
            return _answer(408, {"error": "timeout"})
        except (KeyError, TypeError, ValueError, IndexError) as problem:
            words = f"{type(problem).__name__}: {problem}"
            return _answer(400, {"error": "bad_request", "message": words})
        return _answer(200, answer)


def _answer(status: int, body: Any) -> web.Response:
    return web.json_response(body, status=status)
