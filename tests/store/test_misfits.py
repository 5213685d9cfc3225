"""Of `bot.store.misfits`: what PostgreSQL would not take is named by table, row and column, or left out and told."""

import pytest

from bot.database.tables import ALIASES, GOALS, KEPT_WINDOWS
from bot.store import CopyFailed
from bot.store.misfits import Misfits

GOAL = {"member_id": 7, "code": "ab12", "text": "あ" * 404, "set_at": None, "reached_at": None, "start": None}
ALIAS = {"guild_id": 7, "folded": "a\0b", "name": "x", "song_id": "y"}
WINDOW = {column.name: 0 for column in KEPT_WINDOWS.c} | {"account": "account:7", "limit": 2**40}


def test_the_first_is_named_by_table_row_and_column() -> None:
    misfits = Misfits(print, skip=False, to_server=True)
    with pytest.raises(CopyFailed) as refused:
        misfits.are_taken(GOALS, (7, "ab12"), GOAL)
    said = str(refused.value)
    assert "goals, the row member_id=7, code=ab12: text has 404 characters, and there is room for 255" in said
    assert "--skip" in said
    assert "あ" not in said


def test_all_are_left_out_and_each_is_told_once() -> None:
    told = list[str]()
    misfits = Misfits(told.append, skip=True, to_server=True)
    for _ in range(2):  # written, then compared
        assert not misfits.are_taken(GOALS, (7, "ab12"), GOAL)
        assert not misfits.are_taken(ALIASES, (7, "a"), ALIAS)
        assert not misfits.are_taken(KEPT_WINDOWS, ("account:7", "2.0"), WINDOW)
    assert misfits.are_taken(GOALS, (7, "c"), GOAL | {"text": "rating 16.50"})
    assert len(told) == 3
    assert [misfits.count_of(each) for each in (GOALS, ALIASES, KEPT_WINDOWS)] == [1, 1, 1]
    assert "folded holds NUL" in told[1]
    assert "limit is too large a number" in told[2]


def test_sqlite_takes_what_sqlite_has() -> None:
    assert Misfits(print, skip=False, to_server=False).are_taken(GOALS, (7, "ab12"), GOAL)
