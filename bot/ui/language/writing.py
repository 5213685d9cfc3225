"""Formats of numbers, days, times and lists: a table that `tests/generators/writing.py` makes from Babel's data.

Babel itself takes fifteen times as long to format a number, because it repeats look-ups that never change.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from typing import Final

import orjson

TABLE: Final = Path(__file__).parent / "writing.json"
_SOURCE: Final = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """The formats of one of Discord's languages; patterns are for `str.format`."""

    name: str
    """The language's name in itself."""
    point: str
    comma: str
    group: int
    """The number of digits between two commas; the last group always has three."""
    months: Sequence[str]
    """The short names of months, if days and months are written with them."""
    weekdays: Sequence[str]
    """The short names of weekdays, from Monday on."""
    halves: Sequence[str]
    """The halves of the day, if the clock has twelve hours."""
    day_pattern: str
    weekday_pattern: str
    month_pattern: str
    hour_pattern: str
    moment_pattern: str
    either: Sequence[str]
    """The patterns of lists of alternatives: for two, and for the start, the middle and the end of more."""

    def integer(self, value: int) -> str:
        """Return 1008295 as "1,008,295", in Hindi as "10,08,295"."""
        written = f"{value:,}"
        if self.group != 3:  # noqa: PLR2004 - the grouping that Python knows
            digits = str(abs(value))
            head = re.sub(rf"(?<=\d)(?=(\d{{{self.group}}})+$)", ",", digits[:-3])
            written = ("-" if value < 0 else "") + ",".join(filter(None, (head, digits[-3:])))
        return written.replace(",", self.comma)

    def day(self, value: date) -> str:
        """Return a day, with the year."""
        return self._fill(self.day_pattern, datetime.combine(value, time()))

    def weekday(self, value: date) -> str:
        """Return a day of this year, with its weekday."""
        return self._fill(self.weekday_pattern, datetime.combine(value, time()))

    def month(self, value: date) -> str:
        """Return a month, with the year."""
        return self._fill(self.month_pattern, datetime.combine(value, time()))

    def hour(self, value: time) -> str:
        """Return a time of day, to the minute."""
        return self._fill(self.hour_pattern, datetime.combine(date.min, value))

    def moment(self, value: datetime) -> str:
        """Return a short day and a time of day."""
        return self._fill(self.moment_pattern, value)

    def any_of(self, items: Sequence[str]) -> str:
        """Join alternatives: "a, b, or c"."""
        two, start, middle, end = self.either
        match items:
            case []:
                return ""
            case [only]:
                return only
            case [first, second]:
                return two.format(first, second)
            case [first, *between, last]:
                listed = start.format(first, between[0])
                for each in between[1:]:
                    listed = middle.format(listed, each)
                return end.format(listed, last)
            case _:
                raise TypeError

    def all_of(self, items: Iterable[str]) -> str:
        """Join things: "a, b, c"."""
        _, _, between, _ = self.either
        return between.format("", "").join(items)

    def _fill(self, pattern: str, value: datetime) -> str:
        return pattern.format(
            value,
            month=self.months[value.month - 1] if self.months else "",
            weekday=self.weekdays[value.weekday()],
            hour=value.hour % 12 or 12,
            half=self.halves[value.hour // 12] if self.halves else "",
        )


@cache
def writing_of(code: str) -> Writing:
    """Return the formats of a locale such as "ja" or "pt-BR"; those of English if Discord does not know it."""
    table: Mapping[str, Mapping[str, object]] = orjson.loads(TABLE.read_bytes())
    found = table.get(code) or table.get(code.partition("-")[0]) or table[_SOURCE]
    return Writing(**found)  # pyright: ignore[reportArgumentType] - the types that `tests/generators/writing.py` writes
