"""Types of members: what the service may write in place of what it promises.

All are read laxly: 14.7 also as "14.7", 12 as 12.0 and "12", true as 1 and "1". A member that can be done without takes
None: one odd member must not cost a record. A member without which the record says nothing does not.
"""

from datetime import date, datetime
from typing import Annotated, Final, TypeVar

from msgspec import Meta

D = TypeVar("D", bound=date)

_LARGEST: Final = 2**63 - 1
"""What a database's integer column holds."""
_EPOCH: Final = 1970
"""The year of Unix time 0; nobody has played before it was over."""
LONGEST_TEXT: Final = 1_024
"""Characters; the longest known title has 68, the longest artist 164."""
_LONGEST_CODE: Final = 64
MOST_HUNDREDTHS: Final = 99_999
"""Of a rating, a level and a constant."""
MOST_PLAYERS: Final = 10**9
MOST_NOTES: Final = 99_999
MOST_BPM: Final = 9_999
LAST_YEAR: Final = 2200
"""Beyond it lies nonsense, and arithmetic with time zones could overflow."""

OR_NUMBER: Final = Meta(description="may come as a number")

Text = Annotated[str, OR_NUMBER]
"""A title of digits alone may come as a number."""

Code = Annotated[str, Meta(max_length=_LONGEST_CODE)]
"""An id or a difficulty: cut short it would be another one, so what is longer costs its record."""

Whole = Annotated[int, Meta(ge=-_LARGEST, le=_LARGEST)]
Number = Annotated[float, Meta(ge=-1e9, le=1e9)]
"""A level, constant or rating."""

MaybeText = Text | None
MaybeWhole = Whole | None
MaybeNumber = Number | None

Flag = bool | None
"""None where the service does not say."""

Moment = Annotated[datetime, Meta(tz=True)] | None
"""With its offset, "+0900" or "+09:00"; Unix time 0 stands for none."""

Day = date | None
"""Written YYYY-MM-DD; the day of Unix time 0 stands for none."""


def bounded(number: int, most: int) -> int:
    """Return a number that is held to 0 and `most`."""
    return min(max(number, 0), most)


def short(text: str) -> str:
    """Return a text, cut where it is longer than any that there is: what comes after goes through it again and again."""
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def known(when: D | None) -> D | None:
    """Return a day or a moment, or None for one that stands for none; by its year alone, for there are thousands."""
    return when if when is not None and _EPOCH < when.year <= LAST_YEAR else None
