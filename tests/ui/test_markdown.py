import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.markdown import cut, display_width, escape, unescape


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("**bold**", r"\*\*bold\*\*"),
        ("[a](https://b)", r"\[a\]\(https\://b\)"),
        ("<@123>", r"\<\@123\>"),
        ("# one", r"\# one"),
        ("two\nlines", "two lines"),
        ("a_b_c ~~d~~ ||e|| `f`", r"a\_b\_c \~\~d\~\~ \|\|e\|\| \`f\`"),
        ("普通の曲名", "普通の曲名"),
    ],
)
def test_markup_is_harmless(title: str, shown: str) -> None:
    assert escape(title) == shown


@given(st.text("Aa1\\*_~`|<>[]()#@:-！ あ"))
def test_what_was_escaped_can_be_read_again(text: str) -> None:
    assert unescape(escape(text)) == " ".join(text.split())


@given(st.text(), st.integers(1, 60))
def test_cut_text_is_never_wider(text: str, width: int) -> None:
    assert display_width(cut(text, width)) <= max(width, 1)


def test_full_width_counts_two() -> None:
    assert display_width("あa") == 3
    assert cut("ああああ", 5) == "ああ…"
    assert cut("short", 5) == "short"
