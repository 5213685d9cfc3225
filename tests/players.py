"""Players of three latent skills, on charts that ask for each in a mixture of their own: what the coach never sees.

The service's invented players have one skill and equal charts of one constant are equal. Here a chart is harder or
easier than its constant says, its mixture shows in density, tempo, age and genre only in part, and a record is the best
of some tries. Times and names play no part.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from math import exp, log
from random import Random
from statistics import fmean
from typing import Final

from bot.domain.charts import ADVANCED, BASIC, EXPERT, MASTER, Catalogue, Chart, Song
from bot.domain.coach import ChartSummary
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import song_rating
from bot.domain.statistics import ChartStatistics

GENRES: Final = ("POPS&ANIME", "niconico", "東方Project", "VARIETY", "イロドリミドリ", "ゲキマイ", "ORIGINAL")
_BELOW_MASTER: Final = ((BASIC, -8.5), (ADVANCED, -6.0), (EXPERT, -2.5), (MASTER, 0.0))
_LOSS_AT_SKILL: Final = 3200
_SKILLS: Final = 3
_BEST: Final = 30


def catalogue_of(chance: Random, songs: int) -> Catalogue:
    """Return songs with four charts each."""
    return Catalogue.of(JP2, (_song(chance, number) for number in range(songs)))


def _song(chance: Random, number: int) -> Song:
    hardest = min(15.6, max(10.5, chance.gauss(13.2, 1.0)))
    charts: list[Chart] = []
    for difficulty, below in _BELOW_MASTER:
        constant = round(max(1.0, hardest + below * chance.uniform(0.85, 1.15)), 1)
        notes = int(_usual_notes(constant) * chance.lognormvariate(0, 0.18))
        hundredths = Hundredths(round(constant * 100))
        charts.append(
            Chart(
                difficulty=difficulty,
                level=Hundredths(hundredths // 50 * 50),
                constant=hundredths,
                is_estimated=False,
                max_combo=notes,
            )
        )
    return Song(
        id=SongId(f"{number:016x}"),
        title=f"song {number}",
        genre=chance.choice(GENRES),
        artist=None,
        released_on=date(chance.randint(2015, 2026), 6, 1),
        bpm=int(chance.triangular(90, 280, 175)),
        charts=tuple(charts),
    )


def _usual_notes(constant: float) -> float:
    return 300 + 75 * max(0.0, constant - 3)


@dataclass(frozen=True, slots=True)
class _Demand:
    """What a chart asks for."""

    key: ChartKey
    constant: Hundredths
    mixture: tuple[float, ...]
    harder: float
    """In units of the constant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """Somebody who plays."""

    skills: tuple[float, ...]
    slope: float
    spread: float
    tries: float
    share: float

    @property
    def skill(self) -> float:
        """On what charts they play most."""
        return fmean(self.skills)


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """What a player has done, as the coach is told it."""

    rating: float
    scores: Mapping[ChartKey, int] = field(repr=False)


class Arcade:
    """Charts, and whoever plays them."""

    def __init__(self, seed: int, songs: int = 900) -> None:
        self.chance = Random(seed)  # noqa: S311 - invented, not secret
        self.catalogue = catalogue_of(self.chance, songs)
        leanings = {genre: self._draws(0.5) for genre in GENRES}
        self._demands = {demand.key: demand for demand in self._all_demands(leanings)}

    def _draws(self, spread: float) -> list[float]:
        return [self.chance.gauss(0, spread) for _ in range(_SKILLS)]

    def _all_demands(self, leanings: Mapping[str, Sequence[float]]) -> Iterator[_Demand]:
        for song in self.catalogue.songs:
            for chart in song.charts:
                constant = (chart.constant or 0) / 100
                density = log((chart.max_combo or 1) / _usual_notes(constant)) / 0.18
                tempo = ((song.bpm or 0) - 180) / 40
                age = ((song.released_on or date.max).year - 2020) / 4
                shown = (0.6 * density, 0.5 * tempo, 0.3 * age)
                hidden = self._draws(0.7)
                weights = [
                    exp(sum(parts)) for parts in zip(leanings[song.genre or ""], shown, hidden, strict=True)
                ]
                yield _Demand(
                    (song.id, chart.difficulty),
                    chart.constant or Hundredths(0),
                    tuple(weight / sum(weights) for weight in weights),
                    self.chance.gauss(0, 0.22),
                )

    def player(self) -> Player:
        """Return somebody new."""
        skill = self.chance.triangular(8.5, 15.5, 13)
        return Player(
            skills=tuple(skill + self.chance.gauss(0, 0.5) for _ in range(_SKILLS)),
            slope=self.chance.uniform(0.75, 0.95),
            spread=self.chance.uniform(0.4, 0.7),
            tries=self.chance.uniform(1, 5),
            share=self.chance.uniform(0.1, 0.8),
        )

    def try_once(self, player: Player, key: ChartKey) -> int:
        """Return the score of one try."""
        demand = self._demands[key]
        skill = sum(part * skill for part, skill in zip(demand.mixture, player.skills, strict=True))
        ahead = skill - demand.constant / 100 - demand.harder
        loss = _LOSS_AT_SKILL * exp(-player.slope * ahead + self.chance.gauss(0, player.spread))
        return max(0, MAX_SCORE - int(loss))

    def best_of_some(self, player: Player, key: ChartKey) -> int:
        """Return what becomes of a chart that is played as often as this player plays one."""
        tries = 1 + int(self.chance.expovariate(1 / player.tries))
        return max(self.try_once(player, key) for _ in range(tries))

    def meet(self) -> tuple[Player, Career]:
        """Return somebody with at least as many records as the best slot has places."""
        while True:
            player = self.player()
            scores = {
                demand.key: self.best_of_some(player, demand.key)
                for demand in self._demands.values()
                if self.chance.random()
                < player.share * exp(-0.22 * abs(player.skill + 0.5 - demand.constant / 100))
            }
            if len(scores) >= _BEST:
                return player, Career(rating=self._rating(scores), scores=scores)

    def career(self) -> Career:
        """Return what somebody has done."""
        return self.meet()[1]

    def _rating(self, scores: Mapping[ChartKey, int]) -> float:
        ratings = sorted(
            song_rating(self._demands[key].constant, score, JP2) for key, score in scores.items()
        )
        return sum(ratings[-_BEST:]) // _BEST / 100


def statistics_of(careers: Sequence[Career]) -> dict[ChartKey, ChartStatistics]:
    """Return what the service would count of them, averages alone."""
    cells: dict[ChartKey, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for career in careers:
        for key, score in career.scores.items():
            cells[key][int(career.rating * 10 + 1e-6) * 10].append(score)
    return {
        key: ChartStatistics(
            players=sum(map(len, steps.values())),
            ranks={},
            lamps={},
            averages={
                Hundredths(step): Decimal(sum(scores) * 100 // len(scores)) / 100
                for step, scores in sorted(steps.items())
            },
        )
        for key, steps in cells.items()
    }


def gists_of(statistics: Mapping[ChartKey, ChartStatistics]) -> dict[ChartKey, ChartSummary]:
    """Return what the crowd learns from them."""
    return {key: ChartSummary.of(each) for key, each in statistics.items()}
