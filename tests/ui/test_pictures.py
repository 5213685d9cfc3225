"""What holds of every picture of records, whatever is on it: bot/ui/cards."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from io import BytesIO
from itertools import pairwise
from typing import Final

import pytest
from contrasts import contrast
from inventing import LANGUAGES, LONG
from noting import Noted
from pictures import (
    invented_best,
    invented_comparison,
    invented_daily,
    invented_session,
    invented_table,
    invented_tiers,
)
from PIL import Image, ImageChops
from plain import drawn_plainly

from bot.domain.completion import MAX_TABLE_CHARTS
from bot.domain.members import Cut, Theme
from bot.domain.rating import RATING_STEPS
from bot.ui.cards.best import best_drawing
from bot.ui.cards.canvas import COMPRESSION, Box, Colour, ToneCanvas, _StampCache, tone_of
from bot.ui.cards.comparison import comparison_drawing
from bot.ui.cards.completion import MAX_PATTERNED_CHARTS, completion_drawing
from bot.ui.cards.daily import MAX_MEMBERS, daily_drawing
from bot.ui.cards.faces import FaceStamp
from bot.ui.cards.layout import MAX_PHONE_BYTES, MAX_WIDE_BYTES, PHONE, WIDE, Drawing
from bot.ui.cards.session_phone import session_drawing
from bot.ui.cards.tiers import tiers_drawing
from bot.ui.cards.tones import TONES
from bot.ui.kit.palette import PALETTES

CODES: Final = [t.code for t in LANGUAGES]
READ: Final = 4.5
"""Source: WCAG 2.2, 1.4.3: of text."""
SHOWN: Final = 350
"""So many pixels wide Discord shows an attachment on a phone."""
MAX_TABLE_BYTES: Final = 300_000

Draw = Callable[[str], Drawing]
BOTH: Final = (Cut.WIDE, Cut.PHONE)


def best(cut: Cut, language: str, seed: int = 3, **what: object) -> Drawing:
    return best_drawing(invented_best(seed, language, **what), cut)  # pyright: ignore[reportArgumentType] - each case names its own


def session(cut: Cut, language: str, seed: int = 3, **what: object) -> Drawing:
    return session_drawing(invented_session(seed, language, **what), cut)  # pyright: ignore[reportArgumentType] - as above


def day(language: str, seed: int = 3, **what: object) -> Drawing:
    return daily_drawing(invented_daily(seed, language, **what))  # pyright: ignore[reportArgumentType] - as above


def compared(cut: Cut, language: str, seed: int = 3, **what: object) -> Drawing:
    return comparison_drawing(invented_comparison(seed, language, **what), cut)  # pyright: ignore[reportArgumentType] - as above


def table(cut: Cut, language: str, seed: int = 3, **what: object) -> Drawing:
    return completion_drawing(invented_table(seed, language, **what), cut)  # pyright: ignore[reportArgumentType] - as above


def tiers(cut: Cut, language: str, seed: int = 3, **what: object) -> Drawing:
    return tiers_drawing(invented_tiers(seed, language, **what), cut)  # pyright: ignore[reportArgumentType] - as above


OF_BOTH: Final[dict[str, Callable[..., Drawing]]] = {
    "best": best,
    "best, longest": partial(best, seed=4, is_long=True),
    "best of few": partial(best, seed=5, rating=707, best=2, new=1, has_history=False),
    "best of none": partial(best, seed=6, rating=0, best=1, new=0, has_history=False),
    "best of one slot": partial(best, seed=8, best=10, places=10, new=None),
    "best of one slot, not full": partial(best, seed=8, best=18, places=20, new=None, is_long=True),
    **{f"best of {step.colour}, {step.stars}": partial(best, rating=step.lowest + 3, best=9, new=5) for step in RATING_STEPS},
    "session": session,
    "session, longest": partial(session, is_long=True),
    "session of one effect": partial(session, effects=1, others=0),
    "session without change": partial(session, effects=4, is_change=False),
    "session without anything close": partial(session, effects=0, is_change=False, others=4),
    "session without anything": partial(session, effects=0, others=0, is_change=False, has_play=False),
    "session of kiwami": partial(session, rating=1704, others=1),
    "comparison": compared,
    "comparison, longest": partial(compared, is_long=True),
    "comparison of none": partial(compared, meetings=0),
    "table": table,
    "table, longest": partial(table, is_long=True),
    "table of one": partial(table, charts=1),
    "table of many rows": partial(table, charts=60, rows=1),
    "tiers": tiers,
    "tiers, longest": partial(tiers, is_long=True),
    "tiers of few": partial(tiers, rows=1, charts=1),
}  # fmt: skip
LARGEST: Final[dict[str, Callable[..., Drawing]]] = {
    "table, largest": partial(table, seed=6, charts=MAX_TABLE_CHARTS),
    "table, largest and longest": partial(table, seed=7, charts=MAX_TABLE_CHARTS, is_long=True),
}
CASES: Final[dict[str, Draw]] = {
    f"{name}, {cut}": partial(draw, cut) for name, draw in (OF_BOTH | LARGEST).items() for cut in BOTH
} | {
    **{f"day of {members}": partial(day, members=members) for members in (1, 2, 3, 4, 12, 16, MAX_MEMBERS)},
    **{f"day of {members}, longest": partial(day, members=members, is_long=True, more=1234) for members in (1, 3, 12, MAX_MEMBERS)},
    "day of two without history": partial(day, members=2, has_history=False, has_play=False),
    "day of one without history": partial(day, members=1, has_history=False),
}  # fmt: skip
NAMES: Final = [pytest.param(name, marks=pytest.mark.heavy if "largest" in name else ()) for name in CASES]
SOME: Final = [
    name for name in CASES if name.split(",")[0] in {"best", "session", "comparison", "table", "tiers", "day of 12", "day of 3"}
    and "largest" not in name
]  # fmt: skip
PHONES: Final = [name for name in CASES if name.endswith(Cut.PHONE) or name.startswith("day")]


@cache
def drawing_of(name: str, language: str) -> Drawing:
    return CASES[name](language)


@cache
def noted(name: str, language: str, theme: Theme = Theme.DARK) -> Noted:
    drawing = drawing_of(name, language)
    canvas = Noted(theme, drawing.size)
    drawing.paint(canvas)
    return canvas


def colours_of(colour: Colour) -> Iterator[int]:
    return iter((colour,) if isinstance(colour, int) else colour)


def as_painted(theme: Theme, colour: int) -> int:
    return TONES[theme][tone_of(theme, colour)]


def meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("name", NAMES)
def test_every_text_is_within_its_box(name: str, language: str) -> None:
    canvas = noted(name, language)
    for text, box, _colour, ground in canvas.texts:
        area, colour = canvas.ground_of(box)
        assert colour == ground or isinstance(ground, int), text
        assert area[0] <= box[0] < box[2] <= area[2], text
        assert area[1] <= box[1] < box[3] <= area[3], text


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("name", NAMES)
def test_no_text_stands_on_another_or_on_a_plate(name: str, language: str) -> None:
    canvas = noted(name, language)
    plates = [(str(stamp), box) for box, stamp in canvas.stamps if not isinstance(stamp, FaceStamp)]
    boxes = sorted([(box, text) for text, box, *_ in canvas.texts] + [(box, said) for said, box in plates])
    assert len(boxes) > 3
    for number, (first, one) in enumerate(boxes):
        for second, other in boxes[number + 1 :]:
            if second[0] >= first[2]:
                break
            assert not meet(first, second), (one, other)


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("name", NAMES)
def test_every_text_is_read_on_its_ground(name: str, theme: Theme) -> None:
    for text, _box, colour, ground in noted(name, "en", theme).texts:
        for each in colours_of(colour):
            assert contrast(as_painted(theme, each), ground) >= READ, text


@pytest.mark.heavy
@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("name", SOME)
def test_a_picture_looks_as_if_drawn_plainly(name: str, theme: Theme) -> None:
    drawing = drawing_of(name, "ja")
    small = [opened(png).reduce(12) for png in (drawing.to_png(theme), drawn_plainly(drawing, theme))]
    # Letters stand up to a pixel apart; a letter, word or plate that is missing would show as a bright spot.
    assert max(ImageChops.difference(*small).convert("L").tobytes()) < 60


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_small_and_of_its_tones(name: str, theme: Theme) -> None:
    drawing = drawing_of(name, "ja")
    png = drawing.to_png(theme)
    most = MAX_PHONE_BYTES if drawing.width == PHONE else MAX_WIDE_BYTES
    assert len(png) <= (MAX_TABLE_BYTES if "largest" in name and drawing.width == WIDE else most)
    drawn = opened(png)
    assert drawn.size == drawing.size
    painted = {colour for _count, colour in drawn.getcolors(1 << 16) or ()}
    assert painted <= {tuple(tone.to_bytes(3, "big")) for tone in TONES[theme]}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("cut", BOTH)
def test_the_fullest_cards_are_small_enough(cut: Cut, seed: int) -> None:
    for drawing in (best(cut, "en", seed, is_long=True), tiers(cut, "en", seed, is_long=True)):
        for theme in Theme:
            assert len(drawing.to_png(theme)) <= (MAX_PHONE_BYTES if cut is Cut.PHONE else MAX_WIDE_BYTES)


@pytest.mark.parametrize("name", PHONES)
def test_what_is_read_on_a_phone_is_large_enough(name: str) -> None:
    """At 350 of 1080 pixels a name is eleven high, and nothing else that is written is lower than nine."""
    if "largest" in name:
        pytest.skip("as in the others")
    drawing = drawing_of(name, "en")
    assert drawing.width == PHONE
    assert drawing.size[1] <= (1.45 if name.startswith("day") else 2.21) * PHONE + 60
    scale = SHOWN / PHONE
    for text, size in noted(name, "en").sizes:
        is_name = LONG[:3] in text or "…" in text
        assert size * scale >= (11 if is_name else 9), text


@pytest.mark.parametrize(
    ("name", "levels"),
    [
        ("best, wide", [5]),
        ("tiers, longest, wide", [5]),
        ("table, largest, wide", [5, 7]),
    ],
)
def test_what_is_small_enough_is_not_compressed_harder(
    name: str, levels: Sequence[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor harder still what would be too large all the same."""
    seen: list[int] = []
    make = ToneCanvas.to_png

    def noted(self: ToneCanvas, level: int = COMPRESSION) -> bytes:
        seen.append(level)
        return make(self, level)

    monkeypatch.setattr(ToneCanvas, "to_png", noted)
    CASES[name]("en").to_png(Theme.DARK)
    assert seen == levels


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("best, wide", (1272, 1266)),
        ("session, wide", (1272, 884)),
        ("session, phone", (1080, 1722)),
        ("day of 1", (1080, 934)),
        ("day of 3", (1080, 1278)),
        ("day of 12", (1080, 1124)),
        ("day of 30", (1080, 1540)),
        ("comparison, phone", (1080, 1924)),
    ],
)
def test_pictures_are_as_large_as_they_were_designed(name: str, size: tuple[int, int]) -> None:
    assert drawing_of(name, "en").size == size


def test_whose_place_is_free_is_told() -> None:
    texts = [text for text, *_ in noted("best of few, wide", "en").texts]
    assert [f"{place} · free" in texts for place in (2, 3, 30)] == [True, True, True]
    assert "28 places free: each counts 0" in texts
    on_phone = [text for text, *_ in noted("best of few, phone", "en").texts]
    assert any("28 places free" in text for text in on_phone)


@pytest.mark.parametrize("language", CODES)
def test_places_are_read_down_on_a_phone(language: str) -> None:
    canvas = noted("best, phone", language)
    places = {text: box for text, box, *_ in canvas.texts if text.isdecimal()}
    assert {str(place) for place in range(1, 31)} <= set(places)
    lines = [places[str(place)] for place in range(21, 31)]  # of the first slot alone
    assert all(one[1] < other[1] for one, other in pairwise(lines))


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("name", NAMES)
def test_only_names_are_shortened_and_nothing_with_a_figure(name: str, language: str) -> None:
    texts = [text for text, *_ in noted(name, language).texts]
    assert [text for text in texts if "…" in text and re.search(r"\d[.,]\d", text)] == []


def test_the_longest_pictures_keep_what_titles_are_known_by() -> None:
    for name in ("session, longest, wide", "session, longest, phone", "day of 30, longest"):
        texts = [text for text, *_ in noted(name, "en").texts]
        assert LONG not in texts
        assert any("…" in text and text.endswith("Remix)") for text in texts), name
    assert "and 1,234 more members" in [text for text, *_ in noted("day of 30, longest", "en").texts]


@pytest.mark.parametrize("charts", [MAX_PATTERNED_CHARTS, MAX_PATTERNED_CHARTS + 1])
def test_of_too_many_charts_no_face_has_its_pattern(charts: int) -> None:
    drawing = table(Cut.WIDE, "en", 8, charts=charts)
    canvas = Noted(Theme.DARK, drawing.size)
    drawing.paint(canvas)
    faces = [stamp.face for _box, stamp in canvas.stamps if isinstance(stamp, FaceStamp)]
    assert len(faces) == charts
    assert {bool(face.family) for face in faces} == {charts <= MAX_PATTERNED_CHARTS}


@pytest.mark.parametrize("theme", list(Theme))
def test_a_chart_that_was_not_played_is_told_from_one_that_was(theme: Theme) -> None:
    canvas = noted("table, wide", "en", theme)
    plates = [plate for row in invented_table(3).rows for plate in row.plates]
    faces = [stamp.face for _box, stamp in canvas.stamps if isinstance(stamp, FaceStamp)]
    assert {bool(plate.rank) for plate in plates} == {True, False}
    for plate, face in zip(plates, faces, strict=True):
        assert (face.letter == PALETTES[theme].mark) is not bool(plate.rank)


def test_every_record_says_its_difficulty_in_letters_where_there_is_room() -> None:
    card, played = invented_best(3), invented_session(3)
    shown = {
        "best, wide": [tile for section in card.sections for tile in section.tiles],
        "session, wide": played.others,
    }
    for name, tiles in shown.items():
        texts = [text for text, *_ in noted(name, "en").texts]
        assert all(tile.chart in texts for tile in tiles), name


def test_names_are_never_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = _StampCache(1_000_000)
    monkeypatch.setattr("bot.ui.cards.canvas._STAMPS", shelf)
    card, played, daily = invented_best(3), invented_session(3), invented_daily(3)
    assert played.play is not None
    titled = replace(played.play, tile=replace(played.play.tile, title="Somebody's song"))
    somebody = tuple(replace(member, name="Somebody") for member in daily.members)
    for cut in BOTH:
        session_drawing(replace(played, player="Somebody", play=titled), cut).to_png(Theme.DARK)
        best_drawing(replace(card, hero=replace(card.hero, name="Somebody")), cut).to_png(Theme.DARK)
        completion_drawing(replace(invented_table(3), note="Somebody · by constant"), cut).to_png(Theme.DARK)
    daily_drawing(replace(daily, title="Somebody's day", members=somebody)).to_png(Theme.DARK)
    assert shelf._stamps
    assert not [key for key in shelf._stamps if "Somebody" in str(key) or "MINAMO" in str(key)]


def test_pictures_use_few_sizes_of_letters() -> None:
    """Each size costs a first picture as much as a hundred letters."""
    sizes = {size for name in CASES if "largest" not in name for _text, size in noted(name, "en").sizes}
    assert len(sizes) <= 18


@pytest.mark.parametrize("cut", BOTH)
def test_tiers_say_how_many_more_are_open_and_what_their_marks_mean(cut: Cut) -> None:
    card = invented_tiers(3)
    drawing = tiers_drawing(card, cut)
    canvas = Noted(Theme.DARK, drawing.size)
    drawing.paint(canvas)
    said = [text for text, *_ in canvas.texts]
    shown = {Cut.PHONE: 4, Cut.WIDE: 9}[cut]
    hidden = [len(row.open_charts) - shown for row in card.rows if len(row.open_charts) > shown + 1]
    assert hidden
    assert all(f"and {count} more" in said for count in hidden)
    assert all(any(meaning.startswith(text[:9]) for text in said) for meaning in card.legend[1:])
