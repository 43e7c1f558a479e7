"""`python -m bench [NAME ...]` measures all that is registered here, or what is named.

With `--write FILE` the figures are also written as a page.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from bench import acknowledging, growth, ledger, memory, queue, relaying, talks
from bench.figures import Figure, table
from bench.page import page

BENCHES: Final[dict[str, Callable[[], Iterable[Figure]]]] = {
    "ledger": ledger.run,
    "growth": growth.run,
    "queue": queue.run,
    "help": acknowledging.run,
    "relay": relaying.run,
    "talks": talks.run,
    "memory": memory.run,
}


def main(arguments: Sequence[str]) -> int:
    """Print one table a bench. 0 when every target is met, 1 when one is missed, 2 on wrong use."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page to write")
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.names if name not in BENCHES]
    if unknown:
        parser.error(f"no such bench: {', '.join(unknown)} (there are: {', '.join(BENCHES)})")
    measured: dict[str, list[Figure]] = {}
    for name in chosen.names or BENCHES:
        measured[name] = list(BENCHES[name]())
        print(f"{name}\n{table(measured[name])}\n", flush=True)
    if chosen.write is not None:
        about = {name: sys.modules[BENCHES[name].__module__].__doc__ or "" for name in measured}
        chosen.write.write_text(page(measured, about))
    return 0 if all(figure.ok for figures in measured.values() for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
