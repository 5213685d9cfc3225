"""Foreign text inside Discord's Markdown: nothing of it may act as markup, and nothing may run wide."""

import re
import unicodedata
from typing import Final

_MARKUP: Final = re.compile(r"[\\*_~`|<>\[\]()#@:\-]")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
"""A sign that stands for itself; ASCII's alone can be escaped."""
_WIDE: Final = frozenset("WF")
_ELLIPSIS: Final = "…"


def escape(text: str, *, width: int | None = None) -> str:
    """Return `text` on one line with its markup made harmless, cut to `width` columns if given."""
    line = " ".join(text.split())
    if width is not None:
        line = cut(line, width)
    return _MARKUP.sub(lambda match: "\\" + match[0], line)


def unescape(text: str) -> str:
    """Return a message's text as its readers see it, where markup was made harmless in it."""
    return _ESCAPED.sub(r"\1", text)


def cut(text: str, width: int) -> str:
    """Return `text` cut to `width` columns, a full-width character counting two.

    Marks that combine take no column, but no more than twice `width` characters are kept.
    """
    if display_width(text) <= width and len(text) <= 2 * width:
        return text
    text = text[: 2 * width]
    kept = ""
    left = width - 1
    for char in text:
        left -= _columns(char)
        if left < 0:
            break
        kept += char
    return kept.rstrip() + _ELLIPSIS


def display_width(text: str) -> int:
    """Return how many columns `text` takes, a full-width character counting two."""
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1
