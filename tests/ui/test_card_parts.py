"""The parts of pictures of records: what each says, and how it is told from others. bot/ui/cards"""

from io import BytesIO
from itertools import combinations, pairwise
from typing import Final

import pytest
from contrasts import contrast
from noting import Noted
from pictures import invented_session
from PIL import Image, ImageChops

from bot.domain.charts import DIFFICULTIES, MASTER, ULTIMA, Difficulty
from bot.domain.members import Cut, Theme
from bot.domain.numbers import Hundredths
from bot.domain.rating import RATING_COLOURS, RATING_STEPS
from bot.ui.cards.canvas import Colour, Place, ToneCanvas, _StampCache
from bot.ui.cards.faces import Face
from bot.ui.cards.heroes import Hero, RatingSum, SumRow, wide_hero
from bot.ui.cards.parts import bold, stripe
from bot.ui.cards.plates import (
    ClassPlate,
    DeltaText,
    LampBadge,
    LampPlate,
    Move,
    RankPlate,
    Rating,
    ladder,
    paint_change,
)
from bot.ui.cards.session_phone import session_drawing
from bot.ui.cards.tiles import FIRST, MIDDLE, PHONE_TILE, SMALL, Tile, TileStyle, paint_phone_tile, paint_tile
from bot.ui.kit.palette import PALETTES
from bot.ui.language.text import Language, Languages

READ: Final = 4.5
"""Source: WCAG 2.2, 1.4.3: of text."""
SEEN: Final = 3.0
"""Source: WCAG 2.2, 1.4.11: of what is no text."""
LEAST_OF_PLATES: Final = 3.4
"""Of plates and stripes on their ground; what they say stands on them or beside them in letters."""


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


@pytest.mark.parametrize("theme", list(Theme))
def test_every_plate_is_read(theme: Theme) -> None:
    palette = PALETTES[theme]
    ranks = [
        RankPlate(label, (66, 28), palette.raised)
        for label in ("AAA", "S", "S+", "SS", "SS+", "SSS", "SSS+", "D")
    ]
    lamps = [LampPlate(lamp, 18, palette.panel) for lamp in LampBadge]
    classes = [
        ClassPlate(step.colour.upper(), step.colour, step.stars, 28, palette.panel) for step in RATING_STEPS
    ]
    for stamp in (*ranks, *lamps, *classes):
        canvas = Noted(theme, stamp.size)
        stamp.paint(canvas, (0, 0))
        [(text, box, colour, _ground)] = canvas.texts
        assert 0 <= box[0] < box[2] <= stamp.size[0], text
        assert 0 <= box[1] < box[3] <= stamp.size[1], text
        assert isinstance(colour, int)
        if isinstance(stamp, LampPlate):
            under = [palette.panel if colour == palette.gold else palette.gold]
        else:
            under = palette.classes.get(text.lower()) or [palette.ranks.get(text, palette.ranks["AAA"])]
        assert min(contrast(colour, ground) for ground in under) >= READ, text


@pytest.mark.parametrize("theme", list(Theme))
def test_every_mark_is_seen(theme: Theme) -> None:
    palette = PALETTES[theme]
    plates = (*palette.ranks.values(), *palette.difficulties.values(), palette.mark)
    for ground in (palette.panel, palette.raised):
        assert min(contrast(plate, ground) for plate in plates) >= LEAST_OF_PLATES
        assert min(contrast(colour, ground) for colour in (palette.up, palette.down)) >= READ
    for ground in (palette.background, palette.panel, palette.raised):
        told = (palette.text, palette.quiet, palette.up, palette.new, palette.rival, palette.gold)
        assert min(contrast(colour, ground) for colour in told) >= READ
    assert min(contrast(palette.ink, plate) for plate in (palette.up, palette.new)) >= READ
    assert min(contrast(bar, palette.line) for bar in (palette.up, palette.gold)) >= SEEN
    lines = [colour for colours in palette.classes.values() for colour in colours]
    assert min(contrast(colour, palette.tint) for colour in lines) >= SEEN


def along(size: tuple[int, int], difficulty: Difficulty) -> list[object]:
    """Return the colours along a stripe, each once as long as it stays."""
    canvas = ToneCanvas(Theme.DARK, *size)
    stripe(canvas, (0, 0), size, difficulty)
    drawn = opened(canvas.to_png())
    found = [drawn.getpixel((min(at, size[0] - 1), min(at, size[1] - 1))) for at in range(max(size))]
    return [one for one, other in pairwise([*found, None]) if one != other]


@pytest.mark.parametrize("size", [(8, 100), (100, 8), (5, 18), (10, 52)])
def test_stripes_are_told_apart_without_colour(size: tuple[int, int]) -> None:
    parts = {code: len(along(size, code)) for code in DIFFICULTIES[:5]}
    assert parts.pop(ULTIMA) != parts[MASTER]
    assert len(set(parts.values())) == 4
    assert len(along(size, Difficulty("NEW"))) == 1


def test_arrows_point_to_where_a_rating_went() -> None:
    for move, is_wide_below in ((Move.UP, True), (Move.DOWN, False)):
        canvas = ToneCanvas(Theme.DARK, 60, 60)
        paint_change(canvas, (5, 30), DeltaText(move, ""), bold(48), canvas.palette.background)
        drawn = ImageChops.difference(opened(canvas.to_png()), Image.new("RGB", (60, 60), "#0e1016")).convert(
            "L"
        )
        drawn = drawn.crop(drawn.getbbox())
        halves = [
            sum(drawn.crop((0, top, drawn.width, top + drawn.height // 2)).tobytes())
            for top in (0, drawn.height // 2)
        ]
        assert (halves[1] > halves[0]) is is_wide_below


def test_a_number_wears_all_colours_of_its_class() -> None:
    palette = PALETTES[Theme.DARK]
    for name, least in RATING_COLOURS:
        card = invented_session(3, rating=least, effects=0, others=0, has_play=False, is_change=False)
        drawn = opened(session_drawing(card, Cut.WIDE).to_png(Theme.DARK)).crop((40, 60, 500, 180))
        painted = {colour for _count, colour in drawn.getcolors(1 << 16) or ()}
        assert {tuple(colour.to_bytes(3, "big")) for colour in palette.classes[name]} <= painted


def filled(reached: int) -> int:
    """Return how many pixels of the ladder are filled at a rating."""
    canvas = Noted(Theme.DARK, (1224, 8))
    ladder(canvas, (0, 0), (1224, 8), Hundredths(reached))
    return sum(box[2] - box[0] for box, colour in canvas.fills[1:] if colour != canvas.palette.line)


def test_the_ladder_is_a_scale() -> None:
    steps = [filled(rating) for rating in range(0, 1760, 5)]
    assert steps[0] == 0
    assert all(one <= other for one, other in pairwise(steps))
    of_blue, of_star = filled(199) - filled(0), filled(1624) - filled(1600)
    assert 1.7 < of_star / of_blue < 2
    assert filled(1688) - filled(1675) == pytest.approx((filled(1699) - filled(1675)) / 2, abs=6)
    assert filled(1700) == filled(1899) > filled(1699)


def test_every_star_is_painted() -> None:
    shapes: list[int] = []

    class Counting(Noted):
        def shape(self, corner: Place, mask: Image.Image, colour: Colour, ground: int) -> None:  # noqa: ARG002 - as the canvas has it
            shapes.append(mask.size[0])

    for step in RATING_STEPS:
        shapes.clear()
        plate = ClassPlate.of(Rating("", step.lowest, step.colour, "X", step.stars), 28, 0)
        plate.paint(Counting(Theme.DARK, plate.size), (0, 0))
        assert len(shapes) == 1 + step.stars


def test_what_is_kept_of_pictures_is_bounded_and_the_last() -> None:
    shelf, image = _StampCache(10_000), Image.new("L", (30, 30))
    for number in range(20):
        shelf.put(number, image)
        assert shelf.find(0) is image
    assert shelf._weight <= 10_000
    assert shelf.find(19) is image
    assert [shelf.find(number) for number in range(1, 15)] == [None] * 14


@pytest.mark.parametrize("language", list(Languages()), ids=lambda each: each.code)
def test_a_sum_of_unknown_constants_stands_free_in_every_language(language: Language) -> None:
    labels = language("BEST {places}", places="30"), language("NEW {places}", places="20")
    rows = tuple(SumRow(label, "≥16.369", "× 30", "≥491.07") for label in labels)
    rating = Rating("15.65", Hundredths(15_65), "platinum", "PLATINUM")
    summed = RatingSum(rows, "782.75–784.14", "÷ 50", "15.65–15.68", language("in all"))
    canvas = Noted(Theme.DARK, (1272, 190))
    wide_hero(Hero(rating=rating, change=None, since="", name="W" * 30, sum=summed)).paint(canvas, 0)
    boxes = [box for text, box, *_ in canvas.texts if text.strip()]
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("style", [FIRST, MIDDLE, SMALL])
@pytest.mark.parametrize("rating", ["16.86", "≥16.86", "≥8.65"])
def test_no_rank_covers_a_figure(style: TileStyle, rating: str) -> None:
    face = Face("", 0, 0, 0, 0, "A")
    tile = Tile(
        title="A", face=face, difficulty=MASTER, chart="MAS 14", rating=rating, score="1,010,000", rank="SSS+"
    )
    canvas = Noted(Theme.DARK, (style.width, style.height))
    paint_tile(canvas, (0, 0), tile, style)
    [rank] = [box for box, stamp in canvas.stamps if isinstance(stamp, RankPlate)]
    for text, box, *_ in canvas.texts:
        assert box[2] <= rank[0] or box[3] <= rank[1] or rank[3] <= box[1], text
    assert style is not SMALL or dict(canvas.sizes)[rating] >= 17
    assert rating[0] == "≥" or dict(canvas.sizes)[rating] == style.rating[0].size


@pytest.mark.parametrize("number", ["16.86", "≥16.86"])
def test_a_lamp_is_never_left_out_on_a_phone(number: str) -> None:
    tile = Tile(
        title="A", face=Face("", 0, 0, 0, 0, "A"), difficulty=MASTER, chart="MAS 14", rating=number,
        score="1,010,000", rank="SSS+", lamps=(LampBadge.ALL_JUSTICE, LampBadge.FULL_CHAIN),
    )  # fmt: skip
    canvas = Noted(Theme.DARK, PHONE_TILE)
    paint_phone_tile(canvas, (0, 0), tile)
    lamps = [(stamp.lamp, box) for box, stamp in canvas.stamps if isinstance(stamp, LampPlate)]
    assert LampBadge.ALL_JUSTICE in [lamp for lamp, _box in lamps]
    for text, box, *_ in canvas.texts:
        for _lamp, plate in lamps:
            assert box[2] <= plate[0] or plate[2] <= box[0] or box[3] <= plate[1] or plate[3] <= box[1], text
