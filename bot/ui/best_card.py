"""What is written on the card of `/best`, in the reader's language."""

from collections.abc import Mapping
from typing import TypeAlias

from bot.domain.charts import Difficulty
from bot.domain.history import scores_of
from bot.domain.ids import Region, SongId
from bot.domain.numbers import format_hundredths, format_level
from bot.domain.ranks import MAX_SCORE, rank_of
from bot.domain.scores import Record, Slot
from bot.features.best import BestReport
from bot.ui.cards import BestCard, Cell, Move, Section
from bot.ui.look import chart_name, difficulty_colour, lamp_names, region_text
from bot.ui.markdown import one_line
from bot.ui.text import Language

_SHORT_LAMPS = {"FULL CHAIN": "FCH"}
"""What would not fit beside the others."""

Moves: TypeAlias = Mapping[tuple[SongId | None, Difficulty], Move]


def best_card(t: Language, report: BestReport) -> BestCard:
    """Return the card of a player's best and recent slots."""
    averages = [(t("Best average"), report.best.average), (t("Recent average"), report.recent.average)]
    moves = _moves(report)
    region = region_text(t, report.region, shows_rating=True)
    return BestCard(
        player=report.player.player_name,
        honor=report.player.honor,
        rating=t.hundredths(report.player.rating),
        facts=tuple((label, t.average(value)) for label, value in averages if value is not None),
        sections=(
            _section(t, t("Best"), report.best, report.region, moves),
            _section(
                t,
                t("Recent") if report.recent.records else t("No recent plays."),
                report.recent,
                report.region,
                moves,
            ),
        ),
        foot=f"{t.moment(report.age.fetched_at)} · {region}",
        new=t("NEW"),
    )


def best_card_alt(t: Language, report: BestReport) -> str:
    """Return what the card of a slot that is not empty says to people who do not see it."""
    ratings = [record.rating for record in report.best.records]
    values = {
        "player": report.player.player_name,
        "rating": t.hundredths(report.player.rating),
        "best": len(ratings),
        "highest": t.hundredths(max(ratings)),
        "lowest": t.hundredths(min(ratings)),
    }
    recent = len(report.recent.records)
    if not recent:
        return t(
            "Card of {player}, rating {rating}: {best} best records, no recent plays, "
            "the best from {highest} down to {lowest}.",
            **values,
        )
    return t(
        "Card of {player}, rating {rating}: {best} best and {recent} recent records, "
        "the best from {highest} down to {lowest}.",
        recent=recent,
        **values,
    )


def _section(t: Language, heading: str, slot: Slot, region: Region, moves: Moves) -> Section:
    cells = tuple(
        _cell(t, place, record, region, moves.get((record.song_id, record.difficulty)))
        for place, record in enumerate(slot.records, start=1)
    )
    return Section(heading=heading, places=len(slot.entries) if cells else 0, cells=cells)


def _cell(t: Language, place: int, record: Record, region: Region, move: Move | None) -> Cell:
    return Cell(
        place=place,
        title=one_line(record.title),
        chart=chart_name(record.difficulty, _measure(record)),
        colour=difficulty_colour(record.difficulty).value,
        score=t.integer(record.score),
        rank=rank_of(record.score, region).label,
        lamps=tuple(_SHORT_LAMPS.get(name, name) for name in lamp_names(record.lamps)),
        rating=t.hundredths(record.rating),
        is_max=record.score >= MAX_SCORE,
        move=move,
    )


def _measure(record: Record) -> str:
    """Return a constant, or the level of one that nobody knows, as short as a badge is; with a doubt "14.7?"."""
    if not record.constant:
        return f"{format_level(record.level)}?" if record.level else ""
    return format_hundredths(record.constant, places=1) + ("?" if record.is_estimated else "")


def _moves(report: BestReport) -> Moves:
    """Return what became of the charts in both slots.

    Of each chart the better of its two places counts, as in a snapshot: a recent play below the record is no fall.
    """
    if report.before is None:
        return {}
    moves: dict[tuple[SongId | None, Difficulty], Move] = {}
    for key, score in scores_of(report.best, report.recent).items():
        then = report.before.scores.get(key)
        if then is None:
            moves[key] = Move.NEW
        elif then != score:
            moves[key] = Move.UP if score > then else Move.DOWN
    return moves
