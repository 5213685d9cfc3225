"""Holds `bot/ui/kit/markdown.py`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.kit.fonts import REGULAR, drawable
from bot.ui.kit.markdown import code, cut, display_width, escape, unescape


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


TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def test_nothing_turns_the_direction_of_what_stands_beside_it() -> None:
    hostile = f"{TURNING}evil{TURNING} `name`{TURNING}"
    assert escape(hostile) == r"evil \`name\`"
    assert cut(hostile, 20) == "evil `name`"
    assert code(hostile) == "`evil ˋnameˋ`"
    assert drawable(hostile, REGULAR) == "evil `name`"


def test_the_wide_space_of_japanese_titles_stays() -> None:
    assert escape("　圧　倒 \n　的\t") == "圧　倒 　的"
    assert cut("圧　倒　的", 10) == "圧　倒　的"


@given(st.text(), st.integers(1, 60))
def test_what_is_cut_in_the_middle_is_never_wider(text: str, width: int) -> None:
    shown = cut(text, width, middle=True)
    assert display_width(shown) <= max(width, 1)
    assert len(shown) <= 2 * width + 1


def test_the_end_of_a_title_stays() -> None:
    assert cut("Beyond the Long Night (Minamo Remix)", 20, middle=True) == "Beyond the…mo Remix)"
    assert cut("かなりながいきょくめい【狂】", 15, middle=True) == "かなりな…【狂】"
    assert cut("short", 5, middle=True) == "short"
    assert cut("a" * 20 + "e\u0301" * 9, 11, middle=True) == "aaaaa…" + "e\u0301" * 5


def test_room_counts_what_makes_harmless() -> None:
    assert escape("***", room=6) == r"\*\*\*"
    assert escape("****", room=6) == r"\*\*…"
    assert escape("****", room=7) == r"\*\*\*…"


@given(st.text(), st.integers(1, 60))
def test_cut_text_is_never_wider(text: str, width: int) -> None:
    assert display_width(cut(text, width)) <= max(width, 1)


def test_full_width_counts_two() -> None:
    assert display_width("あa") == 3
    assert cut("ああああ", 5) == "ああ…"
    assert cut("short", 5) == "short"
