"""Writes what `make bench-whole` has measured into docs/scaling.md: `make scaling`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

PAGE: Final = Path(__file__).parents[3] / "docs" / "scaling.md"
_BEGIN: Final = "<!-- measured by make scaling: begin -->\n"
_END: Final = "<!-- measured by make scaling: end -->\n"
MIX: Final = "commands of the mix in a second of a core"
ASKED_A_SECOND: Final = 350
"""A million members a day, five questions each, most of them in four hours."""

Figures = Sequence[Mapping[str, Any]]
"""Rows of the bench as JSON."""


def replace_measured(page: str, rows: Figures) -> str:
    """Return a page with the figures of some rows in place of those it has. Raises: ValueError without its marks."""
    head, begin, rest = page.partition(_BEGIN)
    _, end, tail = rest.partition(_END)
    if not begin or not end:
        message = "the page has no place for what was measured"
        raise ValueError(message)
    return f"{head}{begin}{_measured(rows)}{end}{tail}"


def _measured(rows: Figures) -> str:
    lines = [
        "| measured on the process that ships | median | rounds | a bare discord.py bot |",
        "|---|---|---|---|",
        *map(_line, rows),
    ]
    for row in rows:
        if row["name"] == MIX:
            cores = ASKED_A_SECOND / row["figure"]
            rate = f"One core answers **{row['figure']:.0f} commands a second** as people use them"
            more = f"{ASKED_A_SECOND} a second would take {cores:.1f} cores (computed)"
            lines += ["", f"{rate}, lists, plans and pictures included; {more}."]
    return "\n".join(lines) + "\n"


def _line(row: Mapping[str, Any]) -> str:
    rounds, unit = row["rounds"], f" {row['unit']}".rstrip()
    beside = "" if row["beside"] is None else f"{_short(row['beside'])}{unit}"
    spread = f"{_short(min(rounds))} to {_short(max(rounds))}"
    return f"| {row['name']} | {_short(row['figure'])}{unit} | {spread} | {beside} |"


def _short(figure: float) -> str:
    return f"{figure:.3g}" if abs(figure) < 1000 else f"{figure:,.0f}"


@click.command()
@click.argument("figures", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(figures: Path) -> None:
    """Write the FIGURES that the bench has left as JSON into the page."""
    rows = json.loads(figures.read_text(encoding="utf-8"))
    PAGE.write_text(replace_measured(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")


if __name__ == "__main__":
    main()
