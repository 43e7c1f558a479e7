import itertools
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from bot.settings import Settings, SettingsError, load

TOKEN = "MTAxMjM0NTY3ODkwMTIzNDU2Nzg5.Gabcde.abcdefghijklmnopqrstuvwxyz0123456789"

WriteFile = Callable[[str], Path]


@pytest.fixture
def write_file(tmp_path: Path) -> WriteFile:
    def write(text: str) -> Path:
        file = tmp_path / "steward.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lines_of(path: Path | None, env: Mapping[str, str] | None = None) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as refused:
        load(path, env or {})
    lines = refused.value.lines
    assert all("\n" not in line and "\r" not in line for line in lines)
    return lines


def plain(value: object) -> object:
    if value is None:
        return ""
    return str(value) if isinstance(value, Path | SecretStr) else value


def test_the_example_file_has_every_key_with_its_default(project_root: Path) -> None:
    example = tomllib.loads((project_root / "config.example.toml").read_text(encoding="utf-8"))
    defaults = {
        section: {key: plain(value) for key, value in values} for section, values in load(None, {})
    }
    assert example == defaults
    assert list(example) == list(defaults)
    assert {name: list(keys) for name, keys in example.items()} == {
        name: list(keys) for name, keys in defaults.items()
    }


def test_every_key_in_the_example_file_follows_one_line_of_comment(project_root: Path) -> None:
    lines = (project_root / "config.example.toml").read_text(encoding="utf-8").splitlines()
    for before, line in itertools.pairwise(lines):
        if " = " in line and not line.startswith("#"):
            assert before.startswith("# "), line


def test_the_example_file_as_it_is_means_the_defaults(project_root: Path) -> None:
    assert load(project_root / "config.example.toml", {}) == load(None, {})


def test_a_missing_default_file_is_fine() -> None:
    settings = load(None, {})
    assert settings.worker.tick_seconds == 5
    assert settings.discord.token is None


@pytest.mark.parametrize("by_option", [True, False])
def test_a_named_file_that_is_missing_is_refused_by_name(by_option: bool) -> None:
    path, env = (Path("gone.toml"), {}) if by_option else (None, {"STEWARD_CONFIG": "gone.toml"})
    assert lines_of(path, env) == ("gone.toml: no such settings file",)


def test_the_option_wins_over_the_variable_and_the_variable_over_the_default() -> None:
    for name, days in (("config.toml", 1), ("variable.toml", 2), ("option.toml", 3)):
        Path(name).write_text(f"[retention]\ndays = {days}\n", encoding="utf-8")
    variable = {"STEWARD_CONFIG": "variable.toml"}
    assert load(None, {}).retention.days == 1
    assert load(None, variable).retention.days == 2
    assert load(Path("option.toml"), variable).retention.days == 3


def test_the_environment_wins_over_the_file_key_by_key(write_file: WriteFile) -> None:
    file = write_file("[requests]\nmax_attempts = 3\nreopen_days = 1\n")
    settings = load(file, {"STEWARD_REQUESTS__MAX_ATTEMPTS": "7"})
    assert (settings.requests.max_attempts, settings.requests.reopen_days) == (7, 1)


def test_every_setting_can_come_from_the_environment() -> None:
    given: dict[str, dict[str, str]] = {
        "discord": {"token": "a", "api_base": "http://[::1]:8080/api/v10", "sync_commands": "no"},
        "storage": {"path": "other.db", "durability": "normal", "spool_mib": "7"},
        "translation": {"provider": "libretranslate", "url": "http://t.test", "api_key": "b"},
        "log": {"level": "error", "format": "json"},
    }
    for section, values in load(None, {}):
        if section not in given:
            given[section] = {key: "17" for key, _ in values}
    env = {f"STEWARD_{s}__{k}".upper(): v for s, keys in given.items() for k, v in keys.items()}
    settings = load(None, env)
    for section, values in settings:
        default = getattr(load(None, {}), section)
        for key, value in values:
            assert value != getattr(default, key), f"{section}.{key}"


def test_nothing_is_read_from_the_process_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEWARD_RETENTION__DAYS", "3")
    assert load(None, {}).retention.days == 90
    assert Settings().retention.days == 90


def test_durations_are_told_in_milliseconds_too(write_file: WriteFile) -> None:
    settings = load(write_file("[worker]\ntick_seconds = 0.25\n"), {})
    assert settings.worker.tick_ms == 250
    assert settings.worker.lease_ms == 60_000
    assert settings.requests.claim_lease_ms == 900_000
    assert settings.requests.opening_lease_ms == 60_000
    assert settings.requests.cooldown_ms == 0
    assert settings.requests.reopen_ms == 259_200_000
    assert settings.delivery.nonce_window_ms == 60_000
    assert settings.delivery.settle_ms == 30_000
    assert settings.delivery.backoff_ms == 2_000
    assert settings.delivery.backoff_cap_ms == 300_000
    assert settings.campaigns.review_lease_ms == 3_600_000
    assert settings.notices.waiting_ms == 1_800_000
    assert settings.notices.unanswered_ms == 14_400_000
    assert settings.retention.retention_ms == 7_776_000_000


BAD_VALUES = [
    ("discord", "api_base", '"https://discord.com/api/v9"', "must be https://HOST/api/v10"),
    ("discord", "api_base", '"http://discord.test/api/v10"', "must be https://HOST/api/v10"),
    ("discord", "api_base", '"http://127.0.0.1.evil.test/api/v10"', "http:// only for a loopback"),
    ("discord", "api_base", '"http://127.0.0.1@evil.test/api/v10"', "http:// only for a loopback"),
    ("discord", "api_base", '"https://a.test:99999/api/v10"', "must be https://HOST/api/v10"),
    ("discord", "api_base", '"https://a.test/api/v10?x=/api/v10"', "must be https://HOST/api/v10"),
    ("discord", "api_base", '"https://[::1/api/v10"', "must be https://HOST/api/v10"),
    ("discord", "api_base", '"https:///api/v10"', "must be https://HOST/api/v10"),
    ("discord", "api_base", '"ftp://127.0.0.1/api/v10"', "must be https://HOST/api/v10"),
    ("discord", "sync_commands", '"perhaps"', "must be true or false"),
    ("storage", "path", '""', "must be the path of a file"),
    ("storage", "path", "5", "must be the path of a file"),
    ("storage", "path", '"a\\u0000b"', "must be the path of a file"),
    ("storage", "durability", '"FULL"', "must be one of full, normal"),
    ("storage", "durability", '"fast\\nand loose"', "must be one of full, normal"),
    ("storage", "spool_mib", "0", "must be a whole number from 1 to 1048576"),
    ("storage", "spool_mib", "2020-01-01", "must be a whole number from 1 to 1048576"),
    ("worker", "tick_seconds", "0", "must be a number from 0.01 to 60"),
    ("worker", "tick_seconds", "-1", "must be a number from 0.01 to 60"),
    ("worker", "tick_seconds", "true", "must be a number from 0.01 to 60"),
    ("worker", "tick_seconds", '"soon"', "must be a number from 0.01 to 60"),
    ("worker", "tick_seconds", "[5]", "must be a number from 0.01 to 60"),
    ("worker", "lease_seconds", "nan", "must be a number from 3 to 3600"),
    ("worker", "lease_seconds", "inf", "must be a number from 3 to 3600"),
    ("worker", "lease_seconds", "2.9", "must be a number from 3 to 3600"),
    ("requests", "claim_lease_seconds", "1e300", "must be a number from 1 to 604800"),
    ("requests", "max_attempts", "2.5", "must be a whole number from 1 to 100"),
    ("requests", "max_attempts", "9999999999999999999", "must be a whole number from 1 to 100"),
    ("requests", "max_open_per_member", "false", "must be a whole number from 1 to 100"),
    ("delivery", "nonce_window_seconds", "14", "must be a number from 15 to 300"),
    ("delivery", "max_file_mib", "-1", "must be a whole number from 0 to 500"),
    ("retention", "days", "0", "must be a whole number from 1 to 36500"),
    ("translation", "url", "5", "must be text in quotes"),
    ("log", "level", '"loud"', "must be one of debug, info, warning, error"),
    ("log", "format", "1", "must be one of console, json"),
]


@pytest.mark.parametrize(("section", "key", "value", "allowed"), BAD_VALUES)
def test_a_bad_value_is_one_line_with_the_key_the_value_and_what_is_allowed(
    write_file: WriteFile, section: str, key: str, value: str, allowed: str
) -> None:
    file = write_file(f"[{section}]\n{key} = {value}\n")
    (line,) = lines_of(file)
    assert line.startswith(f"{section}.{key} = ")
    assert allowed in line
    assert line.endswith(f"({file})")


def test_every_number_has_bounds_that_keep_it_finite() -> None:
    for section, values in Settings():
        for key, value in values:
            if isinstance(value, int | float) and not isinstance(value, bool):
                for beyond in ("-1", "1e300", "inf", "nan"):
                    (line,) = lines_of(None, {f"STEWARD_{section}__{key}".upper(): beyond})
                    assert f"{section}.{key} = '{beyond}': must be a" in line


@pytest.mark.parametrize(
    "base",
    [
        "https://discord.com/api/v10",
        "https://proxy.test:8443/discord/api/v10",
        "http://127.0.0.1:5000/api/v10",
        "http://localhost:5000/api/v10",
        "http://[::1]:5000/api/v10",
    ],
)
def test_a_proxy_and_a_loopback_server_are_taken_as_api_base(base: str) -> None:
    assert load(None, {"STEWARD_DISCORD__API_BASE": base}).discord.api_base == base


def test_all_bad_settings_are_told_at_once_with_where_each_was_set(write_file: WriteFile) -> None:
    file = write_file("[worker]\ntick_seconds = 0\n[log]\nlevel = 'loud'\n[foo]\n")
    lines = lines_of(file, {"STEWARD_RETENTION__DAYS": "no", "STEWARD_LOG__FORMAT": "xml"})
    told = {line.partition(" = ")[0].partition(":")[0]: line.rpartition(" (")[2] for line in lines}
    assert told == {
        "worker.tick_seconds": f"{file})",
        "log.level": f"{file})",
        "foo": f"{file})",
        "retention.days": "STEWARD_RETENTION__DAYS)",
        "log.format": "STEWARD_LOG__FORMAT)",
    }


@pytest.mark.parametrize(
    ("text", "env", "name", "known"),
    [
        ("[worker]\ntick = 5\n", {}, "worker.tick", "tick_seconds"),
        ("[wroker]\ntick_seconds = 5\n", {}, "wroker", "worker"),
        ("token = 'x'\n", {}, "token", "discord"),
        ("", {"STEWARD_WORKER__TICK": "5"}, "worker.tick", "tick_seconds"),
        ("", {"STEWARD_WROKER__TICK_SECONDS": "5"}, "wroker", "worker"),
        ("", {"STEWARD_WORKER__TICK_SECONDS__X": "5"}, "worker.tick_seconds", "number"),
        ("_cli_parse_args = true\n", {}, "'_cli_parse_args'", "unknown section"),
        ("[worker]\n'ti\\nck' = 5\n", {}, "worker.'ti", "tick_seconds"),
    ],
)
def test_an_unknown_key_is_refused_by_name(
    write_file: WriteFile, text: str, env: dict[str, str], name: str, known: str
) -> None:
    (line,) = lines_of(write_file(text), env)
    assert line.startswith(name)
    assert known in line


def test_variables_without_a_section_are_left_alone() -> None:
    env = {"STEWARD_HOME": "/srv", "STEWARDSHIP__X": "1", "PATH": "/bin"}
    assert load(None, env) == load(None, {})


@pytest.mark.parametrize("value", ["3", "'words'", "[1]"])
def test_a_section_that_is_no_table_is_refused(write_file: WriteFile, value: str) -> None:
    assert lines_of(write_file(f"log = {value}\n"), {"STEWARD_LOG__LEVEL": "debug"}) == (
        "log: must be a section, [log]",
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [("[log]\nlevel = info\n", 2), ("[log]\n[log]\n", 2), ("a = 1\nb = \x01\n", 2)],
)
def test_a_file_that_is_not_toml_is_one_line_with_the_file_and_its_line(
    write_file: WriteFile, text: str, line: int
) -> None:
    file = write_file(text)
    (told,) = lines_of(file)
    assert told.startswith(f"{file}: is not TOML: ")
    assert f"at line {line}" in told


def test_a_file_that_ends_too_early_is_one_line_too(write_file: WriteFile) -> None:
    file = write_file("[log]\nlevel = 'info")
    assert lines_of(file)[0].startswith(f"{file}: is not TOML: ")


def test_a_file_that_is_not_text_and_a_folder_are_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "latin.toml"
    file.write_bytes(b"a = '\xff'")
    assert lines_of(file) == (f"{file}: is not UTF-8 text",)
    assert lines_of(tmp_path)[0].startswith(f"{tmp_path}: can't be read: ")


def test_settings_that_contradict_each_other_are_refused(write_file: WriteFile) -> None:
    file = write_file(
        "[delivery]\nbackoff_seconds = 10\nbackoff_cap_seconds = 9\n"
        "[translation]\nprovider = 'libretranslate'\n"
    )
    assert lines_of(file) == (
        "delivery.backoff_cap_seconds = 9: must be at least delivery.backoff_seconds, which is 10",
        (
            "translation.url: must be http(s)://HOST, perhaps with :PORT and /PATH,"
            " while translation.provider is libretranslate"
        ),
    )


@pytest.mark.parametrize(
    "url",
    [
        "https://translate.test",
        "http://libre_translate:5000/",
        "http://[::1]:5000/below/a-path",
        "http://192.0.2.7:5000",
    ],
)
def test_a_translator_has_a_web_address(write_file: WriteFile, url: str) -> None:
    file = write_file(f"[translation]\nprovider = 'libretranslate'\nurl = '{url}'\n")
    assert load(file, {}).translation.url == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "translate.test",
        "ftp://translate.test",
        "http:///translate",
        "https://translate.test:99999",
        "https://me:password@translate.test",
        "https://translate.test/?to=me",
        "https://translate.test/#a",
        "https://translate.test\\@evil.test",
        "https://translate.test/ /",
    ],
)
def test_a_translators_address_that_is_none_is_refused_by_name(
    write_file: WriteFile, url: str
) -> None:
    file = write_file(f"[translation]\nprovider = 'libretranslate'\nurl = '{url}'\n")
    (line,) = lines_of(file)
    assert line.startswith("translation.url: must be http(s)://HOST")
    assert "password" not in line


def test_a_long_value_is_shown_cut(write_file: WriteFile) -> None:
    (line,) = lines_of(write_file(f"[log]\nlevel = '{'x' * 10_000}'\n"))
    assert len(line) < 300


@pytest.mark.parametrize(
    "text",
    [
        f"[discord]\ntoken = '{TOKEN} '\n",
        f"[discord]\ntoken = ['{TOKEN}']\n",
        f"[discord]\ntoken = {{ value = '{TOKEN}' }}\n",
        f"[discord]\ntokn = '{TOKEN}'\n",
        f"[discord]\napi_base = '{TOKEN}'\n",
        f"discord = '{TOKEN}'\n",
        f"[discord]\ntoken = '{TOKEN}\n",
        f"[discord]\ntoken = {TOKEN}\n",
        f"[translation]\napi_key = ['{TOKEN}']\n",
    ],
)
def test_no_refusal_shows_the_token(write_file: WriteFile, text: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load(write_file(text), {})
    told = "\n".join([str(refused.value), repr(refused.value)])
    assert TOKEN[:12] not in told
    assert refused.value.__suppress_context__


def test_the_token_shows_only_when_it_is_asked_for() -> None:
    settings = load(None, {"STEWARD_DISCORD__TOKEN": TOKEN})
    shown = f"{settings} {settings!r} {settings.model_dump()} {settings.model_dump_json()}"
    assert TOKEN not in shown
    assert settings.discord.token is not None
    assert settings.discord.token.get_secret_value() == TOKEN


def test_settings_cannot_be_changed_after_they_were_checked() -> None:
    settings = load(None, {})
    with pytest.raises(ValueError, match="frozen"):
        settings.worker.tick_seconds = 0


def test_importing_the_settings_reads_neither_file_nor_environment(
    tmp_path: Path, project_root: Path
) -> None:
    (tmp_path / "config.toml").write_text("not toml", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", "import bot.settings"],
        cwd=tmp_path,
        env={**os.environ, "STEWARD_FOO__BAR": "1", "PYTHONPATH": str(project_root)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_every_setting_stands_in_the_example_under_a_heading_of_its_section(
    project_root: Path,
) -> None:
    text = (project_root / "config.example.toml").read_text(encoding="utf-8")
    sections: dict[str, Any] = dict(Settings())
    assert re.findall(r"^\[(\w+)\]$", text, re.MULTILINE) == list(sections)
    assert all(isinstance(section, BaseModel) for section in sections.values())
