"""What people type, before anything is made of it: what no database takes, and what is too long to be kept."""

import re
from typing import Final
from unicodedata import category

from bot.domain.errors import BotError

MAX_KEPT_CHARACTERS: Final = 255
"""Characters of a goal or an alias, as it is kept: in other words than it was typed in, which may be longer."""
_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Controls, but for those of a text of several lines, and halves of a character, which UTF-8 has not."""

_UNSEEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})
"""Controls, marks of no width, and gaps, as Unicode calls them."""


class ControlCharacter(BotError):
    """Something that was typed holds a character that nobody sees."""

    def __init__(self) -> None:
        super().__init__("a control character was typed")


class TooLong(BotError):
    """What would be kept of something that was typed is too long."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.most = MAX_KEPT_CHARACTERS
        super().__init__(f"{length} characters, of which {MAX_KEPT_CHARACTERS} can be kept")


def check_typed(text: str) -> None:
    """Raise ControlCharacter where a text holds NUL, another control, half of a character, or marks of no width alone."""
    if _UNSEEN.search(text) or (text.strip() and not is_seen(text)):
        raise ControlCharacter


def check_seen(text: str) -> None:
    """Raise ControlCharacter where nothing of a text can be seen: it is empty, or all gaps and marks of no width."""
    if not is_seen(text):
        raise ControlCharacter


def is_seen(text: str) -> bool:
    """Return whether anything of a text can be seen: it is neither empty nor all gaps and marks of no width."""
    # What this Python's Unicode does not know yet, such as a new emoji, is seen all the same.
    return any(category(letter) not in _UNSEEN_CATEGORIES for letter in text)


def without_invisible(text: str) -> str:
    """Return a text without its controls, marks of no width, and gaps: for what has none, such as an access token."""
    return "".join(letter for letter in text if category(letter) not in _UNSEEN_CATEGORIES)


def check_kept(text: str) -> str:
    """Return a text as it is to be kept. Raises: TooLong."""
    if len(text) > MAX_KEPT_CHARACTERS:
        raise TooLong(len(text))
    return text
