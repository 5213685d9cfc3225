"""A member's own records, for use elsewhere."""

import asyncio
from dataclasses import dataclass, field

from bot.domain.age import oldest
from bot.domain.charts import Catalogue
from bot.domain.gains import RatingSlots
from bot.domain.ids import MemberId
from bot.domain.players import Target
from bot.domain.scores import CourseRecord, Record
from bot.features.shared.askers import Askers
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongLibrary
from bot.features.shared.reports import Fetched


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordExport(Fetched):
    """All records of a member, on charts and courses."""

    records: tuple[Record, ...]
    """The records on normal charts, then on World's End charts."""
    courses: tuple[CourseRecord, ...]
    catalogue: Catalogue | None = field(default=None, repr=False)
    """The catalogue; None if it was not requested, or is unavailable now."""
    slots: RatingSlots | None = field(default=None, repr=False)
    """The slots of the member's rating; None if they are unknown."""


class RecordExports:
    """Gathers records."""

    def __init__(self, askers: Askers, library: SongLibrary, ratings: GameRatings) -> None:
        self._askers = askers
        self._ratings = ratings
        self._library = library

    async def gather(self, member: MemberId, *, with_songs: bool = False) -> RecordExport:
        """Return all of a member's own records. Raises: NotLinked, and errors of the service."""
        asker = await self._askers.get(member)
        region = asker.link.region
        records, courses = await asyncio.gather(
            asker.fetch_all_records(Target(), region), asker.fetch_courses(Target(), region)
        )
        visit = await self._library.find(asker, None) if with_songs else None
        return RecordExport(
            records=records.value,
            courses=courses.value,
            catalogue=visit and visit.loaded.catalogue,
            slots=await self._ratings.find_slots(member, region, records.value),
            region=region,
            age=oldest(records.age, courses.age),
        )
