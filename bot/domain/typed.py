"""Checks of typed text: characters that no database accepts, and texts that are too long to store."""

import re
from typing import Final
from unicodedata import category

from bot.domain.errors import BotError

MAX_KEPT_CHARACTERS: Final = 255
"""The most characters of a goal or an alias in its stored form, which may be longer than the typed one."""
_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, except those of multi-line texts, and surrogates, which UTF-8 cannot encode."""

_UNSEEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})
"""Control characters, marks of no width, and spaces, as categories of Unicode."""


class ControlCharacter(BotError):
    """A typed text contains an invisible character."""

    def __init__(self) -> None:
        super().__init__("a control character was typed")


class TooLong(BotError):
    """The stored form of a typed text is too long."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.most = MAX_KEPT_CHARACTERS
        super().__init__(f"{length} characters, of which {MAX_KEPT_CHARACTERS} can be kept")


def check_typed(text: str) -> None:
    """Raise ControlCharacter if a text contains NUL, another control or a surrogate, or only marks of no width."""
    if _UNSEEN.search(text) or (text.strip() and not is_seen(text)):
        raise ControlCharacter


def check_seen(text: str) -> None:
    """Raise ControlCharacter if nothing of a text is visible: it is empty, or only spaces and marks of no width."""
    if not is_seen(text):
        raise ControlCharacter


def is_seen(text: str) -> bool:
    """Return whether anything of a text is visible: it is neither empty nor only spaces and marks of no width."""
    # Characters that this Python's Unicode does not know yet, such as new emoji, count as visible.
    return any(category(letter) not in _UNSEEN_CATEGORIES for letter in text)


def without_invisible(text: str) -> str:
    """Return a text without controls, marks of no width, and spaces: for texts without any, such as access tokens."""
    return "".join(letter for letter in text if category(letter) not in _UNSEEN_CATEGORIES)


def check_kept(text: str) -> str:
    """Return a text that is to be stored, unchanged. Raises: TooLong."""
    if len(text) > MAX_KEPT_CHARACTERS:
        raise TooLong(len(text))
    return text
