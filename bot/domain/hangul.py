"""Hangul as Koreans write Japanese with it, and readings of titles, converted to one coarse spelling.

Koreans write か as 카 or 가, つ as 쓰, 츠 or 쯔, and no long vowels. The spelling keeps only distinctions that all make.
"""

import re
import unicodedata
from typing import Final

_FIRST: Final = ord("가")
_LAST: Final = ord("힣")
_VOWELS: Final = 21
_ENDINGS: Final = 28

_LEADING: Final = (
    "k", "k", "n", "t", "t", "r", "m", "b", "p", "s", "ss", "", "z", "z", "z", "k", "t", "p", "h",
)  # fmt: skip
"""ㄱ ㄲ ㄴ ㄷ ㄸ ㄹ ㅁ ㅂ ㅃ ㅅ ㅆ ㅇ ㅈ ㅉ ㅊ ㅋ ㅌ ㅍ ㅎ."""
_MIDDLE: Final = (
    "a", "a", "ya", "e", "a", "e", "ya", "e", "o", "wa", "e", "e", "yo", "u", "wa", "we", "wi", "yu", "u", "ui", "i",
)  # fmt: skip
"""ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅘ ㅙ ㅚ ㅛ ㅜ ㅝ ㅞ ㅟ ㅠ ㅡ ㅢ ㅣ."""
_NASAL: Final = frozenset({4, 16, 21})
"""ㄴ ㅁ ㅇ after a vowel; all other finals but ㄹ are a stop before the next consonant, and are left out."""
_LIQUID: Final = 8
_EXCEPTIONS: Final = {"쓰": "zu", "트": "to", "드": "to", "뜨": "to"}
"""The spellings of つ, and of a t or d without a vowel in Japanese."""

_STEPS: Final = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        ("f|hu(?=[aeio])", "p"),  # ファ is 파
        ("g", "k"),
        ("d", "t"),
        ("t(?=[iuy])", "z"),
        ("(?<=[sz])[iy]e", "e"),  # ジェ is 제
        ("(?<=[bhkmnprsz])y", ""),
        ("ei", "e"),
        ("wo", "o"),
        ("ou", "o"),
        (r"(.)\1+", r"\1"),
    )
)


def coarse(reading: str) -> str:
    """Return a reading, in the form of `romaji_key`, without the distinctions that Hangul does not make."""
    for pattern, by in _STEPS:
        reading = pattern.sub(by, reading)
    return reading


def hangul_key(text: str) -> str:
    """Return the coarse spelling of Hangul, and of Latin letters and digits in it; empty if there is no Hangul."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if not any("가" <= char <= "힣" for char in folded):
        return ""
    said = "".join(_EXCEPTIONS.get(char) or _syllable(char) for char in folded if char.isalnum())
    said = said.replace("Lr", "r").replace("L", "ru")
    return coarse(said) if said.isascii() else ""


def _syllable(char: str) -> str:
    """Return the sound of a Hangul syllable, with L for a final ㄹ; other characters are unchanged."""
    if not _FIRST <= ord(char) <= _LAST:
        return char
    rest, ending = divmod(ord(char) - _FIRST, _ENDINGS)
    leading, vowel = divmod(rest, _VOWELS)
    end = "n" if ending in _NASAL else "L" if ending == _LIQUID else ""
    return f"{_LEADING[leading]}{_MIDDLE[vowel]}{end}"
