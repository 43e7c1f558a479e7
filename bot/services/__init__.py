"""Use cases, one module a subject. A use case is one transaction; `now` is an argument."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.services.buttons import Confirmations
from bot.services.campaigns import Campaigns
from bot.services.choosing import Choosing
from bot.services.conversations import Conversations
from bot.services.desk import Desks
from bot.services.doubts import Doubts
from bot.services.helpdesk import HelpDesk
from bot.services.intake import Intake
from bot.services.nominations import Nominations
from bot.services.offering import Offering
from bot.services.overview import Overview
from bot.services.reconciling import Reconciling
from bot.services.reopening import Reopening
from bot.services.replying import Replying
from bot.services.requests import RequestRules
from bot.services.reviews import Reviews
from bot.services.showcase import USUAL, ShowcaseRules
from bot.services.suggesting import Suggesting
from bot.services.transcripts import Transcripts
from bot.services.translations import Translations
from storage.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the cogs may call."""

    helpdesk: HelpDesk
    conversations: Conversations
    overview: Overview
    reconciling: Reconciling
    doubts: Doubts
    desks: Desks
    choosing: Choosing
    replying: Replying
    offering: Offering
    reopening: Reopening
    intake: Intake
    translations: Translations
    transcripts: Transcripts
    campaigns: Campaigns
    nominations: Nominations
    reviews: Reviews
    confirmations: Confirmations
    suggesting: Suggesting


def services(
    database: Database,
    rules: RequestRules,
    wake: Callable[[], None],
    spooled: Callable[[str], Path] | None = None,
    showcase: ShowcaseRules = USUAL,
) -> Services:
    """The use cases over one ledger; `wake` tells the worker that there is something to do.

    `spooled` says where a kept file is, by its hash.
    """
    helpdesk = HelpDesk(database, rules, wake)
    return Services(
        helpdesk=helpdesk,
        conversations=Conversations(database, wake, reopen_ms=rules.reopen_ms),
        overview=Overview(database),
        reconciling=Reconciling(database, rules, wake),
        doubts=Doubts(database, wake),
        desks=Desks(database, wake),
        choosing=Choosing(database, wake),
        replying=Replying(database, wake),
        offering=Offering(database, wake),
        reopening=Reopening(database, helpdesk, rules.reopen_ms, wake),
        intake=Intake(database, wake, rules.dm_messages_per_minute),
        translations=Translations(database),
        transcripts=Transcripts(database, rules, spooled),
        campaigns=Campaigns(database, wake),
        nominations=Nominations(database, wake),
        reviews=Reviews(database, showcase, wake),
        confirmations=Confirmations(database),
        suggesting=Suggesting(database),
    )
