"""Players of three latent skills, on charts that ask for each in a mixture of their own: what the models never see.

The service's invented players have one skill and equal charts of one constant are equal. Here a chart is harder or
easier than its constant says, its mixture shows in density, tempo, age and genre only in part, and a record is the best
of some tries. `Ways` says in what the players of a world are unlike those of another. Names play no part.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from math import exp, log
from random import Random
from statistics import fmean
from typing import Final

from bot.domain.charts import ADVANCED, BASIC, EXPERT, MASTER, Catalogue, Chart, Song
from bot.domain.coach.summaries import ChartSummary
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
    seen: tuple[float, ...]
    """What the catalogue tells of the mixture."""
    tilt: float = 0.0

    def harder_for(self, skill: float) -> float:
        """Return by how much it is harder than its constant for players of a skill."""
        return self.harder + self.tilt * max(-2.0, min(2.0, skill - self.constant / 100))


def mixture_of(seen: Sequence[float], hidden: Sequence[float]) -> tuple[float, ...]:
    """Return how much of a chart each skill decides."""
    weights = [exp(sum(parts)) for parts in zip(seen, hidden, strict=True)]
    return tuple(weight / sum(weights) for weight in weights)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """In what the players of one world are unlike those of another."""

    skills: tuple[float, float, float] = (8.5, 15.5, 13.0)
    """The lowest, the highest, and the most frequent."""
    slips: float = 0.0
    """The share of tries that vary three times as much: heavy tails."""
    rise: float = 0.0
    """How much skill somebody gains in a year at most, in units of the constant, over `years`."""
    years: float = 0.0
    """Over how many years records were set."""
    stopped: float = 0.0
    """How many years ago everybody played last."""
    liked: float = 0.0
    """The share of charts that somebody plays up to fifty times."""
    wrong: float = 0.0
    """The share of charts whose constant is wrong, by 0.3 to 0.5."""
    differ: float = 0.5
    """How far somebody's skills lie apart: a standard deviation. Of 0, nobody is better at one kind of chart."""
    tilt: float = 0.0
    """By how much harder a chart is for each unit of skill beyond what it asks for: a standard deviation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """Somebody who plays."""

    skills: tuple[float, ...]
    slope: float
    spread: float
    tries: float
    share: float
    rise: float = 0.0
    """How much skill they gain in a year."""

    @property
    def skill(self) -> float:
        """On what charts they play most."""
        return fmean(self.skills)


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """What a player has done, as their model is told it."""

    rating: float
    scores: Mapping[ChartKey, int] = field(repr=False)
    ages: Mapping[ChartKey, float] = field(default_factory=dict[ChartKey, float], repr=False)
    """Years before the last of them."""
    first_scores: Mapping[ChartKey, int] = field(default_factory=dict[ChartKey, int], repr=False)
    """What the first try on each was."""


class Arcade:
    """Charts, and whoever plays them."""

    def __init__(
        self, seed: int, songs: int = 900, ways: Ways | None = None, catalogue: Catalogue | None = None
    ) -> None:
        self.chance = Random(seed)  # noqa: S311 - invented, not secret
        self.ways = ways or Ways()
        self.catalogue = catalogue or catalogue_of(self.chance, songs)
        genres = sorted({song.genre or "" for song in catalogue.songs}) if catalogue else GENRES
        coefficients = {genre: self._draws(0.5) for genre in genres}
        self._demands = {demand.key: demand for demand in self._all_demands(coefficients)}

    def _draws(self, spread: float) -> list[float]:
        return [self.chance.gauss(0, spread) for _ in range(_SKILLS)]

    def _all_demands(self, coefficients: Mapping[str, Sequence[float]]) -> Iterator[_Demand]:
        for song in self.catalogue.songs:
            for chart in song.charts:
                constant = (chart.constant or 0) / 100
                density = log((chart.max_combo or 1) / _usual_notes(constant)) / 0.18
                tempo = ((song.bpm or 0) - 180) / 40
                age = ((song.released_on or date.max).year - 2020) / 4
                shown = (0.6 * density, 0.5 * tempo, 0.3 * age)
                hidden = self._draws(0.7)
                seen = tuple(map(sum, zip(coefficients[song.genre or ""], shown, strict=True)))
                yield _Demand(
                    (song.id, chart.difficulty),
                    chart.constant or Hundredths(0),
                    mixture_of(seen, hidden),
                    self.chance.gauss(0, 0.22) + self._wrong(),
                    seen,
                    self.chance.gauss(0, self.ways.tilt) if self.ways.tilt else 0.0,
                )

    def _wrong(self) -> float:
        if not self.ways.wrong or self.chance.random() >= self.ways.wrong:
            return 0.0
        return self.chance.choice((-1, 1)) * self.chance.uniform(0.3, 0.5)

    def player(self) -> Player:
        """Return somebody new."""
        skill = self.chance.triangular(*self.ways.skills)
        return Player(
            skills=tuple(skill + self.chance.gauss(0, self.ways.differ) for _ in range(_SKILLS)),
            slope=self.chance.uniform(0.75, 0.95),
            spread=self.chance.uniform(0.4, 0.7),
            tries=self.chance.uniform(1, 5),
            share=self.chance.uniform(0.1, 0.8),
            rise=self.chance.uniform(0, self.ways.rise) if self.ways.rise else 0.0,
        )

    @property
    def keys(self) -> Sequence[ChartKey]:
        """All charts."""
        return list(self._demands)

    def log_loss_of(self, player: Player, key: ChartKey) -> float:
        """Return the logarithm of what somebody's try on a chart loses as often less as more."""
        demand = self._demands[key]
        skill = sum(part * skill for part, skill in zip(demand.mixture, player.skills, strict=True))
        return log(_LOSS_AT_SKILL) - player.slope * (skill - demand.constant / 100 - demand.harder)

    def try_once(
        self, player: Player, key: ChartKey, age: float = 0.0, mixture: Sequence[float] | None = None
    ) -> int:
        """Return the score of one try, so many years ago; of another mixture where one is given."""
        demand = self._demands[key]
        parts = zip(mixture or demand.mixture, player.skills, strict=True)
        skill = sum(part * skill for part, skill in parts) - player.rise * age
        ahead = skill - demand.constant / 100 - demand.harder_for(player.skill)
        spread = player.spread
        if self.ways.slips and self.chance.random() < self.ways.slips:
            spread *= 3
        loss = _LOSS_AT_SKILL * exp(-player.slope * ahead + self.chance.gauss(0, spread))
        return max(0, MAX_SCORE - int(loss))

    def best_of_some(
        self, player: Player, key: ChartKey, age: float = 0.0, mixture: Sequence[float] | None = None
    ) -> int:
        """Return what becomes of a chart that is played as often as this player plays one."""
        return max(self.tries(player, key, age, mixture))

    def harder_for(self, key: ChartKey, skill: float) -> float:
        """Return by how much a chart is harder than its constant for players of a skill."""
        return self._demands[key].harder_for(skill)

    def correct(self, keys: Iterable[ChartKey]) -> None:
        """Make charts exactly as hard as their constants say."""
        for key in keys:
            self._demands[key] = replace(self._demands[key], harder=0.0)

    def guess_mixture(self, key: ChartKey) -> Sequence[float]:
        """Return a mixture as likely as a chart's own for all that the catalogue tells."""
        return mixture_of(self._demands[key].seen, self._draws(0.7))

    def tries(
        self, player: Player, key: ChartKey, age: float = 0.0, mixture: Sequence[float] | None = None
    ) -> list[int]:
        """Return all tries of somebody on a chart, the first one first."""
        count = 1 + int(self.chance.expovariate(1 / player.tries))
        if self.ways.liked and self.chance.random() < self.ways.liked:
            count = self.chance.randint(10, 50)
        return [self.try_once(player, key, age, mixture) for _ in range(count)]

    def meet(self) -> tuple[Player, Career]:
        """Return somebody with at least as many records as the best slot has places."""
        while True:
            player = self.player()
            ages: dict[ChartKey, float] = {}
            tries: dict[ChartKey, list[int]] = {}
            for key, demand in self._demands.items():
                away = abs(player.skill + 0.5 - demand.constant / 100)
                if self.chance.random() < player.share * exp(-0.22 * away):
                    age = self.ways.years * self.chance.random() if self.ways.years else 0.0
                    ages[key] = age + self.ways.stopped
                    tries[key] = self.tries(player, key, age)
            if len(tries) >= _BEST:
                scores = {key: max(each) for key, each in tries.items()}
                return player, Career(
                    rating=self._rating(scores),
                    scores=scores,
                    ages=ages if any(ages.values()) else {},
                    first_scores={key: each[0] for key, each in tries.items()},
                )

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
