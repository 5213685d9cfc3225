"""How each language writes numbers, days, times and lists: a table that `tests/generators/writing.py` makes of what Babel knows.

Babel itself takes fifteen times as long for a number, because it looks up anew what never changes.
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
    """What one language needs, of all that Discord knows; patterns are such as `str.format` takes."""

    name: str
    """The language calls itself so."""
    point: str
    comma: str
    group: int
    """How many digits stand between two commas, but for the last three."""
    months: Sequence[str]
    """They are short names, where a day or a month is written with one."""
    weekdays: Sequence[str]
    """They are short names, Monday's first."""
    halves: Sequence[str]
    """They are the halves of the day, where it has twelve hours twice."""
    day_pattern: str
    weekday_pattern: str
    month_pattern: str
    hour_pattern: str
    moment_pattern: str
    either: Sequence[str]
    """They are patterns of lists of which one thing is enough: of two, and the start, the middle and the end of more."""

    def integer(self, value: int) -> str:
        """Return 1008295 as "1,008,295", in Hindi as "10,08,295"."""
        written = f"{value:,}"
        if self.group != 3:  # noqa: PLR2004 - which is what Python writes
            digits = str(abs(value))
            head = re.sub(rf"(?<=\d)(?=(\d{{{self.group}}})+$)", ",", digits[:-3])
            written = ("-" if value < 0 else "") + ",".join(filter(None, (head, digits[-3:])))
        return written.replace(",", self.comma)

    def day(self, value: date) -> str:
        """Return a day, with the year."""
        return self._fill(self.day_pattern, datetime.combine(value, time()))

    def weekday(self, value: date) -> str:
        """Return a day of this year, with its day of the week."""
        return self._fill(self.weekday_pattern, datetime.combine(value, time()))

    def month(self, value: date) -> str:
        """Return a month, with the year."""
        return self._fill(self.month_pattern, datetime.combine(value, time()))

    def hour(self, value: time) -> str:
        """Return a time of day, to the minute."""
        return self._fill(self.hour_pattern, datetime.combine(date.min, value))

    def moment(self, value: datetime) -> str:
        """Return a day in short and a time of day."""
        return self._fill(self.moment_pattern, value)

    def any_of(self, items: Sequence[str]) -> str:
        """Return things of which one is enough: "a, b, or c"."""
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
        """Return things one after another: "a, b, c"."""
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
    """Return how a locale such as "ja" or "pt-BR" writes; English where Discord does not know it."""
    table: Mapping[str, Mapping[str, object]] = orjson.loads(TABLE.read_bytes())
    found = table.get(code) or table.get(code.partition("-")[0]) or table[_SOURCE]
    return Writing(**found)  # pyright: ignore[reportArgumentType] - as `tests/generators/writing.py` wrote it
