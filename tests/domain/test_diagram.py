"""The page of states is the tables' own."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from domain import requests
from domain.diagram import MACHINES, page


def test_the_page_in_docs_is_what_the_tables_say(project_root: Path) -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "domain.diagram"],
        cwd=project_root,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    kept = (project_root / "docs" / "states.md").read_text("utf-8")
    assert kept == printed.stdout, "run `make docs`"


def test_a_row_more_or_less_changes_the_page() -> None:
    (machine,) = MACHINES
    for left_out in range(len(machine.table)):
        table = [*machine.table[:left_out], *machine.table[left_out + 1 :]]
        assert page([replace(machine, table=table)]) != page()


def test_each_row_has_its_line_and_each_way_its_arrow() -> None:
    text = page()
    for row in requests.TABLE:
        event, source = requests.EVENT_NAMES[row.event], requests.STATE_NAMES[row.source]
        lines = [line for line in text.splitlines() if line.startswith(f"| `{event}` | `{source}`")]
        assert len(lines) == 1
        assert f"`{row.event.refused_with}`" in lines[0]
        for target in row.targets:
            assert f"`{requests.STATE_NAMES[target]}`" in lines[0]
            arrows = [
                line.partition(": ")[2].split(", ")
                for line in text.splitlines()
                if line.startswith(f"    {source} --> {requests.STATE_NAMES[target]}: ")
            ]
            assert len(arrows) == 1
            assert event in arrows[0]
