"""Foreign text inside Discord's Markdown: it must neither act as markup nor run too wide."""

import re
import unicodedata
from functools import lru_cache
from itertools import accumulate
from typing import Final

_HARMLESS: Final = {ord(char): f"\\{char}" for char in r"\*_~`|<>[]()#@:-"}
"""The escapes of all signs of Markdown."""
_TURNING: Final = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""The marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm."""
_GAP: Final = re.compile(r"[^\S\u3000]+")
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
"""An escaped sign; only punctuation in ASCII can be escaped."""
_WIDE: Final = frozenset("WF")
_ELLIPSIS: Final = "…"
TAIL_SHARE: Final = 0.5
"""The share of the room that the end has in text cut in the middle."""
_MAX_CACHED_TEXTS: Final = 512
"""The size of the cache of texts: the same names and titles occur in most answers to a reader."""


def one_line(text: str) -> str:
    """Return foreign text on one line, without characters that change the direction of the text around it.

    The ideographic space is part of Japanese titles and is kept.
    """
    if text.isprintable():  # the usual case: without direction marks, and without any gap but the plain space
        return " ".join(text.split())
    return _GAP.sub(" ", text.translate(_TURNING)).strip()


@lru_cache(_MAX_CACHED_TEXTS)
def escape(text: str, *, width: int | None = None, middle: bool = False, room: int | None = None) -> str:
    """Return `text` on one line with its markup escaped.

    `width` and `middle`: as for `cut`. `room`: the most characters, backslashes included.
    """
    line = one_line(text) if width is None else cut(text, width, middle=middle)
    safe = line.translate(_HARMLESS)
    if room is None or len(safe) <= room:
        return safe
    left = room - len(_ELLIPSIS)
    sizes = (len(char.translate(_HARMLESS)) for char in line)
    fitting = sum(total <= left for total in accumulate(sizes))
    return line[:fitting].translate(_HARMLESS) + _ELLIPSIS


def code(text: str) -> str:
    """Return `text` as code on one line."""
    return f"`{one_line(text).replace('`', 'ˋ')}`"


def unescape(text: str) -> str:
    """Return escaped text as its readers see it."""
    return _ESCAPED.sub(r"\1", text)


def cut(text: str, width: int, *, middle: bool = False) -> str:
    """Return `text` on one line, cut to `width` columns; a full-width character counts two.

    `middle` keeps its end, which tells remixes of one title apart.
    Combining marks take no column, but at most twice `width` characters are kept.
    """
    line = one_line(text)
    if display_width(line) <= width and len(line) <= 2 * width:
        return line
    tail = _end(line, int((width - 1) * TAIL_SHARE)) if middle else ""
    head = _start(line[: 2 * width - len(tail)], width - 1 - display_width(tail))
    return f"{head.rstrip()}{_ELLIPSIS}{tail}"


def _end(line: str, width: int) -> str:
    tail = _start(line[-2 * width :][::-1], width)[::-1] if width else ""
    # A combining mark without its letter would sit on the ellipsis.
    start = next((place for place, char in enumerate(tail) if not unicodedata.combining(char)), len(tail))
    return tail[start:].lstrip()


def _start(line: str, width: int) -> str:
    kept = ""
    for char in line:
        width -= _columns(char)
        if width < 0:
            break
        kept += char
    return kept


def display_width(text: str) -> int:
    """Return the width of `text` in columns; a full-width character counts two."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1
