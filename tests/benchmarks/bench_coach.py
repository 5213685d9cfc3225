"""How near the coach comes to what players score, on records that it has not seen.

A fifth of each player's records is held out; of newcomers, all but a few. Beside the coach stand a member's own average at the constant, the chart's
average at the rating, and an oracle that knows what the generator draws from. Players are those of the service's own
generator, and of a second one that knows three skills (`tests/players.py`). Exits 1 where a goal is missed.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from players import Arcade, Career, Player, gists_of, statistics_of

from bot.domain.charts import Catalogue, Chart, Song
from bot.domain.coach import ChartFeatureSet, Coach, PopulationModel, coach
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import song_rating
from bot.domain.statistics import ChartStatistics
from service import careers
from service.invented_people import any_talent
from service.schema import opened
from service.seed import seed
from service.store import load_catalogue

CROWD: Final = 600
MEMBERS: Final = 150
HELD_OUT: Final = 0.2
DRAWS: Final = 31
LEASTS: Final = (975_000, 1_000_000, 1_005_000, 1_007_500, 1_009_000)
FEWEST_RECORDS: Final = 30
SLOTS: Final = 40
"""Places that a rating is the average of: thirty best ones and ten recent ones."""

A_FEW: Final = 5
"""Records of a newcomer: their rating is that of forty places, of which most are empty."""

LEAST_WAY: Final = 2 / 3
MOST_BESIDE_KNOWN: Final = 1.3
MOST_OFF: Final = 0.05
FEWEST_IN_TENTH: Final = 300
"""Fewer say nothing: chance alone moves them."""
MOST_SECONDS: Final = 0.15
LARGE_SONGS: Final = 1_500
LARGE_RECORDS: Final = 1_500


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One whose records are held out in part."""

    rating: float
    scores: Mapping[ChartKey, int] = field(repr=False)
    typical: Callable[[ChartKey], int] = field(repr=False)
    """What the generator draws as often above as below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Everything that one generator has made."""

    catalogue: Catalogue = field(repr=False)
    statistics: Mapping[ChartKey, ChartStatistics] = field(repr=False)
    members: Sequence[Member] = field(repr=False)


def three_skills() -> World:
    """Return players of the second generator."""
    arcade = Arcade(7, songs=600)
    crowd = [arcade.career() for _ in range(CROWD)]
    return World(
        catalogue=arcade.catalogue,
        statistics=statistics_of(crowd),
        members=[_member_of(arcade, *arcade.meet()) for _ in range(MEMBERS)],
    )


def _member_of(arcade: Arcade, player: Player, career: Career) -> Member:
    return Member(
        rating=career.rating,
        scores=career.scores,
        typical=lambda key: int(median(arcade.best_of_some(player, key) for _ in range(DRAWS))),
    )


def invented() -> World:
    """Return players of the service's own generator."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "service.db"
        seed(file, players=1)
        with opened(file) as connection:
            songs = load_catalogue(connection, JP2)
    charts = {
        (SongId(song.song_id), chart.difficulty): (song, chart)
        for song in songs.songs
        for chart in song.charts
    }
    chance = Random(7)
    crowd: list[Career] = []
    members: list[Member] = []
    names = {chart.chart_id: key for key, (_, chart) in charts.items()}
    while len(members) < MEMBERS:
        leanings = careers.Leanings.of(f"player {len(crowd) + len(members)}")
        talent = replace(any_talent(chance), leanings=leanings)
        done = careers.career(chance, songs, talent, careers.TWO_YEARS)
        scores = {names[play.chart.chart_id]: play.score for play in done.records}
        if len(scores) < FEWEST_RECORDS:
            continue
        if len(crowd) < CROWD:
            crowd.append(Career(rating=done.rating / 100, scores=scores))
            continue
        members.append(
            Member(
                rating=done.rating / 100,
                scores=scores,
                typical=lambda key, talent=talent: MAX_SCORE - int(careers.usual_loss(talent, *charts[key])),
            )
        )
    catalogue = Catalogue.of(
        JP2,
        (
            Song(
                id=SongId(song.song_id),
                title=song.title,
                genre=song.genre,
                artist=None,
                released_on=None,
                bpm=song.bpm // 100 or None,
                charts=tuple(
                    Chart(
                        difficulty=chart.difficulty,
                        level=chart.level,
                        constant=chart.constant or None,
                        is_estimated=False,
                        max_combo=chart.max_combo or None,
                    )
                    for chart in song.charts
                ),
            )
            for song in songs.songs
        ),
    )
    return World(catalogue=catalogue, statistics=statistics_of(crowd), members=members)


@dataclass(slots=True)
class Errors:
    """Points between what was said and what was scored."""

    by: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    tenths: list[list[tuple[float, bool]]] = field(default_factory=lambda: [[] for _ in range(10)])
    """Of each tenth of chances: what was said, and whether it came true."""

    def of(self, who: str) -> float:
        """Return the mean."""
        return fmean(self.by[who])


def judge(world: World) -> Errors:
    """Hold records out, and ask everyone for them."""
    chance = Random(11)
    errors = Errors()
    syllabus = ChartFeatureSet.of(world.catalogue)
    crowd = PopulationModel.of(syllabus.exercises, gists_of(world.statistics))
    constants = {exercise.key: exercise.constant for exercise in syllabus.exercises}
    for member in world.members:
        scores = {key: score for key, score in member.scores.items() if key in constants}
        held = [key for key in scores if chance.random() < HELD_OUT]
        known = {key: score for key, score in scores.items() if key not in set(held)}
        found = coach(syllabus, crowd, member.rating, known)
        own: dict[float, list[int]] = defaultdict(list)
        for key, score in known.items():
            own[constants[key]].append(score)
        for key in held:
            nearest = min(own, key=lambda constant: abs(constant - constants[key]))
            errors.by["own"].append(abs(scores[key] - round(fmean(own[nearest]))))
            if key in world.statistics:
                errors.by["chart"].append(abs(scores[key] - _average(world.statistics[key], member.rating)))
            errors.by["oracle"].append(abs(scores[key] - member.typical(key)))
            errors.by["coach"].append(abs(scores[key] - found.outlooks[key].in_the_end.score))
            _note(errors, found, key, scores[key])
    return errors


def newcomers(world: World) -> tuple[float, float]:
    """Return how far off the coach is with few records, and what it would be off if it were told how good they are."""
    chance = Random(12)
    syllabus = ChartFeatureSet.of(world.catalogue)
    crowd = PopulationModel.of(syllabus.exercises, gists_of(world.statistics))
    constants = {exercise.key: round(exercise.constant * 100) for exercise in syllabus.exercises}
    errors = Errors()
    for member in world.members:
        scores = {key: score for key, score in member.scores.items() if key in constants}
        known = {key: scores[key] for key in chance.sample(sorted(scores), A_FEW)}
        worth = sum(song_rating(Hundredths(constants[key]), score, JP2) for key, score in known.items())
        earned = 2 * worth / (100 * SLOTS)
        for who, rating in (("newcomer", earned), ("known", member.rating)):
            found = coach(syllabus, crowd, rating, known)
            errors.by[who] += [
                abs(score - found.outlooks[key].in_the_end.score)
                for key, score in scores.items()
                if key not in known
            ]
    return errors.of("newcomer"), errors.of("known")


def _average(statistics: ChartStatistics, rating: float) -> int:
    averages = {
        step / 100 + 0.05: average for step, average in statistics.averages.items() if average is not None
    }
    return round(averages[min(averages, key=lambda step: abs(step - rating))])


def _note(errors: Errors, found: Coach, key: ChartKey, score: int) -> None:
    for least in LEASTS:
        said = found.outlooks[key].in_the_end.chance(least)
        errors.tenths[min(9, int(said * 10))].append((said, score >= least))


def seconds() -> float:
    """Return the CPU seconds of one member with many records, on many charts."""
    arcade = Arcade(8, songs=LARGE_SONGS)
    syllabus = ChartFeatureSet.of(arcade.catalogue)
    crowd = PopulationModel.of(syllabus.exercises, {})
    chance = Random(9)
    player = arcade.player()
    keys = chance.sample([exercise.key for exercise in syllabus.exercises], LARGE_RECORDS)
    scores = {key: arcade.best_of_some(player, key) for key in keys}
    taken: list[float] = []
    for _ in range(7):
        begun = process_time()
        coach(syllabus, crowd, 15.0, scores)
        taken.append(process_time() - begun)
    return median(taken)


def main() -> int:
    """Print everything; return how many goals were missed."""
    missed = 0
    for name, world in (("the service's players", invented()), ("players of three skills", three_skills())):
        errors = judge(world)
        better = min(errors.of("own"), errors.of("chart"))
        way = (better - errors.of("coach")) / (better - errors.of("oracle"))
        print(f"{name}: mean absolute error in points")
        for who in ("own", "chart", "coach", "oracle"):
            print(f"  {who:<8}{errors.of(who):>8.0f}")
        missed += _told("  of the way from the better average to the oracle", way, LEAST_WAY, at_least=True)
        off = 0.0
        for at, tenth in enumerate(errors.tenths):
            said, came = fmean(said for said, _ in tenth), fmean(came for _, came in tenth)
            print(
                f"  {at * 10:>3} to {at * 10 + 10:>3} %: said {said:.3f}, came true {came:.3f}, of {len(tenth)}"
            )
            if len(tenth) >= FEWEST_IN_TENTH:
                off = max(off, abs(said - came))
        missed += _told("  a tenth is off by", off, MOST_OFF)
        few, known = newcomers(world)
        print(f"  of {A_FEW} records and the rating that they earn: off by {few:.0f}")
        missed += _told(
            "  times what it would be off with the rating of a full slot", few / known, MOST_BESIDE_KNOWN
        )
    missed += _told(f"seconds for {LARGE_SONGS * 4} charts, {LARGE_RECORDS} records", seconds(), MOST_SECONDS)
    return missed


def _told(what: str, figure: float, goal: float, *, at_least: bool = False) -> bool:
    missed = figure < goal if at_least else figure > goal
    print(
        f"{what}: {figure:.3f} (goal {'at least' if at_least else 'at most'} {goal:.3f}): {'MISSED' if missed else 'met'}"
    )
    return missed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
