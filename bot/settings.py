"""Every setting, from one TOML file and the environment, checked together.

load() is the only door: nothing is read at import, and building Settings by hand reads neither
file nor environment.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from bot.settings_errors import SettingsError, explain
from bot.settings_sections import (
    CampaignSettings,
    DeliverySettings,
    DiscordSettings,
    LogSettings,
    NoticeSettings,
    RequestSettings,
    RetentionSettings,
    StorageSettings,
    TranslationSettings,
    WorkerSettings,
)

__all__ = ["Settings", "SettingsError", "load"]

ENVIRONMENT_PREFIX = "STEWARD_"
DELIMITER = "__"
FILE_VARIABLE = "STEWARD_CONFIG"
DEFAULT_FILE = Path("config.toml")


class Settings(BaseSettings):
    """Every setting. Frozen; each value is within its bounds."""

    model_config = SettingsConfigDict(
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        env_prefix=ENVIRONMENT_PREFIX,
        env_nested_delimiter=DELIMITER,
    )

    discord: DiscordSettings = DiscordSettings()
    storage: StorageSettings = StorageSettings()
    worker: WorkerSettings = WorkerSettings()
    requests: RequestSettings = RequestSettings()
    delivery: DeliverySettings = DeliverySettings()
    campaigns: CampaignSettings = CampaignSettings()
    notices: NoticeSettings = NoticeSettings()
    retention: RetentionSettings = RetentionSettings()
    translation: TranslationSettings = TranslationSettings()
    log: LogSettings = LogSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the library's signature
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take what is given and nothing else: load() reads the file and the environment."""
        return (init_settings,)


def load(path: Path | None, env: Mapping[str, str]) -> Settings:
    """Read the settings: the file first, and over it each STEWARD_<SECTION>__<KEY> in env.

    The file is path, else $STEWARD_CONFIG, else ./config.toml; only the last may be missing.
    Raises SettingsError with one line for every bad setting, all of them at once.
    """
    file = path or Path(env.get(FILE_VARIABLE) or DEFAULT_FILE)
    may_be_missing = path is None and not env.get(FILE_VARIABLE)
    from_file = _read(file, may_be_missing=may_be_missing)
    variables = {
        name.removeprefix(ENVIRONMENT_PREFIX).lower(): name
        for name in env
        if name.startswith(ENVIRONMENT_PREFIX) and DELIMITER in name
    }

    def origin(path: tuple[str, ...]) -> str:
        for name, variable in variables.items():
            if tuple(name.split(DELIMITER))[: len(path)] == path:
                return variable
        return str(file)

    values = _merge(from_file, _from_environment(variables, env))
    # BaseSettings takes names with an underscore in front as orders to itself.
    orders = [name for name in values if name.startswith("_")]
    lines = tuple(f"{name!r}: unknown section ({origin((name,))})" for name in orders)
    try:
        settings = Settings(**{name: values[name] for name in values if name not in orders})
    except ValidationError as error:
        # Not chained: the library's error holds the values it refused, and one may be the token.
        raise SettingsError(lines + explain(error, Settings, origin)) from None
    if lines:
        raise SettingsError(lines)
    return settings


def _read(file: Path, *, may_be_missing: bool) -> dict[str, Any]:
    try:
        with file.open("rb") as opened:
            return tomllib.load(opened)
    except FileNotFoundError:
        if may_be_missing:
            return {}
        raise SettingsError((f"{file}: no such settings file",)) from None
    except OSError as error:
        raise SettingsError((f"{file}: can't be read: {error.strerror}",)) from None
    except UnicodeDecodeError:
        raise SettingsError((f"{file}: is not UTF-8 text",)) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError((f"{file}: is not TOML: {error}",)) from None


def _from_environment(variables: Mapping[str, str], env: Mapping[str, str]) -> dict[str, Any]:
    source = EnvSettingsSource(Settings)
    prefix = ENVIRONMENT_PREFIX.lower()
    source.env_vars = {prefix + name: env[variable] for name, variable in variables.items()}
    # The library passes over a section that it doesn't know; kept here, Settings refuses it.
    sections = {name.partition(DELIMITER)[0] for name in variables}
    unknown: dict[str, Any] = {name: {} for name in sections - Settings.model_fields.keys()}
    return unknown | source()


def _merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Lay sections of above over those of below, key by key."""
    merged = dict(below)
    for section, keys in above.items():
        beneath = merged.get(section, {})
        # What should be a section and isn't stays in sight, for Settings to refuse.
        merged[section] = beneath | keys if isinstance(beneath, dict) else beneath
    return merged
