"""`/table`: all charts that match a filter, as a picture with a summary in numbers."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

from discord import Embed

from bot.domain.charts import DIFFICULTIES, WORLDS_END, difficulty_name
from bot.domain.completion import MAX_TABLE_CHARTS, CompletionRow
from bot.domain.entries import ChartEntry
from bot.domain.filters import Filter, parse_filter
from bot.domain.ids import Region
from bot.domain.members import PictureStyle
from bot.domain.numbers import format_level
from bot.domain.ranks import MAX_SCORE, Rank, rank_of, ranks_of
from bot.domain.scores import Record
from bot.domain.summary import Summary
from bot.features.completion import CompletionReport
from bot.ui.cards.completion import CompletionPicture, Plate, Row
from bot.ui.cards.drawn import draw_completion
from bot.ui.cards.faces import face_of
from bot.ui.cards.plates import LampBadge
from bot.ui.kit.alternative import Listed, alternative
from bot.ui.kit.choices import MAX_CHOICES
from bot.ui.kit.filters import filter_text, no_chart_text
from bot.ui.kit.look import Page, add_text, measure_sign, player_embed, player_heading, region_text
from bot.ui.kit.markdown import cut, one_line
from bot.ui.kit.pages import Component, PageButton, fitting_menu, view_of
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import CompletionAddress
from bot.ui.language.text import Language
from bot.ui.lists import small
from bot.ui.scores import summary_text

_TITLE_COLUMNS: Final = 60
"""The most columns of a filter on the picture."""
_MIN_TOLD_SCORE: Final = Rank.S.least_score
"""The least score of ranks that are counted apart; lower ranks share one colour and are counted together."""
_HARDNESS_KEYS: Final = frozenset({"level", "const"})
_DIFFICULTY_KEYS: Final = frozenset({"diff"})


class CompletionSketch(NamedTuple):
    """The content of the picture. It is the key in the cache, so it must not hold the player."""

    player: str
    wanted: str
    """The filter in the reader's language."""
    counts: "_Counts"
    rows: tuple[CompletionRow, ...]
    by_felt: bool
    region: Region
    when: str


class _Counts(NamedTuple):
    played: int
    full_combo: int
    all_justice: int
    ranks: tuple[tuple[str, int], ...]
    """The ranks with their counts, the highest first."""


def completion_page(
    t: Language, report: CompletionReport, address: CompletionAddress, picture: Picture | None
) -> Page:
    """Return a table, with menus to change the level or the difficulty in its filter."""
    levels = dict.fromkeys(format_level(level) for level in report.levels)
    by_level = {t("All levels"): ""} | {
        t("Level {level}", level=level): f"level:{level}" for level in [*levels][: MAX_CHOICES - 1]
    }
    by_difficulty = {t("All difficulties"): ""} | {
        difficulty_name(code): f"diff:{code}" for code in reversed(DIFFICULTIES) if code != WORLDS_END
    }
    menus = [
        *_filter_menu(report, address, _HARDNESS_KEYS, by_level, t("Level")),
        *_filter_menu(report, address, _DIFFICULTY_KEYS, by_difficulty, t("Difficulty"), place=2),
    ]
    other = replace(address, by_felt=not report.by_felt)
    label = t("By constant") if report.by_felt else t("By felt difficulty")
    buttons = [PageButton(other, label=label)] if report.rows and other.fits else []
    return Page(completion_embed(t, report), view_of([*menus, *buttons]), picture, audience=report.audience)


def _filter_menu(
    report: CompletionReport,
    address: CompletionAddress,
    keys: Collection[str],
    terms: Mapping[str, str],
    placeholder: str,
    *,
    place: int = 1,
) -> list[Component]:
    """Return a menu of values for some keys of the filter; none if the filter does not fit into an id."""
    filters = {label: str(report.wanted.in_place_of(keys, _filter_of(term))) for label, term in terms.items()}
    choices = {replace(address, wanted=wanted): label for label, wanted in filters.items()}
    # None of the choices is selected if the filter has another value for these keys.
    now = next((label for label, term in terms.items() if _says(report, keys, term)), None)
    chosen = next((each for each, label in choices.items() if label == now), None)
    return fitting_menu(choices, chosen, placeholder=placeholder, place=place)


@cache
def _filter_of(term: str) -> Filter:
    """Return a menu's term as a filter, cached: each page would parse several dozen."""
    return parse_filter(term)


def _says(report: CompletionReport, keys: Collection[str], term: str) -> bool:
    """Return whether a term is the filter's only one with some keys."""
    wanted = report.wanted.in_place_of(keys, _filter_of(term))
    return {*map(str, wanted.terms)} == {*map(str, report.wanted.terms)}


def completion_embed(t: Language, report: CompletionReport) -> Embed:
    """Return the progress on the charts that match a filter."""
    embed = player_embed(t, t("Table of {player}", player=player_heading(report.player)), report)
    if report.wanted.terms:
        add_text(embed, t("Filter: {filter}", filter=filter_text(t, report.wanted)))
    if not report.count:
        add_text(embed, no_chart_text(t, report.wanted, report.region))
        return embed
    add_text(embed, _played(t, report.summary.count, report.count))
    if report.summary.count:
        add_text(embed, summary_text(t, report.summary))
    if not report.rows:
        add_text(
            embed,
            t(
                "A table shows {most} charts at most. Narrow the filter, such as `level:14+` or `const>=14.5 diff:mas`.",
                most=t.integer(MAX_TABLE_CHARTS),
            ),
        )
    elif any(row.is_estimated for row in report.rows):
        note = (
            t("A question mark: how hard these charts feel to you is not known.")
            if report.by_felt
            else t("A question mark: the constant is estimated, or, beside a level, not known.")
        )
        add_text(embed, small(note))
    if any(row.is_hosts for row in report.rows):
        add_text(embed, small(t("An asterisk: the constant is from this bot's host.")))
    return embed


def _played(t: Language, played: int, count: int) -> str:
    return t.plural(
        "{played} of {count} chart played",
        "{played} of {count} charts played",
        count,
        played=t.integer(played),
    )


def completion_sketch(t: Language, report: CompletionReport) -> CompletionSketch:
    """Return the content of a table's picture."""
    return CompletionSketch(
        player=report.player.player_name,
        wanted=report.wanted.written(t.code),
        counts=_counts(report.summary),
        rows=report.rows,
        by_felt=report.by_felt,
        region=report.region,
        when=t.moment(report.age.fetched_at),
    )


def _counts(summary: Summary) -> _Counts:
    ranks = [
        (rank.label, count) for rank, count in summary.ranks.items() if rank.least_score >= _MIN_TOLD_SCORE
    ]
    others = sum(count for rank, count in summary.ranks.items() if rank.least_score < _MIN_TOLD_SCORE)
    return _Counts(
        played=summary.count,
        full_combo=summary.full_combo,
        all_justice=summary.all_justice,
        ranks=(*ranks, *([(f"< {Rank.S.label}", others)] if others else [])),
    )


def draw_completion_card(t: Language, sketch: CompletionSketch, style: PictureStyle) -> bytes:
    """Return the picture of a table as PNG; runs in the renderer's thread, also for formatting hundreds of charts."""
    return draw_completion(completion_picture(t, sketch), style)


def completion_picture(t: Language, sketch: CompletionSketch) -> CompletionPicture:
    """Return the texts on the picture of a table."""
    counts = sketch.counts
    count = sum(len(row.entries) for row in sketch.rows)
    return CompletionPicture(
        title=_title(t, sketch),
        note=" · ".join(
            (one_line(sketch.player), t("by felt difficulty") if sketch.by_felt else t("by constant"))
        ),
        facts=(
            (f"{t.integer(counts.played)} / {t.integer(count)}", t("played")),
            (t.integer(counts.full_combo), "FULL COMBO"),
            (t.integer(counts.all_justice), "ALL JUSTICE"),
        ),
        ranks=tuple((label, many, t.integer(many)) for label, many in counts.ranks),
        rows=tuple(_row(t, row, sketch.region) for row in sketch.rows),
        more=t("The wide picture has all charts."),
        foot=f"{sketch.when} · {region_text(t, sketch.region)}",
        sign=f"Kiroku · /{t.command_name('table')}",
    )


def completion_alt(t: Language, sketch: CompletionSketch) -> str:
    """Return the alternative text of the picture."""
    counts = sketch.counts
    count = sum(len(row.entries) for row in sketch.rows)
    lamps = {"FULL COMBO": counts.full_combo, "ALL JUSTICE": counts.all_justice}
    ranks = [f"{label} {t.integer(many)}" for label, many in counts.ranks]
    rows = [
        f"{_label(row)}: {t.integer(sum(bool(entry.played) for entry in row.entries))}/{t.integer(len(row.entries))}"
        for row in sketch.rows
    ]
    return alternative(
        t,
        t("Table of {charts}: {played}.", charts=_title(t, sketch), played=_played(t, counts.played, count)),
        t(
            "{facts}.",
            facts=t.all_of([*ranks, *(f"{lamp} {t.integer(many)}" for lamp, many in lamps.items())]),
        ),
        Listed(
            t("Played by felt difficulty: {list}.") if sketch.by_felt else t("Played by constant: {list}."),
            rows,
        ),
    )


def _title(t: Language, sketch: CompletionSketch) -> str:
    return cut(one_line(sketch.wanted), _TITLE_COLUMNS) or t("All charts")


def _row(t: Language, row: CompletionRow, region: Region) -> Row:
    plates = [(entry, _plate(entry, region)) for entry in row.entries]
    records = [entry.played for entry in row.entries if entry.played]
    ranks = Counter(rank_of(record.score, region) for record in records)
    told = [(rank.label, ranks[rank]) for rank in reversed(ranks_of(region)) if ranks[rank]]
    nearest = sorted(plates, key=lambda pair: _nearness(pair[0]))
    played = t("{played} of {count}", played=t.integer(len(records)), count=t.integer(len(plates)))
    in_order, by_nearness = (tuple(plate for _entry, plate in pairs) for pairs in (plates, nearest))
    return Row(_label(row), in_order, by_nearness, played, tuple(told))


def _nearness(entry: ChartEntry) -> tuple[int, int]:
    """Return the sort key of a chart: those nearest to SSS first, then those not played, then those done."""
    score = entry.played.score if entry.played else None
    if score is None:
        return 1, 0
    return (0, -score) if score < Rank.SSS.least_score else (2, -score)


def _label(row: CompletionRow) -> str:
    """Return "14.7", "14.7?" if estimated, "14.7*" if set by the host, "14+?" if unknown, or "WE"."""
    return measure_sign(row) or WORLDS_END


def _plate(entry: ChartEntry, region: Region) -> Plate:
    record, title = entry.played, one_line(entry.song.title)
    return Plate(
        title=title,
        face=face_of(entry.song.id, title, entry.song.genre),
        difficulty=entry.chart.difficulty,
        rank="" if record is None else rank_of(record.score, region).label,
        lamp=None if record is None else _lamp(record),
    )


def _lamp(record: Record) -> LampBadge | None:
    if record.score >= MAX_SCORE:
        return LampBadge.ALL_CRITICAL
    if record.lamps is None or not record.lamps.is_full_combo:
        return None
    return LampBadge.ALL_JUSTICE if record.lamps.is_all_justice else LampBadge.FULL_COMBO
