from itertools import pairwise
from random import Random

import careers
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.domain.borders import MIN_PLAYS, Mix, PlayLosses, borders
from bot.domain.ids import JP, JP2
from bot.domain.notes import JUDGEMENTS, Judgement
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Lamps

notes = st.integers(1, 6000)
shares = st.floats(0, 1)
JUSTICE, ATTACK, MISS = JUDGEMENTS
LAMPS = (careers.CLEAR, careers.FULL_COMBO, careers.ALL_JUSTICE)


@given(notes)
def test_one_more_of_a_kind_is_below_the_rank(count: int) -> None:
    for border in borders(count, JP2, None):
        for judgement, most in border.alone.items():
            assert (MAX_SCORE - border.score) * count >= most * judgement.value
            assert most == count or (MAX_SCORE - border.score) * count < (most + 1) * judgement.value
            assert most <= count
        assert border.mixed is None


def test_the_ranks_of_a_region_from_s_on_and_what_they_take_of_a_thousand_notes() -> None:
    told = {border.rank.label: tuple(border.alone.values()) for border in borders(1000, JP2, None)}
    assert told == {
        "SSS+": (100, 1, 0),
        "SSS": (250, 4, 2),
        "SS+": (500, 9, 4),
        "SS": (1000, 19, 9),
        "S+": (1000, 39, 19),
        "S": (1000, 68, 34),
    }
    assert [border.rank.label for border in borders(1000, JP, None)] == ["SSS", "SS+", "SS", "S"]


@given(st.integers(0, 35_000), notes, shares, shares)
def test_a_mix_spends_all_that_may_be_lost_and_no_more(
    points: int, count: int, miss: float, of_rest: float
) -> None:
    spent = Mix(attack=(1 - miss) * of_rest, miss=miss).spend(points, count)
    left = points * count - sum(judgement.value * number for judgement, number in spent.items())
    assert left >= 0
    # More than all notes cost as JUSTICE may be left where that is all that a player loses by.
    assert left < Judgement.JUSTICE.value or points > Judgement.JUSTICE.value


@given(notes, shares, shares)
@example(1000, 0.5, 0.96)  # 50, 49, 48, 46, 41 and 33 JUSTICE, once
@example(1000, 0.0, 0.0)
@example(1000, 0.0, 0.5)
def test_an_easier_rank_allows_no_fewer_of_any_kind_and_no_play_has_more_than_the_notes(
    count: int, miss: float, of_rest: float
) -> None:
    told = borders(count, JP2, Mix(attack=(1 - miss) * of_rest, miss=miss))
    for border in told:
        assert border.mixed is not None
        assert sum(border.mixed.values()) <= count
        cost = sum(judgement.value * number for judgement, number in border.mixed.items())
        assert cost <= (MAX_SCORE - border.score) * count
    for harder, easier in pairwise(told):
        for judgement in JUDGEMENTS:
            assert harder.alone[judgement] <= easier.alone[judgement]
            assert harder.mixed is not None
            assert easier.mixed is not None
            assert harder.mixed[judgement] <= easier.mixed[judgement]


def test_what_all_notes_as_justice_cannot_cost_is_lost_by_the_others() -> None:
    told = borders(1000, JP2, Mix(attack=0.1, miss=0.3))
    assert [tuple((border.mixed or {}).values()) for border in told] == [
        (100, 0, 0),
        (149, 0, 1),
        (348, 1, 1),
        (595, 2, 3),
        (937, 5, 8),
        (968, 12, 19),
    ]


def test_a_mix_of_its_kinds() -> None:
    assert Mix(attack=0.0, miss=0.0).spend(2500, 1000) == {JUSTICE: 250, ATTACK: 0, MISS: 0}
    assert Mix(attack=0.4, miss=0.4).spend(2500, 1000) == {JUSTICE: 250 - 2 * 51 - 101, ATTACK: 2, MISS: 1}


def test_twice_as_much_is_about_twice_as_many_of_each() -> None:
    """A MISS or an ATTACK that does not fit leaves its room to JUSTICE, and takes none of it."""
    mix = Mix(attack=0.7, miss=0.25)
    told = [tuple(mix.spend(points, 867).values()) for points in (10_000, 20_000, 40_000)]
    assert told == [(53, 12, 2), (106, 24, 4), (162, 47, 9)]


def played(mix: Mix, random: Random, plays: int) -> list[PlayLosses]:
    """Return plays in which judgements come by chance, so that of all points lost these are the shares."""
    found: list[PlayLosses] = []
    while len(found) < plays:
        count, rate = random.randint(600, 2400), random.uniform(0.01, 0.4)
        lost = rate * count * JUSTICE.value
        numbers = [
            sum(random.random() < lost * share / judgement.value / count for _ in range(count))
            for judgement, share in ((ATTACK, mix.attack), (MISS, mix.miss))
        ]
        justice = round(rate * count * (1 - mix.attack - mix.miss))
        all_lost = justice * JUSTICE.value + numbers[0] * ATTACK.value + numbers[1] * MISS.value
        play = PlayLosses.of(MAX_SCORE - all_lost // count, count, _lamps(*numbers))
        if play is not None:
            found.append(play)
    return found


def _lamps(attacks: int, misses: int) -> Lamps:
    if misses:
        return careers.CLEAR
    return careers.FULL_COMBO if attacks else careers.ALL_JUSTICE


@pytest.mark.parametrize(
    "mix", [Mix(attack=0.2, miss=0.3), Mix(attack=0.5, miss=0.1), Mix(attack=0.1, miss=0.7)]
)
def test_lamps_tell_what_a_players_points_are_lost_by(mix: Mix) -> None:
    found = Mix.of(played(mix, Random(7), 600))  # noqa: S311 - a test
    assert found is not None
    assert found.miss == pytest.approx(mix.miss, abs=0.1)
    assert found.attack == pytest.approx(mix.attack, abs=0.1)


def test_too_few_plays_tell_no_mix_and_all_justice_on_all_of_them_that_kind() -> None:
    perfect = [PlayLosses(5_000_000, careers.ALL_JUSTICE)] * MIN_PLAYS
    assert Mix.of(perfect[1:]) is None
    assert Mix.of(perfect) == Mix(attack=0.0, miss=0.0)
    assert PlayLosses.of(974_999, 1000, careers.CLEAR) is None


@pytest.mark.parametrize(
    "plays",
    [
        pytest.param([PlayLosses(0, careers.ALL_JUSTICE)] * 200, id="nothing was ever lost"),
        pytest.param([PlayLosses(9_000, careers.ALL_JUSTICE)] * 200, id="less than one JUSTICE"),
        pytest.param(
            [PlayLosses(5_000_000, careers.CLEAR)] * 200, id="never a full combo: half or all by MISS"
        ),
        pytest.param([PlayLosses(1_020_000, careers.CLEAR)] * 200, id="lamps that nobody has entered"),
        pytest.param(
            [PlayLosses(5_000_000, careers.CLEAR)] * 10 + [PlayLosses(5_000_000, careers.FULL_COMBO)] * 10,
            id="full combos, of which none says how much is lost by ATTACK",
        ),
    ],
)
def test_a_mix_that_lamps_leave_open_is_not_told(plays: list[PlayLosses]) -> None:
    assert Mix.of(plays) is None


@pytest.mark.parametrize("mix", [Mix(attack=0.2, miss=0.3), Mix(attack=0.5, miss=0.1)])
def test_few_plays_tell_a_mix_only_where_it_is_about_right(mix: Mix) -> None:
    told = [found for seed in range(20) if (found := Mix.of(played(mix, Random(seed), 40)))]  # noqa: S311 - a test
    right = [each for each in told if max(abs(each.miss - mix.miss), abs(each.attack - mix.attack)) < 0.25]
    assert len(right) >= 0.9 * len(told)
    assert told


@given(
    st.lists(st.tuples(st.integers(975_000, MAX_SCORE), notes, st.sampled_from(LAMPS)), min_size=MIN_PLAYS)
)
def test_whatever_a_member_has_played_is_shares(plays: list[tuple[int, int, Lamps]]) -> None:
    mix = Mix.of(play for each in plays if (play := PlayLosses.of(*each)))
    if mix is None:
        return
    assert 0 <= mix.attack + mix.miss <= 1
    assert min(mix.attack, mix.miss) >= 0
