"""Every text of a picture is read on its ground: at least 4.5 to 1, as WCAG asks of text."""

from dataclasses import replace

import pytest
from cards import invented_card

from bot.domain.charts import DIFFICULTIES, Difficulty
from bot.domain.members import Theme
from bot.ui.cards import Move
from bot.ui.cards.best import paint_best
from bot.ui.cards.canvas import Box
from bot.ui.cards.letters import Font
from bot.ui.look import difficulty_colour
from bot.ui.palette import PALETTES, contrast, ink_on

LEAST = 4.5


class Noted:
    """A canvas that keeps which colours texts were written in, on which ground."""

    def __init__(self) -> None:
        self.pairs: dict[tuple[int, int], str] = {}

    def fill(self, box: Box, colour: int) -> None:
        pass

    def text(self, place: tuple[int, int], text: str, font: Font, colour: int, ground: int) -> None:  # noqa: ARG002 - as `Canvas` has it
        self.pairs[colour, ground] = text


def test_contrast_is_as_wcag_counts_it() -> None:
    assert contrast(0xFFFFFF, 0x000000) == pytest.approx(21)
    assert contrast(0x777777, 0xFFFFFF) == pytest.approx(4.48, abs=0.01)
    assert contrast(0x123456, 0x123456) == 1


@pytest.mark.parametrize("theme", list(Theme))
def test_every_text_on_the_card(theme: Theme) -> None:
    card = invented_card(3)
    noted = Noted()
    plain = card.sections[0].cells[0]
    codes = (*DIFFICULTIES, Difficulty("NEW"))
    cells = [
        plain._replace(colour=difficulty_colour(code).value, is_max=is_max, lamps=("AJ",), move=move)
        for code in codes
        for is_max in (True, False)
        for move in (None, *Move)
    ]
    section = replace(card.sections[0], places=len(cells), cells=tuple(cells))
    paint_best(noted, replace(card, sections=(section,)), PALETTES[theme])
    assert len(noted.pairs) > len(codes)
    found = {text: contrast(*pair) for pair, text in noted.pairs.items()}
    assert min(found.values()) >= LEAST, found


@pytest.mark.parametrize("theme", list(Theme))
def test_every_text_of_plots(theme: Theme) -> None:
    palette = PALETTES[theme]
    for colour in (palette.text, palette.quiet):
        assert contrast(colour, palette.background) >= LEAST


def test_there_is_an_ink_for_every_ground() -> None:
    for grey in range(256):
        assert contrast(ink_on(grey * 0x010101), grey * 0x010101) >= LEAST
