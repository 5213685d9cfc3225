"""Choices of autocompletes and options of menus, within Discord's limits."""

from collections.abc import Mapping
from itertools import islice
from typing import Final

from discord.app_commands import Choice

from bot.ui.kit.markdown import cut

MAX_CHOICES: Final = 25
"""The most choices of an autocomplete, and options of a menu. Source: Discord's documentation."""
MAX_CHOICE_CHARACTERS: Final = 100
"""The limit of a choice, an option and its description; 𝓐 counts as two characters. Source: as above."""
_MAX_BYTES: Final = 2 * MAX_CHOICE_CHARACTERS
"""The same limit in bytes of UTF-16."""


def choice_text(text: str, *, middle: bool = False) -> str:
    """Return text that fits into a choice or an option, cut as by `cut`."""
    return _fitting(cut(text, MAX_CHOICE_CHARACTERS, middle=middle))


def matching_choices(names: Mapping[str, str], typed: str = "") -> list[Choice[str]]:
    """Return values, by name, as choices; only those whose names contain what was typed so far.

    A value too long for Discord is left out: it would reject all of them otherwise.
    """
    found = (
        Choice(name=_fitting(name), value=value)
        for value, name in names.items()
        if typed.casefold() in name.casefold() and _fitting(value) == value
    )
    return [*islice(found, MAX_CHOICES)]


def _fitting(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass")[:_MAX_BYTES].decode("utf-16-le", "ignore")
