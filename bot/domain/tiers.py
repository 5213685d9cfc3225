"""Charts in rows from easy to hard for one player and one rank: pure. Source: the player model's chances of one try."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby, repeat
from typing import Final

from bot.domain.coach.monotone import falling_isotonic_fit
from bot.domain.coach.prediction import Prediction
from bot.domain.entries import ChartEntry
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.ranks import Rank, ranks_of

TIER_RANKS: Final = (Rank.S, Rank.SS, Rank.SS_PLUS, Rank.SSS, Rank.SSS_PLUS)
"""The ranks that players aim for, one after another."""
BOUNDS: Final = (0.9, 0.7, 0.5, 0.3, 0.1, 0.03, 0.0)
"""The least chance in each row that one try reaches the rank, in whole hundredths."""
_MAX_DONE_SHARE: Final = 0.8
"""A player who has a rank on this share of the charts played aims for the next one."""


@dataclass(frozen=True, slots=True)
class TierEntry:
    """One chart, and the chance that one try on such a chart reaches the rank, whatever the current score."""

    entry: ChartEntry
    chance: float
    is_done: bool

    @property
    def score(self) -> int:
        """The current score; 0 if the chart is not played."""
        return self.entry.played.score if self.entry.played else 0

    @property
    def percent(self) -> int:
        """The chance as shown; rows are made by it too: 29.6 % is shown as 30 %, and is in the row of 30 %."""
        return max(1, min(99, round(self.chance * 100)))


@dataclass(frozen=True, slots=True)
class Tier:
    """The charts of one row."""

    bound: float
    """The least chance of the row."""
    entries: tuple[TierEntry, ...]
    """The charts, the easiest first."""

    @property
    def done(self) -> tuple[TierEntry, ...]:
        """The charts that are done, the best score first."""
        return tuple(sorted((each for each in self.entries if each.is_done), key=lambda each: -each.score))

    @property
    def left(self) -> tuple[TierEntry, ...]:
        """The charts that are not done, the easiest first."""
        return tuple(each for each in self.entries if not each.is_done)


def usual_rank(entries: Iterable[ChartEntry], region: Region) -> Rank:
    """Return the rank that a player aims for on charts: the lowest that they do not have on most of those played."""
    scores = [entry.played.score for entry in entries if entry.played]
    ranks = [rank for rank in TIER_RANKS if rank in ranks_of(region)]
    return next(
        (
            rank
            for rank in ranks
            if sum(score >= rank.least_score for score in scores) < _MAX_DONE_SHARE * max(1, len(scores))
        ),
        ranks[-1],
    )


def tiers_of(
    entries: Iterable[ChartEntry], predictions: Mapping[ChartKey, Prediction], rank: Rank
) -> tuple[Tier, ...]:
    """Return charts in rows, the easiest first; charts without a prediction are left out."""
    known = [
        (prediction.hardness, prediction.next_try.chance(rank.least_score), entry)
        for entry in entries
        if (prediction := predictions.get(entry.key)) is not None
    ]
    # Chances of one score have steps and plateaus, like records; the charts' hardness distinguishes charts there too.
    known.sort(key=lambda each: (each[0], each[2].chart.constant or 0, each[2].song.title))
    chances = falling_isotonic_fit((chance for _, chance, _ in known), repeat(1.0, len(known)))
    found = [
        TierEntry(entry, chance, (entry.played.score if entry.played else 0) >= rank.least_score)
        for (_, _, entry), chance in zip(known, chances, strict=True)
    ]
    rows = groupby(
        found, key=lambda each: next(bound for bound in BOUNDS if each.percent >= round(bound * 100))
    )
    return tuple(Tier(bound, tuple(row)) for bound, row in rows)
