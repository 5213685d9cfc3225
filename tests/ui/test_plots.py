"""Plots: what is written on them keeps to the paper and apart, and lines stand where their values are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from io import BytesIO
from itertools import combinations, pairwise
from typing import Any, TypeAlias

import pytest
from contrasts import contrast
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from bot.domain.charts import BASIC, DIFFICULTIES, MASTER, ULTIMA
from bot.domain.members import Cut, PictureStyle, Theme
from bot.ui.kit.letters import Fitted, Font, fit_to
from bot.ui.kit.palette import PALETTES
from bot.ui.plots import Labels, PlotBar, Trace, bar_plot, line_plot, time_plot, traces_plot
from bot.ui.plots.lines import _pens
from bot.ui.plots.sheet import SIZES, Axis, PlotPen, Sheet, _dashed, labelled, span_of, ticks_of

HISTORY = [(datetime(2026, 1, day, tzinfo=UTC), 16 + day / 100) for day in range(1, 29)]
LABELS = Labels(title="統計 ✪ǂ $x$ 🎵", across="レート", up="スコア")
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""
PALETTE = PALETTES[Theme.DARK]
STYLE = PictureStyle()
WIDTH = SIZES[Cut.WIDE].width
two_places: Callable[[float], str] = "{:,.2f}".format
line = partial(line_plot, format_across=two_places, format_value=two_places)
traces = partial(traces_plot, format_day="{:%Y/%m/%d}".format, format_value=two_places)
NUMBERS = st.floats(-1e9, 1e9, allow_nan=False)


def opened(png: bytes) -> Image.Image:
    image = Image.open(BytesIO(png))
    assert image.format == "PNG"
    return image.convert("RGB")


def rgb(colour: int) -> tuple[int, int, int]:
    red, green, blue = colour.to_bytes(3, "big")
    return red, green, blue


def places_of(image: Image.Image, colour: int) -> list[tuple[int, int]]:
    """Return the pixels of a colour, as across and down."""
    wanted = rgb(colour)
    return [
        (place % image.width, place // image.width)
        for place, pixel in enumerate(image.get_flattened_data())
        if pixel == wanted
    ]


@pytest.mark.parametrize("cut", [Cut.WIDE, Cut.PHONE])
@pytest.mark.parametrize("theme", list(Theme))
def test_every_plot_is_drawn_in_its_theme_and_for_its_screen(theme: Theme, cut: Cut) -> None:
    style = PictureStyle(theme, cut)
    drawn = [
        bar_plot(LABELS, [PlotBar(name="東方Project", value=40, most=100, text="40 %")], style),
        bar_plot(LABELS, [PlotBar(name="a" * 200, value=0, text="", difficulty=ULTIMA)] * 30, style),
        bar_plot(LABELS, [], style),
        line(LABELS, [(14.0, 990_000), (14.1, 991_000)], style, marked=14.05),
        line(LABELS, [], style),
        line(LABELS, [(place / 10, place % 7) for place in range(400)], style),
        time_plot(LABELS, [(datetime(2026, 1, 1, tzinfo=UTC), 16.5)], style, format_day=str),
        time_plot(LABELS, HISTORY, style, format_day=lambda day: f"{day:%m月%d日}"),
        traces(LABELS, [Trace("a" * 200, (tuple(HISTORY),))] * 5, style),
    ]
    for png in drawn:
        image = opened(png)
        assert image.getpixel((0, 0)) == rgb(PALETTES[theme].background)
        assert image.width == SIZES[cut].width
        assert len(png) < (160_000 if cut is Cut.PHONE else 130_000)


def test_what_is_read_on_a_phone_is_eleven_pixels_high() -> None:
    """An attachment is shown 350 pixels wide there."""
    size = SIZES[Cut.PHONE]
    assert min(size.plain.size, size.title.size) * 350 / size.width >= 11


WRITTEN: Mapping[str, Callable[[str], bytes]] = {
    "title": lambda text: line(Labels(title=text), [(14.0, 990_000), (15.0, 991_000)], STYLE),
    "axes": lambda text: line(Labels(title="", across=text, up=text), [(14, 1), (15, 2)], STYLE),
    "bars": lambda text: bar_plot(Labels(title=text), [PlotBar(name=text, value=1, text="1")], STYLE),
    "names": lambda text: traces(Labels(title=""), [Trace(text, (tuple(HISTORY),))] * 5, STYLE),
    "days": lambda text: time_plot(Labels(title=""), HISTORY, STYLE, format_day=lambda _day: text[:12]),
}


@pytest.mark.parametrize(
    "text", ["記録" * 40, "Minamo Remix " * 6, "あ" * 28, "W" * 56, "﷽" * 20, "W\n" * 40]
)
@pytest.mark.parametrize("where", WRITTEN)
def test_what_is_written_stays_on_the_paper(where: str, text: str) -> None:
    image = opened(WRITTEN[where](text))
    for edge in ((0, 0, 2, image.height), (image.width - 2, 0, image.width, image.height)):
        strip = image.crop(edge)
        assert strip.getcolors() == [(2 * image.height, rgb(PALETTE.background))]


def test_a_bar_is_as_long_as_its_value() -> None:
    bars = [
        PlotBar(name="half", value=50, most=100, text="50 %", difficulty=MASTER),
        PlotBar(name="all", value=100, most=100, text="100 %", difficulty=ULTIMA),
        PlotBar(name="none", value=0, most=100, text="0 %", difficulty=BASIC),
    ]
    image = opened(bar_plot(LABELS, bars, STYLE))
    (half, whole, none) = (places_of(image, PALETTE.difficulties[bar.difficulty or BASIC]) for bar in bars)
    lengths = [
        max(across for across, _down in each) - min(across for across, _down in each)
        for each in (half, whole)
    ]
    assert lengths[1] / lengths[0] == pytest.approx(2, rel=0.01)
    assert max(down for _across, down in half) < min(down for _across, down in whole)
    assert none == []


@pytest.mark.parametrize("values", [(50, -25), (0, -50), (-50, -25)])
def test_a_bar_below_none_lies_to_the_left_of_it(values: tuple[int, int]) -> None:
    bars = [
        PlotBar(name="a", value=value, text="", difficulty=difficulty)
        for value, difficulty in zip(values, (MASTER, ULTIMA), strict=True)
    ]
    colours = [PALETTE.difficulties[difficulty] for difficulty in (MASTER, ULTIMA)]
    image = opened(bar_plot(LABELS, bars, STYLE))
    ends = [
        (min(across), max(across)) if (across := [place[0] for place in places_of(image, colour)]) else (0, 0)
        for colour in colours
    ]
    (first, second), (low, high) = ends
    if values[0] > 0:
        assert high <= first + 2, "both begin where none is"
        assert (second - first) / (high - low) == pytest.approx(2, rel=0.02)
    elif values[0] < 0:
        assert second == high
        assert (second - first) / (high - low) == pytest.approx(2, rel=0.02)
    else:
        assert (first, second) == (0, 0)
        assert low < high


def test_a_line_goes_through_its_points() -> None:
    image = opened(line(Labels(title=""), [(0, 0), (1, 1), (2, 0)], STYLE))
    drawn = places_of(image, PALETTE.accent)
    left, right = min(drawn), max(drawn)
    top = min(drawn, key=lambda place: place[1])
    assert left[1] == pytest.approx(right[1], abs=6)
    assert top[0] == pytest.approx((left[0] + right[0]) / 2, abs=6)
    assert top[1] < left[1] - 200


def test_over_time_a_value_stays_until_the_next() -> None:
    days = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 30, 31)]
    image = opened(
        time_plot(Labels(title=""), list(zip(days, [0, 1, 1], strict=True)), STYLE, format_day=str)
    )
    drawn = places_of(image, PALETTE.accent)
    lowest = max(down for _across, down in drawn)
    width = max(drawn)[0] - min(drawn)[0]
    along = [across for across, down in drawn if down > lowest - 8]
    assert max(along) - min(along) > width * 0.9


def test_the_readers_place_is_marked() -> None:
    points = [(14.0, 1.0), (16.0, 2.0)]
    marked = places_of(opened(line(LABELS, points, STYLE, marked=15)), PALETTE.gold)
    assert len({across for across, _down in marked}) <= 4
    assert places_of(opened(line(LABELS, points, STYLE)), PALETTE.gold) == []


@example([-1e9, -999_999_999.9999999], 2)
@given(st.lists(NUMBERS, max_size=5), st.integers(2, 10))
def test_marks_are_round_and_even_and_not_too_many(values: Sequence[float], most: int) -> None:
    low, high = span_of(values)
    assert all(low < value < high for value in values)
    ticks = ticks_of(low, high, most)
    assert len(ticks) <= most + 1
    assert all(low - 1e-6 * abs(low) <= tick <= high + 1e-6 * abs(high) for tick in ticks)
    steps = [later - before for before, later in pairwise(ticks)]
    assert steps == pytest.approx(steps[:1] * len(steps), rel=1e-3)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (13.83, 16.57, ["14.0", "14.5", "15.0", "15.5", "16.0", "16.5"]),
        (13.86, 14.14, ["13.90", "13.95", "14.00", "14.05", "14.10"]),
        (0, 100, ["0", "20", "40", "60", "80", "100"]),
        (969_000, 1_003_000, ["970000", "980000", "990000", "1000000"]),
        (-29, 12, ["−20", "−10", "0", "10"]),
    ],
)
def test_marks_are_as_short_as_tells_them_apart(low: float, high: float, expected: list[str]) -> None:
    assert [text for _tick, text in labelled(ticks_of(low, high, 6), None)] == expected


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (
            -0.2,
            -0.16,
            4,
            ["-0.20", "-0.19", "-0.18", "-0.17", "-0.16"],
        ),  # a quarter of it is a little more than 0.01
        (-0.15, -0.04, 4, ["-0.15", "-0.10", "-0.05"]),
        (-0.2, -0.14, 4, ["-0.20", "-0.18", "-0.16", "-0.14"]),
    ],
)
def test_what_binary_fractions_miss_by_a_hair_is_a_mark(
    low: float, high: float, most: int, expected: list[str]
) -> None:
    assert [f"{tick:.2f}" for tick in ticks_of(low, high, most)] == expected


@pytest.mark.parametrize(
    ("points", "parts"),
    [
        ([(0, 0), (5, 0), (10, 0)], [[(0, 0), (4, 0)], [(7, 0), (10, 0)]]),
        ([(0, 0), (3, 0), (3, 4)], [[(0, 0), (3, 0), (3, 1)]]),
        (
            [(0, 0), (2, 0), (5, 0), (20, 0)],
            [[(0, 0), (2, 0), (4, 0)], [(7, 0), (11, 0)], [(14, 0), (18, 0)]],
        ),
    ],
)
def test_dashes_go_on_round_the_corners_of_a_line(
    points: list[tuple[float, float]], parts: list[list[tuple[float, float]]]
) -> None:
    assert _dashed(points, (4, 3)) == parts


def test_no_two_marks_say_the_same() -> None:
    assert [
        text for _tick, text in labelled([16.0, 16.002, 16.004, 16.01], lambda value: f"{value:.2f}")
    ] == [
        "16.00",
        "16.01",
    ]


def test_values_stand_between_the_ends() -> None:
    axis = Axis(10, 20, 100, 300)
    assert [axis.at(value) for value in (10, 15, 20)] == [100, 200, 300]


def over_time(days: Iterable[int], write: str = "%Y年%m月%d日", style: PictureStyle = STYLE) -> bytes:
    points = [(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day), 16 + day / 100) for day in days]
    return time_plot(LABELS, points, style, format_day=lambda day: day.strftime(write))


CROWDED: Mapping[str, Callable[[PictureStyle], bytes]] = {
    "a year": lambda style: over_time(range(365), style=style),
    "a month": lambda style: over_time(range(28), "%B %d, %Y", style),
    "gaps": lambda style: over_time([0, 1, 2, 80, 81, 300, 330, 398, 399, 400], style=style),
    "one day": lambda style: over_time([0], style=style),
    "wide numbers": lambda style: line(
        LABELS,
        [(place * 3e7, -place * 3e7) for place in range(40)],
        style,
    ),
    "bars": lambda style: bar_plot(LABELS, [PlotBar(name="W" * 40, value=1e7, text="10,000,000")] * 3, style),
    "goals": lambda style: bar_plot(
        LABELS, [PlotBar(name="W" * 40, value=99, text="99 %")] * 3, style, has_long_names=True
    ),
}


def texts_of(draw: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Box]]:
    """Return what is written, and where."""
    written: list[tuple[str, Box]] = []
    write = Sheet.text

    def noted(
        sheet: Sheet,
        place: tuple[float, float],
        text: str | Fitted,
        font: Font,
        colour: int,
        *,
        anchor: float = 0,
    ) -> None:
        fitted = fit_to(text, font, None) if isinstance(text, str) else text
        left = place[0] - anchor * fitted.width
        box = (left, place[1] - 0.55 * font.size, left + fitted.width, place[1] + 0.55 * font.size)
        written.append((fitted.text, box))
        write(sheet, place, text, font, colour, anchor=anchor)

    monkeypatch.setattr(Sheet, "text", noted)
    draw()
    return written


@pytest.mark.parametrize("cut", [Cut.WIDE, Cut.PHONE])
def test_long_names_have_room_where_they_are_what_matters(cut: Cut, monkeypatch: pytest.MonkeyPatch) -> None:
    goal, style = "2. genre:toho lamp:aj level>=13+ 50%", PictureStyle(cut=cut)
    for has_room in (False, True):
        bars = [PlotBar(name=goal, value=1, text="")]
        written = texts_of(lambda: bar_plot(LABELS, bars, style, has_long_names=has_room), monkeypatch)  # noqa: B023 - drawn at once
        assert (goal in {text for text, _ in written}) is has_room


@pytest.mark.parametrize("cut", [Cut.WIDE, Cut.PHONE])
@pytest.mark.parametrize("name", CROWDED)
def test_no_text_stands_on_another_or_off_the_paper(
    name: str, cut: Cut, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = partial(CROWDED[name], PictureStyle(cut=cut))
    boxes = [box for text, box in texts_of(drawn, monkeypatch) if text]
    assert len(boxes) > 3
    for left, top, right, _bottom in boxes:
        assert 0 < left <= right < SIZES[cut].width
        assert top > 0
    for one, other in combinations(boxes, 2):
        assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]


@pytest.mark.parametrize(
    ("days", "said"),
    [
        ([1], [1]),
        ([1, 2], [1, 2]),
        ([1, 2, 28, 29, 30], [1, 30]),
        ([1, 8, 15, 20, 21, 29, 31], [1, 8, 15, 20, 31]),
    ],
)
def test_the_first_and_the_last_day_are_named(
    days: list[int], said: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = texts_of(lambda: over_time([day - 1 for day in days], "%d. Jan"), monkeypatch)
    assert [text for text, _box in written if text.endswith("Jan")] == [f"{day:02}. Jan" for day in said]


def test_each_axis_is_written_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [(14.0, 1_000.0), (15.0, 2_000.0)]
    texts = {
        text
        for text, _box in texts_of(
            lambda: line(LABELS, points, STYLE, format_value="{:.1f}".format), monkeypatch
        )
    }
    assert {"14.00", "15.00", "1000.0", "2000.0"} <= texts


def test_dots_that_would_touch_are_left_out() -> None:
    few, many = (places_of(opened(over_time(range(days))), PALETTE.accent) for days in (10, 300))
    assert len(few) > len(many)


@pytest.mark.parametrize("theme", list(Theme))
def test_five_lines_are_told_apart_without_colour(theme: Theme) -> None:
    pens = _pens(PALETTES[theme])
    for of in ("colour", "shape", "dashes"):
        assert len({getattr(pen, of) for pen in pens}) == 5
    assert min(contrast(pen.colour, PALETTES[theme].background) for pen in pens) >= 4.5


@pytest.mark.parametrize("theme", list(Theme))
def test_everything_written_or_drawn_on_a_plot_is_seen(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    palette, written, drawn, style = PALETTES[theme], set[int](), set[int](), PictureStyle(theme)
    write, fill, draw = Sheet.text, Sheet.fill, Sheet.line

    def text(sheet: Sheet, place: Any, text: Any, font: Font, colour: int, *, anchor: float = 0) -> None:
        written.add(colour)
        write(sheet, place, text, font, colour, anchor=anchor)

    def filled(sheet: Sheet, box: Any, colour: int, *, strength: float = 1) -> None:
        if strength == 1:
            drawn.add(colour)
        fill(sheet, box, colour, strength=strength)

    def lined(sheet: Sheet, points: Any, dots: Any, pen: PlotPen | None = None) -> None:
        drawn.add(pen.colour if pen else palette.accent)
        draw(sheet, points, dots, pen)

    for name, noted in (("text", text), ("fill", filled), ("line", lined)):
        monkeypatch.setattr(Sheet, name, noted)
    line(LABELS, [(14.0, 990_000), (14.1, 991_000)], style, marked=14.05)
    time_plot(LABELS, HISTORY, style, format_day=str)
    traces(LABELS, [Trace("a", (tuple(HISTORY),))] * 5, style)
    bar_plot(
        LABELS,
        [PlotBar(name="a", value=40, most=100, text="40 %"), PlotBar(name="b", value=-1, text="")],
        style,
    )
    bar_plot(LABELS, [PlotBar(name=each, value=1, text="", difficulty=each) for each in DIFFICULTIES], style)
    assert len(written) >= 2
    assert min(contrast(colour, palette.background) for colour in written) >= 4.5
    drawn.discard(palette.line)  # grids: nothing that one has to see
    assert len(drawn) >= 6
    assert min(contrast(colour, palette.background) for colour in drawn) >= 3


def test_where_nothing_is_known_no_line_is_drawn() -> None:
    runs = (tuple(HISTORY[:5]), tuple(HISTORY[20:]))
    image = opened(traces(LABELS, [Trace("a", runs)], STYLE))
    across = {place for place, _down in places_of(image, PALETTE.accent)}
    gaps = [later - before for before, later in pairwise(sorted(across))]
    assert max(gaps) > WIDTH / 3
    assert sorted(gaps)[-2] < 20
    whole = opened(traces(LABELS, [Trace("a", (tuple(HISTORY),))], STYLE))
    across = {place for place, _down in places_of(whole, PALETTE.accent)}
    assert max(later - before for before, later in pairwise(sorted(across))) < 20


def test_a_value_holds_until_the_next_and_is_not_guessed_between() -> None:
    days = [(datetime(2026, 1, 1, tzinfo=UTC), 16.0), (datetime(2026, 1, 20, tzinfo=UTC), 17.0)]
    image = opened(traces(LABELS, [Trace("a", (tuple(days),))], STYLE))
    down = {down for _across, down in places_of(image, PALETTE.accent)}
    middle = (min(down) + max(down)) // 2
    assert len([across for across, at in places_of(image, PALETTE.accent) if at == middle]) < 10
