"""`/plan`: what to play."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from bot.domain.ids import JP, Region
from bot.domain.notes import Judgement
from bot.domain.numbers import Hundredths
from bot.domain.plan import PlanStep, TargetMeasure, chart_key
from bot.domain.ranks import MAX_SCORE, next_goal, rank_of
from bot.domain.route import EXACT, MOST_STEPS, PlanRoute
from bot.features.plan import PlanReport
from bot.ui.kit.icons import rank_icon
from bot.ui.kit.look import (
    Page,
    add_text,
    measure_text,
    player_card,
    player_heading,
)
from bot.ui.kit.pages import Component, PageMenu, turn_buttons, view_of
from bot.ui.kit.routes import PlanAddress
from bot.ui.language.text import Language, mark
from bot.ui.lists import record_lines

_AVERAGE_PLACES: Final = 4
"""An average has so many places: one hundredth in one of thirty ratings is 0.0003."""
_CHANCES: Final = (
    (0.9, mark("almost certain")),
    (0.6, mark("likely")),
    (0.4, mark("even")),
    (0.15, mark("unlikely")),
    (0.0, mark("a long shot")),
)
"""Each word is said from its chance on."""
AIMS: Final[Mapping[TargetMeasure, str]] = {
    TargetMeasure.BEST_AVERAGE: mark("Best average"),
    TargetMeasure.RATING: mark("Rating"),
}
_REACHED: Final[Mapping[TargetMeasure, str]] = {
    TargetMeasure.BEST_AVERAGE: mark("A best average of **{target}** is reached already."),
    TargetMeasure.RATING: mark("A rating of **{target}** is reached already."),
}
_BEYOND: Final[Mapping[TargetMeasure, str]] = {
    TargetMeasure.BEST_AVERAGE: mark(
        "A best average of **{target}** is out of reach for now: no {most} charts lead there with a chance of one in a "
        "hundred."
    ),
    TargetMeasure.RATING: mark(
        "A rating of **{target}** is out of reach for now: no {most} charts lead there with a chance of one in a hundred."
    ),
}


def plan_page(t: Language, report: PlanReport, address: PlanAddress) -> Page:
    """Return one page of what to play."""
    title = t("Plan for {player}", player=player_heading(report.player))
    embed = player_card(t, title, report, shows_rating=True)
    places = len(report.slots.best)
    if not places:
        add_text(
            embed,
            t("Your best slot is empty. Every chart with a known constant that you play fills a place."),
        )
        return Page(embed)
    add_text(embed, _standing(t, report))
    add_text(embed, _outlook(t, report))
    if report.part.items:
        add_text(embed, "\n".join(_line(t, place, step, report) for place, step in report.part.numbered))
    if report.small and report.part.number == report.part.count - 1:
        add_text(
            embed,
            t.plural(
                "and {count} small one, which gains less than 0.01 of a song rating a try",
                "and {count} small ones, which gain less than 0.01 of a song rating a try",
                report.small,
            ),
        )
    if report.counted == 0:
        add_text(embed, t("Chances go by your own records alone: of all players nothing is known here yet."))
    items: list[Component] = [] if report.target else [_menu(t, report, address)]
    return Page(embed, view_of([*items, *turn_buttons(t, address, report.part)]))


def _menu(t: Language, report: PlanReport, address: PlanAddress) -> PageMenu:
    whole = replace(address, outside_only=False, number=0)
    outside = replace(whole, outside_only=True)
    labels = {whole: t("All charts of the slots"), outside: t("Outside the best slot")}
    return PageMenu(labels, outside if report.outside_only else whole, placeholder=t("Which charts"))


def _standing(t: Language, report: PlanReport) -> str:
    slots = report.slots
    places = len(slots.best)
    lines = [
        " ".join([t(AIMS[TargetMeasure.RATING]), f"**{t.hundredths(report.player.rating)}**"]),
        t(
            "Best average **{average}** over {count} charts, the lowest of them **{last}**",
            average=_average(t, slots.sum, places),
            count=places,
            last=t.hundredths(slots.last),
        ),
    ]
    if slots.empty:
        lines.append(
            t.plural(
                "{count} place is still empty: a new chart fills it.",
                "{count} places are still empty: new charts fill them.",
                slots.empty,
            )
        )
    elif report.region == JP:
        reachable = t.hundredths(slots.reachable)
        lines.append(t("Reachable by the recent slot alone: {rating}", rating=reachable))
    return "\n".join(lines)


def _outlook(t: Language, report: PlanReport) -> str:
    if report.target is None or report.route is None:
        if not report.part.items and report.outside_only:
            return t("No chart outside the best slot is likely to enter it.")
        if not report.part.items:
            return t("No chart is likely to raise the average by anything that can be seen.")
        return t("What raises the average soonest, by what one try is likely to gain:")
    text = _way(t, report, report.target, report.route)
    notes = [] if report.aim is TargetMeasure.BEST_AVERAGE else [_assumption(t, report)]
    if report.route.unit > EXACT:
        notes.append(
            t(
                "So many charts help that ways were looked for in steps of {step} of a song rating: there may be "
                "a likelier one.",
                step=t.hundredths(report.route.unit),
            )
        )
    return f"{text}\n-# {t.sentences(notes)}" if notes else text


def _way(t: Language, report: PlanReport, target: Hundredths, route: PlanRoute) -> str:
    wanted = t.hundredths(target)
    if report.is_reached and not route.steps:
        return t(_REACHED[report.aim], target=wanted)
    aimed = " ".join([t(AIMS[report.aim]), wanted])
    chance = chance_text(t, route.chance)
    after = (
        t.hundredths(report.after)
        if report.aim is TargetMeasure.RATING
        else _average(t, route.sum, len(report.slots.best))
    )
    if report.is_reached:
        return t.plural(
            "The likeliest way to **{target}** is {count} chart; one try is enough: **{chance}**. It becomes {after}:",
            "The likeliest way to **{target}** is {count} charts; one try on each is enough: **{chance}**. "
            "It becomes {after}:",
            len(route.steps),
            target=aimed,
            chance=chance,
            after=after,
        )
    beyond = t(_BEYOND[report.aim], target=wanted, most=t.integer(MOST_STEPS))
    within = (
        t(
            "The furthest that such a chance leads is **{after}**, by one try on each of these:",
            after=after,
        )
        if route.steps
        else t("Nor is anything else likely to be gained.")
    )
    return f"{beyond}\n{within}"


def _assumption(t: Language, report: PlanReport) -> str:
    others = report.slots.assumed_places - len(report.slots.best)
    if report.region == JP:
        return t.plural(
            "This assumes that the {count} recent chart that counts beside the best slot stays as it is.",
            "This assumes that the {count} recent charts that count beside the best slot stay as they are.",
            others,
        )
    return t.plural(
        "This assumes that {count} other chart, which the service does not send, counts beside the best slot "
        "and stays as it is.",
        "This assumes that {count} other charts, which the service does not send, count beside the best slot "
        "and stay as they are.",
        others,
    )


def _line(t: Language, place: int, step: PlanStep, report: PlanReport) -> str:
    record, losses = step.record, report.losses.get(chart_key(step.record))
    before = t.integer(record.score) if record.is_played else t("not played")
    rest = [
        measure_text(t, record),
        f"{before} → **{t.integer(step.score)}** {rank_icon(t, step.score, report.region)}",
        f"**{chance_text(t, step.chance or 0.0)}**",
        "" if step.is_in_best else t("outside"),
        "" if losses is None else t("≤ {losses}", losses=_losses(t, losses)),
    ]
    return record_lines(t, place, f"+{t.hundredths(step.gain)}", record, record.title, rest)


def _losses(t: Language, counts: Mapping[Judgement, int]) -> str:
    """Return "70 J + 1 A": on a phone there is no room for whole names, which `/border` has."""
    shown = {each: count for each, count in counts.items() if count} or {Judgement.JUSTICE: 0}
    return " + ".join(f"{t.integer(count)}\N{NO-BREAK SPACE}{each.name[0]}" for each, count in shown.items())


def chance_text(t: Language, chance: float) -> str:
    """Return a chance in words and per cent."""
    word = next(word for least, word in _CHANCES if chance >= least)
    return t("{word} {percent}%", word=t(word), percent=t.integer(max(1, min(99, round(chance * 100)))))


def goal_label(t: Language, goal: int, region: Region) -> str:
    """Return what a score to reach is called: its rank, or the theoretical maximum."""
    return t("maximum") if goal == MAX_SCORE else rank_of(goal, region).label


def next_chance_text(t: Language, score: int, region: Region, chance: float) -> str:
    """Return how likely one try comes to what is next above a score."""
    goal = next_goal(score, region)
    return "" if goal is None else f"→ {goal_label(t, goal, region)} **{chance_text(t, chance)}**"


def _average(t: Language, total: int, places: int) -> str:
    return (
        t.decimal(Decimal(total) / 100 / places, least=_AVERAGE_PLACES, most=_AVERAGE_PLACES)
        if places
        else "–"
    )
