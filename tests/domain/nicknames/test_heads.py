import pytest

from bot.domain.nicknames.heads import HeadIndex, kanji_initials
from bot.domain.nicknames.words import title_words

TITLES = (
    "Garakuta Doll Play",
    "Grievous Lady",
    "AMAZING MIGHTYYYY!!!!",
    "Reach For The Stars",
    "夜",
    "Ash Brown Crow Dove",
)
INDEX = HeadIndex(title_words(title) for title in TITLES)


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("garadoll", "Garakuta Doll Play"),
        ("gdp", "Garakuta Doll Play"),
        ("grkt", "Garakuta Doll Play"),
        ("garapl", "Garakuta Doll Play"),
        ("grievlad", "Grievous Lady"),
        ("grvl", "Grievous Lady"),
        ("amz", "AMAZING MIGHTYYYY!!!!"),
        ("amami", "AMAZING MIGHTYYYY!!!!"),
        ("refostar", "Reach For The Stars"),
        ("reastars", "Reach For The Stars"),
        ("ascrow", "Ash Brown Crow Dove"),
        ("asdove", ""),
        ("doll", ""),
        ("gl", ""),
        ("grg", ""),
        ("garakutadoll", ""),
        ("", ""),
    ],
)
def test_heads_of_words_in_their_order(typed: str, title: str) -> None:
    """Vowels may be left out, consonants not; a word between two others may, and not the first."""
    assert {TITLES[number] for number, _length in INDEX.holding(typed)} == ({title} if title else set())


def test_how_many_words_a_title_has_is_told() -> None:
    assert set(INDEX.holding("grievlad")) == {(1, 2)}


@pytest.mark.parametrize(
    ("title", "reading", "found"),
    [
        ("脳天直撃", "のうてんちょくげき", "nc ntcg"),
        ("夜想曲", "やそうきょく", "ysk"),
        ("夜想曲", "ノクターン", ""),
        ("残響", "ざんきょう", ""),
        ("夜の曲", "よるのきょく", ""),
        ("学校生活", "がっこうせいかつ", "gksk gs"),
    ],
)
def test_initials_of_kanji_and_of_words_of_two(title: str, reading: str, found: str) -> None:
    assert kanji_initials(title, reading) == set(found.split())
