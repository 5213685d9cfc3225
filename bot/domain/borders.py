"""The losses that each rank allows on a chart, by judgement and in a player's own mix. Source: the game, loss per note."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil, exp, lgamma, log
from typing import Final, NamedTuple

from bot.domain.charts import Catalogue, Difficulty, SameCatalogue
from bot.domain.ids import Region, SongId
from bot.domain.notes import JUDGEMENTS, Judgement
from bot.domain.ranks import MAX_SCORE, Rank, ranks_of
from bot.domain.scores import Lamps, Record

MIN_PLAYS: Final = 20
"""The least number of plays to learn a mix from."""
_LOWEST: Final = Rank.S.least_score
"""Borders below this score are not shown, and plays below it are no evidence for those above."""
_HALVINGS: Final = 10
"""The number of bisection steps in the search for a share: precise to a thousandth."""
_MAX_SHARE: Final = 0.99
"""The largest share that is distinguished."""
_HOPELESS_ODDS: Final = 1e6
"""Odds of others beyond which the chance of none counts as 0; terms below their inverse are left out."""
_OPEN_SHARE: Final = 0.15
"""The tolerance of a learned share: one that differs by this much must not explain the same plays too."""
_DOUBT_SPREADS: Final = 1.64
"""The number of spreads that chance exceeds one time in twenty on each side."""
_HALF_PLAY: Final = 0.5
"""A whole number of plays may differ from the expected number by half a play."""
_ALIKE_PARTS: Final = 16
"""Losses within a 16th of each other count as one, by their mean: that changes a share by less than its precision."""


@dataclass(frozen=True, slots=True)
class PlayLosses:
    """A record's evidence of how its points were lost."""

    lost: int
    """Points times notes, as `Judgement` counts them."""
    lamps: Lamps

    @classmethod
    def of(cls, score: int, notes: int, lamps: Lamps) -> "PlayLosses | None":
        """Return a play to learn a mix from; None if its rank is below those of borders."""
        return cls((MAX_SCORE - score) * notes, lamps) if score >= _LOWEST else None


@dataclass(frozen=True, slots=True)
class Mix:
    """The usual shares of judgements in a player's lost points; the rest is JUSTICE."""

    attack: float
    """Its share of all points lost, 0 to 1."""
    miss: float

    @classmethod
    def of(cls, plays: Iterable[PlayLosses]) -> "Mix | None":
        """Learn from lamps, because judgements are not reported: a FULL COMBO has no MISS, an ALL JUSTICE no ATTACK either.

        The more of a player's loss is MISS, the sooner their full combos end as more points are lost. None if there are
        too few plays, or if they leave either share open.
        """
        known = [*plays]
        if len(known) < MIN_PLAYS:
            return None
        miss = _share(
            Judgement.MISS, [(play.lost, not play.lamps.is_full_combo) for play in known], _OPEN_SHARE
        )
        combos = [(play.lost, not play.lamps.is_all_justice) for play in known if play.lamps.is_full_combo]
        # ATTACK's share is of what MISS leaves: the smaller that is, the less an error in it matters.
        attack = None if miss is None else _share(Judgement.ATTACK, combos, _OPEN_SHARE / (1 - miss))
        return None if miss is None or attack is None else cls(attack=(1 - miss) * attack, miss=miss)

    def spend(self, points: int, notes: int) -> Mapping[Judgement, int]:
        """Return counts of judgements that together cost at most `points` on a chart of `notes` notes, as close to this mix as possible."""
        return self.spend_each([points], notes)[0]

    def spend_each(self, budgets: Sequence[int], notes: int) -> Sequence[Mapping[Judgement, int]]:
        """Return counts of judgements for each budget of points, least first: more points never allow fewer of a kind."""
        justice = self._justice(budgets[-1] * notes, notes)
        least, spent = _Counts(0, 0, 0), list[Mapping[Judgement, int]]()
        for points in budgets:
            least = self._nearest(points * notes, notes, least, justice)
            spent.append(dict(zip(JUDGEMENTS, least, strict=True)))
        return spent

    def _justice(self, lost: int, notes: int) -> int:
        """Return the most JUSTICE notes in a play that has lost this much; all notes if the mix sets no limit."""
        attacks = lost * self.attack / Judgement.ATTACK.value
        misses = lost * self.miss / Judgement.MISS.value
        justice = lost * (1 - self.attack - self.miss) / Judgement.JUSTICE.value
        if not attacks + misses or justice + attacks + misses <= notes:
            return notes
        # Each note has one judgement: dearer ones take the loss that JUSTICE alone cannot, on as many notes as needed.
        dearer = lost * (self.attack + self.miss) / (attacks + misses) - Judgement.JUSTICE.value
        return max(0, notes - ceil((lost - notes * Judgement.JUSTICE.value) / dearer))

    def _nearest(self, lost: int, notes: int, least: "_Counts", most_justice: int) -> "_Counts":
        """Return counts that cost at most `lost`, as near this mix as possible, with at least `least` of each."""
        justice = min(lost * (1 - self.attack - self.miss), most_justice * Judgement.JUSTICE.value)
        others = (self.attack + self.miss) or 1
        attack, miss = ((lost - justice) * (share / others) for share in (self.attack, self.miss))

        def off(counts: _Counts) -> float:
            return (
                abs(counts.justice * Judgement.JUSTICE.value - justice)
                + abs(counts.attack * Judgement.ATTACK.value - attack)
                + abs(counts.miss * Judgement.MISS.value - miss)
            )

        found: list[_Counts] = []
        for attacks in _around(attack / Judgement.ATTACK.value, least.attack):
            for misses in _around(miss / Judgement.MISS.value, least.miss):
                left = lost - attacks * Judgement.ATTACK.value - misses * Judgement.MISS.value
                fitting = min(left // Judgement.JUSTICE.value, most_justice, notes - attacks - misses)
                if fitting >= least.justice:
                    found.append(_Counts(fitting, attacks, misses))
        return min(found, key=off)


class _Counts(NamedTuple):
    """The number of each judgement, in their order."""

    justice: int
    attack: int
    miss: int


def _around(number: float, least: int) -> Iterable[int]:
    """Return the whole numbers around one, and the next lower, for a share that was rounded up; none is below `least`."""
    return {max(least, int(number) + away) for away in (-1, 0, 1)} | {least}


class _Losses(NamedTuple):
    """Plays with about the same loss, counted in one judgement."""

    mean: float
    plays: int


def _share(judgement: Judgement, plays: Sequence[tuple[int, bool]], tolerance: float) -> float | None:
    """Return a judgement's share of the loss at which the expected number of plays without one is the actual number.

    None if no share fits the plays, or if one that differs by the tolerance fits them too.
    """
    losses = _together(lost / judgement.value for lost, _holds in plays)
    without = sum(not holds for _lost, holds in plays)
    low, high = 0.0, _MAX_SHARE
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        is_more = _expected(losses, share)[0] > without
        low, high = (share, high) if is_more else (low, share)
    # If hardly any play is without one, hardly any share is too high: there is no upper limit.
    is_settled = (
        _fits(losses, without, low)
        and not _fits(losses, without, low + tolerance)
        and (low < tolerance or not _fits(losses, without, low - tolerance))
    )
    return low if is_settled else None


def _together(losses: Iterable[float]) -> Sequence[_Losses]:
    """Return losses in groups of similar ones; those of one note or less cannot be told apart, and are one group."""
    alike: dict[int, list[float]] = {}
    for loss in losses:
        alike.setdefault(round(_ALIKE_PARTS * log(loss)) if loss > 1 else -1, []).append(loss)
    return [_Losses(sum(each) / len(each), len(each)) for each in alike.values()]


def _fits(losses: Sequence[_Losses], without: int, share: float) -> bool:
    """Return whether a share explains the number of plays without one, within the limits of chance."""
    expected, spread = _expected(losses, min(share, _MAX_SHARE))
    return abs(expected - without) <= _DOUBT_SPREADS * (spread + _HALF_PLAY**2) ** 0.5


def _expected(losses: Iterable[_Losses], share: float) -> tuple[float, float]:
    """Return the expected number of plays without one for a share, and its variance."""
    odds = share / (1 - share)
    chances = [(plays, _chance_of_none(mean, odds) if odds else 1.0) for mean, plays in losses]
    expected = sum(plays * chance for plays, chance in chances)
    return expected, sum(plays * chance * (1 - chance) for plays, chance in chances)


def _chance_of_none(loss: float, odds: float) -> float:
    """Return the likelihood that a play has none of a judgement, if its loss equals `loss` of them.

    Each of them occurs by chance with `odds`: that gives the likelihood of every number that fits into the loss, relative to
    none.
    """
    others = 0.0
    for number in range(1, ceil(loss)):
        odds_of_others = exp(number * (log(odds * (loss - number)) + odds) - lgamma(number + 1))
        others += odds_of_others
        if others > _HOPELESS_ODDS:
            return 0.0
        if odds_of_others < 1 / _HOPELESS_ODDS:
            break
    return 1 / (1 + others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """The judgements that one score allows."""

    score: int
    rank: Rank
    alone: Mapping[Judgement, int] = field(hash=False)
    """The most of each, if nothing else is lost; never more than the chart has notes."""
    mixed: Mapping[Judgement, int] | None = field(hash=False)
    """All together, in a player's own mix; None if that is unknown."""


def borders(notes: int, region: Region, mix: Mix | None) -> tuple[Border, ...]:
    """Return the losses allowed on a chart of this many notes for each rank from S on, highest first."""
    ranks = [rank for rank in reversed(ranks_of(region)) if rank.least_score >= _LOWEST]
    budgets = [MAX_SCORE - rank.least_score for rank in ranks]
    mixed = mix.spend_each(budgets, notes) if mix else [None] * len(ranks)
    return tuple(
        Border(
            score=rank.least_score,
            rank=rank,
            alone={each: min(notes, points * notes // each.value) for each in JUDGEMENTS},
            mixed=counts,
        )
        for rank, points, counts in zip(ranks, budgets, mixed, strict=True)
    )


def learn_mix(records: Iterable[Record], catalogue: Catalogue) -> Mix | None:
    """Return the usual mix of a player's lost points; None if too few records show it."""
    notes = _notes_of(SameCatalogue(catalogue))
    plays = (
        PlayLosses.of(record.score, combo, record.lamps)
        for record in records
        if record.lamps is not None and (combo := notes.get((record.song_id, record.difficulty)))
    )
    return Mix.of(play for play in plays if play is not None)


@lru_cache(maxsize=4)  # some regions' catalogues, which all members share
def _notes_of(same: SameCatalogue) -> Mapping[tuple[SongId | None, Difficulty], int | None]:
    return {
        (song.id, chart.difficulty): chart.max_combo for song in same.catalogue.songs for chart in song.charts
    }
