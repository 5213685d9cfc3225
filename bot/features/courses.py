"""The asker's course records."""

from dataclasses import dataclass
from typing import Final

from bot.domain.ids import MemberId
from bot.domain.players import Target
from bot.domain.scores import CourseRecord
from bot.features.shared.askers import Askers
from bot.features.shared.paging import Part, part_of
from bot.features.shared.reports import Fetched

PAGE_SIZE: Final = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class CoursesReport(Fetched):
    """The content of `/courses`."""

    cleared: int
    """The number of cleared courses."""
    part: Part[CourseRecord]
    """One page of the courses, highest class first, as the service numbers them."""


class Courses:
    """Reports course records."""

    def __init__(self, askers: Askers) -> None:
        self._askers = askers

    async def report(self, viewer: MemberId, number: int = 0) -> CoursesReport:
        """Return one page of the viewer's courses. Raises: NotLinked, and errors of the service."""
        asker = await self._askers.get(viewer)
        region = asker.link.region
        answer = await asker.fetch_courses(Target(), region)
        records = sorted(answer.value, key=lambda record: (-(record.course_class or 0), record.index))
        return CoursesReport(
            cleared=sum(record.is_clear for record in records),
            part=part_of(records, PAGE_SIZE, number),
            region=region,
            age=answer.age,
        )
