"""Long filters under short keys, because they do not fit into the id of a button."""

import hashlib
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, select

from bot.database.engine import COURTESY_SECONDS, Database
from bot.database.tables import QUESTIONS
from bot.database.upsert import upsert

_KEPT_FOR: Final = timedelta(days=180)
"""A question is kept for this long after it was last asked; buttons of older lists say that they are too old."""


def key_of(text: str) -> str:
    """Return the key under which a text is kept: the same for the same text."""
    return hashlib.blake2b(text.encode(), digest_size=9).hexdigest()


class Questions:
    """The repository of questions; who asked is not stored."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, text: str, now: datetime) -> str:
        """Save a text, and return its key. Raises: CannotKeep."""
        key = key_of(text)
        async with self._database.write(seconds=COURTESY_SECONDS) as connection:
            await connection.execute(delete(QUESTIONS).where(QUESTIONS.c.asked_at < now - _KEPT_FOR))
            await upsert(connection, QUESTIONS, {"key": key, "text": text, "asked_at": now})
        return key

    async def find(self, key: str) -> str | None:
        """Return the text of a key, or None if it is no longer kept."""
        query = select(QUESTIONS.c.text).where(QUESTIONS.c.key == key)
        return await self._database.find_value(query)
