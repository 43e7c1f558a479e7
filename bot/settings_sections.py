"""The sections of the settings: each key's type, default and bounds.

Durations are kept as people write them; the `_ms` properties give them in the milliseconds that
the rest of the program counts in.
"""

import ipaddress
import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    model_validator,
)

DISCORD_API = "https://discord.com/api/v10"

_DAY_SECONDS = 86_400
_ADDRESS = re.compile(r"(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:(?P<port>[0-9]{1,5}))?")


def _not_a_switch(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a number is wanted")  # noqa: TRY004 - pydantic collects ValueErrors only
    return value


def _blank_is_none(value: object) -> object:
    return None if value == "" else value


def _one_word(value: SecretStr | None) -> SecretStr | None:
    if value is not None and not re.fullmatch("[!-~]+", value.get_secret_value()):
        raise ValueError("one word of plain characters, without spaces")
    return value


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_host(scheme: str, netloc: str) -> bool:
    """Whether netloc is a host and perhaps a port, and scheme is safe to speak with it."""
    parts = _ADDRESS.fullmatch(netloc)
    if parts is None or int(parts["port"] or 1) not in range(1, 65_536):
        return False
    return scheme == "https" or (scheme == "http" and _is_loopback(parts["host"].strip("[]")))


def _api_base(value: str) -> str:
    scheme, _, rest = value.partition("://")
    netloc, _, path = rest.partition("/")
    if not _is_host(scheme, netloc) or not re.fullmatch(r"([\w.-]+/)*api/v10", path, re.ASCII):
        raise ValueError("https://HOST/api/v10 (http:// only for a loopback host)")
    return value


def _is_web_address(value: str) -> bool:
    parts = re.fullmatch(r"https?://(?P<netloc>[^/]+)(/[\w.~%/-]*)?", value, re.ASCII)
    address = parts and _ADDRESS.fullmatch(parts["netloc"])
    return address is not None and int(address["port"] or 1) in range(1, 65_536)


def _file_path(value: Path) -> Path:
    if not value.name or "\0" in str(value):
        raise ValueError("the path of a file")
    return value


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


Whole = Annotated[int, BeforeValidator(_not_a_switch)]
Number = Annotated[float, BeforeValidator(_not_a_switch), Field(allow_inf_nan=False)]
Secret = Annotated[SecretStr | None, BeforeValidator(_blank_is_none), AfterValidator(_one_word)]


class Section(BaseModel):
    """A table of the file: unknown keys are refused, and values stay as they were checked."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, hide_input_in_errors=True, validate_default=True
    )


class DiscordSettings(Section):
    """How Discord is reached. The token shows in no repr; get_secret_value() gives it."""

    token: Secret = None
    api_base: Annotated[str, AfterValidator(_api_base)] = DISCORD_API
    sync_commands: bool = True

    @property
    def elsewhere(self) -> bool:
        """Whether api_base is something else than Discord's own."""
        return self.api_base != DISCORD_API


class StorageSettings(Section):
    """Where the ledger lies. A relative path starts at the working directory."""

    path: Annotated[Path, AfterValidator(_file_path)] = Path("steward.db")
    durability: Literal["full", "normal"] = "full"
    spool_mib: Whole = Field(default=1024, ge=1, le=1_048_576)


class WorkerSettings(Section):
    """The worker's pace and its lease on this application."""

    tick_seconds: Number = Field(default=5, ge=0.01, le=60)
    lease_seconds: Number = Field(default=60, ge=3, le=3600)

    @property
    def tick_ms(self) -> int:
        """The longest wait between looks, in ms."""
        return _ms(self.tick_seconds)

    @property
    def lease_ms(self) -> int:
        """How long the runtime lease lasts, in ms."""
        return _ms(self.lease_seconds)


class RequestSettings(Section):
    """The help desk's limits."""

    claim_lease_seconds: Number = Field(default=900, ge=1, le=7 * _DAY_SECONDS)
    opening_lease_seconds: Number = Field(default=60, ge=1, le=3600)
    max_open_per_member: Whole = Field(default=1, ge=1, le=100)
    cooldown_seconds: Number = Field(default=0, ge=0, le=30 * _DAY_SECONDS)
    max_attempts: Whole = Field(default=5, ge=1, le=100)
    reopen_days: Number = Field(default=3, ge=0, le=365)

    @property
    def claim_lease_ms(self) -> int:
        """How long a claim lasts, in ms."""
        return _ms(self.claim_lease_seconds)

    @property
    def opening_lease_ms(self) -> int:
        """How long an opening may take before it is reconciled, in ms."""
        return _ms(self.opening_lease_seconds)

    @property
    def cooldown_ms(self) -> int:
        """The least time between a member's new requests, in ms."""
        return _ms(self.cooldown_seconds)

    @property
    def reopen_ms(self) -> int:
        """How long after its end a request may be reopened, in ms."""
        return _ms(self.reopen_days * _DAY_SECONDS)


class DeliverySettings(Section):
    """How words are carried to Discord, and what is made of silence."""

    new_dms_per_minute: Whole = Field(default=5, ge=1, le=6000)
    nonce_window_seconds: Number = Field(default=60, ge=15, le=300)
    settle_seconds: Number = Field(default=30, ge=0.1, le=3600)
    backoff_seconds: Number = Field(default=2, ge=0.01, le=3600)
    backoff_cap_seconds: Number = Field(default=300, ge=0.01, le=_DAY_SECONDS)
    max_unreadable: Whole = Field(default=5, ge=1, le=1000)
    max_file_mib: Whole = Field(default=25, ge=0, le=500)
    dm_messages_per_minute: Whole = Field(default=30, ge=1, le=6000)

    @model_validator(mode="after")
    def _cap_is_not_below_the_start(self) -> "DeliverySettings":
        if self.backoff_cap_seconds < self.backoff_seconds:
            raise ValueError(
                f"delivery.backoff_cap_seconds = {self.backoff_cap_seconds:g}: must be at least"
                f" delivery.backoff_seconds, which is {self.backoff_seconds:g}"
            )
        return self

    @property
    def nonce_window_ms(self) -> int:
        """How long Discord is trusted to recognise a nonce, in ms."""
        return _ms(self.nonce_window_seconds)

    @property
    def settle_ms(self) -> int:
        """How long after a call's end its message may still appear, in ms."""
        return _ms(self.settle_seconds)

    @property
    def backoff_ms(self) -> int:
        """The first wait of the exponential back-off, in ms."""
        return _ms(self.backoff_seconds)

    @property
    def backoff_cap_ms(self) -> int:
        """The longest wait of the exponential back-off, in ms."""
        return _ms(self.backoff_cap_seconds)


class CampaignSettings(Section):
    """The showcase's limits."""

    review_lease_seconds: Number = Field(default=3600, ge=1, le=30 * _DAY_SECONDS)

    @property
    def review_lease_ms(self) -> int:
        """How long a reviewer holds an entry, in ms."""
        return _ms(self.review_lease_seconds)


class NoticeSettings(Section):
    """When staff are told that something waits."""

    waiting_minutes: Number = Field(default=30, ge=0.01, le=10_080)
    unanswered_minutes: Number = Field(default=240, ge=0.01, le=10_080)

    @property
    def waiting_ms(self) -> int:
        """How long a request waits in the queue before staff are told, in ms."""
        return _ms(self.waiting_minutes * 60)

    @property
    def unanswered_ms(self) -> int:
        """How long a member waits for an answer before staff are told, in ms."""
        return _ms(self.unanswered_minutes * 60)


class RetentionSettings(Section):
    """How long content is kept."""

    days: Whole = Field(default=90, ge=1, le=36_500)

    @property
    def retention_ms(self) -> int:
        """How long an ended conversation's content is kept, in ms."""
        return _ms(self.days * _DAY_SECONDS)


class TranslationSettings(Section):
    """Who translates, if anybody."""

    provider: Literal["none", "libretranslate"] = "none"
    url: str = ""
    api_key: Secret = None

    @model_validator(mode="after")
    def _a_provider_has_an_address(self) -> "TranslationSettings":
        if self.provider == "none":
            return self
        if not _is_web_address(self.url):
            raise ValueError(
                "translation.url: must be http(s)://HOST, perhaps with :PORT and /PATH,"
                f" while translation.provider is {self.provider}"
            )
        return self


class LogSettings(Section):
    """What is logged, and in which shape."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["console", "json"] = "console"
