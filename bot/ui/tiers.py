"""`/tiers`: charts from easy to hard for a rank, as a picture or as a list, which starts with the easiest open one."""

from dataclasses import replace
from typing import Final

from discord import Embed

from bot.domain.ranks import rank_of
from bot.domain.tiers import BOUNDS, Tier, TierEntry
from bot.features.tiers import TiersReport
from bot.ui.cards.faces import face_of
from bot.ui.cards.tiers import TierChart, TierRow, TiersCard
from bot.ui.chances import nothing_known_text
from bot.ui.kit.filters import filter_text, no_chart_text
from bot.ui.kit.look import (
    Page,
    add_text,
    measure_sign,
    measure_text,
    player_embed,
    player_heading,
    region_text,
)
from bot.ui.kit.markdown import cut, one_line
from bot.ui.kit.pages import PageButton, view_of
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import TiersAddress
from bot.ui.language.text import Language
from bot.ui.lists import record_lines, small

_LISTED_CHARTS: Final = 8
"""The number of charts listed without a picture."""
_NAME_COLUMNS: Final = 12
"""The most columns of another player's name beside a figure."""
_TITLE_COLUMNS: Final = 40
"""The most columns of a filter on the picture."""


def tiers_page(t: Language, report: TiersReport, picture: Picture | None, address: TiersAddress) -> Page:
    """Return the tiers of a filter: with the picture, which shows what comes next, only how much is done."""
    short = tiers_embed(t, report, is_short=True)
    other = replace(address, of_all=not report.of_all)
    label = t("For me") if report.of_all else t("For all of my rating")
    buttons = [PageButton(other, label=label)] if report.count and other.fits else []
    return Page(tiers_embed(t, report), view_of(buttons), picture, beside=(short,), audience=report.audience)


def tiers_embed(t: Language, report: TiersReport, *, is_short: bool = False) -> Embed:
    """Return how much is done and, unless short, what comes next."""
    embed = player_embed(t, t("Tiers of {player}", player=player_heading(report.player)), report)
    if report.wanted.terms:
        add_text(embed, t("Filter: {filter}", filter=filter_text(t, report.wanted)))
    if not report.count:
        add_text(embed, no_chart_text(t, report.wanted, report.region))
        return embed
    if not report.rows:
        add_text(embed, _nothing(t, report))
        return embed
    add_text(embed, f"**{report.rank.label}** · {_done_text(t, report)}")
    if report.other is not None:
        done = sum(_other_done(report, row) for row in report.rows)
        name = player_heading(report.other)
        add_text(embed, t("{player}: {done} done", player=name, done=t.integer(done)))
    if left_out := report.count - sum(len(row.entries) for row in report.rows):
        text = t.plural(
            "{count} more is in no row: nothing can be predicted for it yet.",
            "{count} more are in no row: nothing can be predicted for them yet.",
            left_out,
        )
        add_text(embed, small(text))
    if is_short:
        return embed
    left = [each for row in report.rows for each in row.left]
    lines = [_line(t, place, each, report) for place, each in enumerate(left[:_LISTED_CHARTS], start=1)]
    add_text(embed, "\n".join(lines) if lines else t("All of them are done."))
    note = (
        t(
            "The percentage is how likely a player rated {rating} is to reach it in one try on charts this "
            "hard; rows are sorted by that.",
            rating=t.hundredths(report.level),
        )
        if report.of_all
        else t(
            "The percentage is how likely you are to reach it in one try on charts this hard; rows are "
            "sorted by that, whatever your score is."
        )
    )
    add_text(embed, small(note))
    return embed


def _nothing(t: Language, report: TiersReport) -> str:
    if report.of_all:
        return t("Nothing is known of these charts yet: no statistics of all players have been gathered.")
    if not report.is_known:
        return nothing_known_text(t, is_all_maximum=report.is_all_maximum)
    return t("Nothing can be predicted for these charts yet: their constants or your scores are not known.")


def _other_done(report: TiersReport, row: Tier) -> int:
    return sum(_other_score(report, each) >= report.rank.least_score for each in row.entries)


def _other_score(report: TiersReport, each: TierEntry) -> int:
    return report.other_scores.get(each.entry.key, 0)


def _done_text(t: Language, report: TiersReport) -> str:
    count = sum(len(row.entries) for row in report.rows)
    done = sum(len(row.done) for row in report.rows)
    return t.plural(
        "{done} of {count} chart done", "{done} of {count} charts done", count, done=t.integer(done)
    )


def _line(t: Language, place: int, each: TierEntry, report: TiersReport) -> str:
    entry = each.entry
    theirs = report.other_scores.get(entry.key)
    other = report.other and f"{player_heading(report.other)} {'–' if theirs is None else t.integer(theirs)}"
    facts = (measure_text(t, entry.chart), _missing(t, each, report), other or "")
    return record_lines(t, place, _percent(t, each), entry.chart, entry.song.title, facts)


def _missing(t: Language, each: TierEntry, report: TiersReport) -> str:
    return (
        t("{points} to go", points=t.integer(report.rank.least_score - each.score))
        if each.entry.played
        else t("not played")
    )


def _percent(t: Language, each: TierEntry) -> str:
    return f"{t.integer(each.percent)}%"


def tiers_card(t: Language, report: TiersReport) -> TiersCard:
    """Return the texts on the picture."""
    count = sum(len(row.entries) for row in report.rows)
    done = sum(len(row.done) for row in report.rows)
    wanted = cut(one_line(report.wanted.written(t.code)), _TITLE_COLUMNS) or t("All charts")
    player = one_line(report.player.player_name)
    order = t("from easy to hard, by how likely one try is to reach it")
    short_order = t("from easy to hard")
    if report.of_all:
        order = t("from easy to hard for all players rated {rating}", rating=t.hundredths(report.level))
        short_order = t("for all rated {rating}", rating=t.hundredths(report.level))
    facts = [(t.integer(done), t("done")), (t.integer(count - done), t("open"))]
    if report.other is not None:
        name = cut(one_line(report.other.player_name), _NAME_COLUMNS)
        player = f"{player} : {one_line(report.other.player_name)}"
        facts.append((t.integer(sum(_other_done(report, row) for row in report.rows)), name))
    return TiersCard(
        title=f"{report.rank.label} · {wanted}",
        note=f"{player} · {order}",
        notes=(player, short_order),
        facts=tuple(facts),
        ranks=((report.rank.label, done),),
        rows=tuple(_row(t, row, report) for row in report.rows),
        legend=(t("done"), t("one try reaches it"), t("−: points to go")),
        foot=f"{t.moment(report.age.fetched_at)} · {region_text(t, report.region)}",
        sign=f"Kiroku · /{t.command_name('tiers')}",
    )


def _row(t: Language, row: Tier, report: TiersReport) -> TierRow:
    return TierRow(
        label=_label(t, row.bound),
        done=len(row.done),
        count=len(row.entries),
        count_text=t(
            "{played} of {count}", played=t.integer(len(row.done)), count=t.integer(len(row.entries))
        )
        if report.other is None
        else f"{t.integer(len(row.done))} : {t.integer(_other_done(report, row))} / {t.integer(len(row.entries))}",
        done_titles=tuple(one_line(each.entry.song.title) for each in row.done),
        open_charts=tuple(_chart(t, each, report) for each in row.left),
        more=t("and {count} more", count="{count}"),
    )


def _label(t: Language, bound: float) -> str:
    """Return the label of a row, such as "90%+"; that of the last row begins with "<"."""
    if bound:
        return f"{t.integer(round(bound * 100))}%+"
    return f"<{t.integer(round(BOUNDS[-2] * 100))}%"


def _chart(t: Language, each: TierEntry, report: TiersReport) -> TierChart:
    song, chart = each.entry.song, each.entry.chart
    title = one_line(song.title)
    return TierChart(
        title=title,
        face=face_of(song.id, title, song.genre),
        difficulty=chart.difficulty,
        constant=measure_sign(chart),
        rank=rank_of(each.score, report.region).label if each.score else "",
        missing=f"−{t.integer(report.rank.least_score - each.score)}" if each.score else t("not played"),
        chance=_percent(t, each),
        share=each.chance,
    )
