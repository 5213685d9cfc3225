"""`/skill`: strong and weak sides, as lines and as bars to both sides of zero."""

from collections.abc import Iterable
from dataclasses import replace
from math import exp, expm1
from typing import Final, NamedTuple

from discord import Embed

from bot.domain.coach.prediction import Form
from bot.domain.coach.traits import TraitCoefficient
from bot.domain.practice import Trait
from bot.features.skill import SkillReport
from bot.ui.chances import FORMS
from bot.ui.kit.look import HEADING_WIDTH, Page, add_text, player_embed, player_heading
from bot.ui.kit.markdown import cut, escape
from bot.ui.kit.pages import fitting_menu, view_of
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import SkillAddress
from bot.ui.language.text import Language
from bot.ui.lists import bars_alt
from bot.ui.plots import Labels, PlotBar
from bot.ui.traits import trait_text

MIN_PLAYED_CHARTS: Final = 20
"""The least number of played charts: with fewer, players cannot be told apart."""
_MIN_TOLD_PERCENT: Final = 1
"""The least percentage of a side that is shown."""


def skill_page(t: Language, report: SkillReport, address: SkillAddress, picture: Picture | None) -> Page:
    """Return a member's strong and weak sides, with the menu of forms."""
    labels = {replace(address, form=form): t(label) for form, label in FORMS.items()}
    menu = fitting_menu(labels, address, placeholder=t("What to expect")) if picture else []
    embed, short = (skill_embed(t, report, address.form, is_short=is_short) for is_short in (False, True))
    return Page(embed, view_of(menu), picture, beside=(short,), audience=report.audience)


def skill_embed(
    t: Language, report: SkillReport, form: Form = Form.USUAL, *, is_short: bool = False
) -> Embed:
    """Return a member's strong and weak sides; if short, without the figures, which a picture has."""
    embed = player_embed(t, t("Skills of {player}", player=player_heading(report.player)), report)
    if report.played < MIN_PLAYED_CHARTS:
        add_text(
            embed,
            t.plural(
                "You have played {count} chart with a known constant. From {least} on this tells what you are good at.",
                "You have played {count} charts with a known constant. From {least} on this tells what you are good at.",
                report.played,
                least=t.integer(MIN_PLAYED_CHARTS),
            ),
        )
        return embed
    sides = _sides((each for each in report.model.coefficients if each.stands_out), form)
    strong = [each for each in sides if each.percent >= _MIN_TOLD_PERCENT]
    weak = [each for each in reversed(sides) if each.percent <= -_MIN_TOLD_PERCENT]
    for name, found in ((t("Strong"), strong), (t("Weak"), weak)):
        names = (escape(trait_text(t, side.trait)) for side in found)
        shown = " · ".join(names) if is_short else "\n".join(_line(t, side) for side in found)
        embed.add_field(name=name, value=shown or t("Nothing stands out."), inline=False)
    add_text(embed, _beside_others(t, report))
    note = t(
        "Per cent: how many fewer or more points you lose on charts of that kind than on your others, "
        "give or take what may be chance. What may be nothing but chance is only in the picture."
    )
    add_text(embed, f"-# {note}")
    return embed


class _Side(NamedTuple):
    trait: Trait
    percent: int
    """The percentage by which fewer points are lost than on other charts."""
    doubt: int
    """The uncertainty of that, in percentage points."""
    records: int


def _line(t: Language, side: _Side) -> str:
    trait, percent = escape(trait_text(t, side.trait)), _signed(t, side.percent)
    doubt = t.integer(side.doubt)
    return t.plural(
        "**{trait}** {percent} ± {doubt}%, from {count} record",
        "**{trait}** {percent} ± {doubt}%, from {count} records",
        side.records,
        trait=trait,
        percent=percent,
        doubt=doubt,
    )


def _signed(t: Language, percent: int) -> str:
    return f"{'+' if percent > 0 else '−'}{t.integer(abs(percent))}"


def _beside_others(t: Language, report: SkillReport) -> str:
    if not report.model.counted:
        return t(
            "Where you stand among players of your rating is not known: no statistics of all players are gathered yet."
        )
    percent = round(-100 * expm1(report.model.offset))
    if abs(percent) < _MIN_TOLD_PERCENT:
        return t("You lose about as many points on the same charts as other players of your rating.")
    if percent > 0:
        return t(
            "Compared with players of your rating, you lose **{percent}% fewer** points on the same charts.",
            percent=t.integer(percent),
        )
    return t(
        "Compared with players of your rating, you lose **{percent}% more** points on the same charts.",
        percent=t.integer(-percent),
    )


def _sides(coefficients: Iterable[TraitCoefficient], form: Form) -> list[_Side]:
    """Return the sides, the strongest first."""
    return sorted((_side(each, form) for each in coefficients), key=lambda side: -side.percent)


def _side(coefficient: TraitCoefficient, form: Form) -> _Side:
    """Return a coefficient as a side: for charts with much of its trait; on a modest day its lower quartile."""
    strength = coefficient.strength + form.luck * coefficient.doubt
    share = exp(-strength)
    return _Side(
        Trait(coefficient.trait, is_much=True),
        round(100 * (1 - share)),
        max(1, round(100 * share * coefficient.doubt)),
        coefficient.records,
    )


def skill_plot(
    t: Language, report: SkillReport, form: Form = Form.USUAL
) -> tuple[str, Labels, tuple[PlotBar, ...]]:
    """Return the alternative text, and the arguments of `bar_plot`: labels and bars."""
    title = t("Skills of {player}", player=cut(report.player.player_name, HEADING_WIDTH))
    bars = tuple(
        PlotBar(
            name=trait_text(t, side.trait),
            value=side.percent,
            text=f"{_signed(t, side.percent)}%" if side.percent else "0%",
        )
        for side in _sides(report.model.coefficients, form)
    )
    return bars_alt(t, title, bars), Labels(title=title, across="%"), bars
