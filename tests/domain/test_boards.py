"""bot/domain/boards.py: who stands where."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.boards import BEFORE, BoardPlace, Ranking, Rival, place_of
from bot.domain.ids import MemberId

NOW = datetime(2026, 11, 22, tzinfo=UTC)


def ranked(standings: dict[int, int], start: int = 0, count: int = 99) -> list[tuple[int, int]]:
    """Return who stands where, by their ids as names."""
    known = {MemberId(member): standing for member, standing in standings.items()}
    ranking = Ranking(known)
    return [(ranking.number_of(known[each]), each) for each in ranking.members(start, count, str)]


def test_equal_figures_share_a_place_and_the_next_one_is_left_out() -> None:
    assert ranked({1: 5, 2: 9, 3: 9, 4: 7, 5: 5}) == [(1, 2), (1, 3), (3, 4), (4, 1), (4, 5)]


def test_equal_ones_stand_by_name_however_it_is_written() -> None:
    names = {MemberId(1): "b", MemberId(2): "C", MemberId(3): "A"}
    assert Ranking(dict.fromkeys(names, 5)).members(0, 3, names.__getitem__) == [3, 1, 2]


@given(st.dictionaries(st.integers(1, 50), st.integers(0, 9)), st.integers(0, 60), st.integers(1, 20))
def test_a_page_is_a_part_of_the_whole_order(figures: dict[int, int], start: int, count: int) -> None:
    ordered = sorted(figures, key=lambda member: (-figures[member], str(member)))
    whole = [(1 + sum(each > figures[member] for each in figures.values()), member) for member in ordered]
    assert ranked(figures) == whole
    assert ranked(figures, start, count) == whole[start : start + count]


def test_names_are_asked_for_of_the_page_alone() -> None:
    asked: list[MemberId] = []

    def name_of(member: MemberId) -> str:
        asked.append(member)
        return str(member)

    Ranking({MemberId(member): member for member in range(10_000)}).members(30, 15, name_of)
    assert len(asked) == 15


def test_figures_from_before_a_version_began_stand_below_the_others() -> None:
    standings = {1: 17 - BEFORE, 2: 10, 3: 11, 4: 16 - BEFORE, 5: 16 - BEFORE}
    assert ranked(standings) == [(1, 3), (2, 2), (3, 1), (4, 4), (4, 5)]
    assert place_of(3, MemberId(1), "", 17 - BEFORE, NOW) == BoardPlace(
        3, Rival(MemberId(1), "", 17, NOW), is_before=True
    )
    assert place_of(1, MemberId(3), "", 0, NOW) == BoardPlace(1, Rival(MemberId(3), "", 0, NOW))
