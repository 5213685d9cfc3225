"""What is suggested while somebody types, and what a menu lists: Discord takes this many, each this long."""

from collections.abc import Mapping
from itertools import islice
from typing import Final

from discord.app_commands import Choice

from bot.ui.kit.markdown import cut

MAX_CHOICES: Final = 25
"""An autocomplete has at most this many choices, a menu this many options. Source: Discord's documentation."""
MAX_CHOICE_CHARACTERS: Final = 100
"""A choice, an option and what describes one have at most this many characters, of which 𝓐 is two. Source: as above."""
_MAX_BYTES: Final = 2 * MAX_CHOICE_CHARACTERS
"""They are as many in UTF-16."""


def choice_text(text: str, *, middle: bool = False) -> str:
    """Return text as a choice or an option holds it, cut as by `cut`."""
    return _fitting(cut(text, MAX_CHOICE_CHARACTERS, middle=middle))


def matching_choices(names: Mapping[str, str], typed: str = "") -> list[Choice[str]]:
    """Return values as choices, by their names; only those whose names hold what was typed so far.

    A value that Discord would not take is left out, or it would take none of them.
    """
    found = (
        Choice(name=_fitting(name), value=value)
        for value, name in names.items()
        if typed.casefold() in name.casefold() and _fitting(value) == value
    )
    return [*islice(found, MAX_CHOICES)]


def _fitting(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass")[:_MAX_BYTES].decode("utf-16-le", "ignore")
