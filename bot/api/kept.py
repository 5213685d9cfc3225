"""Which answers outlive a restart, and how they are written down.

Kept are answers to an account about itself; what it was shown of others stays in memory alone, so that whoever
erases their link erases all that is kept of them.
"""

import zlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Protocol

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from bot.domain.ids import UserId
from bot.domain.kept import KeptAnswer
from bot.domain.players import Friend, Player, Target
from bot.domain.scores import CourseRecord, RatingData, Record

KEPT_FOR: Final = timedelta(days=7)

_ADAPTERS: Final[Mapping[str, TypeAdapter[Any]]] = {
    "player": TypeAdapter(Player),
    "rating_data": TypeAdapter(RatingData),
    "records": TypeAdapter(tuple[Record, ...]),
    "worlds_end": TypeAdapter(tuple[Record, ...]),
    "courses": TypeAdapter(tuple[CourseRecord, ...]),
    "friends": TypeAdapter(tuple[Friend, ...]),
}
"""By the first word of a question; the answers to others are not kept."""


class AnswerKeeper(Protocol):
    """Where answers outlive a restart, unreadable to whoever reads the database alone."""

    async def find(self, account: UserId, question: str, *, since: datetime) -> KeptAnswer | None:
        """Return the answer to a question, or None if there is none from `since` on that can be read."""
        ...

    async def save(self, answer: KeptAnswer, *, since: datetime) -> None:
        """Keep an answer in place of an older one to the same question; drop all from before `since`."""
        ...

    async def erase(self, account: UserId) -> None:
        """Erase everything kept of an account."""
        ...


def name_of(question: tuple[object, ...]) -> str | None:
    """Return the name under which the answer to a question is kept, or None if it is not to be kept."""
    if not question or question[0] not in _ADAPTERS:
        return None
    words: list[str] = []
    for part in question:
        if isinstance(part, Target):
            if not part.is_holder:
                return None
        else:
            words.append(str(part))
    return "/".join(words)


def write(name: str, value: object) -> bytes:
    """Return an answer as bytes; of thousands of records this takes a while."""
    return zlib.compress(_adapter(name).dump_json(value), level=1)


def read(name: str, body: bytes) -> object | None:
    """Return the answer, or None if an older version of the bot wrote it in another shape."""
    try:
        return _adapter(name).validate_json(zlib.decompress(body))
    except (ValidationError, zlib.error):
        return None


def as_json(body: bytes) -> object:
    """Return what an answer says as plain JSON, to hand it to whom it is about."""
    return from_json(zlib.decompress(body))


def _adapter(name: str) -> TypeAdapter[Any]:
    return _ADAPTERS[name.partition("/")[0]]
