"""One-visit buttons: armed for one person, used once, and over after a while.

What can't be undone is asked twice. `ask` arms `confirm` and `dismiss`; confirming uses those up
and arms `yes` and `cancel`, for a short time. Only `yes` does anything, in the transaction of the
use case that it is for.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from domain.errors import Refused
from storage import buttons
from storage.buttons import Button
from storage.database import Connection, Database

CONFIRM_MS: Final = 24 * 3_600_000
YES_MS: Final = 600_000
REVIEW_MS: Final = 7 * 24 * 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Whose visit it is, and of what. `subject` names what the buttons act on, as `entry:9`."""

    subject: str
    guild_id: int
    member_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """The tokens of a question's two buttons: the one that goes on, and the one that doesn't."""

    act: str
    onward: str
    back: str


def arm(
    connection: Connection,
    visit: Visit,
    actions: Mapping[str, str | None],
    *,
    until: int,
    fresh: Callable[[], str] = lambda: secrets.token_urlsafe(15),
) -> dict[str, str]:
    """New buttons for `visit`, by action with its payload; answers each action's token.

    They work until `until` (UTC ms). Older ones of that person for that subject are voided.
    """
    buttons.void(connection, visit.subject, visit.member_id)
    tokens = {action: fresh() for action in actions}
    buttons.put(
        connection,
        [
            Button(
                token=token,
                visit=next(iter(tokens.values())),
                subject=visit.subject,
                action=action,
                guild_id=visit.guild_id,
                member_id=visit.member_id,
                payload=actions[action],
                expires_at=until,
                state="live",
            )
            for action, token in tokens.items()
        ],
    )
    return tokens


def armed(connection: Connection, visit: Visit, now: int) -> dict[str, str]:
    """The tokens of the visit's newest buttons by action, where they are live."""
    found = buttons.live_of(connection, visit.subject, visit.member_id)
    return {button.action: button.token for button in found if button.expires_at > now}


def look(connection: Connection, token: str, member_id: int, now: int) -> Button:
    """The live button with that token, for whom it is meant.

    Raises `Refused`: `not_your_button`, `button_used`, or `stale_button` for one that is over,
    voided or unknown.
    """
    button = buttons.find(connection, token)
    if button is None:
        raise Refused("stale_button")
    if button.member_id != member_id:
        raise Refused("not_your_button")
    if button.state == "used":
        raise Refused("button_used")
    if button.state == "void" or button.expires_at <= now:
        raise Refused("stale_button")
    return button


def use(connection: Connection, token: str, member_id: int, now: int, *, action: str) -> Button:
    """Use up the button, which is to be one for `action`; raises `Refused` as `look` does."""
    button = look(connection, token, member_id, now)
    if button.action != action:
        raise Refused("stale_button")
    buttons.use(connection, button)
    return button


def ask(connection: Connection, visit: Visit, act: str, now: int) -> Pair:
    """Arm the first question before `act`: `confirm` or `dismiss`."""
    tokens = arm(connection, visit, {"confirm": act, "dismiss": act}, until=now + CONFIRM_MS)
    return Pair(act=act, onward=tokens["confirm"], back=tokens["dismiss"])


class Confirmations:
    """The steps of a confirmation that are the same whatever is confirmed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def confirm(self, token: str, member_id: int, now: int) -> Pair:
        """The first question is answered: arm the second one, `yes` or `cancel`.

        Raises `Refused` as `look` does.
        """

        def confirm(connection: Connection) -> Pair:
            button = look(connection, token, member_id, now)
            act = button.payload or ""
            use(connection, token, member_id, now, action="confirm")
            visit = Visit(
                subject=button.subject, guild_id=button.guild_id, member_id=button.member_id
            )
            tokens = arm(
                connection, visit, {f"yes:{act}": None, f"cancel:{act}": None}, until=now + YES_MS
            )
            return Pair(act=act, onward=tokens[f"yes:{act}"], back=tokens[f"cancel:{act}"])

        return await self._database.write(confirm)

    async def back_out(self, token: str, member_id: int, now: int) -> Button:
        """`dismiss` or `cancel`: nothing is done, and neither button works any more.

        Raises `Refused` as `look` does.
        """

        def back_out(connection: Connection) -> Button:
            button = look(connection, token, member_id, now)
            if button.action != "dismiss" and not button.action.startswith("cancel:"):
                raise Refused("stale_button")
            buttons.use(connection, button)
            return button

        return await self._database.write(back_out)

    async def see(self, token: str, member_id: int, now: int) -> Button:
        """Before a form is shown: the button behind the token. Raises `Refused` as `look` does."""
        return await self._database.read(lambda connection: look(connection, token, member_id, now))
