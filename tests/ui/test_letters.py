"""bot/ui/kit/letters.py: lines are squeezed and cut to their room."""

import gc

from PIL import ImageFont

from bot.ui.kit.fonts import REGULAR
from bot.ui.kit.letters import Font, cut_to, fit_to, line_of, width_of

FONT = Font(REGULAR, 16)


def test_a_title_is_cut_to_its_room() -> None:
    assert cut_to("short", FONT, 500) == "short"
    cut = cut_to("とても長い曲名" * 9, FONT, 200)
    assert cut.endswith("…")
    assert width_of(cut, FONT) <= 200


def test_a_title_is_squeezed_before_it_is_cut() -> None:
    title = "Where the Longer Morning Begins (Minamo Remix)"
    width = width_of(title, FONT)
    assert fit_to(title, FONT, None) == fit_to(title, FONT, width) == (title, width, 1)
    squeezed = fit_to(title, FONT, 0.9 * width)
    assert squeezed.text == title
    assert squeezed.squeeze == 0.9
    cut = fit_to(title, FONT, 0.81 * width)
    assert cut.text.startswith("Where the Longer")
    assert "…" in cut.text
    assert 0.82 <= cut.squeeze < 1


def test_what_is_cut_in_the_middle_keeps_five_letters_at_least() -> None:
    for title in ("Where the Longer Morning Begins (Minamo Remix)", "とても長い曲名" * 9 + "の最後の五文字"):
        for room in (120, 200, 300):
            cut = fit_to(title, FONT, room)
            assert cut.text.endswith(title[-5:] if room > 150 else title[-3:])
            assert cut.width <= room


def test_squeezed_letters_are_as_wide_as_was_said() -> None:
    whole, squeezed = line_of("Morning", FONT), line_of("Morning", FONT, 0.82)
    assert whole is not None
    assert squeezed is not None
    assert abs(squeezed.mask.size[0] - 0.82 * whole.mask.size[0]) <= 1
    assert squeezed.mask.size[1] == whole.mask.size[1]


def test_few_fonts_stay_open_however_many_sizes_are_drawn() -> None:
    """Each has its whole file in memory by and by."""
    for size in range(50, 60):
        assert line_of("ヶ", Font(REGULAR, size)) is not None
    assert sum(isinstance(each, ImageFont.FreeTypeFont) for each in gc.get_objects()) <= 5
