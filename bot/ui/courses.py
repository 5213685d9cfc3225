"""`/courses` as an embed with its pages."""

from typing import Final

from discord import Embed

from bot.domain.chronicle.state import LampFlags
from bot.domain.scores import CourseRecord
from bot.features.courses import CoursesReport
from bot.ui.kit.icons import lamp_icon
from bot.ui.kit.look import BRAND, Page, add_text, fetched_embed
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import turn_buttons, view_of
from bot.ui.kit.routes import CoursesAddress
from bot.ui.language.text import Language

_NAME_COLUMNS: Final = 60


def courses_page(t: Language, report: CoursesReport, address: CoursesAddress) -> Page:
    """Return one page of course records."""
    return Page(courses_embed(t, report), view_of(turn_buttons(t, address, report.part)))


def courses_embed(t: Language, report: CoursesReport) -> Embed:
    """Return the courses on one page."""
    embed = fetched_embed(t, t("Your courses"), BRAND, report)
    if not report.part.items:
        add_text(embed, t("No course record yet."))
        return embed
    add_text(
        embed,
        t.plural(
            "{cleared} of {count} course cleared",
            "{cleared} of {count} courses cleared",
            report.part.total,
            cleared=t.integer(report.cleared),
        ),
    )
    add_text(embed, "\n".join(_line(t, record) for record in report.part.items))
    return embed


def _line(t: Language, record: CourseRecord) -> str:
    facts = [f"**{t.integer(record.score)}**"]
    if record.course_class is not None:
        facts.append(t("class {number}", number=record.course_class))
    if record.is_all_justice or record.is_full_combo:
        facts.append(lamp_icon(t, LampFlags.ALL_JUSTICE if record.is_all_justice else LampFlags.FULL_COMBO))
    facts.append(t("cleared") if record.is_clear else t("not cleared"))
    return f"{escape(record.name, width=_NAME_COLUMNS)}\n{' · '.join(facts)}"
