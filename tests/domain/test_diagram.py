"""The page of states is the tables' own."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from domain.diagram import MACHINES, Machine, page


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


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.title)
def test_a_row_more_or_less_changes_the_page(machine: Machine) -> None:
    for left_out in range(len(machine.table)):
        table = [*machine.table[:left_out], *machine.table[left_out + 1 :]]
        assert page([replace(machine, table=table)]) != page([machine])


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.title)
def test_each_row_has_its_line_and_each_way_its_arrow(machine: Machine) -> None:
    text = page([machine])
    for row in machine.table:
        event, source = machine.events[row.event], machine.states[row.source]
        lines = [line for line in text.splitlines() if line.startswith(f"| `{event}` | `{source}`")]
        assert len(lines) == 1
        assert f"`{row.event.refused_with}`" in lines[0]
        for target in row.targets:
            assert f"`{machine.states[target]}`" in lines[0]
            arrows = [
                line.partition(": ")[2].split(", ")
                for line in text.splitlines()
                if line.startswith(f"    {source} --> {machine.states[target]}: ")
            ]
            assert len(arrows) == 1
            assert event in arrows[0]
