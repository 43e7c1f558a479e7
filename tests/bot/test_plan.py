import subprocess
import sys
from pathlib import Path

from bot.plan import NO_TOKEN, Plan, read

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "MTIz.abcdef.0123456789012345678901234567"


def _read(config: Path | None = None, **settings: str) -> Plan | tuple[str, ...]:
    return read(config, {f"STEWARD_{name}": value for name, value in settings.items()})


def test_a_plan_counts_in_milliseconds(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        "[requests]\nclaim_lease_seconds = 5\n[delivery]\nsettle_seconds = 2\n"
        "[campaigns]\nreview_lease_seconds = 3\n"
    )
    plan = _read(config, DISCORD__TOKEN=TOKEN, WORKER__LEASE_SECONDS="7", RETENTION__DAYS="2")
    assert isinstance(plan, Plan)
    assert plan.requests.retention_ms == 2 * 86_400_000
    assert plan.requests.claim_lease_ms == 5_000
    assert plan.delivery.sending.timing.settle_ms == 2_000
    assert plan.delivery.showcase.review_lease_ms == 3_000
    assert plan.lease_ms == 7_000


def test_a_plan_counts_in_bytes() -> None:
    plan = _read(DISCORD__TOKEN=TOKEN, STORAGE__SPOOL_MIB="3", DELIVERY__MAX_FILE_MIB="2")
    assert isinstance(plan, Plan)
    assert plan.delivery.files.spool_bytes == 3 * 1024 * 1024
    assert plan.delivery.files.most_bytes == 2 * 1024 * 1024


def test_discords_own_address_is_no_other_address() -> None:
    plan = _read(DISCORD__TOKEN=TOKEN)
    assert isinstance(plan, Plan)
    assert plan.api_base is None
    elsewhere = "http://127.0.0.1:8080/api/v10"
    plan = _read(DISCORD__TOKEN=TOKEN, DISCORD__API_BASE=elsewhere)
    assert isinstance(plan, Plan)
    assert plan.api_base == elsewhere


def test_neither_token_nor_key_shows_in_a_repr() -> None:
    plan = _read(
        DISCORD__TOKEN=TOKEN,
        TRANSLATION__PROVIDER="libretranslate",
        TRANSLATION__URL="http://t.test",
        TRANSLATION__API_KEY="very-secret",
    )
    assert isinstance(plan, Plan)
    assert plan.translating is not None
    assert plan.translating.api_key == "very-secret"
    assert TOKEN not in repr(plan)
    assert "very-secret" not in repr(plan)


def test_nobody_translates_unless_it_is_said_who() -> None:
    plan = _read(DISCORD__TOKEN=TOKEN, TRANSLATION__URL="http://t.test")
    assert isinstance(plan, Plan)
    assert plan.translating is None


def test_without_a_token_there_is_no_plan() -> None:
    assert _read() == (NO_TOKEN,)


def test_every_wrong_setting_has_its_line() -> None:
    lines = _read(DISCORD__TOKEN=TOKEN, WORKER__LEASE_SECONDS="1", LOG__LEVEL="loud")
    assert isinstance(lines, tuple)
    assert [line.partition(" ")[0] for line in lines] == ["worker.lease_seconds", "log.level"]


def test_a_run_does_not_hold_the_settings_library() -> None:
    program = (
        "import os, sys; from functools import partial; import bot.__main__;"
        " from bot.apart import apart; from bot.plan import read; apart(partial(read, None, {}));"
        " sys.exit(any(name.startswith('pydantic') for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=60)
