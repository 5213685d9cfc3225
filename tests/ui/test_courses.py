import re
from datetime import UTC, datetime

from bot.domain.age import Age
from bot.domain.ids import JP2
from bot.domain.scores import CourseRecord
from bot.features.courses import CoursesReport
from bot.features.shared.paging import part_of
from bot.ui.courses import courses_embed
from bot.ui.language.text import Languages


def test_a_course_shows_the_best_lamp_that_was_earned() -> None:
    records = [
        CourseRecord(
            index=index, name=f"Course {index}", course_class=None, score=3_000_000, is_clear=True,
            is_full_combo=index > 0, is_all_justice=index > 1,
        )
        for index in range(3)
    ]  # fmt: skip
    report = CoursesReport(
        region=JP2, age=Age(datetime(2026, 11, 1, tzinfo=UTC)), cleared=3, part=part_of(records, 5, 0)
    )
    shown = str(courses_embed(Languages()["en"], report).description).splitlines()
    lamps = [
        re.sub(r"\*\*3,000,000\*\*| · |cleared", "", shown[shown.index(f"Course {index}") + 1])
        for index in range(3)
    ]
    assert lamps == ["", "FC", "AJ"]
