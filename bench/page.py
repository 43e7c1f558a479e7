"""The page of all figures, with the facts of the machine that they come from."""

import os
import platform
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from bench.figures import Figure

COMMAND = "python -m bench --write docs/performance.md"

_HEAD = f"""# Performance

What Steward costs, each figure as a ratio to what it is compared with, so that it can be held
against another machine's. This page is written by

    {COMMAND}

and `make bench` prints the same; both end with 1 when a target is missed.
"""


def page(measured: Mapping[str, Sequence[Figure]], about: Mapping[str, str]) -> str:
    """The page in Markdown, for the figures of each bench and what is to be said about it."""
    lines = [
        _HEAD,
        "| bench | figure | value | target | | behind it |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for bench, figures in measured.items():
        lines += [
            f"| {bench} | {figure.name} | {figure.value:.2f}x | {figure.target}"
            f" | {figure.verdict} | {figure.note} |"
            for figure in figures
        ]
    lines += ["", "Measured on:", "", *(f"- {fact}" for fact in _facts())]
    for bench in measured:
        lines += ["", f"## {bench}", "", about[bench].strip()]
    lines.append("")
    return "\n".join(lines)


def _facts() -> list[str]:
    libraries = ", ".join(f"{name} {version(name)}" for name in ("discord.py", "aiosqlite"))
    return [
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {_release()}",
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {libraries}",
        f"a disk that takes {_sync_seconds() * 1e6:.0f} us to sync one page of 4 KiB (median)",
    ]


def _release() -> str:
    """The kernel's version without its builder's mark."""
    return platform.release().partition("-")[0]


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.machine()
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.machine()


def _sync_seconds() -> float:
    turns = []
    with tempfile.TemporaryFile() as file:
        for _ in range(200):
            file.write(bytes(4096))
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            turns.append(time.perf_counter() - began)
    return statistics.median(turns)
