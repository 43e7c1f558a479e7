"""Discord's refusals: an HTTP status, a code of its own, and words."""

from typing import Any

RETRY_AFTER_S = 5.0


class ApiError(Exception):
    """An answer that refuses. `errors` nests by field as Discord's 50035 does."""

    def __init__(
        self, status: int, code: int, message: str, *, errors: dict[str, Any] | None = None
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def body(self) -> dict[str, Any]:
        """The JSON that Discord answers."""
        body: dict[str, Any] = {"message": self.message, "code": self.code}
        if self.errors is not None:
            body["errors"] = self.errors
        if self.status == 429:  # clients read these of every 429
            body |= {"retry_after": RETRY_AFTER_S, "global": False}
        return body


class NotSeen(LookupError):
    """A person tried to use what isn't in front of them: a button, a command, a form."""


# What each code means, once; the status is what Discord answers with it.
_CODES = {
    0: (401, "401: Unauthorized"),
    10002: (404, "Unknown Application"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10011: (404, "Unknown Role"),
    10013: (404, "Unknown User"),
    10014: (400, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10026: (404, "Unknown Ban"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    20009: (400, "Explicit content cannot be sent to the desired recipient(s)"),
    20028: (429, "The write action you are performing on the channel has hit the write rate limit"),
    30032: (400, "Maximum number of application commands reached"),
    40003: (403, "You are opening direct messages too fast"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    40333: (403, "internal network error"),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50021: (403, "Cannot execute action on a system message"),
    50024: (403, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50033: (400, "Invalid Recipient(s)"),
    50034: (400, "You can only bulk delete messages that are under 14 days old."),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    130000: (503, "API resource is currently overloaded. Try again a little later"),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "Thread is locked"),
    160006: (400, "Maximum number of active threads reached"),
    200000: (400, "Message was blocked by automatic moderation"),
    240000: (400, "Message blocked by harmful links filter"),
}


def refusal(code: int, *, status: int | None = None) -> ApiError:
    """The refusal that Discord has for `code`; raises KeyError for a code that isn't known."""
    known, message = _CODES[code]
    return ApiError(status or known, code, message)


def invalid(**fields: tuple[str, str]) -> ApiError:
    """50035 with Discord's nested shape.

    Each field is a path joined by `__` and its (code, words), e.g. `embeds__0__title`; `root` is
    the body itself.
    """
    tree: dict[str, Any] = {}
    for path, (code, words) in fields.items():
        node = tree
        for step in [] if path == "root" else path.split("__"):
            node = node.setdefault(step, {})
        node.setdefault("_errors", []).append({"code": code, "message": words})
    error = refusal(50035)
    error.errors = tree
    return error
