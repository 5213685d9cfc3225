"""Holds `bot/database/packing.py`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.database.packing import ChartScore, pack, unpack
from bot.domain.charts import EXPERT, MASTER, ULTIMA
from bot.domain.ranks import MAX_SCORE

SONG = "0123456789abcdef"
IDS = st.integers(0, 2**64 - 1).map("{:016x}".format) | st.text(max_size=20)
DIFFICULTIES = st.sampled_from([MASTER, ULTIMA, "新"]) | st.text(max_size=300)
SCORES = st.integers(0, MAX_SCORE) | st.integers()


@given(st.lists(st.tuples(IDS, DIFFICULTIES, SCORES), max_size=300))
def test_what_is_packed_comes_back(scores: list[ChartScore]) -> None:
    assert sorted(unpack(pack(scores))) == sorted(scores)


@pytest.mark.parametrize("count", [0, 1, 2, 255, 256])
def test_however_many(count: int) -> None:
    scores: list[ChartScore] = [(f"{number:016x}", MASTER, number) for number in range(count)]
    assert unpack(pack(scores)) == scores


@pytest.mark.parametrize("song", [SONG, SONG.upper(), SONG[1:], SONG + "0"])
@pytest.mark.parametrize("difficulty", ["", "x" * 255, "x" * 256])
@pytest.mark.parametrize("score", [-1, 0, MAX_SCORE, 2**20 - 1, 2**20])
def test_what_no_row_has_room_for_comes_back_too(song: str, difficulty: str, score: int) -> None:
    assert unpack(pack([(song, difficulty, score)])) == [(song, difficulty, score)]


def test_forty_scores_are_so_few_bytes_that_eight_snapshots_find_room_on_a_page() -> None:
    """Of the 4096 bytes of a page; what else stands in a row takes 64 at most."""
    difficulties = (MASTER, ULTIMA, EXPERT)
    assert len(pack([(SONG, difficulties[number % 3], number) for number in range(40)])) <= 4096 // 8 - 64
