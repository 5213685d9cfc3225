"""Forms, whatever they ask for."""

from bot.ui.kit.forms import make_form, paragraph


async def test_a_form_that_nobody_fills_in_is_kept_nowhere() -> None:
    """discord.py keeps each form that it has sent until that is stopped, which what is found by its id never would be."""
    assert make_form("form", "Title", paragraph("field", "Label", "About", 100)).is_finished()
