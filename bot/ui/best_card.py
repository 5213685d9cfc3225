"""What is written on the card of `/best`, in the reader's language."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple, TypeAlias

from bot.domain.charts import Difficulty
from bot.domain.history import Snapshot, scores_of
from bot.domain.ids import Region, SongId
from bot.domain.members import Theme
from bot.domain.numbers import Hundredths, format_hundredths, format_level
from bot.domain.ranks import MAX_SCORE, rank_of
from bot.domain.scores import Record, Slot
from bot.features.best import BestReport
from bot.ui.cards import BestCard, Cell, Move, Section, draw_best
from bot.ui.look import chart_name, difficulty_colour, lamp_names, region_text
from bot.ui.markdown import one_line
from bot.ui.text import Language

_SHORT_LAMPS = {"FULL CHAIN": "FCH"}
"""What would not fit beside the others."""

Moves: TypeAlias = Mapping[tuple[SongId | None, Difficulty], Move]


class Sketch(NamedTuple):
    """What a card is made of: by this its picture is found again, so the player themselves is no part of it."""

    name: str
    honor: str
    rating: Hundredths
    best: Slot
    recent: Slot
    before: Snapshot | None
    region: Region
    fetched_at: datetime


def sketch_of(report: BestReport) -> Sketch:
    """Return what the card of a report is made of."""
    player = report.player
    return Sketch(
        name=player.player_name,
        honor=player.honor,
        rating=player.rating,
        best=report.best,
        recent=report.recent,
        before=report.before,
        region=report.region,
        fetched_at=report.age.fetched_at,
    )


def draw_best_card(t: Language, sketch: Sketch, theme: Theme) -> bytes:
    """Return the card of a player's best and recent slots as PNG; for the studio."""
    return draw_best(best_card(t, sketch), theme)


def best_card(t: Language, sketch: Sketch) -> BestCard:
    """Return the card of a player's best and recent slots."""
    averages = [(t("Best average"), sketch.best.average), (t("Recent average"), sketch.recent.average)]
    moves = _moves(sketch)
    region = region_text(t, sketch.region, shows_rating=True)
    return BestCard(
        player=sketch.name,
        honor=sketch.honor,
        rating=t.hundredths(sketch.rating),
        facts=tuple((label, t.average(value)) for label, value in averages if value is not None),
        sections=(
            _section(t, t("Best"), sketch.best, sketch.region, moves),
            _section(
                t,
                t("Recent") if sketch.recent.records else t("No recent plays."),
                sketch.recent,
                sketch.region,
                moves,
            ),
        ),
        foot=f"{t.moment(sketch.fetched_at)} · {region}",
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


def _moves(sketch: Sketch) -> Moves:
    """Return what became of the charts in both slots.

    Of each chart the better of its two places counts, as in a snapshot: a recent play below the record is no fall.
    """
    if sketch.before is None:
        return {}
    moves: dict[tuple[SongId | None, Difficulty], Move] = {}
    for key, score in scores_of(sketch.best, sketch.recent).items():
        then = sketch.before.scores.get(key)
        if then is None:
            moves[key] = Move.NEW
        elif then != score:
            moves[key] = Move.UP if score > then else Move.DOWN
    return moves
