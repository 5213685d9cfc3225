"""Types of members: what the service may write in place of what it promises.

All are read laxly: 14.7 also as "14.7", 12 as 12.0 and "12", true as 1 and "1". A member that can be done without is
marked `NONE_IF_ODD`: one odd member must not cost a record. A member without which the record says nothing is not.
"""

from datetime import UTC, date, datetime
from typing import Annotated, Final

from pydantic import AwareDatetime, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from bot.domain.typed import is_seen

MAX_INTEGER: Final = 2**63 - 1
"""What a database's integer column holds."""
MAX_TEXT_LENGTH: Final = 1_024
"""Characters; the longest known title has 68, the longest artist 164."""
MAX_CODE_LENGTH: Final = 64
MAX_HUNDREDTHS: Final = 99_999
"""The most that a rating, a level or a constant can be."""
MAX_PLAYERS: Final = 10**9
MAX_NOTES: Final = 99_999
MAX_BPM: Final = 9_999
MAX_YEAR: Final = 2200
"""A later year is nonsense, and arithmetic with time zones could overflow."""
FIRST_YEAR: Final = 1971
"""Unix time 0 stands for no time at all, and nobody has played before its year was over."""


class _NoneIfOdd:
    """Tells pydantic to read None where what came is not of the type, without a call of Python for each member."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_default_schema(handler(source), default=None, on_error="default")


NONE_IF_ODD: Final = _NoneIfOdd()
"""Marks a member that is None where what came cannot be read."""

Text = Annotated[str, Field(coerce_numbers_to_str=True)]
"""A title of digits alone may come as a number."""

Code = Annotated[str, Field(max_length=MAX_CODE_LENGTH)]
"""An id or a difficulty: cut short it would be another one, so what is longer costs its record."""

Whole = Annotated[int, Field(ge=-MAX_INTEGER, le=MAX_INTEGER)]
Number = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]
"""A level, constant or rating."""

MaybeText = Annotated[Text | None, NONE_IF_ODD]
MaybeWhole = Annotated[Whole | None, NONE_IF_ODD]
MaybeNumber = Annotated[Number | None, NONE_IF_ODD]

Flag = Annotated[bool | None, NONE_IF_ODD]
"""None where the service does not say."""

KnownMoment = Annotated[
    AwareDatetime,
    Field(ge=datetime(FIRST_YEAR, 1, 1, tzinfo=UTC), lt=datetime(MAX_YEAR + 1, 1, 1, tzinfo=UTC)),
]
Moment = Annotated[KnownMoment | None, NONE_IF_ODD]
"""A time with its offset, "+0900" or "+09:00"; None for Unix time 0."""

KnownDay = Annotated[date, Field(ge=date(FIRST_YEAR, 1, 1), le=date(MAX_YEAR, 12, 31))]
Day = Annotated[KnownDay | None, NONE_IF_ODD]
"""Written YYYY-MM-DD; None for the day of Unix time 0."""


def bounded(number: int, most: int) -> int:
    """Return a number that is held to 0 and `most`."""
    return min(max(number, 0), most)


def known_by(name: str, other: str) -> str:
    """Return a name, cut as by `short`; the other one where nothing of it can be seen, as of one that is all gaps."""
    # Nearly every name begins with what is seen, and there are thousands.
    return short(name if name[:1].isalnum() or is_seen(name) else other)


def short(text: str) -> str:
    """Return a text, cut where it is longer than any that there is: what comes after goes through it again and again."""
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[: MAX_TEXT_LENGTH - 1]}…"
