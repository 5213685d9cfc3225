"""bot/domain/chronicle/score_blocks.py: every score is found in its block, and no other's."""

from collections.abc import Mapping

from chronicles import BOOKS, CHARTS
from hypothesis import given

from bot.domain.charts import DIFFICULTIES
from bot.domain.chronicle.score_blocks import _difficulty_key, block_of, find_scores, score_blocks, scores_in
from bot.domain.chronicle.state import RecordMark
from bot.domain.history import ChartKey


@given(BOOKS, CHARTS)
def test_each_score_is_found_and_none_that_is_not_there(
    marks: Mapping[ChartKey, RecordMark], other: ChartKey
) -> None:
    blocks = score_blocks(marks)
    told = sorted(score for block in blocks for score in scores_in(block))
    assert told == sorted(mark.score for mark in marks.values() if not mark.is_gone)
    for chart in (*marks, other):
        mark = marks.get(chart)
        wanted = [] if mark is None or mark.is_gone else [("me", mark.score)]
        assert [*find_scores(chart, [("me", blocks[block_of(chart)]), ("you", b"")])] == wanted


def test_what_begins_within_another_entry_is_not_taken_for_it() -> None:
    first, second = ("00ff00ff00ff00ff", "MAS"), ("0123456789abcdef", "MAS")
    (entry,) = (block for block in score_blocks({second: RecordMark(5, 7, 0, 0)}) if block)  # pyright: ignore[reportArgumentType]  # plain texts
    (wanted,) = (block for block in score_blocks({first: RecordMark(9, 7, 0, 0)}) if block)  # pyright: ignore[reportArgumentType]
    shifted = b"\0\0\0" + entry + b"\0" * (len(entry) - 3) + wanted
    assert [*find_scores(second, [("me", shifted)])] == []  # pyright: ignore[reportArgumentType]
    assert [*find_scores(first, [("me", shifted)])] == [("me", 9)]  # pyright: ignore[reportArgumentType]


def test_the_game_has_no_two_difficulties_of_one_key() -> None:
    assert len({_difficulty_key(code) for code in DIFFICULTIES}) == len(DIFFICULTIES)
