"""Members' own settings."""

from collections.abc import Mapping

from sqlalchemy import delete, select

from bot.domain.ids import MemberId
from bot.domain.members import Preferences, Theme
from bot.domain.scores import SlotName
from bot.store.engine import Database
from bot.store.tables import PREFERENCES


class PreferenceTable:
    """The repository of settings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fetch_all(self) -> Mapping[MemberId, Preferences]:
        """Return everyone's settings."""
        async with self._database.read() as connection:
            rows = (await connection.execute(select(PREFERENCES))).all()
        return {
            MemberId(row.member_id): Preferences(
                language=row.language, timezone=row.timezone, slot=SlotName(row.slot), theme=Theme(row.theme)
            )
            for row in rows
        }

    async def save(self, member: MemberId, preferences: Preferences) -> None:
        """Keep a member's settings in place of those before."""
        async with self._database.write() as connection:
            await connection.execute(delete(PREFERENCES).where(PREFERENCES.c.member_id == member))
            await connection.execute(
                PREFERENCES.insert().values(
                    member_id=member,
                    language=preferences.language,
                    timezone=preferences.timezone,
                    slot=preferences.slot.value,
                    theme=preferences.theme.value,
                )
            )
