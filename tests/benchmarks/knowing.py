"""What can be known of how hard charts are for a player, by somebody who knows players better than any coach does.

They know each player's skills, how steeply their scores fall, how far tries vary, how often they play a chart and when
they did; of charts what the catalogue tells, and every record on charts of which there are statistics. They do not know
what is private to a chart: its mixture beside what is seen of it, and how hard it is beside its constant. From records
they infer that as well as a bell can be inferred.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from math import log
from operator import mul
from random import Random
from statistics import fmean, pvariance
from typing import Final, NamedTuple

from players import Arcade, Career, Player

from bot.domain.coach.population import PopulationModel
from bot.domain.coach.regression import Regression
from bot.domain.history import ChartKey
from bot.domain.ranks import MAX_SCORE

GUESSES: Final = 60
LUCKS: Final = 2_000
HARDNESS: Final = 0.22**2
"""Of charts beside their constants, as the generator draws it: a variance."""
WRONG: Final = 0.4**2
"""The same of wrong constants."""
SKILLS_APART: Final = 0.5
RISE: Final = 0.3
"""How far a player's skills lie apart, and what they rise by in a year, before a record is looked at."""
FEWEST_LOST: Final = 5
"""Points: of nearer misses a score tells nothing."""


class _Mixture(NamedTuple):
    """What a chart may ask for, by all that the catalogue tells."""

    mean: Sequence[float]
    apart: Sequence[Sequence[float]]
    """Variances and covariances."""

    def expected(self, skills: Sequence[float]) -> tuple[float, float]:
        """Return the skill that it asks of a player, and the variance of what is not known of that."""
        variance = sum(
            one * other * both
            for one, row in zip(skills, self.apart, strict=True)
            for other, both in zip(skills, row, strict=True)
        )
        return sum(map(mul, self.mean, skills)), max(0.0, variance)


class Knower:
    """Somebody who knows all players."""

    def __init__(
        self, arcade: Arcade, population: Iterable[tuple[Player, Career]], told: Collection[ChartKey]
    ) -> None:
        """Look at the records of a crowd on the charts of which statistics are told."""
        kept, arcade.chance = arcade.chance, Random(77)
        self._mixtures = {key: _mixture(arcade, key) for key in arcade.keys}
        arcade.chance = kept
        self._constants = {
            (song.id, chart.difficulty): (chart.constant or 0) / 100
            for song in arcade.catalogue.songs
            for chart in song.charts
        }
        self._liked = arcade.ways.liked
        self._before = HARDNESS + arcade.ways.wrong * WRONG
        self._harder: dict[ChartKey, tuple[float, float]] = {}
        sums: dict[ChartKey, list[float]] = {key: [1 / self._before, 0.0] for key in told}
        for player, career in population:
            for key, score in career.scores.items():
                if key in sums and (seen := self._seen(player, key, score, career.ages.get(key, 0.0))):
                    easier, variance, private = seen
                    weight = 1 / (variance + private)
                    sums[key][0] += weight
                    sums[key][1] -= weight * easier
        for key, (weight, total) in sums.items():
            self._harder[key] = total / weight, 1 / weight

    def told(self, population: PopulationModel) -> "Knower":
        """Return who knows the same of players and mixtures, but of how hard charts are what the coach is told alone."""
        other = copy(self)
        other._harder = {key: (each.harder, each.doubt**2) for key, each in population.reputations.items()}
        return other

    def learn(self, player: Player, career: Career, told: Mapping[ChartKey, int]) -> Player:
        """Return a player as records let know them, by somebody who did not know their skills or how fast they rise."""
        known = [
            (key, mean, 1 / (variance + private + doubt))
            for key in sorted(told)
            if (seen := self._seen(player, key, told[key], career.ages.get(key, 0.0)))
            for (_, variance, private), mean, doubt in [
                (seen, self._mixtures[key].mean, self._harder.get(key, (0.0, self._before))[1])
            ]
        ]
        ages = [career.ages.get(key, 0.0) for key, _, _ in known]
        asked = [self._asked(player, key, told[key]) for key, _, _ in known]
        usual = fmean(asked)
        found = Regression(
            [[*mean, -age] for (_, mean, _), age in zip(known, ages, strict=True)],
            [each - usual for each in asked],
            [weight for _, _, weight in known],
            [*[1 / SKILLS_APART**2] * len(player.skills), 1 / RISE**2],
        ).coefficients
        *skills, rise = found
        return replace(player, skills=tuple(usual + each for each in skills), rise=rise)

    def _asked(self, player: Player, key: ChartKey, score: int) -> float:
        """Return the skill that a record shows on what its chart asks for."""
        mean, _ = _luck(round(player.tries, 1), self._liked)
        ahead = (_AT_SKILL - log(MAX_SCORE - score) + mean * player.spread) / player.slope
        return ahead + self._constants[key] + self._harder.get(key, (0.0, self._before))[0]

    def ahead(self, player: Player, career: Career, told: Mapping[ChartKey, int], key: ChartKey) -> float:
        """Return how far a player's skill is expected to lie above what a chart asks for."""
        skill, private = self._mixtures[key].expected(player.skills)
        harder, doubt = self._harder.get(key, (0.0, self._before))
        before = private + doubt
        expected = skill - self._constants[key] - harder
        seen = self._seen(player, key, told[key], career.ages.get(key, 0.0)) if key in told else None
        if seen is None:
            return expected
        easier, variance, _ = seen
        return expected + (easier + harder) * before / (before + variance)

    def _seen(
        self, player: Player, key: ChartKey, score: int, age: float
    ) -> tuple[float, float, float] | None:
        """Return by how much a record says a chart is easier, the variance of luck, and of the player's own mixture."""
        if MAX_SCORE - score < FEWEST_LOST:
            return None
        skill, private = self._mixtures[key].expected(player.skills)
        mean, variance = _luck(round(player.tries, 1), self._liked)
        ahead = (_AT_SKILL - log(MAX_SCORE - score) + mean * player.spread) / player.slope
        easier = ahead - (skill - player.rise * age - self._constants[key])
        return easier, variance * (player.spread / player.slope) ** 2, private


_AT_SKILL: Final = log(3200)


def _mixture(arcade: Arcade, key: ChartKey) -> _Mixture:
    guesses = [arcade.guess_mixture(key) for _ in range(GUESSES)]
    mean = [fmean(parts) for parts in zip(*guesses, strict=True)]
    rests = [[part - usual for part, usual in zip(guess, mean, strict=True)] for guess in guesses]
    columns = [*zip(*rests, strict=True)]
    return _Mixture(mean, [[sum(map(mul, one, other)) / GUESSES for other in columns] for one in columns])


@cache
def _luck(tries: float, liked: float) -> tuple[float, float]:
    """Return where the best of somebody's tries lies, in spreads: mean and variance."""
    chance = Random(5)
    best: list[float] = []
    for _ in range(LUCKS):
        count = 1 + int(chance.expovariate(1 / tries))
        if liked and chance.random() < liked:
            count = chance.randint(10, 50)
        best.append(min(chance.gauss(0, 1) for _ in range(count)))
    return fmean(best), pvariance(best)
