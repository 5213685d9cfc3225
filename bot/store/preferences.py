"""Members' own settings."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import Row, select

from bot.domain.ids import MemberId
from bot.domain.members import Preferences, Theme
from bot.domain.scores import SlotName
from bot.store.engine import Database
from bot.store.tables import PREFERENCES
from bot.store.upsert import upsert


class PreferenceTable:
    """The repository of settings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fetch_all(self) -> Mapping[MemberId, Preferences]:
        """Return everyone's settings."""
        async with self._database.read() as connection:
            rows = (await connection.execute(select(PREFERENCES))).all()
        return {MemberId(row.member_id): _to_preferences(row) for row in rows}

    async def save(self, member: MemberId, preferences: Preferences) -> None:
        """Keep a member's settings in place of those before."""
        row = {
            "member_id": member,
            "language": preferences.language,
            "timezone": preferences.timezone,
            "slot": preferences.slot.value,
            "theme": preferences.theme.value,
        }
        async with self._database.write() as connection:
            await upsert(connection, PREFERENCES, row)


def _to_preferences(row: Row[tuple[object, ...]]) -> Preferences:
    """Return one member's settings; what this version or this machine does not know counts as not chosen."""
    read = Preferences(language=row.language)
    with suppress(ValueError):
        read = replace(read, slot=SlotName(row.slot))
    with suppress(ValueError):
        read = replace(read, theme=Theme(row.theme))
    with suppress(ValueError, ZoneInfoNotFoundError):
        read = replace(read, timezone=ZoneInfo(row.timezone).key)
    return read
