"""What is suggested while somebody types, and what a menu lists: Discord takes this many, each this long."""

from collections.abc import Mapping
from typing import Final

from discord.app_commands import Choice

from bot.ui.kit.markdown import cut

MAX_CHOICES: Final = 25
"""An autocomplete has at most this many choices, a menu this many options. Source: Discord's documentation."""
MAX_CHOICE_CHARACTERS: Final = 100
"""A choice, an option and what describes one have at most this many characters. Source: as above."""


def choice_text(text: str, *, middle: bool = False) -> str:
    """Return text as a choice or an option holds it, cut as by `cut`."""
    return cut(text, MAX_CHOICE_CHARACTERS, middle=middle)[:MAX_CHOICE_CHARACTERS]


def matching_choices(names: Mapping[str, str], typed: str = "") -> list[Choice[str]]:
    """Return values as choices, by their names; only those whose names hold what was typed so far."""
    found = [
        Choice(name=name, value=value) for value, name in names.items() if typed.casefold() in name.casefold()
    ]
    return found[:MAX_CHOICES]
