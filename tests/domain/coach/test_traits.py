"""What is said of somebody's strong and weak sides is there."""

from random import Random

from bot.domain.coach.chart_features import DENSITY, ERA, TEMPO
from bot.domain.coach.traits import claim_traits, common_effects, learn_effects

TRAITS = (DENSITY, TEMPO, ERA, "POPS", "VARIETY", "ORIGINAL")
COLUMNS = (*TRAITS, "EXP", "MAS")
CONTROLS = 2
NOTHING = common_effects(COLUMNS, 0.0)


def kinds(luck: Random, records: int) -> list[list[float]]:
    found: list[list[float]] = []
    for _ in range(records):
        genre, code = luck.randrange(3), luck.randrange(2)
        parts = [luck.gauss(0, 1) for _ in range(3)]
        found.append(
            [*parts, *(float(genre == at) for at in range(3)), *(float(code == at) for at in range(2))]
        )
    return found


def claimed(luck: Random, records: int, weakness: float = 0.0, trait: int = 1) -> set[str]:
    charts = kinds(luck, records)
    quantiles = [luck.gauss(0, 1) + weakness * kind[trait] for kind in charts]
    return {each[0] for each in claim_traits(TRAITS, CONTROLS, charts, quantiles) if each[-1]}


def test_of_players_without_traits_one_in_ten_at_most_is_told_any() -> None:
    luck = Random(1)  # noqa: S311 - invented, not secret
    assert sum(bool(claimed(luck, 200)) for _ in range(200)) <= 20


def test_a_planted_weakness_is_told_and_hardly_anything_else() -> None:
    luck = Random(2)  # noqa: S311 - invented, not secret
    told = [claimed(luck, 300, 0.35) for _ in range(60)]
    assert sum(TEMPO in each for each in told) > 50
    assert sum(len(each - {TEMPO}) for each in told) < 0.2 * sum(map(len, told))


def test_what_most_players_have_is_told_of_nobody() -> None:
    luck = Random(3)  # noqa: S311 - invented, not secret
    assert sum(bool(claimed(luck, 400, -0.1, trait=0)) for _ in range(60)) <= 10


def test_a_difference_between_difficulties_is_not_taken_for_a_trait() -> None:
    luck = Random(4)  # noqa: S311 - invented, not secret
    assert sum(bool(claimed(luck, 300, 0.8, trait=6)) for _ in range(60)) <= 9


def test_few_records_say_nothing() -> None:
    luck = Random(5)  # noqa: S311 - invented, not secret
    charts = kinds(luck, 19)
    found = learn_effects(COLUMNS, charts, [kind[1] for kind in charts], NOTHING)
    assert not any(found.effects)
    assert claim_traits(TRAITS, CONTROLS, [], []) == [(trait, 0.0, 0.0, 0, False) for trait in TRAITS]


def test_records_that_all_lie_where_they_were_expected_leave_nothing_to_explain() -> None:
    charts = kinds(Random(7), 40)  # noqa: S311 - invented, not secret
    found = learn_effects(COLUMNS, charts, [0.0] * 40, NOTHING)
    assert not any(found.effects)
    assert found.width == 1


def test_effects_are_learnt_as_far_as_the_records_bear_them() -> None:
    luck = Random(6)  # noqa: S311 - invented, not secret
    charts = kinds(luck, 400)
    found = learn_effects(COLUMNS, charts, [0.4 * kind[1] + luck.gauss(0, 0.8) for kind in charts], NOTHING)
    assert 0.3 < found.effects[1] < 0.5
    assert abs(found.effects[0]) < 0.1
    assert 0.8 < found.width < 0.98
