"""`python -m bench [NAME ...]` measures all that is registered here, or what is named."""

import sys
from collections.abc import Callable, Iterable
from typing import Final

from bench import acknowledging, growth, ledger, memory, queue
from bench.figures import Figure, table

BENCHES: Final[dict[str, Callable[[], Iterable[Figure]]]] = {
    "ledger": ledger.run,
    "growth": growth.run,
    "queue": queue.run,
    "help": acknowledging.run,
    "memory": memory.run,
}


def main(names: list[str]) -> int:
    """Print one table a bench. 0 when every target is met, 1 when one is missed, 2 on wrong use."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"no such bench: {', '.join(unknown)} (there are: {', '.join(BENCHES)})")
        return 2
    met = True
    for name in names or BENCHES:
        figures = list(BENCHES[name]())
        print(f"{name}\n{table(figures)}\n", flush=True)
        met = met and all(figure.ok for figure in figures)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
