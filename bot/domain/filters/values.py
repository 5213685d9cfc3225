"""The values of a filter: ranges of numbers, texts to look for, and their parsers."""

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, TypeAlias

from bot.domain.filters.words import every_name
from bot.domain.folding import plain
from bot.domain.numbers import Hundredths, format_level


@dataclass(frozen=True, slots=True)
class ValueRange:
    """A number, or all numbers from `low` to `high`: a level, a month and a range are spans."""

    text: str
    """The value as printed."""
    low: int
    high: int
    is_beside: bool = False
    """Whether the numbers are relative to another number of a chart: "const-0.2"."""


@dataclass(frozen=True, slots=True)
class Needle:
    """A text to look for."""

    text: str
    """The text as printed."""
    needle: str


Value: TypeAlias = ValueRange | Needle

UNKNOWN: Final = ValueRange("unknown", 1, 0)
"""The value for unknown data; it contains no number."""

SpanReader: TypeAlias = Callable[[str], ValueRange | None]
"""Parses one number that was typed; returns None if it is not one."""

_BESIDE: Final = re.compile(r"([^\W\d_]+?)(?:([+\-−–—ー])([0-9.]+))?")
_RANGE: Final = re.compile(r"\.\.|~|〜")
_UNKNOWN_WORDS: Final = frozenset(every_name("unknown", "?"))
_NUMBER: Final = re.compile(r"([0-9]{1,8})(?:\.([0-9]{1,4}))?([k万]?)")
_LEVEL: Final = re.compile(r"([0-9]{1,3})(\+|\.5|\.0)?")
_DATE: Final = re.compile(r"([0-9]{4})(?:[-/年]([0-9]{1,2})(?:[-/月]([0-9]{1,2})日?|月)?|年)?")
_TIMES: Final = {"": 1, "k": 1_000, "万": 10_000}
_DECEMBER: Final = 12
_HALF: Final = 50


@dataclass(frozen=True, slots=True)
class FilterValue:
    """One of the few values that a key accepts, with all its names."""

    names: tuple[str, ...]
    """The printed name, then all others."""
    number: int


def read_span(text: str, read: SpanReader, *, may_be_unknown: bool) -> ValueRange | None:
    """Return what was typed as a span, including "13..14" and "unknown"; None if it is not one."""
    text = plain(text)
    if may_be_unknown and text in _UNKNOWN_WORDS:
        return UNKNOWN
    if (one := read(text)) is not None:
        return one
    ends = [read(end) for end in _RANGE.split(text)]
    match ends:
        case [ValueRange() as first, ValueRange() as last]:
            if first.is_beside is not last.is_beside:
                return None
            first, last = sorted((first, last), key=lambda span: (span.low, span.high))
            return ValueRange(f"{first.text}..{last.text}", first.low, last.high, first.is_beside)
        case _:
            return None


def read_hundredths(text: str) -> ValueRange | None:
    """Parse "13.5" or "16.25"."""
    match = _NUMBER.fullmatch(text)
    if match is None or match[3]:
        return None
    number = Decimal(text) * 100
    if number != int(number):
        return None
    return ValueRange(_shown(number / 100), int(number), int(number))


def beside_reader(base: str) -> SpanReader:
    """Return a parser of hundredths that also accepts "const-0.2", with any name of the base."""
    names = frozenset(map(plain, every_name(base)))

    def read(text: str) -> ValueRange | None:
        match = _BESIDE.fullmatch(text)
        if match is None or match[1] not in names:
            return read_hundredths(text)
        if not match[3]:
            return ValueRange(base, 0, 0, is_beside=True)
        number = read_hundredths(match[3])
        if number is None:
            return None
        is_more = match[2] == "+"
        added = number.low if is_more else -number.low
        return ValueRange(f"{base}{'+' if is_more else '-'}{number.text}", added, added, is_beside=True)

    return read


def read_whole(text: str) -> ValueRange | None:
    """Parse "200", "1005k" or "100.5万"."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    number = Decimal(f"{match[1]}.{match[2] or 0}") * _TIMES[match[3]]
    if number != int(number):
        return None
    return ValueRange(str(int(number)), int(number), int(number))


def read_level(text: str) -> ValueRange | None:
    """Parse "13", "13+" or "13.5"; each stands for a level's whole band."""
    match = _LEVEL.fullmatch(text)
    if match is None:
        return None
    low = Hundredths(int(match[1]) * 100 + (_HALF if match[2] in ("+", ".5") else 0))
    return ValueRange(format_level(low), low, low + _HALF - 1)


def read_date(text: str) -> ValueRange | None:
    """Parse a day, a month or a year as calendar days."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        first = date(year or 0, month or 1, day or 1)
        last_month = month or _DECEMBER
        last = date(first.year, last_month, day or monthrange(first.year, last_month)[1])
    except ValueError:
        return None
    shown = first.isoformat()[: 10 if day else 7 if month else 4]
    return ValueRange(shown, first.toordinal(), last.toordinal())


def option_reader(options: Sequence[FilterValue]) -> SpanReader:
    """Return a parser of a few words."""
    by_name = {
        plain(name): ValueRange(option.names[0], option.number, option.number)
        for option in options
        for name in option.names
    }
    return by_name.get


def _shown(number: Decimal) -> str:
    shown = format(number.normalize(), "f")
    return shown if "." in shown else f"{shown}.0"
