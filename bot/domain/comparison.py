"""Compares two players' records chart by chart."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.domain.charts import Difficulty, difficulty_order
from bot.domain.scores import Record


class GapOrder(StrEnum):
    """How charts are ordered; the values are kept in the ids of buttons."""

    WIDEST = "wide"
    CLOSEST = "close"


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """One chart that both have played."""

    mine: Record
    theirs: Record

    @property
    def gap(self) -> int:
        """The points by which mine is ahead; negative if behind."""
        return self.mine.score - self.theirs.score


@dataclass(frozen=True, slots=True)
class DuelCounts:
    """How many charts each of the two leads."""

    wins: int
    losses: int
    draws: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All charts that both have played."""

    duels: tuple[Duel, ...] = field(repr=False)
    """The greatest gaps first, or the smallest, whoever leads."""
    total: DuelCounts
    by_difficulty: Mapping[Difficulty, DuelCounts]
    """Counts by difficulty, easiest first; only difficulties that both have played."""


def compare(
    mine: Iterable[Record], theirs: Iterable[Record], order: GapOrder = GapOrder.WIDEST
) -> Comparison:
    """Match two players' records by chart."""
    others = {_chart(record): record for record in theirs if record.is_played}
    duels = [
        Duel(mine=record, theirs=others[_chart(record)])
        for record in mine
        if record.is_played and _chart(record) in others
    ]
    sign = -1 if order is GapOrder.WIDEST else 1
    duels.sort(
        key=lambda duel: (sign * abs(duel.gap), duel.mine.title, difficulty_order(duel.mine.difficulty))
    )
    difficulties = sorted({duel.mine.difficulty for duel in duels}, key=difficulty_order)
    return Comparison(
        duels=tuple(duels),
        total=_outcome(duels),
        by_difficulty={
            code: _outcome([duel for duel in duels if duel.mine.difficulty == code]) for code in difficulties
        },
    )


def _chart(record: Record) -> tuple[object, Difficulty]:
    return record.song_id or record.index, record.difficulty


def _outcome(duels: Iterable[Duel]) -> DuelCounts:
    gaps = [duel.gap for duel in duels]
    return DuelCounts(
        wins=sum(gap > 0 for gap in gaps),
        losses=sum(gap < 0 for gap in gaps),
        draws=sum(gap == 0 for gap in gaps),
    )
