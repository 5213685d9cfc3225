"""How near difficulty as felt comes to how hard charts are in worlds where that is hidden.

The crowd's statistics alone are known, and some members whose records say how far to trust them. What is judged is what
players are told: whether "sure" has the right sign, whether four of five intervals hold the truth, and whether two halves
of the crowd say the same. `bench_felt.py a f` judges these worlds alone. Exits 1 where a goal is missed.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import NormalDist, correlation, fmean
from typing import Final

from bench_coach import SONGS, WORLDS, Statistics, World
from players import Arcade, Career, Player, Ways, gists_of, statistics_of

from bot.domain.coach import (
    Certainty,
    ChartFeatureSet,
    Felt,
    FeltByMember,
    FeltDifficulty,
    KnownPlays,
    PopulationModel,
    coach,
)

DRAWS: Final = 1
CROWDS: Final = (250, 1_000)
HALVES_OF: Final = 4_000
MEMBERS: Final = 10
LEAST_SURE: Final = 0.90
LEAST_HELD: Final = 0.75
MOST_HELD: Final = 0.85
LEAST_HELD_OF_ONE: Final = 0.65
MOST_HELD_OF_ONE: Final = 0.90
"""In a single world, which may be as no game is."""
LEAST_HALVES: Final = 0.90
FEWEST_SURE: Final = 50
MOST_UNKNOWN: Final = 0.95
"""Where more than that is not known, no interval is told."""
_FOUR_IN_FIVE: Final = NormalDist().inv_cdf(0.9)
_NEAR: Final = 0.5

FELT_WORLDS: Final[Mapping[str, World]] = {
    **{name: world for name, world in WORLDS.items() if name[0] in "abcdf" or name.startswith("e")},
    "t harder for some": World(ways=Ways(tilt=0.12)),
    "t and wrong constants": World(ways=Ways(tilt=0.12, wrong=0.3)),
}


@dataclass(slots=True)
class Tally:
    """What was said of charts, beside what is true."""

    held: list[bool] = field(default_factory=list)
    signs: dict[Certainty, list[bool]] = field(default_factory=lambda: {each: [] for each in Certainty})
    misses: list[float] = field(default_factory=list)
    truths: list[float] = field(default_factory=list)

    def note(self, felt: Felt, truth: float) -> None:
        """Note one chart."""
        self.signs[felt.certainty].append((felt.harder > 0) == (truth > 0))
        self.truths.append(abs(truth))
        self.misses.append(abs(felt.harder - truth))
        self.held.append(abs(felt.harder - truth) <= _FOUR_IN_FIVE * felt.doubt)


def judge(world: World, seed: int, size: int) -> Tally:
    """Make a world, learn from its crowd, and note what some members are told of every chart."""
    arcade = Arcade(seed, SONGS, world.ways)
    arcade.ways = world.crowd or world.ways
    crowd = [arcade.meet() for _ in range(size)]
    arcade.ways = world.ways
    statistics: Statistics = statistics_of([career for _, career in crowd])
    if world.changed is not None:
        statistics = world.changed(statistics, Random(seed + 1000))
    syllabus = ChartFeatureSet.of(arcade.catalogue)
    gists = gists_of(statistics)
    model = PopulationModel.of(syllabus.exercises, gists)
    felt = FeltDifficulty.of(syllabus.exercises, gists, model)
    tally = Tally()
    for _ in range(MEMBERS):
        _, career = arcade.meet()
        trust = coach(syllabus, model, career.rating, KnownPlays(scores=career.scores)).trust
        skill = _skill_at(career.rating, crowd)
        told = FeltByMember(difficulty=felt, rating=career.rating, trust=trust)
        for exercise in syllabus.exercises:
            tally.note(told.of(exercise.key, exercise.constant), arcade.harder_for(exercise.key, skill))
    return tally


def _skill_at(rating: float, crowd: Sequence[tuple[Player, Career]]) -> float:
    """Return the usual skill behind a rating."""
    near = [player.skill - career.rating for player, career in crowd if abs(career.rating - rating) < _NEAR]
    return rating + fmean(near or [player.skill - career.rating for player, career in crowd])


def halves() -> float:
    """Return how much alike two halves of a large crowd judge charts, beside their constants."""
    arcade = Arcade(3, SONGS)
    careers = [arcade.career() for _ in range(HALVES_OF)]
    syllabus = ChartFeatureSet.of(arcade.catalogue)
    said: list[list[Felt]] = []
    for half in (careers[::2], careers[1::2]):
        gists = gists_of(statistics_of(half))
        model = PopulationModel.of(syllabus.exercises, gists)
        learnt = FeltDifficulty.of(syllabus.exercises, gists, model)
        said.append([learnt.at(exercise.key, exercise.constant, 14.0) for exercise in syllabus.exercises])
    both = [
        (one.harder, other.harder)
        for one, other in zip(*said, strict=True)
        if one.is_known and other.is_known
    ]
    return correlation([one for one, _ in both], [other for _, other in both])


def _told(what: str, figure: float, least: float, most: float = 1.0) -> bool:
    missed = not least <= figure <= most
    print(f"  {what}: {figure:.3f} (goal {least:.2f} to {most:.2f}): {'MISSED' if missed else 'met'}")
    return missed


def told_of(name: str, world: World, all_held: list[bool]) -> int:
    """Judge a world; print what was found, and return how many goals were missed."""
    missed = 0
    for size in CROWDS:
        tally = Tally()
        for draw in range(DRAWS):
            one = judge(world, 7 + draw, size)
            tally.held += one.held
            tally.misses += one.misses
            tally.truths += one.truths
            for certainty, signs in one.signs.items():
                tally.signs[certainty] += signs
        total = len(tally.held)
        shares = {
            each: f"{len(signs) / total:.2f} right {fmean(signs) if signs else 0:.2f}"
            for each, signs in tally.signs.items()
        }
        print(
            f"{name}, {size} players: off by {fmean(tally.misses):.3f} of {fmean(tally.truths):.3f}; "
            + "; ".join(f"{each} {share}" for each, share in shares.items())
        )
        sure = tally.signs[Certainty.SURE]
        if len(sure) >= FEWEST_SURE:
            missed += _told("sure has the right sign", fmean(sure), LEAST_SURE)
        if len(tally.signs[Certainty.UNKNOWN]) < MOST_UNKNOWN * total:
            all_held += tally.held
            missed += _told("intervals at 80 % hold", fmean(tally.held), LEAST_HELD_OF_ONE, MOST_HELD_OF_ONE)
    return missed


def main() -> int:
    """Print everything; return how many goals were missed."""
    wanted = sys.argv[1:] or [name[0] for name in FELT_WORLDS]
    held: list[bool] = []
    missed = sum(told_of(name, world, held) for name, world in FELT_WORLDS.items() if name[0] in wanted)
    print("all worlds")
    missed += _told("intervals at 80 % hold", fmean(held), LEAST_HELD, MOST_HELD)
    if not sys.argv[1:]:
        missed += _told("two halves of the crowd alike", halves(), LEAST_HALVES)
    return missed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
