"""How well `/tiers` lays charts out, in worlds where it is known how likely each player's try reaches a rank.

For players with 200 records, charts of three levels about their skill are laid out for the rank that they go for. Judged
is the order beside the true chances (Kendall's tau), and whether rows tell charts apart: ten tries on each chart, of which
the share that came differs less within a row than between rows. Where statistics do not tell how hard charts are, or
records are old, the order stands beside that of somebody who knows all but how hard charts are. What can be known at all
(`knowing.py`) is told beside each. Exits 1 where a goal is missed.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import log
from random import Random
from statistics import NormalDist, fmean, pvariance
from typing import Final, NamedTuple

from bench_coach import SONGS, WORLDS, World
from knowing import Knower
from players import Arcade, Player, gists_of, statistics_of

from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.felt import learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.player_model import fit_player
from bot.domain.coach.population import PopulationModel
from bot.domain.entries import ChartEntry, catalogue_entries
from bot.domain.history import ChartKey
from bot.domain.ranks import MAX_SCORE, Rank
from bot.domain.tiers import TIER_RANKS, Tier, TierEntry, tiers_of

CROWD: Final = 400
MEMBERS: Final = 24
RECORDS: Final = 200
TRIES: Final = 10
ABOUT: Final = 0.75
"""Charts whose constants are at most so far from the middle: three levels."""
GOING_FOR: Final = 0.5
"""The rank that most nearly so many of the charts give in one try."""
LEAST_TAU: Final = 0.75
LEAST_OF_LIMIT: Final = 0.85
"""Of the order of somebody who knows a player's skills, and of charts all but how hard they are beside their constants."""
MOST_WITHIN: Final = 0.75
"""Of what differs between rows: a variance, what is chance in ten tries taken away."""
FEWEST: Final = 3
_BELL: Final = NormalDist()


class Laid(NamedTuple):
    """How good one player's rows are."""

    tau: float
    limit: float
    known: float
    """Tau of somebody who knows all players, all records of which there are statistics, and those of the member."""
    learnt: float
    """Tau of the same if only the member's skills and rise were new to them, learnt from the records that the coach is
    told: no fair rival of the coach, for they know every player of the crowd, and which skills each chart likely asks for.
    """
    told: float
    """Tau of the same with the coach's own figures of how hard charts are: all that learning more of the member alone could reach."""
    within: float
    between: float


def key_of(entry: ChartEntry) -> ChartKey:
    """Return which chart it is."""
    return entry.song.id, entry.chart.difficulty


def chance_of(
    arcade: Arcade, player: Player, key: ChartKey, least: int, *, knows_hardness: bool = True
) -> float:
    """Return how likely a try truly comes to so many points, or would if charts were as hard as their constants say."""
    loss = arcade.log_loss_of(player, key)
    if not knows_hardness:
        loss -= player.slope * arcade.harder_for(key, player.skill)
    return _BELL.cdf((log(MAX_SCORE - least) - loss) / player.spread)


def tau_of(pairs: Sequence[tuple[float, float]]) -> float:
    """Return Kendall's tau: how many pairs stand in the right order, less those in the wrong one."""
    signs = [
        (one[0] - other[0]) * (one[1] - other[1])
        for one, other in combinations(pairs, 2)
        if one[1] != other[1]
    ]
    return fmean((sign > 0) - (sign < 0) for sign in signs)


def spreads_of(rows: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the variance of the shares that came within rows and between them, without what is chance in so few tries."""
    every = [share for row in rows for share in row]
    middle = fmean(every)
    within = sum(pvariance(row) * len(row) for row in rows) / len(every)
    between = sum((fmean(row) - middle) ** 2 * len(row) for row in rows) / len(every)
    luck = fmean(share * (1 - share) for share in every) / (TRIES - 1)
    return max(0.0, within - luck), between


def lay_out(
    arcade: Arcade, model: PopulationModel, features: ChartFeatureSet, knower: Knower, chance: Random
) -> Laid:
    """Return how good the rows of somebody new are."""
    player, career = arcade.meet()
    while len(career.scores) < RECORDS:
        player, career = arcade.meet()
    told = {key: career.scores[key] for key in chance.sample(sorted(career.scores), RECORDS)}
    plays = KnownPlays(scores=told, ages={key: age for key, age in career.ages.items() if key in told})
    found = fit_player(features, model, career.rating, plays)
    charts = [entry for entry in catalogue_entries(arcade.catalogue) if entry.chart.constant]
    middle = min(player.skill, max(each.chart.constant or 0 for each in charts) / 100 - ABOUT)
    entries = [each for each in charts if abs((each.chart.constant or 0) / 100 - middle) <= ABOUT]
    rank = _usual(arcade, player, entries)
    rows = tiers_of(entries, found.predictions, rank)
    as_told = knower.told(model)
    guessed, rival = (each.learn(player, career, told) for each in (knower, as_told))
    known = ((knower, player), (knower, guessed), (as_told, rival))
    return judge(
        arcade,
        player,
        rows,
        rank,
        [lambda key, by=by, who=who: by.ahead(who, career, told, key) for by, who in known],
    )


def judge(
    arcade: Arcade,
    player: Player,
    rows: Sequence[Tier],
    rank: Rank,
    known: Sequence[Callable[[ChartKey], float]],
) -> Laid:
    """Hold rows against what is true, and against tries."""
    shown: list[TierEntry] = [each for row in rows for each in row.entries]
    least = rank.least_score
    truth = [chance_of(arcade, player, key_of(each.entry), least) for each in shown]
    guess = [chance_of(arcade, player, key_of(each.entry), least, knows_hardness=False) for each in shown]
    said = range(len(shown), 0, -1)
    shares: list[list[float]] = [
        [
            fmean(arcade.try_once(player, key_of(each.entry)) >= rank.least_score for _ in range(TRIES))
            for each in row.entries
        ]
        for row in rows
        if len(row.entries) >= FEWEST
    ]
    all_knowing, learnt, as_told = (
        tau_of([*zip([ahead(key_of(each.entry)) for each in shown], truth, strict=True)]) for ahead in known
    )
    return Laid(
        tau_of([*zip(said, truth, strict=True)]),
        tau_of([*zip(guess, truth, strict=True)]),
        all_knowing,
        learnt,
        as_told,
        *spreads_of(shares),
    )


def _usual(arcade: Arcade, player: Player, entries: Sequence[ChartEntry]) -> Rank:
    def off(rank: Rank) -> float:
        share = fmean(chance_of(arcade, player, key_of(each), rank.least_score) for each in entries)
        return abs(share - GOING_FOR)

    return min(TIER_RANKS, key=off)


def told_of(name: str, world: World) -> int:
    """Judge a world; print what was found, and return how many goals were missed."""
    arcade = Arcade(11, SONGS, world.ways)
    arcade.ways = world.population or world.ways
    population = [arcade.meet() for _ in range(CROWD)]
    counted = statistics = statistics_of([career for _, career in population])
    arcade.ways = world.ways
    if world.changed is not None:
        statistics = world.changed(statistics, Random(1011))
    knower = Knower(arcade, population, [key for key, each in statistics.items() if each is counted[key]])
    features = ChartFeatureSet.of(arcade.catalogue)
    model = learn(features.charts, gists_of(statistics))[0]
    chance = Random(5)
    found: list[Laid] = []
    for number in range(MEMBERS):
        arcade.chance = Random(number)  # whatever the rows before were
        found.append(lay_out(arcade, model, features, knower, chance))
    tau, limit = fmean(each.tau for each in found), fmean(each.limit for each in found)
    ratio = fmean(each.within for each in found) / fmean(each.between for each in found)
    least = LEAST_TAU if name[0] in COUNTED else LEAST_OF_LIMIT * limit
    known, learnt = fmean(each.known for each in found), fmean(each.learnt for each in found)
    told = fmean(each.told for each in found)
    print(
        f"{name}: Kendall's tau: {tau / known:.3f} of what can be known, {known:.3f}; "
        f"skills learnt from the records: {learnt:.3f}; and charts as hard as the coach is told: {told:.3f}"
    )
    missed = 0
    for what, figure, is_met, goal in (
        ("Kendall's tau", tau, tau >= least, f"at least {least:.2f}"),
        ("success within rows, of between", ratio, ratio <= MOST_WITHIN, f"at most {MOST_WITHIN:.2f}"),
    ):
        print(f"{name}: {what}: {figure:.3f} (goal {goal}): {'met' if is_met else 'MISSED'}")
        missed += not is_met
    return missed


COUNTED: Final = "acf"
"""The worlds whose statistics are of these charts and such players, and whose records are not years old."""
JUDGED: Final[Mapping[str, World]] = {name: world for name, world in WORLDS.items() if name[0] in "abcdef"}


def main() -> int:
    """Print everything; return how many goals were missed."""
    wanted = sys.argv[1:] or [name[0] for name in JUDGED]
    return sum(told_of(name, world) for name, world in JUDGED.items() if name[0] in wanted)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
