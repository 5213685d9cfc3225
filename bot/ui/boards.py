"""`/leaderboard` as an embed with its pages."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from discord import Embed, utils

from bot.domain.boards import BoardPlace, Measure
from bot.domain.charts import difficulty_name
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower
from bot.features.boards import BoardReport
from bot.ui.game_ratings import no_new_songs_text
from bot.ui.kit.icons import rank_icon
from bot.ui.kit.look import BRAND, Page, add_text, base_embed, difficulty_colour, listed_title
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import Way, turn_buttons, view_of
from bot.ui.kit.routes import AccountAddress, BoardAddress
from bot.ui.language.text import Language, mark
from bot.ui.overpower import over_power_text
from bot.ui.preferences import show_button

_NAME_COLUMNS: Final = 24
MEASURES: Final[Mapping[Measure, str]] = {
    Measure.RATING: mark("Rating"),
    Measure.BEST: mark("Best average"),
    Measure.NEW: mark("New average"),
    Measure.OVER_POWER: "OVER POWER",
}
"""The measures that can be chosen; naming a song is another choice."""


def board_page(t: Language, report: BoardReport, address: BoardAddress) -> Page:
    """Return one page of a board."""
    items = turn_buttons(t, address, report.part)
    if report.is_only_me:
        account = AccountAddress(asker=address.asker, visibility=Visibility.SERVERS)
        items.append(show_button(t, account, Way.ASIDE))
    return Page(board_embed(t, report, address.role), view_of(items), audience=report.audience)


def board_embed(t: Language, report: BoardReport, role: int | None) -> Embed:
    """Return the ranking, and below it the reader's own place if that is on another page."""
    song = report.song
    what = t(MEASURES[report.measure]) if song is None else listed_title(song.title)
    embed = base_embed(
        t,
        t("Leaderboard: {what}", what=what),
        BRAND if song is None else difficulty_colour(report.difficulty),
        region=None if report.measure is Measure.RATING else report.region,
    )
    facts = [] if song is None else [difficulty_name(report.difficulty)]
    if role is not None:
        facts.append(f"<@&{role}>")
    if report.measure is Measure.NEW and report.version is None:
        add_text(embed, no_new_songs_text(t))
        return embed
    facts.append(t.plural("{count} member", "{count} members", report.part.total))
    add_text(embed, " · ".join(facts))
    if report.part.items:
        add_text(embed, "\n".join(_lines(t, report)))
    else:
        add_text(
            embed,
            t(
                "Nobody here yet. Members appear once they have used me in this server, let its members look "
                "them up in `/settings`, and I have seen such a figure of theirs."
            ),
        )
    if own := _own_lines(t, report):
        add_text(embed, "\n".join(own))
    return embed


def _lines(t: Language, report: BoardReport) -> list[str]:
    """Return the places of a page, with a heading above figures from before the current game version."""
    lines: list[str] = []
    was_before = False
    for place in report.part.items:
        if place.is_before and not was_before and report.version is not None:
            version = escape(report.version.name)
            lines.append(t("Before {version}, not looked at since:", version=version))
        was_before = place.is_before
        lines.append(_line(t, report, place))
    return lines


def _line(t: Language, report: BoardReport, place: BoardPlace) -> str:
    is_own = report.own is not None and place.rival.member == report.own.rival.member
    name = escape(place.rival.name, width=_NAME_COLUMNS)
    return f"{'▸ ' if is_own else ''}**{place.number}.** {name} {_figure(t, report, place)}"


def _figure(t: Language, report: BoardReport, place: BoardPlace) -> str:
    rival = place.rival
    rank = f" {rank_icon(t, rival.figure, report.region)}" if report.measure is Measure.SCORE else ""
    shown = figure_text(t, report.measure, rival.figure)
    return f"**{shown}**{rank} · {utils.format_dt(rival.as_of, 'R')}"


def figure_text(t: Language, measure: Measure, figure: int) -> str:
    """Return a figure in the format of its measure."""
    match measure:
        case Measure.RATING:
            return t.hundredths(Hundredths(figure))
        case Measure.BEST | Measure.NEW:
            return t.decimal(Decimal(figure) / 10_000, least=4, most=4)
        case Measure.OVER_POWER:
            return over_power_text(t, OverPower(figure))
        case Measure.SCORE:
            return t.integer(figure)


def _own_lines(t: Language, report: BoardReport) -> list[str]:
    """Return the reader's own place, if it is not already on the page."""
    own = report.own
    if own is None:
        return [t("Nothing of yours is remembered here yet: use `/session` once.")]
    lines: list[str] = []
    if own not in report.part.items:
        place = t("You: place {place}", place=t.integer(own.number))
        lines.append(f"**{place}** · {_figure(t, report, own)}")
    if not report.is_seen:
        lines.append(
            t(
                "Nobody else sees you on boards, and you are not counted: that is so for “Only me” in `/settings`, "
                "and for accounts that are protected on the record service."
            )
        )
    return lines
