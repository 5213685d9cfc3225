"""What may be lost on a chart for each rank, by judgement and in a player's own mix of them. Source: the game, loss per note."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, exp, lgamma, log
from typing import Final

from bot.domain.ids import Region
from bot.domain.notes import JUDGEMENTS, Judgement
from bot.domain.ranks import MAX_SCORE, Rank, ranks_of
from bot.domain.scores import Lamps

LEAST_PLAYS: Final = 20
"""Plays by which a mix is known."""
_LOWEST: Final = Rank.S.least_score
"""Below it borders are not told, and plays say nothing of those above."""
_HALVINGS: Final = 10
"""Of the span in which a share is looked for: to the thousandth."""
_MOST: Final = 0.99
"""A share beyond which nothing can be told apart."""
_HOPELESS: Final = 1e6
"""Odds beside which others count for nothing."""


@dataclass(frozen=True, slots=True)
class Play:
    """What a record says of how its points were lost."""

    lost: int
    """Points times notes, as `Judgement` counts them."""
    lamps: Lamps

    @classmethod
    def of(cls, score: int, notes: int, lamps: Lamps) -> "Play | None":
        """Return a play as one to learn a mix from; None where its rank is below those that borders are told of."""
        return cls((MAX_SCORE - score) * notes, lamps) if score >= _LOWEST else None


@dataclass(frozen=True, slots=True)
class Mix:
    """What a player's lost points usually consist of; the rest is JUSTICE."""

    attack: float
    """Its share of all points lost, 0 to 1."""
    miss: float

    @classmethod
    def of(cls, plays: Iterable[Play]) -> "Mix | None":
        """Learn from lamps, for nobody tells judgements: a FULL COMBO holds no MISS, an ALL JUSTICE no ATTACK either.

        The more a player loses by MISS, the sooner their full combos end as more is lost. None of too few plays.
        """
        known = [*plays]
        if len(known) < LEAST_PLAYS:
            return None
        miss = _share(Judgement.MISS, [(play.lost, not play.lamps.is_full_combo) for play in known])
        combos = [(play.lost, not play.lamps.is_all_justice) for play in known if play.lamps.is_full_combo]
        return cls(attack=(1 - miss) * _share(Judgement.ATTACK, combos), miss=miss)

    def spend(self, points: int, notes: int) -> Mapping[Judgement, int]:
        """Return how many of each together cost no more than `points` on a chart of `notes` notes, as near this mix as whole ones are."""
        whole = points * notes

        def off(ways: tuple[int, int]) -> float:
            miss, attack = ways[0] * Judgement.MISS.value, ways[1] * Judgement.ATTACK.value
            justice = whole - miss - attack - whole * (1 - self.miss - self.attack)
            return abs(miss - whole * self.miss) + abs(attack - whole * self.attack) + abs(justice)

        miss, attack = min(
            (
                (miss, attack)
                for miss in _around(whole * self.miss / Judgement.MISS.value)
                for attack in _around(whole * self.attack / Judgement.ATTACK.value)
                if miss * Judgement.MISS.value + attack * Judgement.ATTACK.value <= whole
            ),
            key=off,
        )
        left = whole - miss * Judgement.MISS.value - attack * Judgement.ATTACK.value
        counts = {
            Judgement.JUSTICE: left // Judgement.JUSTICE.value,
            Judgement.ATTACK: attack,
            Judgement.MISS: miss,
        }
        return {judgement: counts[judgement] for judgement in JUDGEMENTS}


def _around(number: float) -> range:
    """Return the whole numbers beside one, and the one below these, which fits where a share was rounded up."""
    return range(max(0, int(number) - 1), int(number) + 2)


def _share(judgement: Judgement, plays: Sequence[tuple[int, bool]]) -> float:
    """Return the share of the judgement in what is lost with which as many plays hold one as do."""
    losses = [lost / judgement.value for lost, _holds in plays]
    without = sum(not holds for _lost, holds in plays)
    low, high = 0.0, _MOST
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        odds = share / (1 - share)
        is_more = sum(_chance_of_none(loss, odds) for loss in losses) > without
        low, high = (share, high) if is_more else (low, share)
    return low


def _chance_of_none(loss: float, odds: float) -> float:
    """Return how likely a play holds none of a judgement that lost as much as `loss` of it.

    `odds` come for each that is lost otherwise, by chance: so of each number that fits into the loss it is known how
    likely it is beside none.
    """
    others = 0.0
    for number in range(1, ceil(loss)):
        odds_of_others = exp(number * (log(odds * (loss - number)) + odds) - lgamma(number + 1))
        others += odds_of_others
        if others > _HOPELESS:
            return 0.0
        if odds_of_others < 1 / _HOPELESS:
            break
    return 1 / (1 + others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """What may be lost for one score."""

    score: int
    rank: Rank
    alone: Mapping[Judgement, int] = field(hash=False)
    """The most of each, where nothing else is lost."""
    mixed: Mapping[Judgement, int] | None = field(hash=False)
    """All together, in a player's own mix; None where that is not known."""


def borders(notes: int, region: Region, mix: Mix | None) -> tuple[Border, ...]:
    """Return what may be lost on a chart of so many notes for each rank from S on, highest first."""
    return tuple(
        Border(
            score=rank.least_score,
            rank=rank,
            alone={each: (MAX_SCORE - rank.least_score) * notes // each.value for each in JUDGEMENTS},
            mixed=mix and mix.spend(MAX_SCORE - rank.least_score, notes),
        )
        for rank in reversed(ranks_of(region))
        if rank.least_score >= _LOWEST
    )
