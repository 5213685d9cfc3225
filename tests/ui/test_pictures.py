"""What holds of every picture of records, whatever is on it: bot/ui/cards."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import combinations, pairwise
from typing import Final, NamedTuple

import pytest
from pictures import (
    LONG,
    best_plainly,
    daily_plainly,
    invented_best,
    invented_daily,
    invented_session,
    invented_table,
    phone_plainly,
    rating_of,
    session_plainly,
    table_plainly,
)
from PIL import Image, ImageChops

from bot.domain.charts import DIFFICULTIES, ULTIMA, Difficulty
from bot.domain.completion import MOST_CHARTS
from bot.domain.members import Theme
from bot.domain.rating import RATING_COLOURS
from bot.ui.cards import (
    BestCard,
    CompletionPicture,
    DeltaText,
    Move,
    draw_best,
    draw_completion,
    draw_daily,
    draw_phone,
    draw_session,
    phone_pictures,
)
from bot.ui.cards.best import best_size, paint_best
from bot.ui.cards.canvas import Box, Canvas, Colour, Place, Stamp, ToneCanvas, _Shelf, tone_of
from bot.ui.cards.completion import MAX_PATTERNED_CHARTS, completion_size, paint_completion
from bot.ui.cards.daily import MAX_BARS, MAX_STEPS, DailyPicture, daily_size, paint_daily
from bot.ui.cards.faces import FaceStamp
from bot.ui.cards.parts import ClassPlate, LampBadge, LampPlate, RankPlate, stripe
from bot.ui.cards.phone import FIRST_PLACES, MAX_PHONE_HEIGHT, PHONE_WIDTH, paint_phone, phone_size
from bot.ui.cards.session import MAX_ROWS, MAX_TILES, SessionPicture, paint_session, session_size
from bot.ui.cards.tones import TONES
from bot.ui.kit.letters import Font, line_of
from bot.ui.kit.palette import PALETTES, contrast

pytestmark = pytest.mark.heavy

READ: Final = 4.5
"""Source: WCAG 2.2, 1.4.3: of text."""
SEEN: Final = 3.0
"""Source: WCAG 2.2, 1.4.11: of what is no text."""
LEAST_OF_PLATES: Final = 3.4
"""Of plates and stripes on their ground; what they say stands on them or beside them in letters."""


class Phone(NamedTuple):
    """One of the pictures of a card that is cut for a phone."""

    card: BestCard
    number: int


Picture = BestCard | Phone | SessionPicture | DailyPicture | CompletionPicture
UNRATED = replace(
    invented_session(7),
    before=None,
    after=None,
    change=None,
    gains=tuple(replace(tile, rating="", place="") for tile in invented_session(7).gains),
    others=tuple(replace(tile, rating="", place="") for tile in invented_session(7).others),
)
CASES: Final[dict[str, Callable[[str], Picture]]] = {
    "best": lambda language: invented_best(3, language),
    "best, longest": lambda language: invented_best(4, language, is_long=True),
    "best of few": lambda language: invented_best(5, language, rating=7, best=2, recent=1, has_history=False),
    "best of none": lambda language: invented_best(
        6, language, rating=0, best=0, recent=0, has_history=False
    ),
    "best of ten": lambda language: invented_best(8, language, best=10, places=10, has_history=False),
    "best of twenty": lambda language: invented_best(8, language, best=18, places=20),
    "phone": lambda language: Phone(invented_best(3, language), 0),
    "phone, second": lambda language: Phone(invented_best(3, language), 1),
    "phone, longest": lambda language: Phone(invented_best(4, language, is_long=True), 0),
    "phone, longest and second": lambda language: Phone(invented_best(4, language, is_long=True), 1),
    "phone of few": lambda language: Phone(
        invented_best(5, language, rating=7, best=2, has_history=False), 0
    ),
    "phone of twenty": lambda language: Phone(
        invented_best(8, language, best=20, places=20, is_long=True), 0
    ),
    "phone of twenty, second": lambda language: Phone(invented_best(8, language, best=19, places=20), 1),
    **{
        f"best of {name}": partial(invented_best, 7, rating=least + 7, best=13)
        for name, least in RATING_COLOURS
    },
    "session": lambda language: invented_session(3, language),
    "session, longest": lambda language: invented_session(
        4, language, others=MAX_ROWS, more=1234, is_long=True
    ),
    "session of one gain": lambda language: invented_session(5, language, gains=1, others=0),
    "session of two gains": lambda language: invented_session(5, language, gains=2, others=0),
    "session of few rows": lambda language: invented_session(6, language, others=1),
    "session without a gain": lambda language: invented_session(5, language, gains=0, others=0),
    "session without ratings": lambda _language: UNRATED,
    "session that fell": lambda language: replace(
        invented_session(8, language), after=rating_of(1, language), change=DeltaText(Move.DOWN, "0.01")
    ),
    "day": lambda language: invented_daily(3, language),
    "day, longest": lambda language: invented_daily(
        4, language, members=MAX_STEPS + MAX_BARS, more=1234, is_long=True
    ),
    "day of one": lambda language: invented_daily(5, language, members=1),
    "day of two without history": lambda language: invented_daily(
        5, language, members=2, has_history=False, has_score=False
    ),
    "day of many without a score": lambda language: invented_daily(6, language, members=9, has_score=False),
    "day on which nobody changed": lambda language: invented_daily(5, language, members=0, has_score=False),
    "table": lambda language: invented_table(3, language),
    "table, longest": lambda language: invented_table(4, language, is_long=True),
    "table of one": lambda language: invented_table(5, language, charts=1),
    "table, largest": lambda language: invented_table(6, language, charts=MOST_CHARTS),
    "table, largest and longest": lambda language: invented_table(
        7, language, charts=MOST_CHARTS, is_long=True
    ),
}


class Noted:
    """A canvas that keeps what is painted on it, and where."""

    def __init__(self, theme: Theme, size: tuple[int, int]) -> None:
        self.palette = PALETTES[theme]
        self.fills: list[tuple[Box, int]] = [((0, 0, *size), self.palette.background)]
        self.texts: list[tuple[str, Box, Colour, int]] = []
        self.stamps: list[tuple[Box, Stamp]] = []
        self.sizes: dict[str, int] = {}
        """Of the font of each text."""

    def fill(self, box: Box, colour: int) -> None:
        self.fills.append((box, colour))

    def text(self, place: Place, text: str, font: Font, colour: Colour, ground: int) -> None:
        line = line_of(text, font)
        self.sizes[text] = font.size
        if line is not None:
            left, top = place[0] + line.left, font.baseline(place[1]) + line.top
            width, height = line.mask.size
            self.texts.append((text, (left, top, left + width, top + height), colour, ground))

    def shape(self, corner: Place, mask: Image.Image, colour: Colour, ground: int) -> None:
        pass

    def stamp(self, corner: Place, stamp: Stamp) -> None:
        left, top = corner
        width, height = stamp.size
        self.stamps.append(((left, top, left + width, top + height), stamp))

    def ground_of(self, box: Box) -> tuple[Box, int]:
        """Return what was filled last where the middle of a box is."""
        across, down = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return [
            (area, colour)
            for area, colour in self.fills
            if area[0] <= across < area[2] and area[1] <= down < area[3]
        ][-1]


def size_of(picture: Picture) -> tuple[int, int]:
    match picture:
        case BestCard():
            return best_size(picture)
        case Phone():
            return phone_size(*picture)
        case SessionPicture():
            return session_size(picture)
        case DailyPicture():
            return daily_size(picture)
        case CompletionPicture():
            return completion_size(picture)


def paint(canvas: Canvas, picture: Picture) -> None:
    match picture:
        case BestCard():
            paint_best(canvas, picture)
        case Phone():
            paint_phone(canvas, *picture)
        case SessionPicture():
            paint_session(canvas, picture)
        case DailyPicture():
            paint_daily(canvas, picture)
        case CompletionPicture():
            paint_completion(canvas, picture)


def draw(picture: Picture, theme: Theme) -> bytes:
    match picture:
        case BestCard():
            return draw_best(picture, theme)
        case Phone():
            return draw_phone(*picture, theme)
        case SessionPicture():
            return draw_session(picture, theme)
        case DailyPicture():
            return draw_daily(picture, theme)
        case CompletionPicture():
            return draw_completion(picture, theme)


def draw_plainly(picture: Picture, theme: Theme) -> bytes:
    match picture:
        case BestCard():
            return best_plainly(picture, theme)
        case Phone():
            return phone_plainly(*picture, theme)
        case SessionPicture():
            return session_plainly(picture, theme)
        case DailyPicture():
            return daily_plainly(picture, theme)
        case CompletionPicture():
            return table_plainly(picture, theme)


def noted(name: str, language: str, theme: Theme = Theme.DARK) -> Noted:
    picture = CASES[name](language)
    canvas = Noted(theme, size_of(picture))
    paint(canvas, picture)
    return canvas


def colours_of(colour: Colour) -> Iterator[int]:
    return iter((colour,) if isinstance(colour, int) else colour)


def as_painted(theme: Theme, colour: int) -> int:
    return TONES[theme][tone_of(theme, colour)]


def meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", CASES)
def test_every_text_is_within_its_box(name: str, language: str) -> None:
    canvas = noted(name, language)
    for text, box, _colour, ground in canvas.texts:
        area, colour = canvas.ground_of(box)
        assert colour == ground, text
        assert area[0] <= box[0] < box[2] <= area[2], text
        assert area[1] <= box[1] < box[3] <= area[3], text


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", CASES)
def test_no_text_stands_on_another_or_on_a_plate(name: str, language: str) -> None:
    canvas = noted(name, language)
    plates = [(str(stamp), box) for box, stamp in canvas.stamps if not isinstance(stamp, FaceStamp)]
    boxes = [(text, box) for text, box, _colour, _ground in canvas.texts] + plates
    assert len(boxes) > 5
    for (one, first), (other, second) in combinations(boxes, 2):
        assert not meet(first, second), (one, other)


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("name", CASES)
def test_every_text_is_read_on_its_ground(name: str, theme: Theme) -> None:
    for text, _box, colour, ground in noted(name, "en", theme).texts:
        for each in colours_of(colour):
            assert contrast(as_painted(theme, each), ground) >= READ, text


@pytest.mark.parametrize("theme", list(Theme))
def test_every_plate_is_read(theme: Theme) -> None:
    palette = PALETTES[theme]
    ranks = [
        RankPlate(label, (66, 26), palette.raised)
        for label in ("AAA", "S", "S+", "SS", "SS+", "SSS", "SSS+", "D")
    ]
    lamps = [LampPlate(lamp, 18, palette.panel) for lamp in LampBadge]
    classes = [ClassPlate(name.upper(), name, 22, palette.panel) for name, _least in RATING_COLOURS]
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
    lines = [colour for colours in palette.classes.values() for colour in colours]
    assert min(contrast(colour, palette.tint) for colour in lines) >= SEEN


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize(
    "name",
    [
        "best",
        "best, longest",
        "best of twenty",
        "phone",
        "phone, longest and second",
        "session",
        "session, longest",
        "day",
        "day, longest",
        "table",
        "table, longest",
    ],
)
def test_a_picture_looks_as_if_drawn_plainly(name: str, theme: Theme) -> None:
    picture = CASES[name]("ja")
    small = [opened(png).reduce(12) for png in (draw(picture, theme), draw_plainly(picture, theme))]
    # Letters stand up to a pixel apart; a letter, word or plate that is missing would show as a bright spot.
    assert max(ImageChops.difference(*small).convert("L").tobytes()) < 60


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("name", CASES)
def test_a_picture_is_small_and_of_its_tones(name: str, theme: Theme) -> None:
    picture = CASES[name]("ja")
    png = draw(picture, theme)
    assert len(png) <= (300_000 if isinstance(picture, CompletionPicture) else 130_000)
    drawn = opened(png)
    assert drawn.size == size_of(picture)
    if isinstance(picture, Phone):
        assert drawn.width == PHONE_WIDTH
        assert drawn.height <= MAX_PHONE_HEIGHT
    painted = {colour for _count, colour in drawn.getcolors(1 << 16) or ()}
    assert painted <= {tuple(tone.to_bytes(3, "big")) for tone in TONES[theme]}


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("phone")])
def test_what_is_read_on_a_phone_is_large_enough(name: str) -> None:
    """At 390 of 1080 pixels a name is ten high, and nothing that is written is lower than eight."""
    canvas = noted(name, "en")
    picture = CASES[name]("en")
    assert isinstance(picture, Phone)
    assert min(canvas.sizes.values()) * 390 / PHONE_WIDTH >= 8
    for tile in picture.card.tiles:
        for text, size in canvas.sizes.items():
            if text == tile.title:
                assert size * 390 / PHONE_WIDTH >= 10


def test_a_phone_has_a_second_picture_where_the_first_is_full() -> None:
    assert [phone_pictures(count) for count in (1, FIRST_PLACES, FIRST_PLACES + 1, 30)] == [1, 1, 2, 2]
    first, second = ([text for text, *_ in noted(name, "en").texts] for name in ("phone", "phone, second"))
    places = [str(place) for place in range(1, 31)]
    assert [place for place in places if place in first] == places[:FIRST_PLACES]
    assert [place for place in places if place in second] == places[FIRST_PLACES:]


def test_the_longest_picture_is_full() -> None:
    session, day = CASES["session, longest"]("en"), CASES["day, longest"]("en")
    assert isinstance(session, SessionPicture)
    assert isinstance(day, DailyPicture)
    assert (len(session.gains), len(session.others)) == (MAX_TILES, MAX_ROWS)
    assert (len(day.steps), len(day.bars)) == (MAX_STEPS, MAX_BARS)


@pytest.mark.parametrize("name", ["session, longest", "day, longest"])
def test_what_is_cut_keeps_what_it_is_known_by(name: str) -> None:
    texts = [text for text, *_ in noted(name, "en").texts]
    assert "and 1234 more" in texts
    assert LONG not in texts
    titles = [text for text in texts if text.startswith("ＷＷＷ") and "…" in text]
    assert any(text.endswith("x)") for text in titles)


@pytest.mark.parametrize("charts", [MAX_PATTERNED_CHARTS, MAX_PATTERNED_CHARTS + 1])
def test_of_too_many_charts_no_face_has_its_pattern(charts: int) -> None:
    picture = invented_table(8, charts=charts)
    canvas = Noted(Theme.DARK, size_of(picture))
    paint(canvas, picture)
    faces = [stamp.face for _box, stamp in canvas.stamps if isinstance(stamp, FaceStamp)]
    assert len(faces) == charts
    assert {bool(face.family) for face in faces} == {charts <= MAX_PATTERNED_CHARTS}


@pytest.mark.parametrize("theme", list(Theme))
def test_a_chart_that_was_not_played_is_told_from_one_that_was(theme: Theme) -> None:
    canvas = noted("table", "en", theme)
    palette = PALETTES[theme]
    plates = [plate for row in invented_table(3).rows for plate in row.plates]
    faces = [stamp.face for _box, stamp in canvas.stamps if isinstance(stamp, FaceStamp)]
    assert {bool(plate.rank) for plate in plates} == {True, False}
    for plate, face in zip(plates, faces, strict=True):
        assert (face.letter == palette.mark) is not bool(plate.rank)


def test_every_record_says_its_difficulty_in_letters() -> None:
    card, session = invented_best(3), invented_session(3)
    tiles = {
        "session": (*session.gains, *session.others),
        "best": (*card.tiles, *(card.recent.rows if card.recent else ())),
    }
    tiles |= {"phone": card.tiles[:FIRST_PLACES], "phone, second": card.tiles[FIRST_PLACES:]}
    for name, shown in tiles.items():
        texts = [text for text, *_ in noted(name, "en").texts]
        assert shown
        assert all(tile.chart in texts for tile in shown), name


@pytest.mark.parametrize("theme", list(Theme))
def test_the_stripe_of_ultima_is_known_without_colour(theme: Theme) -> None:
    def changes(size: tuple[int, int], difficulty: Difficulty) -> int:
        """Return how often the colour changes along a stripe."""
        canvas = ToneCanvas(theme, *size)
        stripe(canvas, (0, 0), size, difficulty)
        drawn = opened(canvas.to_png())
        along = [drawn.getpixel((min(at, size[0] - 1), min(at, size[1] - 1))) for at in range(max(size))]
        return sum(one != other for one, other in pairwise(along))

    for size in ((8, 100), (100, 8)):
        for code in (*DIFFICULTIES, Difficulty("NEW")):
            assert (changes(size, code) > 5) is (code == ULTIMA)


def test_arrows_point_to_where_a_rating_went() -> None:
    def arrow(move: Move) -> Image.Image:
        picture = invented_session(3)
        pictures = [replace(picture, change=change) for change in (None, DeltaText(move, ""))]
        first, second = (opened(draw(each, Theme.DARK)) for each in pictures)
        return ImageChops.difference(first, second).convert("L")

    for move, is_wide_below in ((Move.UP, True), (Move.DOWN, False)):
        drawn = arrow(move)
        drawn = drawn.crop(drawn.getbbox())
        halves = [
            sum(drawn.crop((0, top, drawn.width, top + drawn.height // 2)).tobytes())
            for top in (0, drawn.height // 2)
        ]
        assert (halves[1] > halves[0]) is is_wide_below


def test_a_number_wears_all_colours_of_its_class() -> None:
    palette = PALETTES[Theme.DARK]
    for name, least in RATING_COLOURS:
        picture = replace(invented_session(3, gains=0, others=0), before=None, after=rating_of(least))
        drawn = opened(draw(picture, Theme.DARK)).crop((40, 90, 350, 190))
        painted = {colour for _count, colour in drawn.getcolors(1 << 16) or ()}
        assert {tuple(colour.to_bytes(3, "big")) for colour in palette.classes[name]} <= painted


def test_what_is_kept_of_pictures_is_bounded_and_the_last() -> None:
    shelf, image = _Shelf(10_000), Image.new("L", (30, 30))
    for number in range(20):
        shelf.keep(number, image)
        assert shelf.find(0) is image
    assert shelf._weight <= 10_000
    assert shelf.find(19) is image
    assert [shelf.find(number) for number in range(1, 15)] == [None] * 14


def test_names_are_never_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = _Shelf(1_000_000)
    monkeypatch.setattr("bot.ui.cards.canvas._SHELF", shelf)
    picture = invented_session(3)
    titled = replace(picture.gains[0], title="Somebody's song")
    session = replace(picture, player="Somebody", gains=(titled,))
    draw_session(session, Theme.DARK)
    best = invented_best(3)
    draw_best(replace(best, hero=replace(best.hero, name="Somebody", honor="Somebody's")), Theme.DARK)
    draw_daily(replace(invented_daily(3), title="Somebody's day"), Theme.DARK)
    draw_completion(replace(invented_table(3), note="Somebody · by constant"), Theme.DARK)
    assert shelf._stamps
    assert not [key for key in shelf._stamps if "Somebody" in str(key) or "MINAMO" in str(key)]
