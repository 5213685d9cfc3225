import tracemalloc

import pytest

from bot.domain.kanji import parts, readings

WORDS = {
    "夜": [("よ", 77), ("よる", 49)],
    "想": [("おもう", 80)],
    "曲": [("きょく", 50), ("くせ", 115)],
    "夜想曲": [("やそうきょく", 70)],
    "回れ": [("まわれ", 40)],
    "回": [("かい", 20)],
    "月": [("つき", 40), ("がつ", 41), ("げつ", 42), ("づき", 43), ("がっ", 44), ("もん", 45)],
    "無": [("む", 10), ("ない", 70), ("なき", 71)],
}


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("夜想曲", ("やそうきょく",)),
        ("夜", ("よる", "よ")),
        ("夜の曲", ("よるのきょく", "よのきょく")),
        ("夜、夜", ("よる、よる", "よ、よる", "よる、よ", "よ、よ")),
        ("回レ！", ("まわれ!", "かいれ!")),
        ("回る", ("かいる",)),
        ("無", ("む", "ない")),
        ("龘夜", ("よる", "よ")),
        ("ＡＢＣ　カナ　夜", ("abcかなよる", "abcかなよ")),
        ("カナ", ("かな",)),
        ("", ("",)),
    ],
)
def test_the_likeliest_reading_is_the_first(title: str, expected: tuple[str, ...]) -> None:
    assert readings(title, WORDS) == expected


def test_of_many_readings_five_are_kept() -> None:
    assert readings("月", WORDS) == ("つき", "がつ", "げつ", "づき", "がっ")


def test_what_may_be_a_word_holds_a_kanji() -> None:
    assert set(parts("回レ！夜")) == {"回", "回れ", "回れ!", "回れ!夜", "れ!夜", "!夜", "夜"}
    assert set(parts("カナ ABC")) == set()
    assert max(map(len, parts("夜" * 20))) == 8


def test_a_long_title_takes_no_more_memory_than_its_first_words() -> None:
    title = "夜" * 12_800
    tracemalloc.start()
    try:
        found = readings(title, WORDS)
        assert sum(map(len, parts(title))) < 10_000
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert found[0] == "よる" * 128
