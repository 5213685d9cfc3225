"""`/plan`: what to play for the next evening, or to reach a target."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import accumulate
from typing import Final

from bot.domain.climb import ClimbStep, TargetMeasure
from bot.domain.game_versions import Formula
from bot.domain.numbers import format_level
from bot.domain.pace import Pace, day_after
from bot.domain.plan import PlanCharts
from bot.domain.scores import SlotName
from bot.domain.tries import MAX_CLIMB_TRIES, Climb, ClimbTarget
from bot.features.plan import PlanReport
from bot.ui.borders import counts_text
from bot.ui.chances import next_try_percent, nothing_known_text
from bot.ui.explanations import doubt_lines, explanation_lines
from bot.ui.game_ratings import gain_number, gain_text, together_text, turned_text, weighted_averages_of
from bot.ui.kit.choices import MAX_CHOICES
from bot.ui.kit.icons import rank_icon
from bot.ui.kit.look import Page, add_text, measure_text, player_embed, player_heading
from bot.ui.kit.markdown import cut, one_line
from bot.ui.kit.pages import Component, fitting_menu, turn_buttons, view_of
from bot.ui.kit.routes import PlanAddress
from bot.ui.language.text import Language, mark, sign_of
from bot.ui.lists import record_lines, small

AIMS: Final[Mapping[TargetMeasure, str]] = {
    TargetMeasure.BEST_AVERAGE: mark("Best average"),
    TargetMeasure.RATING: mark("Rating"),
}
_CHARTS: Final[Mapping[PlanCharts, str]] = {
    PlanCharts.ALL: mark("All charts"),
    PlanCharts.PLAYED: mark("Played charts only"),
    PlanCharts.BELOW_SSS: mark("Not yet SSS"),
    PlanCharts.NEW_SONGS: mark("New songs"),
    PlanCharts.OLD_SONGS: mark("Older songs"),
    PlanCharts.OUTSIDE: mark("What does not count yet"),
}
_BY_AGE: Final = {PlanCharts.NEW_SONGS, PlanCharts.OLD_SONGS}
"""The choices that matter only if new songs count in a slot of their own."""
_MAX_LABEL_COLUMNS: Final = 60


def plan_page(t: Language, report: PlanReport, address: PlanAddress) -> Page:
    """Return one page of charts to play."""
    title = t("Plan for {player}", player=player_heading(report.player))
    embed = player_embed(t, title, report, shows_rating=True)
    if not report.is_known:
        add_text(embed, nothing_known_text(t, is_all_maximum=report.is_all_maximum))
        return Page(embed)
    add_text(embed, _standing(t, report))
    add_text(embed, "\n".join(_prediction(t, report)))
    if report.part.items:
        add_text(embed, "\n".join(_lines(t, report)))
    if notes := _notes(t, report):
        add_text(embed, small(t.sentences(notes)))
    menus = _menus(t, report, address)
    return Page(embed, view_of([*menus, *turn_buttons(t, address, report.part)]))


def _standing(t: Language, report: PlanReport) -> str:
    worked_out = report.explanation.worked_out
    best, new = weighted_averages_of(t, worked_out)
    if worked_out.formula is Formula.BEST_AND_NEW:
        facts = [t("older songs {average}", average=best), t("new songs {average}", average=new)]
    else:
        facts = [" ".join((t(AIMS[TargetMeasure.BEST_AVERAGE]), best))]
    label, rating = t(AIMS[TargetMeasure.RATING]), t.hundredths(report.player.rating)
    return f"{label} **{rating}**\n{small(*facts)}"


def _prediction(t: Language, report: PlanReport) -> Iterator[str]:
    if report.climb is not None:
        yield from climb_lines(t, report.climb, report.pace, report.age.fetched_at)
        return
    evening = report.evening
    if evening is None:
        yield t("None of these charts is likely to raise your rating.")
        return
    usual, low, high = (
        gain_number(t, each) if each else t("nothing") for each in (evening.usual, evening.low, evening.high)
    )
    yield t.plural(
        "The next evening: {count} try on the first chart adds about **{usual}** to the rating, half of "
        "the time between {low} and {high}.",
        "The next evening: {count} tries, one on each of the first charts, add about **{usual}** to the "
        "rating, half of the time between {low} and {high}.",
        evening.tries,
        usual=usual,
        low=low,
        high=high,
    )


def climb_lines(t: Language, climb: Climb, pace: Pace | None, now: datetime) -> Iterator[str]:
    """Yield how many tries a target takes, and when it is reached at the previous pace; or why it cannot be reached."""
    target = f"**{target_text(t, climb.target)}**"
    if climb.is_reached:
        yield t("{target} is reached already.", target=target)
        return
    if not climb.is_possible:
        yield t(
            "No scores reach {target}: with the best score on every chart it would be **{highest}**.",
            target=target,
            highest=t.hundredths(climb.highest),
        )
        return
    yield tries_text(t, climb)
    yield pace_text(t, climb, pace, now)


def target_text(t: Language, target: ClimbTarget) -> str:
    """Return "Rating 16.50"."""
    label = t(AIMS[target.aim])
    return f"{label} {t.hundredths(target.value)}"


def tries_text(t: Language, climb: Climb) -> str:
    """Return how many tries a reachable target takes."""
    target = f"**{target_text(t, climb.target)}**"
    half, nine_in_ten = climb.tries
    if not climb.leads_there and climb.is_cut_short:
        return t.plural(
            "{count} chart comes first, which leads to **{after}**; how far {target} is can be said once it is played.",
            "{count} charts come first, which lead to **{after}**; how far {target} is can be said once they are played.",
            len(climb.steps),
            after=t.hundredths(climb.after),
            target=target,
        )
    if not climb.leads_there:
        return t(
            "As you play today, you get to about **{after}**; {target} takes getting better.",
            after=t.hundredths(climb.after),
            target=target,
        )
    most = t("more than {count}", count=t.integer(MAX_CLIMB_TRIES))
    return t.plural(
        "Tries to {target}: at most **{half}** half of the time, **{nine}** nine times in ten, on {count} chart until it is there.",
        "Tries to {target}: at most **{half}** half of the time, **{nine}** nine times in ten, taking "
        "{count} charts in turn until it is there.",
        len(climb.steps),
        target=target,
        half=most if half is None else t.integer(half),
        nine=most if nine_in_ten is None else t.integer(nine_in_ten),
    )


def pace_text(t: Language, climb: Climb, pace: Pace | None, now: datetime) -> str:
    """Return when a target is reached at the previous pace."""
    if pace is None:
        return t("Your pace is known once your rating has been seen for two weeks.")
    if pace.gained <= 0:
        return t.plural(
            "It has not risen in the last {count} day, so nobody can say when.",
            "It has not risen in the last {count} days, so nobody can say when.",
            pace.days,
        )
    weeks = pace.weeks_to(climb.target.value - climb.now // climb.places)
    told = grown_text(t, pace)
    if weeks is None:
        return t("At your pace of {pace} that is years away.", pace=told)
    return t.plural(
        "At your pace of {pace} that is about **{count} week** away: {day}.",
        "At your pace of {pace} that is about **{count} weeks** away: {day}.",
        max(1, weeks),
        pace=told,
        day=t.day(day_after(now, max(1, weeks))),
    )


def grown_text(t: Language, pace: Pace) -> str:
    """Return "+0.031 in four weeks" for a figure in hundredths."""
    gained = gain_number(t, round(pace.in_four_weeks * 10)) if pace.gained else f"{sign_of(0)}0"
    return t("{gain} in four weeks", gain=gained)


def _lines(t: Language, report: PlanReport) -> Iterator[str]:
    steps = report.climb.steps if report.climb else ()
    sums = [*accumulate(step.effect.sum_gain for step in steps)]
    missing = report.climb.missing if report.climb else 0
    there = (
        next((place for place, total in enumerate(sums, 1) if total >= missing), None) if missing else None
    )
    for place, step in report.part.numbered:
        yield _line(t, place, step, report)
        if place == there and report.climb and place < len(steps):
            yield small(
                t(
                    "↑ these alone reach {target}, if you reach all of them",
                    target=t.hundredths(report.climb.target.value),
                )
            )


def _line(t: Language, place: int, step: ClimbStep, report: PlanReport) -> str:
    entry, losses = step.entry, report.losses.get(step.key)
    before = t.integer(entry.played.score) if entry.played else t("not played")
    rest = [
        measure_text(t, entry.chart),
        f"{before} → **{t.integer(step.score)}** {rank_icon(t, step.score, report.region)}",
        next_try_percent(t, step.chance),
        t("New songs") if step.effect.slot is SlotName.NEW else "",
        t("easier than it counts for you") if step.key in report.easier else "",
        "" if losses is None else t("at most {losses}", losses=counts_text(t, losses, " + ")),
    ]
    return record_lines(t, place, gain_text(t, step.effect), entry.chart, entry.song.title, rest)


def _notes(t: Language, report: PlanReport) -> list[str]:
    notes: list[str] = []
    if report.part.items:
        notes += _together(t, report)
    if report.set_back:
        notes.append(
            t.plural(
                "{count} chart that was here before your last upload and has not been reached is further down.",
                "{count} charts that were here before your last upload and have not been reached are further down.",
                report.set_back,
            )
        )
    if report.without_constant:
        notes.append(
            t.plural(
                "{count} chart of new songs is left out: nobody knows its constant yet.",
                "{count} charts of new songs are left out: nobody knows their constants yet.",
                report.without_constant,
            )
        )
    if report.explanation.worked_out.formula is Formula.BEST_AND_RECENT:
        notes.append(t("The recent slot is taken as it is."))
    if report.explanation.is_explained is False:
        notes += explanation_lines(t, report.explanation, report.player.rating)
    else:
        notes += doubt_lines(t, report.explanation.worked_out)
    if report.turned is not None:
        notes.append(turned_text(t, report.turned))
    if report.counted == 0:
        notes.append(
            t("Chances are based on your own records alone: nothing is known here yet of all players.")
        )
    return notes


def _together(t: Language, report: PlanReport) -> list[str]:
    """Return the effect of all steps: the sum of the gains on all pages."""
    counted = t("Each gain is counted after those above it.")
    gain = together_text(t, report.explanation, report.player.rating, report.together)
    together = t.plural(
        "{count} chart in all: {gain}.", "{count} charts in all: {gain}.", report.part.total, gain=gain
    )
    return [counted, together]


def _menus(t: Language, report: PlanReport, address: PlanAddress) -> list[Component]:
    first = replace(address, number=0)
    has_new = report.explanation.worked_out.formula is Formula.BEST_AND_NEW
    charts = {
        replace(first, charts=each): t(label)
        for each, label in _CHARTS.items()
        if has_new or each is address.charts or each not in _BY_AGE
    }
    levels = {replace(first, level=None): t("All levels")} | {
        replace(first, level=level): format_level(level) for level in report.levels[: MAX_CHOICES - 1]
    }
    genres = {replace(first, genre=""): t("All genres")} | {
        replace(first, genre=genre): cut(one_line(genre), _MAX_LABEL_COLUMNS)
        for genre in report.genres[: MAX_CHOICES - 1]
    }
    return [
        *fitting_menu(charts, first, placeholder=t("Which charts")),
        *fitting_menu(levels, first, placeholder=t("Level"), place=2),
        *fitting_menu(genres, first, placeholder=t("Genre"), place=3),
    ]
