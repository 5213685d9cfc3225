"""Every text of a plot is read on its ground: at least 4.5 to 1, as WCAG asks of text."""

import pytest
from contrasts import contrast

from bot.domain.members import Theme
from bot.ui.kit.palette import PALETTES

LEAST = 4.5


def test_contrast_is_as_wcag_counts_it() -> None:
    assert contrast(0xFFFFFF, 0x000000) == pytest.approx(21)
    assert contrast(0x777777, 0xFFFFFF) == pytest.approx(4.48, abs=0.01)
    assert contrast(0x123456, 0x123456) == 1


@pytest.mark.parametrize("theme", list(Theme))
def test_every_text_of_plots(theme: Theme) -> None:
    palette = PALETTES[theme]
    for colour in (palette.text, palette.quiet):
        assert contrast(colour, palette.background) >= LEAST
