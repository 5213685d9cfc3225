"""The paper that every plot stands on; matplotlib is loaded when the first one is drawn."""

# matplotlib's stubs leave **kwargs open:
# pyright: reportUnknownMemberType=false

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.domain.members import Theme
from bot.ui.cards.canvas import Face, cut_to
from bot.ui.fonts import BOLD, FALLBACK_FAMILY, FAMILY, REGULAR, drawable
from bot.ui.markdown import one_line
from bot.ui.palette import PALETTES, Palette, hex_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH: Final = 8.0
"""Inches; at `_DPI`, 1,040 pixels: about twice what Discord shows on a phone."""
_DPI: Final = 130
POINTS: Final = 12
"""The size of what is written on a plot."""
_TITLE_POINTS: Final = 15
_TITLE_ROOM: Final = 760
"""Pixels; the title's end, which tells whose or which chart's it is, stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What is written on a plot, in the reader's language."""

    title: str
    across: str = ""
    """Along the horizontal axis."""
    up: str = ""
    """Along the vertical axis."""


class Sheet:
    """One figure with one pair of axes."""

    def __init__(self, figure: "Figure", axes: "Axes", palette: Palette) -> None:
        self.figure = figure
        self.axes = axes
        self.palette = palette

    def to_png(self) -> bytes:
        """Return the finished picture."""
        written = BytesIO()
        self.figure.savefig(written, format="png", dpi=_DPI, metadata={"Software": None})
        return written.getvalue()


@contextmanager
def new_sheet(labels: Labels, theme: Theme, *, height: float = 4.2) -> Generator[Sheet]:
    """Open a figure in the look of a theme; `height` in inches."""
    import matplotlib as mpl  # noqa: PLC0415 - loaded when the first plot is drawn
    from matplotlib.figure import Figure  # noqa: PLC0415 - as above

    _load_fonts()
    palette = PALETTES[theme]
    with mpl.rc_context(_style(palette)):  # pyright: ignore[reportArgumentType]  # the stub wants a literal for each name
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.add_subplot()
        title = fit(labels.title, BOLD, _TITLE_POINTS, _TITLE_ROOM, middle=True)
        axes.set_title(title, loc="left", fontsize=_TITLE_POINTS, fontweight="bold", pad=12)
        axes.set_xlabel(drawable(labels.across, REGULAR))
        axes.set_ylabel(drawable(labels.up, REGULAR))
        axes.spines[["top", "right"]].set_visible(False)
        yield Sheet(figure, axes, palette)


def fit(text: str, font: Path, points: int, room: int, *, middle: bool = False) -> str:
    """Return `text` on one line, cut to `room` pixels in a size of so many points; `middle`: its end stays."""
    return cut_to(one_line(drawable(text, font)), Face(font, round(points * _DPI / 72)), room, middle=middle)


def _style(palette: Palette) -> dict[str, object]:
    text, quiet, line = hex_of(palette.text), hex_of(palette.quiet), hex_of(palette.line)
    return {
        "font.family": [FAMILY, FALLBACK_FAMILY],
        "font.size": POINTS,
        "figure.facecolor": hex_of(palette.background),
        "axes.facecolor": hex_of(palette.background),
        "axes.edgecolor": line,
        "axes.titlecolor": text,
        "axes.labelcolor": quiet,
        "axes.axisbelow": True,
        "axes.unicode_minus": False,
        "xtick.color": quiet,
        "ytick.color": quiet,
        "text.color": text,
        "grid.color": line,
        "grid.linewidth": 0.7,
        # A "$" in a title is a dollar, not mathematics.
        "text.parse_math": False,
    }


@cache
def _load_fonts() -> None:
    from matplotlib.font_manager import fontManager  # noqa: PLC0415 - as in `new_sheet`

    for font in (REGULAR, BOLD):
        fontManager.addfont(str(font))
