"""The paper that every plot stands on; matplotlib is loaded when the first one is drawn."""

# matplotlib's stubs leave **kwargs open:
# pyright: reportUnknownMemberType=false

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Final

from bot.domain.members import Theme
from bot.ui.fonts import BOLD, FALLBACK_FAMILY, FAMILY, REGULAR, drawable
from bot.ui.markdown import cut
from bot.ui.palette import PALETTES, Palette, hex_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH: Final = 8.0
"""Inches; at `_DPI`, 1,040 pixels: about twice what Discord shows on a phone."""
_DPI: Final = 130
_TITLE_WIDTH: Final = 56
"""Columns that the title has room for; its end, which tells whose or which chart's it is, stays."""


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
        title = cut(drawable(labels.title, BOLD), _TITLE_WIDTH, middle=True)
        axes.set_title(title, loc="left", fontsize=15, fontweight="bold", pad=12)
        axes.set_xlabel(drawable(labels.across, REGULAR))
        axes.set_ylabel(drawable(labels.up, REGULAR))
        axes.spines[["top", "right"]].set_visible(False)
        yield Sheet(figure, axes, palette)


def _style(palette: Palette) -> dict[str, object]:
    text, quiet, line = hex_of(palette.text), hex_of(palette.quiet), hex_of(palette.line)
    return {
        "font.family": [FAMILY, FALLBACK_FAMILY],
        "font.size": 12,
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
