"""What averages say of how hard charts are: as much as they vary, and no more."""

from math import sqrt
from statistics import fmean

from players import Arcade, gists_of, statistics_of

from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.felt import learn

EASY = range(4, 8)
"""Constants of which nearly everybody's scores are nearly perfect."""


def test_nearly_perfect_scores_lie_close_and_say_how_hard_easy_charts_are() -> None:
    arcade = Arcade(5, songs=90)
    statistics = statistics_of([arcade.career() for _ in range(150)])
    charts = ChartFeatureSet.of(arcade.catalogue).charts
    population, _ = learn(charts, gists_of(statistics))
    easy = [each for each in charts if int(each.constant) in EASY and each.key in statistics]
    truths = [arcade.harder_for(each.key, each.constant + 2) for each in easy]
    misses = [
        population.reputations[each.key].harder - truth for each, truth in zip(easy, truths, strict=True)
    ]
    assert len(easy) > 100
    assert sqrt(fmean(miss * miss for miss in misses)) < 0.85 * sqrt(fmean(truth * truth for truth in truths))
