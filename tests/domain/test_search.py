import pytest

from bot.domain.charts import Song
from bot.domain.ids import SongId
from bot.domain.search import SongIndex, normalise

TITLES = [
    "Stardust",
    "STARDUST",
    "Stardust!!",
    "カタカナ・ダンス",
    "ひらがなの夜",
    "7",
    "1112",
    "ω",
    "!!!",
    "夜想曲",
    "Long Stardust Road",
]
INDEX = SongIndex(
    Song(
        id=SongId(f"{n:016x}"),
        title=title,
        genre=None,
        artist=f"artist {n}",
        released_on=None,
        bpm=None,
        charts=(),
    )
    for n, title in enumerate(TITLES)
)


@pytest.mark.parametrize("title", TITLES)
def test_the_exact_title_leads(title: str) -> None:
    assert INDEX.search(title)[0].title == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("かたかな だんす", "カタカナ・ダンス"),
        ("ｶﾀｶﾅ", "カタカナ・ダンス"),
        ("ヒラガナ", "ひらがなの夜"),
        ("ｓｔａｒｄｕｓｔ", "Stardust"),
        ("stardast", "Stardust"),
        ("夜想", "夜想曲"),
        ("road", "Long Stardust Road"),
        ("artist 9", "夜想曲"),
    ],
)
def test_width_case_kana_and_typos_are_forgiven(text: str, title: str) -> None:
    assert INDEX.search(text)[0].title == title


def test_nothing_like_it_finds_nothing() -> None:
    assert INDEX.search("qqqqqqqqqq") == []


def test_the_limit_holds() -> None:
    assert len(INDEX.search("st", limit=2)) == 2


def test_normalised_text_has_no_width_case_kana_or_symbols() -> None:
    assert normalise("ﾊﾛｰ　World!") == "はろーworld"
