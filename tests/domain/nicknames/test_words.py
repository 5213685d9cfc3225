import pytest

from bot.domain.nicknames.words import in_digits, initials, latin_words, title_words, without_aside


@pytest.mark.parametrize(
    ("title", "typed"),
    [
        ("Fracture Ray", "fr"),
        ("B.B.K.K.B.K.K.", "bbkkbkk"),
        ("Garakuta Doll Play", "gdp"),
        ("World Vanquisher", "wv"),
        ("GOODMEN", "g"),
        ("The Wheel of Fortune", "wf"),
        ("The Wheel of Fortune", "twof"),
        ("ハルシネーション・ドール", "hd"),
        ("7 Wonders", "7w"),
        ("Re:End of a Dream", "reoad"),
        ("MeteorSnow", "ms"),
        ("1000 Words feat. Someone", "1000w"),
        ("1000 Words feat. Someone", "1w"),
    ],
)
def test_initials_of_words_humps_numbers_and_kana(title: str, typed: str) -> None:
    assert (typed in initials(title_words(title))) is (len(typed) > 1)


def test_what_stands_beside_a_title_may_be_left_out() -> None:
    assert without_aside("Song【狂】 (Long ver.) feat. X") == "Song"
    assert without_aside("(all of it)") == "(all of it)"


def test_letters_that_only_look_otherwise_are_latin() -> None:
    assert latin_words("MUSIC PЯAYER Ünïté") == ["music", "prayer", "unite"]


@pytest.mark.parametrize(
    ("words", "read"),
    [
        (("seven",), "7"),
        (("7",), "7"),
        (("7", "thousand"), "7000"),
        (("seven", "thousand"), "7000"),
        (("thousand",), "1000"),
        (("many", "thousand"), "manythousand"),
        (("thousand", "words"), "thousandwords"),
        (("doll",), "doll"),
        (("deep", "sea"), "deepsea"),
        (("seven", "seas"), "7seas"),
    ],
)
def test_numbers_are_read(words: tuple[str, ...], read: str) -> None:
    assert in_digits(words) == read
