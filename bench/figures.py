"""A figure with its target, and the table they are printed in."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A ratio and the bounds that it is held to; `note` gives the absolute values behind it."""

    name: str
    value: float
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether the value keeps its bounds."""
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    @property
    def verdict(self) -> str:
        """`ok` or `MISSED`."""
        return "ok" if self.ok else "MISSED"

    @property
    def target(self) -> str:
        """The bounds, to be read."""
        bounds = [
            f"{sign} {bound:g}x"
            for sign, bound in ((">=", self.at_least), ("<=", self.at_most))
            if bound is not None
        ]
        return " ".join(bounds) or "-"


def table(figures: Iterable[Figure]) -> str:
    """The figures as lines of aligned columns."""
    rows = [("figure", "value", "target", "", "")]
    rows += [
        (figure.name, f"{figure.value:.2f}x", figure.target, figure.verdict, figure.note)
        for figure in figures
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
