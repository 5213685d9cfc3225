"""Ranks of scores."""

from bisect import bisect_right
from enum import Enum
from operator import attrgetter
from typing import Final

from bot.domain.ids import JP, Region

MAX_SCORE: Final = 1_010_000
"""The theoretical maximum. Source: specification, records/filter (max_score)."""


class Rank(Enum):
    """A rank and the least score that earns it, lowest first. Source: the game."""

    D = ("D", 0)
    C = ("C", 500_000)
    B = ("B", 600_000)
    BB = ("BB", 700_000)
    BBB = ("BBB", 800_000)
    A = ("A", 900_000)
    AA = ("AA", 925_000)
    AAA = ("AAA", 950_000)
    S = ("S", 975_000)
    S_PLUS = ("S+", 990_000)
    SS = ("SS", 1_000_000)
    SS_PLUS = ("SS+", 1_005_000)
    SSS = ("SSS", 1_007_500)
    SSS_PLUS = ("SSS+", 1_009_000)

    def __init__(self, label: str, least_score: int) -> None:
        self.label = label
        self.least_score = least_score


_least_score: Final = attrgetter("least_score")
_ALL: Final = tuple(Rank)
_OF_JP: Final = tuple(rank for rank in Rank if rank.label not in {"S+", "SSS+"})


def ranks_of(region: Region) -> tuple[Rank, ...]:
    """Return the ranks of a region, lowest first: jp, the old game, has no S+ and no SSS+."""
    return _OF_JP if region == JP else _ALL


def rank_of(score: int, region: Region) -> Rank:
    """Return the highest rank that `score` earns."""
    ranks = ranks_of(region)
    return ranks[bisect_right(ranks, score, lo=1, key=_least_score) - 1]


def next_goal(score: int, region: Region) -> int | None:
    """Return the least score of the next rank, or else the theoretical maximum; None if the score is that already."""
    goals = (*(rank.least_score for rank in ranks_of(region)), MAX_SCORE)
    return next((goal for goal in goals if goal > score), None)
