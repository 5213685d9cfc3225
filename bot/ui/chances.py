"""Chances in words: of the next try, and in the end; every page tells the two apart."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.domain.coach.prediction import Chances, Form, Prediction
from bot.domain.ids import Region
from bot.domain.ranks import MAX_SCORE, next_goal, rank_of
from bot.ui.kit.pages import Component, fitting_menu
from bot.ui.kit.routes import ComparisonAddress, PracticeAddress, ScoreAddress
from bot.ui.language.text import Language, mark

FORMS: Final[Mapping[Form, str]] = {
    Form.MODEST: mark("On a modest day"),
    Form.USUAL: mark("On a usual day"),
    Form.TOP: mark("In top form"),
}
_FORECASTS: Final[Mapping[Form, str]] = {
    Form.MODEST: mark("on a modest day the next try comes to {score}"),
    Form.USUAL: mark("on a usual day the next try comes to {score}"),
    Form.TOP: mark("in top form the next try comes to {score}"),
}
_CHANCES: Final = (
    (0.9, mark("almost certain")),
    (0.6, mark("likely")),
    (0.4, mark("fifty-fifty")),
    (0.15, mark("unlikely")),
    (0.0, mark("a long shot")),
)
"""The words for chances, each with its least chance."""


def chance_text(t: Language, chance: float) -> str:
    """Return a chance in words and per cent."""
    word = next(word for least, word in _CHANCES if chance >= least)
    return t("{word} {percent}%", word=t(word), percent=_percent(t, chance))


def _percent(t: Language, chance: float) -> str:
    return t.integer(max(1, min(99, round(chance * 100))))


def nothing_known_text(t: Language, *, is_all_maximum: bool) -> str:
    """Return why there is no forecast for somebody, and what they can do."""
    if is_all_maximum:
        return t(
            "All your known scores are the maximum, so they do not show how far you can get. Play harder "
            "charts, upload them, then come back."
        )
    return t("Nothing is known of your scores yet. Play some charts and upload them, then come back.")


def next_try_percent(t: Language, chance: float) -> str:
    """Return the chance of the next try without a word, for narrow places."""
    return t("next try **{percent}%**", percent=_percent(t, chance))


def next_try_text(t: Language, chance: float) -> str:
    """Return the chance of the next try."""
    return t("next try {chance}", chance=f"**{chance_text(t, chance)}**")


def in_the_end_text(t: Language, chance: float) -> str:
    """Return the chance that the record gets there once somebody is finished with the chart."""
    return t("in the end {chance}", chance=chance_text(t, chance))


def forecast_text(t: Language, tries: Chances, form: Form | None) -> str:
    """Return the expected result of a try on a day of some form; empty for no form."""
    return "" if form is None else t(_FORECASTS[form], score=f"**{t.integer(tries.score_by(form.luck))}**")


def form_menu(t: Language, address: ComparisonAddress | PracticeAddress | ScoreAddress) -> list[Component]:
    """Return the menu of forms for a forecast."""
    labels = {None: t("No score forecast"), **{form: t(label) for form, label in FORMS.items()}}
    choices = {replace(address, form=form): label for form, label in labels.items()}
    return fitting_menu(choices, address, placeholder=t("What to expect"), place=3)


def goal_label(t: Language, goal: int, region: Region) -> str:
    """Return the name of a score to reach: its rank, or the theoretical maximum."""
    return t("maximum") if goal == MAX_SCORE else rank_of(goal, region).label


def next_goal_text(t: Language, score: int, region: Region, chance: float) -> str:
    """Return the chance that the next try reaches the next goal above a score."""
    goal = next_goal(score, region)
    return "" if goal is None else f"→ {goal_label(t, goal, region)} {next_try_text(t, chance)}"


def both_chances_text(t: Language, score: int, region: Region, prediction: Prediction) -> str:
    """Return the chances of the next goal above a score: with the next try, and in the end."""
    goal = next_goal(score, region)
    if goal is None:
        return ""
    next_try = next_goal_text(t, score, region, prediction.next_try.chance(goal))
    return f"{next_try} · {in_the_end_text(t, prediction.in_the_end.chance(goal))}"
