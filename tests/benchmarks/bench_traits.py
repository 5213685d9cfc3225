"""Whether what `/skill` claims is there: of players without traits, and of players with one planted weakness.

Four worlds (`tests/players.py`), each with a crowd of its own and without one. Exits 1 where a goal is missed.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from players import Arcade, Ways, gists_of, statistics_of

from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.felt import learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.losses import MAX_LOG_LOSS, log_points_lost, score_at
from bot.domain.coach.player_model import fit_player
from bot.domain.coach.traits import TraitCoefficient

WORLDS: Final[Mapping[str, Ways]] = {
    "equal skills": Ways(),
    "heavy tails, improving": Ways(slips=0.12, rise=0.6, years=3),
    "liked charts up to 50 times": Ways(liked=0.15),
    "wrong constants": Ways(wrong=0.3),
}
SONGS: Final = 300
CROWD: Final = 100
PLAYERS: Final = 60
WEAKNESSES: Final = (0.25, 0.5)
"""On the scale of losses, for a step of the trait."""
MOST_TOLD: Final = 0.1
LEAST_TRUE: Final = 0.8


def judge(ways: Ways, *, is_crowd_known: bool) -> tuple[float, float, float]:
    """Return of how many without traits any is told, how many of the claims are true, and how many weaknesses are found."""
    arcade = Arcade(5, SONGS, replace(ways, differ=0.0))
    features = ChartFeatureSet.of(arcade.catalogue)
    summaries = gists_of(statistics_of([arcade.career() for _ in range(CROWD)])) if is_crowd_known else {}
    population = learn(features.charts, summaries)[0]
    chance = Random(3)
    told = claimed = true = 0

    def claims(plays: KnownPlays, rating: float) -> list[TraitCoefficient]:
        return [
            each for each in fit_player(features, population, rating, plays).coefficients if each.stands_out
        ]

    for _ in range(PLAYERS):
        career = arcade.career()
        told += bool(claims(KnownPlays(scores=career.scores, ages=career.ages), career.rating))
        trait, size = chance.choice(features.traits), chance.choice(WEAKNESSES)
        at = features.traits.index(trait)
        steps = {each.key: each.kind[at] for each in features.charts}
        weak = {
            key: score_at(min(MAX_LOG_LOSS, log_points_lost(score) + size * steps[key]))
            for key, score in career.scores.items()
        }
        found = claims(KnownPlays(scores=weak, ages=career.ages), career.rating)
        claimed += len(found)
        true += sum(each.trait == trait and each.strength < 0 for each in found)
    return told / PLAYERS, true / max(1, claimed), true / PLAYERS


def main() -> int:
    """Print everything; return how many goals were missed."""
    missed = 0
    for name, ways in WORLDS.items():
        for is_crowd_known in (True, False):
            told, true, found = judge(ways, is_crowd_known=is_crowd_known)
            is_missed = told > MOST_TOLD or true < LEAST_TRUE
            print(
                f"{name}, statistics {'known' if is_crowd_known else 'none'}: any told to {told:.3f} of players without"
                f" traits (goal {MOST_TOLD}), {true:.3f} of claims true (goal {LEAST_TRUE}), {found:.2f} of weaknesses"
                f" found: {'MISSED' if is_missed else 'met'}"
            )
            missed += is_missed
    return missed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
