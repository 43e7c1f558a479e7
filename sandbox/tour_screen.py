"""The tour on the viewer's screen: in a terminal panels and colours, elsewhere plain lines."""

import asyncio
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

_COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "bright_red")
_WIDEST = 76
_GLANCE_SECONDS, _LINE_SECONDS = 0.6, 0.3


class Screen:
    """Says things in order. In a terminal `reading` leaves time to read; a pipe needs none."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._rich = console.is_terminal and not console.is_dumb_terminal
        self._colours: dict[str, str] = {}

    async def reading(self, lines: int) -> None:
        """Time to read so many lines."""
        if self._rich:
            await asyncio.sleep(_GLANCE_SECONDS + lines * _LINE_SECONDS)

    def chapter(self, title: str) -> None:
        self._console.print()
        self._print(Text(title, style="bold"))

    def tell(self, words: str, *, style: str = "") -> None:
        """The teller's words."""
        self._print(Text(words, style=style))

    def does(self, who: str, what: str) -> None:
        """Something that a person does."""
        self._print(Text.assemble("> ", (who, f"bold {self._colour(who)}"), f" {what}"))

    def sees(self, who: str, where: str, lines: Sequence[str]) -> None:
        """What a person has before them."""
        if not self._rich:
            self._print(Text(f"  {who} sees ({where}):"))
            for line in lines:
                self._print(Text(f"  | {line}"))
            return
        body = Text("\n").join(_buttons(line) for line in lines)
        title = Text.assemble((who, "bold"), f" · {where}")
        panel = Panel(
            body,
            title=title,
            title_align="left",
            border_style=self._colour(who),
            width=min(_WIDEST, self._console.width - 2),
        )
        self._indented(panel)

    def wire(self, lines: Iterable[str]) -> None:
        """What went between the bot and Discord."""
        for line in lines:
            if self._rich:
                grid = Table.grid(padding=(0, 2))
                grid.add_row("wire", line, style="dim")
                self._indented(grid)
            else:
                self._print(Text(f"  wire  {line}"))

    def bad(self, words: str, log: Sequence[str] = ()) -> None:
        """What went wrong, and the end of the bot's log."""
        self._console.print()
        self._print(Text(words, style="bold red"))
        if log:
            self._print(Text("The bot's log ends:"))
        for line in log:
            self._print(Text(f"  {line}", style="dim"))

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Figures, the last row their sum."""
        if not self._rich:
            wide = [max(len(row[at]) for row in (heads, *rows)) for at in range(len(heads))]
            for row in (heads, *rows):
                rest = (cell.rjust(wide[at]) for at, cell in enumerate(row) if at)
                self._print(Text("  ".join((row[0].ljust(wide[0]), *rest))))
            return
        made = Table(*heads[:1], box=box.SIMPLE, pad_edge=False)
        for head in heads[1:]:
            made.add_column(head, justify="right")
        for row in rows[:-1]:
            made.add_row(*row)
        made.add_section()
        made.add_row(*rows[-1], style="bold")
        self._indented(made)

    def _print(self, text: Text) -> None:
        # Lines for programs stay whole; for people they are folded at words.
        self._console.print(text, soft_wrap=not self._rich)

    def _indented(self, shown: RenderableType) -> None:
        self._console.print(Padding(shown, (0, 0, 0, 2), expand=False))

    def _colour(self, who: str) -> str:
        return self._colours.setdefault(who, _COLOURS[len(self._colours) % len(_COLOURS)])


def _buttons(line: str) -> Text:
    """A line of a message, what can be pressed in it brighter."""
    text = Text(line)
    text.highlight_regex(r"\[[^\]]+\]", "bold reverse")
    return text
