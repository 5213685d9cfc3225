"""`/practice`: three charts for today, and the button to draw others."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.domain.coach.prediction import Form
from bot.domain.gains import PlayEffect
from bot.domain.numbers import Hundredths
from bot.domain.practice import PracticeAim, PracticeTarget, Trait
from bot.features.practice import PracticeReport
from bot.ui.chances import forecast_text, form_menu, next_try_text, nothing_known_text
from bot.ui.game_ratings import gain_text, together_text
from bot.ui.kit.filters import filter_text, no_chart_text
from bot.ui.kit.icons import rank_icon
from bot.ui.kit.look import Page, add_text, measure_text, player_embed, player_heading
from bot.ui.kit.pages import PageButton, view_of
from bot.ui.kit.routes import PracticeAddress
from bot.ui.language.text import Language, mark
from bot.ui.lists import chart_line
from bot.ui.traits import trait_text

_AIMS: Final[Mapping[PracticeAim, str]] = {
    PracticeAim.GAIN: mark("A solid gain"),
    PracticeAim.STRETCH: mark("A stretch"),
    PracticeAim.WEAKNESS: mark("Against a weakness"),
}
_RANK_ALONE: Final = mark("A rank within reach")
"""The heading of what is offered as a gain where none is likely that would raise the rating."""
_NONE: Final[Mapping[PracticeAim, str]] = {
    PracticeAim.GAIN: mark("No gain is likely enough."),
    PracticeAim.STRETCH: mark("No rank is just far enough away for a stretch."),
    PracticeAim.WEAKNESS: mark(
        "No weakness stands out from your records yet, or no chart that fits has one."
    ),
}


def practice_page(t: Language, report: PracticeReport, address: PracticeAddress) -> Page:
    """Return the charts to play today."""
    embed = player_embed(t, t("Practice for {player}", player=player_heading(report.player)), report)
    if report.wanted.terms:
        add_text(embed, t("Filter: {filter}", filter=filter_text(t, report.wanted)))
    if not report.charts:
        add_text(embed, no_chart_text(t, report.wanted, report.region))
    elif not report.is_known:
        add_text(embed, nothing_known_text(t, is_all_maximum=report.is_all_maximum))
    elif report.effects:
        gain = Hundredths(sum(effect.sum_gain for effect in report.effects.values()))
        together = together_text(t, report.explanation, report.player.rating, gain)
        add_text(embed, t("If you reach all of them: {gain}.", gain=together))
    for aim, label in _AIMS.items() if report.charts and report.is_known else ():
        drill = report.drills.get(aim)
        effect = report.effects.get(aim)
        text = t(_NONE[aim]) if drill is None else _line(t, drill, effect, address.form)
        raises = effect is None or effect.sum_gain > 0
        heading = t(_RANK_ALONE if aim is PracticeAim.GAIN and not raises else label)
        embed.add_field(name=_heading(t, heading, drill and drill.trait), value=text, inline=False)
    again = PageButton(replace(address, seed=address.seed + 1), label=t("Again"))
    items = [again, *form_menu(t, address)]
    return Page(embed, view_of(items if report.drills else []), audience=report.audience)


def _heading(t: Language, label: str, trait: Trait | None) -> str:
    return label if trait is None else f"{label}: {trait_text(t, trait)}"


def _line(t: Language, drill: PracticeTarget, effect: PlayEffect | None, form: Form | None) -> str:
    entry = drill.entry
    before = t.integer(entry.played.score) if entry.played else t("not played")
    goal = f"**{t.integer(drill.score)}** {rank_icon(t, drill.score, entry.region)}"
    line = chart_line(t, gain_text(t, effect) if effect else "", entry.chart, entry.song.title)
    facts = [measure_text(t, entry.chart), f"{before} → {goal}", next_try_text(t, drill.chance)]
    lines = [line, " · ".join(facts), forecast_text(t, drill.prediction.next_try, form)]
    return "\n".join(each for each in lines if each)
