"""The house's own rules, held by tests: the arrows between rooms, sizes, what files may not say."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOMS = ("domain", "storage", "bot", "cogs", "sandbox")
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60

DISCORD_IMPORTERS = ("cogs/**/*.py", "bot/app.py", "bot/rendering.py", "bot/delivery/discord_*.py")

# Written in pieces, so that this file does not say them either.
REGISTRIES = ("pypi" + ".org", "python" + "hosted", "npmjs" + ".org", "deb." + "debian.org")
MACHINE_PATHS = ("/wo" + "rk/", "/ro" + "ot/", "/tm" + "p/", "/ho" + "me/", "file:" + "//")

ROOT = Path(__file__).resolve().parent.parent


def modules(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def tracked_texts() -> Iterator[tuple[str, str]]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.is_file():
            yield name, path.read_bytes().decode("utf-8", "replace")


def test_the_arrows_between_the_rooms_run_one_way() -> None:
    ran = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("path", modules("domain"), ids=named)
def test_the_domain_imports_the_standard_library_alone(path: Path) -> None:
    allowed = sys.stdlib_module_names | {"domain"}
    assert {name.partition(".")[0] for name in imported(path)} <= allowed


def test_discord_is_imported_only_where_it_is_spoken() -> None:
    places = {path for pattern in DISCORD_IMPORTERS for path in ROOT.glob(pattern)}
    importers = {
        path
        for path in modules(*ROOMS)
        if any(name.partition(".")[0] == "discord" for name in imported(path))
    }
    assert [named(path) for path in sorted(importers - places)] == []


@pytest.mark.parametrize("path", modules(*ROOMS, "bench"), ids=named)
def test_a_module_is_one_subject_and_a_function_fits_a_screen(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST_MODULE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            lines = node.end_lineno - node.lineno + 1
            assert lines <= LONGEST_FUNCTION, f"{node.name} has {lines} lines"


def test_no_file_names_a_registrys_host_or_a_machines_path() -> None:
    found = [
        f"{name}: {word}"
        for name, text in tracked_texts()
        for word in (*REGISTRIES, *MACHINE_PATHS)
        if word in text
    ]
    assert found == []


@pytest.mark.parametrize("name", ["run", "build", "dev"])
def test_every_requirement_is_pinned_with_hashes_and_no_index_is_named(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]
    pins = [line for line in lines if not line.startswith(" ")]
    assert pins
    for pin in pins:
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+( ; [^\\]+)? \\", pin), pin
    for block in re.split(r"\n(?=[a-z])", "\n".join(lines)):
        assert re.search(r"^    --hash=sha256:[0-9a-f]{64}", block, re.MULTILINE), block
    assert not re.search(r"--(extra-)?index-url|--find-links|^-f |@ |file:", "\n".join(lines))


def test_development_runs_on_the_very_versions_that_a_deployment_runs_on() -> None:
    def pins(name: str) -> dict[str, str]:
        text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        return dict(re.findall(r"^([a-z0-9-]+)==([\w.]+)", text, re.MULTILINE))

    assert pins("run").items() | pins("build").items() <= pins("dev").items()


def test_the_makefile_has_the_targets_that_the_docs_name() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))
    docs = "".join((ROOT / name).read_text("utf-8") for name in ("README.md", "CONTRIBUTING.md"))
    named_in_docs = set(re.findall(r"`make ([a-z][\w-]*)", docs))
    assert {"sandbox", "test", "lint", "bench", "docs", "requirements"} <= named_in_docs
    assert named_in_docs <= targets


def test_every_dependency_is_explained_to_contributors() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for file in sorted((ROOT / "requirements").glob("*.in")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if match := re.match(r"[a-z][\w.-]*", line):
                assert f"| {match[0]} |" in contributing, match[0]
