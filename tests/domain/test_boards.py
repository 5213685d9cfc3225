"""bot/domain/boards.py: who stands where."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.boards import Rival, place_among, places_of
from bot.domain.ids import MemberId

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def rival(member: int, figure: int, name: str = "") -> Rival:
    return Rival(MemberId(member), name or str(member), figure, NOW)


def test_equal_figures_share_a_place_and_the_next_one_is_left_out() -> None:
    places = places_of([rival(1, 5), rival(2, 9), rival(3, 9), rival(4, 7), rival(5, 5)])
    assert [(place.number, place.rival.member) for place in places] == [
        (1, 2),
        (1, 3),
        (3, 4),
        (4, 1),
        (4, 5),
    ]


def test_equal_ones_stand_by_name_however_it_is_written() -> None:
    places = places_of([rival(1, 5, "b"), rival(2, 5, "C"), rival(3, 5, "A")])
    assert [place.rival.name for place in places] == ["A", "b", "C"]


@given(st.dictionaries(st.integers(1, 50), st.integers(0, 9), min_size=1))
def test_a_place_counts_those_who_are_better(figures: dict[int, int]) -> None:
    rivals = [rival(member, figure) for member, figure in figures.items()]
    for place in places_of(rivals):
        assert place == place_among(place.rival, rivals)
        assert place.number == 1 + sum(figure > place.rival.figure for figure in figures.values())


def test_figures_from_before_a_version_began_stand_below_the_others() -> None:
    early, late = NOW - timedelta(days=1), NOW + timedelta(days=1)
    rivals = [
        Rival(MemberId(member), str(member), figure, at)
        for member, figure, at in (
            (1, 17, early),
            (2, 10, late),
            (3, 11, NOW),
            (4, 16, early),
            (5, 16, early),
        )
    ]
    places = places_of(rivals, NOW)
    assert [(place.number, place.rival.member, place.is_before) for place in places] == [
        (1, 3, False),
        (2, 2, False),
        (3, 1, True),
        (4, 4, True),
        (4, 5, True),
    ]
    assert [place_among(place.rival, rivals, NOW) for place in places] == places
    assert [place.rival.member for place in places_of(rivals)] == [1, 4, 5, 3, 2]
