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
"""What charts are brought to, one after another."""
BOUNDS: Final = (0.9, 0.7, 0.5, 0.3, 0.1, 0.03, 0.0)
"""A row ends where one try is less likely than this to reach the rank, in whole hundredths."""
_MAX_DONE_SHARE: Final = 0.8
"""Who has brought such a share of the charts that were played to a rank goes for the next one."""


@dataclass(frozen=True, slots=True)
class TierEntry:
    """One chart, and how likely one try reaches the rank on such a chart, whatever stands."""

    entry: ChartEntry
    chance: float
    is_done: bool

    @property
    def score(self) -> int:
        """What stands; 0 where nothing was played."""
        return self.entry.played.score if self.entry.played else 0

    @property
    def percent(self) -> int:
        """The chance as it is written, by which rows are made too: 29.6 % stands as 30 % among those of 30 %."""
        return max(1, min(99, round(self.chance * 100)))


@dataclass(frozen=True, slots=True)
class Tier:
    """The charts of one row."""

    bound: float
    """The least chance of any."""
    entries: tuple[TierEntry, ...]
    """The easiest first."""

    @property
    def done(self) -> tuple[TierEntry, ...]:
        """Those that are done, the best score first."""
        return tuple(sorted((each for each in self.entries if each.is_done), key=lambda each: -each.score))

    @property
    def left(self) -> tuple[TierEntry, ...]:
        """Those that are not, the easiest first."""
        return tuple(each for each in self.entries if not each.is_done)


def usual_rank(entries: Iterable[ChartEntry], region: Region) -> Rank:
    """Return the rank that somebody goes for on charts: the lowest that not most of those played have yet."""
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
    """Return charts in rows, the easiest first; those of which nothing can be expected are left out."""
    known = [
        (prediction.hardness, prediction.next_try.chance(rank.least_score), entry)
        for entry in entries
        if (prediction := predictions.get(entry.key)) is not None
    ]
    # Chances of one score have steps and plateaus, as records have; how hard charts are tells them apart there too.
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
