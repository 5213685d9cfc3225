"""`/overpower`: shares of all over power, as lines and as bars."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

from discord import Embed

from bot.domain.charts import Difficulty, difficulty_name
from bot.domain.numbers import Hundredths, format_level
from bot.domain.overpower import Grouping, OverPower, OverPowerShare
from bot.features.overpower import OverPowerReport
from bot.ui.kit.look import HEADING_WIDTH, Page, add_text, player_embed, player_heading
from bot.ui.kit.markdown import cut, escape
from bot.ui.kit.renderer import Picture
from bot.ui.language.text import Language, mark
from bot.ui.lists import bars_alt
from bot.ui.plots import Labels, PlotBar

GROUPINGS: Final[Mapping[Grouping, str]] = {
    Grouping.LEVEL: mark("Level"),
    Grouping.GENRE: mark("Genre"),
    Grouping.DIFFICULTY: mark("Difficulty"),
}
_MAX_GROUPS: Final = 30
"""The most groups shown: they fit into 4,096 characters, and the game has far fewer levels."""
_NAME_COLUMNS: Final = 20


def over_power_text(t: Language, power: OverPower) -> str:
    """Return 91060 as "91.06" and 91065 as "91.065"."""
    return t.decimal(Decimal(power) / 1000, most=3)


def over_power_words(t: Language, power: OverPower) -> str:
    """Return "OVER POWER 81.00", without line breaks."""
    return f"OVER POWER {over_power_text(t, power)}".replace(" ", "\N{NO-BREAK SPACE}")


def over_power_page(t: Language, report: OverPowerReport, picture: Picture | None) -> Page:
    """Return a player's over power, in total and by group; with a picture, which has the groups, only in total."""
    short = over_power_embed(t, report, is_short=True)
    return Page(over_power_embed(t, report), picture=picture, beside=(short,), audience=report.audience)


def over_power_embed(t: Language, report: OverPowerReport, *, is_short: bool = False) -> Embed:
    """Return a player's over power, in total and, unless it is short, by group."""
    embed = player_embed(t, t("OVER POWER of {player}", player=player_heading(report.player)), report)
    total = report.tally.total
    add_text(
        embed,
        t(
            "**{earned}** of {greatest} (**{percent}%**)",
            earned=over_power_text(t, total.earned),
            greatest=over_power_text(t, total.greatest),
            percent=t.hundredths(total.percent),
        )
        + "\n"
        + t.plural(
            "{played} of {count} song played",
            "{played} of {count} songs played",
            total.count,
            played=t.integer(total.played),
        ),
    )
    name = _namer(t, report.by)
    lines = [_line(t, name(key), share) for key, share in list(report.tally.groups.items())[:_MAX_GROUPS]]
    if not (is_short and lines):
        add_text(embed, "\n".join(lines) or t("The catalogue holds no songs."))
    add_text(embed, _notes(t, report))
    return embed


def _line(t: Language, name: str, share: OverPowerShare) -> str:
    counts = f"{t.integer(share.played)}/{t.integer(share.count)}"
    return f"**{escape(name, width=_NAME_COLUMNS)}** {t.hundredths(share.percent)}% · {counts}"


def _notes(t: Language, report: OverPowerReport) -> str:
    notes = [
        t("A song counts by its best chart; World's End does not count.")
        if report.by is Grouping.GENRE
        else t(
            "Each chart counts for itself, in the total each song by its best one; World's End does not count."
        )
    ]
    if report.tally.estimated:
        notes.append(
            t.plural(
                "The constant of {count} chart is not known; its level stands in.",
                "The constants of {count} charts are not known; their levels stand in.",
                report.tally.estimated,
            )
        )
    return f"-# {t.sentences(notes)}"


def over_power_plot(t: Language, report: OverPowerReport) -> tuple[str, Labels, tuple[PlotBar, ...]]:
    """Return the alternative text, and the arguments of `bar_plot`: labels and bars."""
    name = _namer(t, report.by)
    title = t("OVER POWER of {player}", player=cut(report.player.player_name, HEADING_WIDTH))
    bars = tuple(
        PlotBar(
            name=name(key),
            value=share.percent / 100,
            text=f"{t.hundredths(share.percent)}%",
            most=100,
            difficulty=Difficulty(key) if report.by is Grouping.DIFFICULTY else None,
        )
        for key, share in list(report.tally.groups.items())[:_MAX_GROUPS]
    )
    return bars_alt(t, title, bars), Labels(title=title, across="%"), bars


def _namer(t: Language, by: Grouping) -> Callable[[str], str]:
    if by is Grouping.LEVEL:
        return lambda key: format_level(Hundredths(int(key))) if int(key) else t("unknown")
    if by is Grouping.DIFFICULTY:
        return lambda key: difficulty_name(Difficulty(key))
    return lambda key: key or t("unknown")
