"""bot/ui/kit/letters.py: lines are cut to their room."""

from bot.ui.kit.fonts import REGULAR
from bot.ui.kit.letters import Font, cut_to, width_of

FONT = Font(REGULAR, 16)


def test_a_title_is_cut_to_its_room() -> None:
    assert cut_to("short", FONT, 500) == "short"
    cut = cut_to("とても長い曲名" * 9, FONT, 200)
    assert cut.endswith("…")
    assert width_of(cut, FONT) <= 200
