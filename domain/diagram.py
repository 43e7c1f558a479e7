"""The state machines as a page: `python -m domain.diagram` prints docs/states.md.

Everything on the page comes from the tables that the program itself goes by. A new machine is one
more `Machine` in `MACHINES`.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Protocol

from domain import campaigns, entries, requests

_HEAD: Final = """\
# States

Written by `make docs` from the tables in `domain/`; a test fails when this page is not what they
say. An event that has no row for a state, or whose condition does not hold, is refused with its
code and changes nothing.
"""


class Row(Protocol):
    """Where an event is allowed, where it may lead, on what condition (empty: always)."""

    @property
    def source(self) -> type[Any]: ...
    @property
    def event(self) -> type[Any]: ...
    @property
    def targets(self) -> tuple[type[Any], ...]: ...
    @property
    def guard(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """One table and the names of what is in it. Events carry `refused_with`."""

    title: str
    table: Sequence[Row]
    states: Mapping[type[Any], str]
    events: Mapping[type[Any], str]
    start: type[Any]
    terminal: frozenset[type[Any]]


MACHINES: Final = (
    Machine(
        title="Requests",
        table=requests.TABLE,
        states=requests.STATE_NAMES,
        events=requests.EVENT_NAMES,
        start=requests.Queued,
        terminal=requests.TERMINAL,
    ),
    Machine(
        title="Campaigns",
        table=campaigns.TABLE,
        states=campaigns.STATE_NAMES,
        events=campaigns.EVENT_NAMES,
        start=campaigns.Open,
        terminal=campaigns.TERMINAL,
    ),
    Machine(
        title="Entries",
        table=entries.TABLE,
        states=entries.STATE_NAMES,
        events=entries.EVENT_NAMES,
        start=entries.Queued,
        terminal=entries.TERMINAL,
    ),
)


def page(machines: Sequence[Machine] = MACHINES) -> str:
    """The whole page, ending in a line end."""
    return "\n".join([_HEAD, *("\n".join(_section(machine)) for machine in machines)])


def _section(machine: Machine) -> Iterator[str]:
    yield f"## {machine.title}\n"
    yield from _diagram(machine)
    yield "\n| state | carries |\n| --- | --- |"
    for state, name in machine.states.items():
        carried = ", ".join(
            f"{field.name}?" if "None" in str(field.type) else field.name for field in fields(state)
        )
        yield f"| `{name}`{' (ends)' if state in machine.terminal else ''} | {carried} |"
    yield "\n| event | allowed from | leads to | when | else refused with |"
    yield "| --- | --- | --- | --- | --- |"
    for row in sorted(machine.table, key=lambda row: list(machine.events).index(row.event)):
        targets = " or ".join(f"`{machine.states[target]}`" for target in row.targets)
        yield (
            f"| `{machine.events[row.event]}` | `{machine.states[row.source]}` | {targets}"
            f" | {row.guard or 'always'} | `{row.event.refused_with}` |"
        )
    yield ""


def _diagram(machine: Machine) -> Iterator[str]:
    """One arrow between two states, however many events go along it."""
    arrows: dict[tuple[str, str], list[str]] = {}
    for row in machine.table:
        for target in row.targets:
            arrow = (machine.states[row.source], machine.states[target])
            arrows.setdefault(arrow, []).append(machine.events[row.event])
    yield "```mermaid\nstateDiagram-v2"
    yield f"    [*] --> {machine.states[machine.start]}"
    for (source, leads_to), events in arrows.items():
        yield f"    {source} --> {leads_to}: {', '.join(events)}"
    for ended, name in machine.states.items():
        if ended in machine.terminal:
            yield f"    {name} --> [*]"
    yield "```"


if __name__ == "__main__":
    sys.stdout.write(page())
