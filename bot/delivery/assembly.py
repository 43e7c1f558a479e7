"""The worker with its jobs, put together from the settings."""

import asyncio
from dataclasses import dataclass

from bot.clock import Clock
from bot.delivery.first_messages import FirstMessages
from bot.delivery.flights import Flights
from bot.delivery.jobs.campaign_cards import RefreshCampaignCards
from bot.delivery.jobs.campaigns import RunShowcase
from bot.delivery.jobs.cards import RefreshCards
from bot.delivery.jobs.catching_up import CatchUp
from bot.delivery.jobs.extras import DeleteExtras
from bot.delivery.jobs.files import FetchFiles, FileRules, Files
from bot.delivery.jobs.inbox import WorkInbox
from bot.delivery.jobs.leases import ExpireLeases, Tell
from bot.delivery.jobs.left_threads import CloseLeftThreads
from bot.delivery.jobs.marks import PLACES, ShowMarks
from bot.delivery.jobs.missing_cards import FindMissingCards
from bot.delivery.jobs.offers import OfferHelp
from bot.delivery.jobs.opening import OpenDms, StartOpening
from bot.delivery.jobs.parts import SendParts
from bot.delivery.jobs.problems import TellProblems
from bot.delivery.jobs.retention import EraseOld
from bot.delivery.jobs.showcase_words import TellOfEntries
from bot.delivery.lease import Lease
from bot.delivery.messenger import Messenger
from bot.delivery.parts import Parts
from bot.delivery.reaching import Reach
from bot.delivery.receipts import Receipts
from bot.delivery.sender import Rules, Sender
from bot.delivery.typing import Typing
from bot.delivery.worker import Worker
from bot.services.intake import Intake
from bot.services.requests import RequestRules
from bot.services.showcase import USUAL, ShowcaseRules
from storage.database import Database

_DOWNLOADS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryRules:
    """What the settings say about delivering; times in milliseconds."""

    sending: Rules
    requests: RequestRules
    files: FileRules
    new_dms_per_minute: int
    tick_ms: int
    showcase: ShowcaseRules = USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The worker, the gateway's receipts, its word that somebody types, and the downloads.

    Those may be cancelled.
    """

    worker: Worker
    receipts: Receipts
    typing: Typing
    downloads: Flights


def assemble(
    database: Database,
    messenger: Messenger,
    clock: Clock,
    lease: Lease,
    rules: DeliveryRules,
    woken: asyncio.Event,
    tell: Tell,
    intake: Intake,
    *,
    files: Files,
) -> Delivery:
    """Put the worker together.

    `woken` is set by whoever makes new work; `tell` tells the cogs what those who wait may hear.
    """
    flights = Flights(clock, woken.set)
    downloads = Flights(clock, woken.set, most=_DOWNLOADS)
    sender = Sender(database, messenger, clock, lease, rules.sending)
    first = FirstMessages(lease=lease, rules=rules.sending, requests=rules.requests)
    parts = Parts(lease=lease, rules=rules.sending, max_unreadable=rules.requests.max_unreadable)
    timing = rules.sending.timing
    reach = Reach(database=database, messenger=messenger, clock=clock, lease=lease, timing=timing)
    missing = FindMissingCards(database, messenger, clock, flights, rules.sending)
    sending = SendParts(database, messenger, clock, flights, sender, parts, files.spool)
    intake.sending = sending
    pace = rules.requests.dm_messages_per_minute
    marking = ShowMarks(database, messenger, clock, flights.beside(most=PLACES), rules.sending)
    intake.unheard = marking.unheard
    campaign_cards = RefreshCampaignCards(database, messenger, clock, flights, rules.sending)
    slots = rules.new_dms_per_minute
    telling = TellOfEntries(
        database, clock, flights, reach, rules.sending, new_dms_per_minute=slots
    )
    jobs = (
        ExpireLeases(database, tell, claim_lease_ms=rules.requests.claim_lease_ms),
        StartOpening(database, first, new_dms_per_minute=slots),
        OpenDms(database, messenger, clock, flights, sender, first, reach, tell),
        missing,
        CatchUp(database, messenger, clock, flights, rules.sending, intake),
        FetchFiles(database, clock, downloads, lease, rules.sending, rules.files, files),
        WorkInbox(database, messenger, clock, flights, rules.sending, most_a_minute=pace),
        OfferHelp(database, messenger, clock, flights, rules.sending),
        RefreshCards(database, messenger, clock, flights, rules.sending, rules.requests),
        sending,
        TellProblems(database, clock, flights, reach, rules.sending),
        DeleteExtras(database, messenger, clock, flights, rules.sending),
        CloseLeftThreads(database, messenger, clock, flights, reach, rules.sending),
        marking,
        EraseOld(database, retention_ms=rules.requests.retention_ms),
        campaign_cards,
        RunShowcase(database, rules.showcase, tell),
        telling,
    )
    worker = Worker(database, clock, flights, jobs, tick_ms=rules.tick_ms, woken=woken)
    looks = (missing.look_again, campaign_cards.look_again)
    receipts = Receipts(database, clock, sender, first, parts, timing, *looks)
    typing = Typing(database, messenger, clock)
    return Delivery(worker=worker, receipts=receipts, typing=typing, downloads=downloads)
