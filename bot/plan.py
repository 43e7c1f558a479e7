"""What `steward run` goes by: the settings as plain values.

The rest of a run knows nothing of the settings' file, nor of the library that checks them. That one
is a fifth of what an idle bot holds in memory, so `read` is best called apart.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from bot.delivery.assembly import DeliveryRules
from bot.delivery.jobs.files import FileRules
from bot.delivery.sender import Rules
from bot.services.requests import RequestRules
from bot.services.showcase import ShowcaseRules
from domain.delivery import Timing

if TYPE_CHECKING:
    from bot.settings import Settings

NO_TOKEN = "discord.token: missing; set it in the file or as STEWARD_DISCORD__TOKEN"  # noqa: S105

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Translating:
    """Where a LibreTranslate is."""

    url: str
    api_key: str | None = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One run's values; times in milliseconds. `api_base` is None for Discord's own.

    `translating` is None where nobody translates.
    """

    token: str = field(repr=False)
    api_base: str | None
    sync_commands: bool
    ledger: Path
    durability: Literal["full", "normal"]
    lease_ms: int
    delivery: DeliveryRules
    translating: Translating | None
    log_level: Literal["debug", "info", "warning", "error"]
    log_format: Literal["console", "json"]

    @property
    def requests(self) -> RequestRules:
        return self.delivery.requests


def read(config: Path | None, env: Mapping[str, str]) -> Plan | tuple[str, ...]:
    """The plan by file and environment, or a line for each thing to put right."""
    from bot.settings import SettingsError, load  # noqa: PLC0415 - not for who only wants a Plan

    try:
        settings = load(config, env)
    except SettingsError as error:
        return error.lines
    token = settings.discord.token
    if token is None:
        return (NO_TOKEN,)
    return Plan(
        token=token.get_secret_value(),
        api_base=settings.discord.api_base if settings.discord.elsewhere else None,
        sync_commands=settings.discord.sync_commands,
        ledger=settings.storage.path,
        durability=settings.storage.durability,
        lease_ms=settings.worker.lease_ms,
        delivery=_delivery(settings),
        translating=_translating(settings),
        log_level=settings.log.level,
        log_format=settings.log.format,
    )


def _delivery(settings: "Settings") -> DeliveryRules:
    asked = settings.delivery
    return DeliveryRules(
        sending=Rules(
            timing=Timing(nonce_window_ms=asked.nonce_window_ms, settle_ms=asked.settle_ms),
            backoff_ms=asked.backoff_ms,
            backoff_cap_ms=asked.backoff_cap_ms,
        ),
        requests=_requests(settings),
        files=FileRules(
            most_bytes=asked.max_file_mib * _MIB, spool_bytes=settings.storage.spool_mib * _MIB
        ),
        new_dms_per_minute=asked.new_dms_per_minute,
        tick_ms=settings.worker.tick_ms,
        showcase=ShowcaseRules(review_lease_ms=settings.campaigns.review_lease_ms),
    )


def _translating(settings: "Settings") -> Translating | None:
    asked = settings.translation
    if asked.provider == "none":
        return None
    api_key = None if asked.api_key is None else asked.api_key.get_secret_value()
    return Translating(url=asked.url, api_key=api_key)


def _requests(settings: "Settings") -> RequestRules:
    asked = settings.requests
    return RequestRules(
        claim_lease_ms=asked.claim_lease_ms,
        opening_lease_ms=asked.opening_lease_ms,
        max_open_per_member=asked.max_open_per_member,
        cooldown_ms=asked.cooldown_ms,
        max_attempts=asked.max_attempts,
        max_unreadable=settings.delivery.max_unreadable,
        reopen_ms=asked.reopen_ms,
        dm_messages_per_minute=settings.delivery.dm_messages_per_minute,
        retention_ms=settings.retention.retention_ms,
    )
