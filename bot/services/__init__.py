"""Use cases, one module a subject. A use case is one transaction; `now` is an argument."""

from dataclasses import dataclass

from bot.services.desk import Desks
from bot.services.helpdesk import HelpDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the cogs may call."""

    helpdesk: HelpDesk
    desks: Desks
