"""Plausible careers: what a player of a given skill has scored, the same for the same seed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from bot.domain.charts import WORLDS_END
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, Rank
from bot.domain.rating import song_rating
from service.model import Catalogue, Chart, Flags
from service.rating_data import BEST_SIZE, RECENT_SIZE

TWO_YEARS: Final = 2 * 365 * 24 * 3600
_LOSS_AT_SKILL: Final = 2600
"""Points lost on a chart whose constant is the player's skill."""
_CLEAR_FROM: Final = 800_000
_UNKNOWN_TIME_SHARE: Final = 0.01
_RECENT_POOL: Final = 60


@dataclass(frozen=True, slots=True)
class Play:
    """A record before it has a place in the database."""

    chart: Chart
    score: int
    flags: int
    updated_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """All that one player did in one region."""

    records: Sequence[Play]
    recents: Sequence[Play]
    rating: Hundredths


@dataclass(frozen=True, slots=True, kw_only=True)
class Talent:
    """What makes one career differ from another."""

    skill: Hundredths
    """The chart constant on which they reach SSS more often than not."""
    share: float
    """Of the charts within reach, the part that they have played."""
    most_records: int | None = None


def career(random: Random, catalogue: Catalogue, talent: Talent, until: int) -> Career:
    """Return a career of the two years before `until`, in Unix seconds."""
    plays = list(_plays(random, _chosen(random, catalogue, talent), talent, until))
    rated = sorted(
        ((_rating(play, catalogue.region), play) for play in plays if play.chart.constant),
        key=lambda pair: -pair[0],
    )
    pool = [_again(random, play) for _, play in rated[:_RECENT_POOL]]
    recents = sorted(random.sample(pool, min(RECENT_SIZE, len(pool))), key=lambda play: -play.score)
    total = sum(rating for rating, _ in rated[:BEST_SIZE])
    total += sum(_rating(play, catalogue.region) for play in recents)
    return Career(records=plays, recents=recents, rating=Hundredths(total // (BEST_SIZE + RECENT_SIZE)))


def _rating(play: Play, region: Region) -> Hundredths:
    return song_rating(play.chart.constant, play.score, region)


def _chosen(random: Random, catalogue: Catalogue, talent: Talent) -> list[Chart]:
    """Return the charts played: those near the player's skill more likely than the easy ones."""
    chosen: list[Chart] = []
    for song in catalogue.songs:
        for chart in song.charts:
            distance = abs(talent.skill + 50 - (chart.constant or chart.level or talent.skill - 300)) / 100
            if random.random() < talent.share * exp(-0.22 * distance):
                chosen.append(chart)
    if talent.most_records is not None and len(chosen) > talent.most_records:
        chosen = random.sample(chosen, talent.most_records)
    return chosen


def _plays(random: Random, charts: Iterable[Chart], talent: Talent, until: int) -> Iterator[Play]:
    for chart in charts:
        score = max(0, MAX_SCORE - int(usual_loss(talent, chart) * exp(random.gauss(0, 0.55))))
        if random.random() < _ahead(talent, chart) * 0.01:
            score = MAX_SCORE
        ago = 0 if random.random() < _UNKNOWN_TIME_SHARE else int(TWO_YEARS * random.random() ** 2)
        yield Play(chart, score, _flags(random, chart, score), until - ago if ago else 0)


def usual_loss(talent: Talent, chart: Chart) -> float:
    """Return the points that they lose on a chart as often more than less."""
    return _LOSS_AT_SKILL * exp(-0.85 * _ahead(talent, chart))


def _ahead(talent: Talent, chart: Chart) -> float:
    return (talent.skill - (chart.constant or chart.level or talent.skill - 100)) / 100


def _flags(random: Random, chart: Chart, score: int) -> int:
    flags = Flags.PLAYED
    if score >= _CLEAR_FROM or chart.difficulty == WORLDS_END:
        flags |= Flags.CLEAR
    if score == MAX_SCORE or (score > 1_009_000 and random.random() < 0.5):  # noqa: PLR2004 - mostly justice
        flags |= Flags.ALL_JUSTICE | Flags.FULL_COMBO
    elif score >= Rank.SS.least_score and random.random() < 0.4:  # noqa: PLR2004 - fewer combos than scores
        flags |= Flags.FULL_COMBO
    if flags & Flags.FULL_COMBO and random.random() < 0.05:  # noqa: PLR2004 - needs company
        flags |= Flags.FULL_CHAIN
    return flags


def _again(random: Random, play: Play) -> Play:
    """Return a recent play of a chart: seldom as good as the record."""
    return Play(
        play.chart, max(0, play.score - int(random.expovariate(1 / 1500))), play.flags, play.updated_at
    )
