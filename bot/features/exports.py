"""A member's own records, as they can be taken elsewhere."""

import asyncio
from dataclasses import dataclass

from bot.domain.age import Age, oldest
from bot.domain.ids import MemberId, Region
from bot.domain.players import Target
from bot.domain.scores import CourseRecord, Record
from bot.features.shared.askers import Askers


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordExport:
    """Every record of a member: on charts and on courses."""

    records: tuple[Record, ...]
    """Normal charts, then World's End."""
    courses: tuple[CourseRecord, ...]
    region: Region
    age: Age


class RecordExports:
    """Gathers records."""

    def __init__(self, askers: Askers) -> None:
        self._askers = askers

    async def gather(self, member: MemberId) -> RecordExport:
        """Return all of a member's own records. Raises: NotLinked, and what the service answers."""
        asker = await self._askers.get(member)
        region = asker.link.region
        records, courses = await asyncio.gather(
            asker.fetch_all_records(Target(), region), asker.fetch_courses(Target(), region)
        )
        return RecordExport(
            records=records.value,
            courses=courses.value,
            region=region,
            age=oldest(records.age, courses.age),
        )
