"""Plots: warnings are errors here, and matplotlib warns of every letter that it cannot draw."""

import subprocess
import sys
from datetime import UTC, datetime
from io import BytesIO

import pytest
from PIL import Image

from bot.domain.members import Theme
from bot.ui.palette import PALETTES
from bot.ui.plots import Bar, Labels, bar_plot, line_plot, time_plot
from bot.ui.plots.lines import _spread

HISTORY = [(datetime(2026, 1, day, tzinfo=UTC), 16 + day / 100) for day in range(1, 29)]
LABELS = Labels(title="統計 ✪ǂ $x$ 🎵", across="レート", up="スコア")


def opened(png: bytes) -> Image.Image:
    image = Image.open(BytesIO(png))
    assert image.format == "PNG"
    return image.convert("RGB")


def background(image: Image.Image) -> int:
    pixel = image.getpixel((0, 0))
    assert isinstance(pixel, tuple)
    red, green, blue = (int(value) for value in pixel)
    return red << 16 | green << 8 | blue


@pytest.mark.parametrize("theme", list(Theme))
def test_every_plot_is_drawn_in_its_theme(theme: Theme) -> None:
    drawn = [
        bar_plot(LABELS, [Bar(name="東方Project", value=40, most=100, text="40 %")], theme),
        bar_plot(LABELS, [Bar(name="a" * 200, value=0, text="", colour=0x8C1BE1)] * 30, theme),
        bar_plot(LABELS, [], theme),
        line_plot(LABELS, [(14.0, 990_000), (14.1, 991_000)], theme, marked=14.05, format_value=str),
        line_plot(LABELS, [], theme),
        time_plot(LABELS, [(datetime(2026, 1, 1, tzinfo=UTC), 16.5)], theme, format_day=str),
        time_plot(LABELS, HISTORY, theme, format_day=lambda day: f"{day:%m月%d日}"),
    ]
    for png in drawn:
        assert background(opened(png)) == PALETTES[theme].background
        assert len(png) < 130_000


@pytest.mark.parametrize("title", ["記録" * 40, "Rating of Minamo Remix " * 6, "あ" * 28, "W" * 56, "﷽" * 20])
def test_a_long_title_stays_on_the_paper(title: str) -> None:
    image = opened(
        line_plot(Labels(title=title, up="スコア"), [(14.0, 990_000), (15.0, 991_000)], Theme.DARK)
    )
    assert is_bare_at_the_edge(image)


def test_a_long_title_stays_on_the_paper_beside_long_names() -> None:
    bars = [Bar(name="W" * 40, value=1, text="1"), Bar(name="記録" * 20, value=2, text="2")]
    assert is_bare_at_the_edge(opened(bar_plot(Labels(title="W" * 56), bars, Theme.DARK)))


def is_bare_at_the_edge(image: Image.Image) -> bool:
    edge = image.crop((image.width - 4, 0, image.width, 50))
    return edge.getcolors() == [(4 * 50, image.getpixel((0, 0)))]


@pytest.mark.parametrize(
    ("days", "named"),
    [
        ([1], [1]),
        ([1, 2], [1, 2]),
        ([1, 2, 28, 29, 30], [1, 30]),
        ([1, 8, 15, 20, 23, 29, 31], [1, 8, 15, 20, 31]),
    ],
)
def test_the_first_and_the_last_day_are_named(days: list[int], named: list[int]) -> None:
    moments = [datetime(2026, 1, day, tzinfo=UTC) for day in days]
    assert [moment.day for moment in _spread(moments)] == named


def test_matplotlib_is_not_loaded_before_it_is_needed() -> None:
    code = (
        "import sys, bot.app, bot.ui.plots, bot.client\n"
        "import importlib\n"
        "for name in bot.client.cog_names(): importlib.import_module(name)\n"
        "assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
