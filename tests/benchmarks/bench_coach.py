"""How near the coach comes to what invented players score who are unlike each other, on records that it has not seen.

Each world has a crowd of its own and players who are not in it. A fifth of a player's records is held out; of those of
whom little is known, all but some. Beside the coach stand a player's own average at the constant, the chart's average at
the rating, an oracle that knows what the generator draws from, and a limit that knows all of that but what is private to
each chart and player, which nobody can learn. Every figure is the mean of some draws: one draw swings by a sixth.
`bench_coach.py a c` judges these worlds alone. Exits 1 where a goal is missed.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from statistics import fmean, median
from time import process_time
from typing import Final

from players import Arcade, Career, Player, Ways, gists_of, statistics_of

from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.felt import learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import FirstTries, PlayerModel, fit_player, learn_first_try
from bot.domain.coach.population import PopulationModel
from bot.domain.history import ChartKey
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.rating import song_rating
from bot.domain.statistics import ChartStatistics

DRAWS: Final = 6
SONGS: Final = 300
CROWD: Final = 250
MEMBERS: Final = 60
HELD_OUT: Final = 0.2
MOST_HELD: Final = 60
GUESSES: Final = 21
LEASTS: Final = (975_000, 1_000_000, 1_005_000, 1_007_500, 1_009_000)
FEW: Final = (1, 3, 5, 10, 20, 30, 100)
TURN: Final = 0.6
"""What is left of a rating overnight when a version turns."""

LEAST_OF_LIMIT: Final = 0.85
LEAST_TRY_WAY: Final = 0.30
MOST_BESIDE_BETTER: Final = 1.0
MOST_OFF: Final = 0.06
MOST_OFF_WHERE_TIMES_CHANGE: Final = 0.12
MOST_AFTER_TURN: Final = 1.05
FEWEST_IN_TENTH: Final = 150
MOST_SECONDS: Final = 0.15
LARGE_SONGS: Final = 1_500
LARGE_RECORDS: Final = 1_500

Statistics = Mapping[ChartKey, ChartStatistics]
Changed = Callable[[Statistics, Random], Statistics]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What one generator makes."""

    ways: Ways = field(default_factory=Ways)
    population: Ways | None = None
    """Where the crowd is another: of whom there are statistics."""
    changed: Changed | None = None
    """What becomes of the statistics."""
    known: int | None = None
    """How many records the coach is told; most, where nobody says."""
    most_off: float = MOST_OFF
    seen: int = 0
    """One chart in so many was not played yet when somebody first looked; 0 where nobody did."""
    turned: tuple[bool, bool] = False, False
    """Whether a version has just turned: for the player, and on the axis of the statistics."""


def _none(_statistics: Statistics, _chance: Random) -> Statistics:
    return {}


def _sparse(statistics: Statistics, chance: Random) -> Statistics:
    return {key: each for key, each in statistics.items() if chance.random() < 0.15}


def _of_others(statistics: Statistics, chance: Random) -> Statistics:
    keys = [*statistics]
    return {
        key: statistics[chance.choice(keys)] if chance.random() < 0.15 else each
        for key, each in statistics.items()
    }


def _shuffled(statistics: Statistics, chance: Random) -> Statistics:
    keys = [*statistics]
    chance.shuffle(keys)
    return dict(zip(keys, statistics.values(), strict=True))


WORLDS: Final[Mapping[str, World]] = {
    "a several skills": World(),
    "b heavy tails, improving": World(
        ways=Ways(slips=0.12, rise=0.6, years=3), most_off=MOST_OFF_WHERE_TIMES_CHANGE
    ),
    "c liked charts up to 50 times": World(ways=Ways(liked=0.15)),
    "c the same, looked at for a while": World(ways=Ways(liked=0.15), seen=10),
    "d beginners": World(ways=Ways(skills=(4, 9, 6)), population=Ways(skills=(11, 15.5, 13))),
    "d experts": World(ways=Ways(skills=(15.5, 16.5, 16)), population=Ways(skills=(8.5, 15.5, 13))),
    "e no statistics": World(changed=_none),
    "e sparse statistics": World(changed=_sparse),
    "e 15 % of another chart": World(changed=_of_others),
    "e shuffled statistics": World(changed=_shuffled),
    "f wrong constants": World(ways=Ways(wrong=0.3)),
    **{f"g {few} records": World(known=few) for few in FEW},
    "h stopped years ago": World(
        ways=Ways(rise=0.4, years=2, stopped=3), most_off=MOST_OFF_WHERE_TIMES_CHANGE
    ),
    "i a version's turn": World(turned=(True, False)),
    "i turn, statistics too": World(turned=(True, True)),
}


@dataclass(slots=True)
class Errors:
    """Points between what was said and what was scored."""

    by: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    tenths: dict[str, list[list[tuple[float, bool]]]] = field(
        default_factory=lambda: defaultdict(lambda: [[] for _ in range(10)])
    )
    """Of each tenth of chances: what was said, and whether it came true."""

    def of(self, who: str) -> float:
        """Return the mean."""
        return fmean(self.by[who]) if self.by[who] else 0.0

    def note(self, kind: str, said: Callable[[int], float], score: int) -> None:
        """Note chances beside what came."""
        for least in LEASTS:
            chance = said(least)
            self.tenths[kind][min(9, int(chance * 10))].append((chance, score >= least))

    def worst_tenth(self, kind: str) -> float:
        """Return by how much a tenth of chances is off at most."""
        return max(
            (
                abs(fmean(said for said, _ in tenth) - fmean(came for _, came in tenth))
                for tenth in self.tenths[kind]
                if len(tenth) >= FEWEST_IN_TENTH
            ),
            default=0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What one draw of a world shows."""

    errors: Errors
    before_turn: float
    """The coach's mean error had no version turned."""

    def way(self, who: str, kind: str = "") -> float:
        """Return how much of the way from the better average to the oracle somebody comes."""
        better = self.better(kind)
        return (better - self.errors.of(kind + who)) / (better - self.errors.of(f"{kind}oracle"))

    def better(self, kind: str = "") -> float:
        """Return the mean error of the better average."""
        found = [self.errors.of(f"{kind}own")]
        if self.errors.by[f"{kind}chart"]:
            found.append(self.errors.of(f"{kind}chart"))
        return min(found)


def judge(world: World, seed: int) -> Figures:
    """Make a world, hold records out, and ask everyone for them."""
    arcade = Arcade(seed, SONGS, world.ways)
    chance = Random(seed + 1000)
    arcade.ways = world.population or world.ways
    statistics: Statistics = statistics_of([arcade.career() for _ in range(CROWD)])
    arcade.ways = world.ways
    if world.changed is not None:
        statistics = world.changed(statistics, chance)
    features = ChartFeatureSet.of(arcade.catalogue)
    population = _learn(features, statistics)
    turned = _learn(features, _after_turn(statistics)) if world.turned[1] else population
    errors, before = Errors(), list[float]()
    constants = {chart.key: chart.constant for chart in features.charts}
    first_tries: list[FirstTries] = []
    for _ in range(MEMBERS):
        player, career = arcade.meet()
        known, held = _split(world, career, chance)
        rating = career.rating if world.known is None else _earned(known, constants)
        plays = _plays(career, known, world.seen)
        found = fit_player(features, population, rating, plays, learn_first_try(first_tries))
        if world.seen:
            first_tries.append(found.first_tries)
        if found.is_all_maximum:
            continue  # the coach says nothing of whoever never lost a point
        if world.turned[0]:
            before += [abs(career.scores[key] - found.predictions[key].in_the_end.score) for key in held]
            found = fit_player(features, turned, rating * TURN, plays)
        averages = _Averages(known, constants, statistics, career.rating)
        _ask(errors, arcade, (player, career), held, found, averages)
    return Figures(errors=errors, before_turn=fmean(before) if before else 0.0)


def _learn(features: ChartFeatureSet, statistics: Statistics) -> PopulationModel:
    return learn(features.charts, gists_of(statistics))[0]


def _after_turn(statistics: Statistics) -> Statistics:
    return {
        key: replace(
            each,
            averages={
                Hundredths(int(step * TURN) // 10 * 10): average for step, average in each.averages.items()
            },
        )
        for key, each in statistics.items()
    }


def _split(world: World, career: Career, chance: Random) -> tuple[dict[ChartKey, int], list[ChartKey]]:
    keys = sorted(career.scores)
    if world.known is None:
        held = [key for key in keys if chance.random() < HELD_OUT]
    else:
        told = {*chance.sample(keys, min(world.known, len(keys) - 1))}
        held = [key for key in keys if key not in told]
    hidden = {*held}
    known = {key: score for key, score in career.scores.items() if key not in hidden}
    return known, chance.sample(held, min(MOST_HELD, len(held)))


def _plays(career: Career, known: Mapping[ChartKey, int], seen: int) -> KnownPlays:
    return KnownPlays(
        scores=known,
        first_scores={key: career.first_scores[key] for key in [*known][:: seen or len(known) + 1] if seen},
        ages={key: age for key, age in career.ages.items() if key in known},
    )


def _earned(known: Mapping[ChartKey, int], constants: Mapping[ChartKey, float]) -> float:
    """Return the rating of few records: a mean over thirty places, however many are empty."""
    worths = sorted(
        (song_rating(Hundredths(round(constants[key] * 100)), score, JP2) for key, score in known.items()),
        reverse=True,
    )
    return sum(worths[:30]) / 3000


class _Averages:
    """What a player's own average says, and the chart's."""

    def __init__(
        self,
        known: Mapping[ChartKey, int],
        constants: Mapping[ChartKey, float],
        statistics: Statistics,
        rating: float,
    ) -> None:
        self._constants = constants
        self._statistics = statistics
        self._rating = rating
        self._own: dict[float, list[int]] = defaultdict(list)
        for key, score in known.items():
            self._own[constants[key]].append(score)

    def own(self, key: ChartKey) -> int:
        nearest = min(self._own, key=lambda constant: abs(constant - self._constants[key]))
        return round(fmean(self._own[nearest]))

    def of_chart(self, key: ChartKey) -> int | None:
        found = self._statistics.get(key)
        if found is None:
            return None
        averages = {step / 100 + 0.05: each for step, each in found.averages.items() if each is not None}
        return round(averages[min(averages, key=lambda step: abs(step - self._rating))]) if averages else None


def _ask(
    errors: Errors,
    arcade: Arcade,
    member: tuple[Player, Career],
    held: Sequence[ChartKey],
    found: PlayerModel,
    averages: _Averages,
) -> None:
    """Note what everyone says of the records, and of one more try on each."""
    player, career = member
    for key in held:
        age = career.ages.get(key, 0.0) - (arcade.ways.stopped if career.ages else 0.0)
        record, once = career.scores[key], arcade.try_once(player, key)
        prediction = found.predictions[key]
        own, chart = averages.own(key), averages.of_chart(key)
        said = {
            "own": own,
            "chart": own if chart is None else chart,
            "coach": prediction.in_the_end.score,
            "oracle": median(arcade.best_of_some(player, key, age) for _ in range(GUESSES)),
            "limit": median(
                arcade.best_of_some(player, key, age, arcade.guess_mixture(key)) for _ in range(GUESSES)
            ),
        }
        of_try = said | {
            "coach": prediction.next_try.score,
            "oracle": median(arcade.try_once(player, key) for _ in range(GUESSES)),
        }
        for who, score in said.items():
            errors.by[who].append(abs(int(score) - record))
            errors.by[f"try {who}"].append(abs(int(of_try[who]) - once))
        errors.note("end", prediction.in_the_end.chance, record)
        errors.note("try", prediction.next_try.chance, once)


def seconds() -> float:
    """Return the CPU seconds of one member with many records, on many charts."""
    arcade = Arcade(8, songs=LARGE_SONGS)
    features = ChartFeatureSet.of(arcade.catalogue)
    population = PopulationModel.of(features.charts, {})
    chance = Random(9)
    player = arcade.player()
    keys = chance.sample([chart.key for chart in features.charts], LARGE_RECORDS)
    scores = {key: arcade.best_of_some(player, key) for key in keys}
    taken: list[float] = []
    for _ in range(7):
        begun = process_time()
        fit_player(features, population, 15.0, scores)
        taken.append(process_time() - begun)
    return median(taken)


def told_of(name: str, world: World) -> int:
    """Judge a world; print what was found, and return how many goals were missed."""
    draws = [judge(world, 7 + draw) for draw in range(DRAWS)]
    pooled = Errors()
    for each in draws:
        for kind, tenths in each.errors.tenths.items():
            for at, tenth in enumerate(tenths):
                pooled.tenths[kind][at] += tenth
    of_limit = fmean(each.way("coach") / each.way("limit") for each in draws)
    print(
        f"{name}: of {fmean(each.better() for each in draws):.0f} points of the better average the coach is off by"
        f" {fmean(each.errors.of('coach') for each in draws):.0f}, the limit by"
        f" {fmean(each.errors.of('limit') for each in draws):.0f}, the oracle by"
        f" {fmean(each.errors.of('oracle') for each in draws):.0f}; way {fmean(each.way('coach') for each in draws):.3f},"
        f" of the limit's {of_limit:.3f}; next try {fmean(each.way('coach', 'try ') for each in draws):.3f}"
    )
    missed = 0
    beside = fmean(each.errors.of("coach") / each.better() for each in draws)
    missed += _told("  error beside the better average's", beside, MOST_BESIDE_BETTER)
    if name.startswith("a"):
        missed += _told("  of what can be known", of_limit, LEAST_OF_LIMIT, at_least=True)
    if name.startswith("c"):
        way = fmean(each.way("coach", "try ") for each in draws)
        missed += _told("  next try: of the way to the oracle", way, LEAST_TRY_WAY, at_least=True)
    if world.turned[0]:
        turn = fmean(each.errors.of("coach") / each.before_turn for each in draws)
        missed += _told("  error beside the day before", turn, MOST_AFTER_TURN)
    for kind in ("end", "try"):
        missed += _told(f"  {kind}: a tenth is off by", pooled.worst_tenth(kind), world.most_off)
    return missed


def _told(what: str, figure: float, goal: float, *, at_least: bool = False) -> bool:
    missed = figure < goal if at_least else figure > goal
    print(
        f"{what}: {figure:.3f} (goal at {'least' if at_least else 'most'} {goal:.3f}): {'MISSED' if missed else 'met'}"
    )
    return missed


def main() -> int:
    """Print everything; return how many goals were missed."""
    wanted = sys.argv[1:] or [name[0] for name in WORLDS]
    missed = sum(told_of(name, world) for name, world in WORLDS.items() if name[0] in wanted)
    taken = seconds()
    return missed + _told(
        f"seconds for {LARGE_SONGS * 4} charts, {LARGE_RECORDS} records", taken, MOST_SECONDS
    )


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
