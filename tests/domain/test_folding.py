import pytest

from bot.domain.folding import compared, fold, is_same, occurs_in, plain, spelling


def test_each_fold_leaves_less() -> None:
    text = " ﾊﾛｰ　World! "
    assert (plain(text), spelling(text), fold(text)) == ("ハロー world!", "はろーworld!", "はろーworld")
    assert spelling("カタカナ") == spelling("ｶﾀｶﾅ") == "かたかな"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ハロー!", "ﾊﾛｰ", True),
        ("ハロー", "ハロ", False),
        ("!!!", " !!! ", True),
        ("!!!", "???", False),
        ("!!!", "a", False),
    ],
)
def test_symbols_count_where_there_is_nothing_else(one: str, other: str, *, same: bool) -> None:
    assert is_same(one, other) == is_same(other, one) == (compared(one) == compared(other)) == same


@pytest.mark.parametrize(
    ("part", "whole", "occurs"),
    [("ﾛｰ w", "ハローWorld", True), ("!", "ハロー!", True), ("?", "ハロー!", False)],
)
def test_a_part(part: str, whole: str, *, occurs: bool) -> None:
    assert occurs_in(part, whole) == occurs
