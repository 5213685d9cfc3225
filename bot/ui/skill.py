"""`/skill`: strong and weak sides, as lines and as bars on both sides of none."""

from collections.abc import Iterable, Sequence
from math import expm1
from typing import Final

from discord import Embed

from bot.domain.coach import TraitCoefficient
from bot.domain.practice import Trait
from bot.features.skill import SkillReport
from bot.ui.kit.look import HEADING_WIDTH, add_text, player_card, player_heading
from bot.ui.kit.markdown import cut, escape
from bot.ui.language.text import Language
from bot.ui.lists import bars_alt
from bot.ui.plots import Labels, PlotBar
from bot.ui.traits import trait_text

LEAST_PLAYED: Final = 20
"""Nothing is told of fewer charts played: with so few everybody is like everybody."""
_MIN_TOLD_PERCENT: Final = 1
"""A side is told of from so many whole per cent on."""


def skill_embed(t: Language, report: SkillReport) -> Embed:
    """Return what a member is strong and weak at."""
    embed = player_card(t, t("Skills of {player}", player=player_heading(report.player)), report)
    if report.played < LEAST_PLAYED:
        add_text(
            embed,
            t.plural(
                "You have played {count} chart with a known constant. From {least} on this tells what you are good at.",
                "You have played {count} charts with a known constant. From {least} on this tells what you are good at.",
                report.played,
                least=t.integer(LEAST_PLAYED),
            ),
        )
        return embed
    sides = _sides(each for each in report.found.leanings if each.stands_out)
    strong = [each for each in sides if each[1] >= _MIN_TOLD_PERCENT]
    weak = [each for each in reversed(sides) if each[1] <= -_MIN_TOLD_PERCENT]
    embed.add_field(name=t("Strong"), value=_lines(t, strong) or t("Nothing stands out."), inline=False)
    embed.add_field(name=t("Weak"), value=_lines(t, weak) or t("Nothing stands out."), inline=False)
    add_text(embed, _beside_others(t, report))
    note = t(
        "Per cent: by how much fewer or more points you lose on charts of that kind than on your others. "
        "Few records move it little; what may be chance stands in the picture alone."
    )
    add_text(embed, f"-# {note}")
    return embed


def _lines(t: Language, sides: Sequence[tuple[Trait, int]]) -> str:
    return "\n".join(f"**{escape(trait_text(t, trait))}** {_signed(t, percent)}" for trait, percent in sides)


def _signed(t: Language, percent: int) -> str:
    return f"{'+' if percent > 0 else '−'}{t.integer(abs(percent))}%"


def _beside_others(t: Language, report: SkillReport) -> str:
    if not report.found.counted:
        return t(
            "Where you stand among players of your rating is not known: no statistics of all players are gathered yet."
        )
    percent = round(-100 * expm1(report.found.offset))
    if abs(percent) < _MIN_TOLD_PERCENT:
        return t("Beside players of your rating you lose about as many points on the same charts.")
    if percent > 0:
        return t(
            "Beside players of your rating you lose **{percent}% fewer** points on the same charts.",
            percent=t.integer(percent),
        )
    return t(
        "Beside players of your rating you lose **{percent}% more** points on the same charts.",
        percent=t.integer(-percent),
    )


def _sides(leanings: Iterable[TraitCoefficient]) -> list[tuple[Trait, int]]:
    """Return each kind of charts with the per cent of points lost less on it, the strongest first."""
    return sorted(map(_side, leanings), key=lambda side: -side[1])


def _side(leaning: TraitCoefficient) -> tuple[Trait, int]:
    """Return a leaning as that of charts that have much of its trait."""
    return Trait(leaning.trait, is_much=True), round(-100 * expm1(-leaning.strength))


def skill_plot(t: Language, report: SkillReport) -> tuple[str, Labels, tuple[PlotBar, ...]]:
    """Return what `bar_plot` draws of it: the alternative text, the labels and the bars."""
    title = t("Skills of {player}", player=cut(report.player.player_name, HEADING_WIDTH))
    bars = tuple(
        PlotBar(name=trait_text(t, trait), value=percent, text=_signed(t, percent) if percent else "0%")
        for trait, percent in _sides(report.found.leanings)
    )
    return bars_alt(t, title, bars), Labels(title=title, across="%"), bars
