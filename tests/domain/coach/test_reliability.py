"""What of the statistics of all players holds for one."""

from players import Arcade, Career, gists_of, statistics_of

from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.losses import log_points_lost
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.reliability import PlayedChart, StatisticsReliability, reliability_of
from bot.domain.coach.usual import usual_loss

ARCADE = Arcade(4, songs=60)
SYLLABUS = ChartFeatureSet.of(ARCADE.catalogue)
CROWD = PopulationModel.of(SYLLABUS.charts, gists_of(statistics_of([ARCADE.career() for _ in range(60)])))
CAREER = next(each for _ in range(99) if len((each := ARCADE.career()).scores) > 80)


def played(career: Career) -> list[PlayedChart]:
    return [
        PlayedChart(
            each.constant, CROWD.reputations[each.key].harder, log_points_lost(career.scores[each.key])
        )
        for each in SYLLABUS.charts
        if each.key in career.scores and each.key in CROWD.reputations
    ]


def test_whom_the_crowd_knows_it_tells_much_of() -> None:
    held = reliability_of(CROWD, CAREER.rating, played(CAREER))
    assert held.trust > 0.9
    assert held.hardness > 0.7


def test_beginners_whom_the_crowd_does_not_know_are_judged_by_their_own_records() -> None:
    """What is said of their ratings is drawn out from far stronger players; how hard a chart is holds for all."""
    away = CROWD.find_distance(7.0)
    assert away > 2
    held = reliability_of(CROWD, 7.0, [])
    assert held.trust < 0.2
    assert held.hardness > 0.7
    assert held.losses[40] < held.losses[100]


def test_without_statistics_nothing_is_trusted() -> None:
    held = reliability_of(PopulationModel.unknown(), 15.0, played(CAREER))
    assert (held.trust, held.hardness) == (0.0, 0.0)


def test_what_beginners_records_say_against_a_guess_is_said_of_no_chart() -> None:
    """Far below the crowd the surface of losses is drawn out; that it is wrong there makes no chart's average so."""

    def held(anchor: float) -> StatisticsReliability:
        constants = [anchor - 4 + step / 10 for step in range(60)]
        return reliability_of(
            CROWD, anchor, [PlayedChart(each, 0.0, usual_loss(each - anchor)) for each in constants]
        )

    assert held(CAREER.rating).borne_out < 0.1
    assert held(7.0).borne_out > 0.8
    assert held(7.0).trust < 0.1
