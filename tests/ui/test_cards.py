"""Cards: drawn in every theme, small, and without a letter missing."""

from io import BytesIO

import pytest
from cards import draw_plainly, invented_card
from PIL import Image, ImageChops

from bot.domain.members import Theme
from bot.ui.cards import draw_best
from bot.ui.cards.canvas import Face, cut_to, width_of
from bot.ui.fonts import REGULAR

FACE = Face(REGULAR, 16)


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


@pytest.mark.parametrize("theme", list(Theme))
def test_a_card_looks_as_if_drawn_plainly(theme: Theme) -> None:
    card = invented_card(3)
    drawn, plain = opened(draw_best(card, theme)), opened(draw_plainly(card, theme))
    assert drawn.size == plain.size
    # Letters stand up to a pixel apart; a letter, word or plate that is missing would show as a bright spot.
    small = [
        image.resize((drawn.width // 12, drawn.height // 12), Image.Resampling.BOX)
        for image in (drawn, plain)
    ]
    apart = ImageChops.difference(*small).convert("L")
    assert max(apart.tobytes()) < 60


@pytest.mark.parametrize("theme", list(Theme))
def test_a_card_is_small(theme: Theme) -> None:
    assert len(draw_best(invented_card(4), theme)) <= 130_000


def test_a_title_is_cut_to_its_room() -> None:
    assert cut_to("short", FACE, 500) == "short"
    cut = cut_to("とても長い曲名" * 9, FACE, 200)
    assert cut.endswith("…")
    assert width_of(cut, FACE) <= 200
