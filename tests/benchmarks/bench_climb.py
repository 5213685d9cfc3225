"""Whether a rating takes as many tries as `/plan` says, and what who follows it gains beside an all-knowing coach.

Players of `tests/players.py` with many records, in a world of several skills and in one of liked charts. Each way is
played two hundred times, one try on each step in turn. For the gains, somebody tries each of the first ten steps once and
then asks anew; the oracle's follower does the same, and the oracle knows what the generator draws from. Exits 1 where a
goal is missed.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from math import erf, log, sqrt
from random import Random
from statistics import fmean, median
from time import process_time
from typing import Final, cast

from players import Arcade, Career, Player, Ways, gists_of, statistics_of

from bot.domain.charts import Catalogue
from bot.domain.climb import ClimbStep, StepChoice, climb_steps
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.felt import learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import fit_player
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.prediction import Prediction
from bot.domain.entries import ChartEntry, catalogue_entries
from bot.domain.gains import RatingSlots, count_play
from bot.domain.game_rating import work_out
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.history import ChartKey
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import song_rating
from bot.domain.scores import Lamps, Record
from bot.domain.tries import EVENING_TRIES, MAX_CLIMB_TRIES, Climb, ClimbTarget, climb_to

WORLDS: Final[Mapping[str, Ways]] = {
    "a several skills": Ways(),
    "c liked charts up to 50 times": Ways(liked=0.15),
}
SONGS: Final = 400
CROWD: Final = 150
PLAYERS: Final = 30
FEWEST_RECORDS: Final = 200
RUNS: Final = 200
MORE: Final = (2, 5, 10, 20)
"""Hundredths of the rating."""
GAINS_AFTER: Final = (10, 30, 60)
SEEN: Final = 10
"""One first score in so many is known of who is looked at for a while."""
VERSION: Final = GameVersion(
    name="today's",
    region=JP2,
    first_day=date(2025, 1, 1),
    formula=Formula.BEST_AND_NEW,
    new_since=date(2024, 1, 1),
)
CLEAR: Final = Lamps(is_clear=True, is_full_combo=False, is_all_justice=False, is_full_chain=False)

MOST_OFF: Final = 0.25
LEAST_OF_ORACLE: Final = 0.75
MOST_SECONDS: Final = 1.0


class _Known:
    """What an all-knowing coach says of the next try."""

    def __init__(self, arcade: Arcade, player: Player, key: ChartKey) -> None:
        self._usual, self._spread = arcade.log_loss_of(player, key), player.spread

    @property
    def next_try(self) -> "_Known":
        return self

    def chance(self, least: int) -> float:
        """Return how likely a score of at least so many points is."""
        return 0.5 + 0.5 * erf((log(max(1, MAX_SCORE + 1 - least)) - self._usual) / (self._spread * sqrt(2)))


@dataclass(slots=True)
class Climber:
    """Somebody who plays."""

    arcade: Arcade
    player: Player
    career: Career
    scores: dict[ChartKey, int] = field(init=False)

    def __post_init__(self) -> None:
        """Begin with the records of the career."""
        self.scores = dict(self.career.scores)

    def entries(self) -> list[ChartEntry]:
        """Return all charts with the records of now."""
        return [*catalogue_entries(self.arcade.catalogue, _records(self.arcade.catalogue, self.scores))]

    def slots(self) -> RatingSlots:
        """Return what makes the rating now."""
        records = _records(self.arcade.catalogue, self.scores)
        return RatingSlots.of(work_out(records, self.arcade.catalogue, VERSION))

    def predictions(
        self, features: ChartFeatureSet, population: PopulationModel
    ) -> Mapping[ChartKey, Prediction]:
        """Return what the coach says now."""
        first = {
            key: score for at, (key, score) in enumerate(self.career.first_scores.items()) if not at % SEEN
        }
        plays = KnownPlays(scores=self.scores, first_scores=first)
        return fit_player(features, population, (self.slots().rating or 0) / 100, plays).predictions

    def known(self) -> Mapping[ChartKey, Prediction]:
        """Return what an all-knowing coach says."""
        return {key: cast("Prediction", _Known(self.arcade, self.player, key)) for key in self.arcade.keys}


def _records(catalogue: Catalogue, scores: Mapping[ChartKey, int]) -> list[Record]:
    return [
        Record(
            song_id=song.id,
            title=song.title,
            difficulty=chart.difficulty,
            level=chart.level,
            constant=chart.constant,
            score=scores[song.id, chart.difficulty],
            rating=song_rating(chart.constant or chart.level, scores[song.id, chart.difficulty], JP2),
            is_estimated=False,
            lamps=CLEAR,
        )
        for song in catalogue.songs
        for chart in song.charts
        if (song.id, chart.difficulty) in scores
    ]


def tries_taken(climber: Climber, slots: RatingSlots, found: Climb) -> int:
    """Return after how many tries the target was there, one on each step in turn."""
    begun, tries, left = slots.sum, 0, list(found.steps)
    while left and tries < MAX_CLIMB_TRIES:
        still: list[ClimbStep] = []
        for step in left:
            tries += 1
            score = climber.arcade.try_once(climber.player, step.key)
            play = slots.play_on(step.entry.song, step.entry.chart, score, JP2)
            slots = slots if play is None else count_play(slots, play)[0]
            if slots.sum - begun >= found.missing:
                return tries
            if score < step.score:
                still.append(step)
        left = still
    return MAX_CLIMB_TRIES + 1


def gained(
    climber: Climber, features: ChartFeatureSet, population: PopulationModel | None, luck: int
) -> list[int]:
    """Return what the sum of the slots gains by following; without a crowd, an all-knowing coach's plan."""
    climber.arcade.chance = Random(luck)
    climber.scores = dict(climber.career.scores)
    begun, gains = climber.slots().sum, list[int]()
    choice = StepChoice(fewest=EVENING_TRIES, most=EVENING_TRIES)
    for _ in range(max(GAINS_AFTER) // EVENING_TRIES):
        predictions = climber.known() if population is None else climber.predictions(features, population)
        steps = climb_steps(climber.slots(), climber.entries(), predictions, choice, lambda _: True)
        for step in steps:
            score = climber.arcade.try_once(climber.player, step.key)
            climber.scores[step.key] = max(score, climber.scores.get(step.key, 0))
        gains.append(climber.slots().sum - begun)
    return [gains[after // EVENING_TRIES - 1] for after in GAINS_AFTER]


def judge(ways: Ways) -> int:
    """Print what one world shows; return how many goals were missed."""
    arcade = Arcade(21, SONGS, ways)
    features = ChartFeatureSet.of(arcade.catalogue)
    statistics = statistics_of([arcade.career() for _ in range(CROWD)])
    population = learn(features.charts, gists_of(statistics))[0]
    climbers: list[Climber] = []
    while len(climbers) < PLAYERS:
        player, career = arcade.meet()
        if len(career.scores) >= FEWEST_RECORDS:
            climbers.append(Climber(arcade, player, career))
    missed = 0
    for more in MORE:
        missed += _judge_tries(climbers, features, population, more)
    gains = [
        (gained(each, features, population, luck), gained(each, features, None, luck))
        for luck, each in enumerate(climbers)
    ]
    for at, after in enumerate(GAINS_AFTER):
        part = fmean(ours[at] for ours, _ in gains) / fmean(best[at] for _, best in gains)
        missed += _told(f"  gain after {after} tries, of the oracle's", part, LEAST_OF_ORACLE, at_least=True)
    return missed


def _judge_tries(
    climbers: list[Climber], features: ChartFeatureSet, population: PopulationModel, more: int
) -> int:
    halves: list[float] = []
    nines: list[float] = []
    within_half: list[float] = []
    within_nine: list[float] = []
    seconds: list[float] = []
    said: list[int] = []
    for climber in climbers:
        climber.arcade.chance, climber.scores = Random(more), dict(climber.career.scores)
        slots, predictions = climber.slots(), climber.predictions(features, population)
        begun = process_time()
        rating = slots.rating or Hundredths(0)
        target = ClimbTarget(Hundredths(rating + more))
        found = climb_to(slots, rating, climber.entries(), predictions, target)
        seconds.append(process_time() - begun)
        half, nine = found.tries
        if half is None or nine is None:
            continue
        taken = sorted(tries_taken(climber, slots, found) for _ in range(RUNS))
        halves.append(median(taken) / half)
        nines.append(taken[RUNS * 9 // 10] / nine)
        within_half.append(fmean(each <= half for each in taken))
        within_nine.append(fmean(each <= nine for each in taken))
        said.append(half)
    print(
        f"  +0.{more:02}: {len(said)} of {len(climbers)} said, the half in {median(said):.0f} tries; within them were"
        f" {fmean(within_half):.2f}, and {fmean(within_nine):.2f} within those of nine in ten; {max(seconds):.2f} s"
    )
    missed = _told("    half: tries taken beside those said, off by", abs(median(halves) - 1), MOST_OFF)
    off = abs(fmean(within_nine) / 0.9 - 1)
    missed += _told("    nine in ten: came true, off by", off, MOST_OFF)
    print(f"    nine in ten: tries taken beside those said {median(nines):.2f}")
    return missed + _told("    seconds", max(seconds), MOST_SECONDS)


def _told(what: str, figure: float, goal: float, *, at_least: bool = False) -> bool:
    missed = figure < goal if at_least else figure > goal
    print(
        f"{what}: {figure:.3f} (goal at {'least' if at_least else 'most'} {goal:.3f}): {'MISSED' if missed else 'met'}"
    )
    return missed


def main() -> int:
    """Print everything; return how many goals were missed."""
    missed = 0
    for name, ways in WORLDS.items():
        print(name)
        missed += judge(ways)
    return missed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
