"""Cards: drawn in every theme, small, and without a letter missing."""

from dataclasses import replace
from io import BytesIO

import pytest
from cards import draw_plainly, invented_card
from PIL import Image, ImageChops

from bot.domain.charts import DIFFICULTIES
from bot.domain.members import Theme
from bot.ui.cards import Move, draw_best
from bot.ui.cards.letters import Font, cut_to, width_of
from bot.ui.fonts import REGULAR
from bot.ui.look import difficulty_colour
from bot.ui.palette import PALETTES

FONT = Font(REGULAR, 16)


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


@pytest.mark.parametrize("theme", list(Theme))
def test_a_card_looks_as_if_drawn_plainly(theme: Theme) -> None:
    card = invented_card(3)
    drawn, plain = opened(draw_best(card, theme)), opened(draw_plainly(card, theme))
    assert drawn.size == plain.size
    # Letters stand up to a pixel apart; a letter, word or plate that is missing would show as a bright spot.
    small = [image.reduce(12) for image in (drawn, plain)]
    apart = ImageChops.difference(*small).convert("L")
    assert max(apart.tobytes()) < 60


@pytest.mark.parametrize("theme", list(Theme))
def test_a_card_is_small(theme: Theme) -> None:
    assert len(draw_best(invented_card(4), theme)) <= 130_000


def test_a_title_is_cut_to_its_room() -> None:
    assert cut_to("short", FONT, 500) == "short"
    cut = cut_to("とても長い曲名" * 9, FONT, 200)
    assert cut.endswith("…")
    assert width_of(cut, FONT) <= 200


@pytest.mark.parametrize("theme", list(Theme))
def test_what_failed_does_not_shine_as_what_was_earned(theme: Theme) -> None:
    card, palette = invented_card(3), PALETTES[theme]
    cell = card.sections[0].cells[0]._replace(is_max=False, move=None)

    def colours(lamp: str) -> set[object]:
        one = replace(card.sections[0], places=1, cells=(cell._replace(lamps=(lamp,)),))
        drawn = opened(draw_best(replace(card, sections=(one,)), theme))
        plates = drawn.crop((0, drawn.height - 80, drawn.width, drawn.height))
        return {colour for _, colour in plates.getcolors(1 << 16) or []}

    gold, down = (tuple(each.to_bytes(3, "big")) for each in (palette.gold, palette.down))
    assert [gold in colours(lamp) for lamp in ("AJ", "FC", "FAILED")] == [True, True, False]
    assert [down in colours(lamp) for lamp in ("AJ", "FC", "FAILED")] == [False, False, True]


def test_the_stripe_of_every_difficulty_stands_out() -> None:
    card = invented_card(3)
    first = card.sections[0].cells[0]
    for theme, palette in PALETTES.items():
        for difficulty in DIFFICULTIES:
            colour = difficulty_colour(difficulty).value
            one = replace(card.sections[0], places=1, cells=(first._replace(colour=colour, is_max=False),))
            drawn = opened(draw_best(replace(card, sections=(one,)), theme))
            line = {drawn.getpixel((x, drawn.height - 80)) for x in range(14, 28)}
            around = [tuple(each.to_bytes(3, "big")) for each in (palette.background, palette.panel)]
            apart = [
                min(max(abs(a - b) for a, b in zip(pixel, ground, strict=True)) for ground in around)
                for pixel in line
                if isinstance(pixel, tuple)
            ]
            assert max(apart) > 60, (theme, difficulty)


@pytest.mark.parametrize(("move", "wide_end"), [(Move.UP, "below"), (Move.DOWN, "above")])
def test_arrows_point_to_where_a_score_went(move: Move, wide_end: str) -> None:
    arrow = ImageChops.difference(_drawn_with(None), _drawn_with(move)).convert("L")
    _, top, _, bottom = arrow.getbbox() or (0, 0, 0, 0)
    middle = (top + bottom) // 2
    ink = {
        "above": sum(arrow.crop((0, top, arrow.width, middle)).tobytes()),
        "below": sum(arrow.crop((0, middle, arrow.width, bottom)).tobytes()),
    }
    assert max(ink, key=lambda end: ink[end]) == wide_end


def test_arrows_have_the_colour_of_where_a_score_went() -> None:
    up, down = (
        {colour for _, colour in _drawn_with(move).getcolors(1 << 24) or ()} for move in (Move.UP, Move.DOWN)
    )
    palette = PALETTES[Theme.DARK]
    assert tuple(palette.up.to_bytes(3, "big")) in up - down
    assert tuple(palette.down.to_bytes(3, "big")) in down - up


def _drawn_with(move: Move | None) -> Image.Image:
    card = invented_card(3)
    section = card.sections[0]
    cell = section.cells[0]._replace(move=move)
    return opened(draw_best(replace(card, sections=(replace(section, cells=(cell,)),)), Theme.DARK))
