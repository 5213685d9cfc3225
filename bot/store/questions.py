"""Long questions under short keys: what a list was asked for does not fit into the id of a button."""

import hashlib
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, select, update

from bot.store.engine import Database
from bot.store.tables import QUESTIONS

_KEPT_FOR: Final = timedelta(days=180)
"""After the last time it was asked; the buttons below older lists say that they are too old."""


class Questions:
    """The repository of questions; who asked is not kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, text: str, now: datetime) -> str:
        """Return the key under which a text can be found again: the same for the same text."""
        key = hashlib.blake2b(text.encode(), digest_size=9).hexdigest()
        async with self._database.write() as connection:
            await connection.execute(delete(QUESTIONS).where(QUESTIONS.c.asked_at < now - _KEPT_FOR))
            again = update(QUESTIONS).where(QUESTIONS.c.key == key).values(asked_at=now)
            if (await connection.execute(again)).rowcount == 0:
                await connection.execute(QUESTIONS.insert().values(key=key, text=text, asked_at=now))
        return key

    async def find(self, key: str) -> str | None:
        """Return the text under a key, or None where it is kept no more."""
        async with self._database.read() as connection:
            query = select(QUESTIONS.c.text).where(QUESTIONS.c.key == key)
            return (await connection.execute(query)).scalar_one_or_none()
