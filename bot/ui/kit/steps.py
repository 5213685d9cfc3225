"""Buttons for next steps from a page, beside its own: they answer whoever presses them in private."""

from collections.abc import Mapping

from bot.domain.ids import MemberId
from bot.domain.scores import SlotName
from bot.features.shared.subjects import Subject
from bot.ui.kit.address import Address
from bot.ui.kit.routes import (
    BestAddress,
    ComparisonAddress,
    CompletionAddress,
    CoursesAddress,
    GoalsAddress,
    HelpAddress,
    HelpTopic,
    OverPowerAddress,
    PlanAddress,
    PracticeAddress,
    RatingAddress,
    SessionAddress,
    SkillAddress,
    TiersAddress,
    WorldsEndAddress,
)
from bot.ui.kit.song_routes import RandomAddress, SearchAddress
from bot.ui.language.text import Language


def steps_from(  # noqa: PLR0911 - one for each kind of page
    t: Language, address: Address
) -> Mapping[str, Address]:
    """Return probable next pages, by the labels of their buttons."""
    asker = address.asker
    match address:
        case RatingAddress(subject=subject) | SessionAddress(subject=subject):
            return {t("Best"): best_of(asker, subject)}
        case OverPowerAddress() | CoursesAddress() | WorldsEndAddress():
            return {t("My best"): best_of(asker)}
        case PlanAddress():
            session = SessionAddress(asker=asker, subject=Subject())
            return {t("My goals"): GoalsAddress(asker=asker), t("My last session"): session}
        case SkillAddress():
            return {t("My goals"): GoalsAddress(asker=asker)}
        case GoalsAddress() | PracticeAddress():
            return {t("What to play next"): PlanAddress(asker=asker)}
        case BestAddress(subject=subject) if subject == Subject():
            return {t("What to play next"): PlanAddress(asker=asker)}
        case BestAddress(subject=subject):
            return {t("Compare"): ComparisonAddress(asker=asker, subject=subject)}
        case CompletionAddress() | RandomAddress() | SearchAddress() | TiersAddress():
            return {t("Filters"): HelpAddress(asker=asker, topic=HelpTopic.FILTERS)}
        case _:
            return {}


def best_of(asker: MemberId, subject: Subject | None = None) -> BestAddress:
    """Return the address of the card of somebody's best records, by default the asker's."""
    return BestAddress(asker=asker, subject=subject or Subject(), slot=SlotName.BEST)
