"""How near difficulty as felt comes to how hard charts are in worlds where that is hidden.

The crowd's statistics alone are known, and some members whose records say how far to trust them. What is judged is what
players are told: whether "sure" has the right sign, whether four of five intervals hold the truth, and whether two halves
of the crowd say the same. Beside these worlds stand the real game's catalogues of two days, where they are at hand: the
charts whose constants changed between them are played by an invented crowd as hard as the later one says, and it is
judged whether the earlier one's constants are told to be too low or too high. `bench_felt.py a f` judges these worlds
alone, `bench_felt.py changed` the catalogues. Exits 1 where a goal is missed.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist, correlation, fmean, quantiles
from typing import Final

from bench_coach import SONGS, WORLDS, Statistics, World
from players import Arcade, Career, Player, Ways, gists_of, statistics_of

from bot.domain.charts import WORLDS_END, Catalogue, Chart
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.feeling import FeltByMember
from bot.domain.coach.felt import Certainty, Felt, learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import fit_player
from bot.domain.history import ChartKey
from bot.domain.ids import JP2
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply

DRAWS: Final = 1
CROWDS: Final = (250, 1_000)
HALVES_OF: Final = 4_000
MEMBERS: Final = 10
LEAST_SURE: Final = 0.90
LEAST_HELD: Final = 0.75
MOST_HELD: Final = 0.85
"""In each world, over both crowds, and over all."""
LEAST_HELD_OF_ONE: Final = 0.70
MOST_HELD_OF_ONE: Final = 0.88
"""Of a single crowd."""
LEAST_HALVES: Final = 0.90
FEWEST_SURE: Final = 50
MOST_UNKNOWN: Final = 0.95
"""Where more than that is not known, no interval is told."""
LEAST_FORESEEN: Final = 0.70
FEW: Final = (20, 40, 80, 160)
"""Players of small crowds, in which it becomes known how hard charts are."""
MOST_OF_USUAL: Final = 0.80
"""What is told of charts misses by so much of what is usual at most: a root of a mean of squares."""
FOLDER: Final = Path(__file__).parents[3] / "shared" / "data" / "real"
EARLIER, LATER = "music_showall_2025-04.json", "music_showall_2025-12.json"
EASIEST: Final = 1100
"""Charts below are left out, as those who play what changed hardly play them."""
CHANGED_FROM: Final = 1300
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
    arcade.ways = world.population or world.ways
    population = [arcade.meet() for _ in range(size)]
    arcade.ways = world.ways
    statistics: Statistics = statistics_of([career for _, career in population])
    if world.changed is not None:
        statistics = world.changed(statistics, Random(seed + 1000))
    features = ChartFeatureSet.of(arcade.catalogue)
    summaries = gists_of(statistics)
    model, felt = learn(features.charts, summaries)
    tally = Tally()
    for _ in range(MEMBERS):
        _, career = arcade.meet()
        trust = fit_player(features, model, career.rating, KnownPlays(scores=career.scores)).borne_out
        skill = _skill_at(career.rating, population)
        told = FeltByMember(difficulty=felt, rating=career.rating, trust=trust)
        for chart in features.charts:
            tally.note(told.of(chart.key, chart.constant), arcade.harder_for(chart.key, skill))
    return tally


def _skill_at(rating: float, population: Sequence[tuple[Player, Career]]) -> float:
    """Return the usual skill behind a rating."""
    near = [
        player.skill - career.rating for player, career in population if abs(career.rating - rating) < _NEAR
    ]
    return rating + fmean(near or [player.skill - career.rating for player, career in population])


def halves() -> float:
    """Return how much alike two halves of a large crowd judge charts, beside their constants."""
    arcade = Arcade(3, SONGS)
    careers = [arcade.career() for _ in range(HALVES_OF)]
    features = ChartFeatureSet.of(arcade.catalogue)
    said: list[list[Felt]] = []
    for half in (careers[::2], careers[1::2]):
        summaries = gists_of(statistics_of(half))
        _, learnt = learn(features.charts, summaries)
        said.append([learnt.at(chart.key, chart.constant, 14.0) for chart in features.charts])
    both = [
        (one.harder, other.harder)
        for one, other in zip(*said, strict=True)
        if one.is_known and other.is_known
    ]
    return correlation([one for one, _ in both], [other for _, other in both])


def known_from() -> tuple[float, float]:
    """Return by how much of what is usual that misses which is told for the first time, and of how many players it is."""
    misses: list[float] = []
    usual: list[float] = []
    counts: list[int] = []
    for size in FEW:
        arcade = Arcade(3, SONGS)
        statistics = statistics_of([arcade.career() for _ in range(size)])
        charts, summaries = ChartFeatureSet.of(arcade.catalogue).charts, gists_of(statistics)
        _, learnt = learn(charts, summaries)
        for each in charts:
            felt, truth = learnt.at(each.key, each.constant, 13.5), arcade.harder_for(each.key, 13.0)
            if felt.is_known:
                misses.append((felt.harder - truth) ** 2)
                usual.append(learnt.usual**2)
                counts.append(statistics[each.key].players)
    return sqrt(fmean(misses) / fmean(usual)), quantiles(counts, n=20)[0]


def foreseen() -> tuple[float, int]:
    """Return of what share of the changed constants the direction is told, and how many changed."""
    earlier, later = (_hard_charts(FOLDER / name) for name in (EARLIER, LATER))
    after = {key: constant for key, constant in _constants(later) if constant}
    changed = {
        key: (constant, after[key] - constant)
        for key, constant in _constants(earlier)
        if constant > CHANGED_FROM and after.get(key, constant) != constant
    }
    right: list[bool] = []
    for seed in range(DRAWS + 1):
        arcade = Arcade(seed, ways=Ways(skills=(11.5, 16.5, 14.5)), catalogue=later)
        arcade.correct(changed)
        summaries = gists_of(statistics_of([arcade.career() for _ in range(CROWDS[0])]))
        charts = ChartFeatureSet.of(earlier).charts
        _, learnt = learn(charts, summaries)
        for key, (constant, change) in changed.items():
            told = learnt.at(key, constant / 100, max(14.0, min(16.0, constant / 100 + 1)))
            right.append((told.harder > 0) == (change > 0))
    return fmean(right), len(changed)


def _hard_charts(file: Path) -> Catalogue:
    catalogue = read_reply(SongsReply, file.read_bytes()).reply.to_domain(JP2)
    songs = (
        replace(song, charts=tuple(each for each in song.charts if _is_hard(each)))
        for song in catalogue.songs
    )
    return Catalogue.of(JP2, tuple(song for song in songs if song.charts))


def _is_hard(chart: Chart) -> bool:
    return chart.difficulty != WORLDS_END and not chart.is_estimated and (chart.constant or 0) >= EASIEST


def _constants(catalogue: Catalogue) -> Iterator[tuple[ChartKey, int]]:
    for song in catalogue.songs:
        for chart in song.charts:
            yield (song.id, chart.difficulty), chart.constant or 0


def _told(what: str, figure: float, least: float, most: float = 1.0) -> bool:
    missed = not least <= figure <= most
    print(f"  {what}: {figure:.3f} (goal {least:.2f} to {most:.2f}): {'MISSED' if missed else 'met'}")
    return missed


def told_of(name: str, world: World, all_held: list[bool]) -> int:
    """Judge a world; print what was found, and return how many goals were missed."""
    missed = 0
    here: list[bool] = []
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
            here += tally.held
            missed += _told("intervals at 80 % hold", fmean(tally.held), LEAST_HELD_OF_ONE, MOST_HELD_OF_ONE)
    if here:
        missed += _told("of both crowds", fmean(here), LEAST_HELD, MOST_HELD)
    all_held += here
    return missed


def main() -> int:
    """Print everything; return how many goals were missed."""
    wanted = sys.argv[1:] or [name[0] for name in FELT_WORLDS]
    held: list[bool] = []
    missed = sum(told_of(name, world, held) for name, world in FELT_WORLDS.items() if name[0] in wanted)
    if held:
        print("all worlds")
        missed += _told("intervals at 80 % hold", fmean(held), LEAST_HELD, MOST_HELD)
    if not sys.argv[1:]:
        missed += _told("two halves of the crowd alike", halves(), LEAST_HALVES)
        miss, players = known_from()
        missed += _told("what is known misses, of the usual", miss, 0.0, MOST_OF_USUAL)
        print(f"  it is known from {players:.0f} players of a chart on, but for one chart in twenty")
    if sys.argv[1:] in ([], ["changed"]) and (FOLDER / LATER).exists():
        share, count = foreseen()
        missed += _told(f"directions foreseen of {count} changed constants", share, LEAST_FORESEEN)
    return missed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
