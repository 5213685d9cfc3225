"""Holds `bot/domain/hangul.py`, and that songs are found by it."""

import pytest

from bot.domain.charts import Song
from bot.domain.hangul import coarse, hangul_key
from bot.domain.ids import SongId
from bot.domain.romaji import romaji_key
from bot.domain.search import SongIndex

TITLES = ["カタカナ・ダンス", "つきよのうた", "夜想曲", "千本松", "Long Stardust Road", "하늘", "ちきゅう"]
READINGS = {"夜想曲": ("やそうきょく",), "千本松": ("せんぼんまつ",)}
INDEX = SongIndex(
    (
        Song(
            id=SongId(f"{n:016x}"),
            title=title,
            genre=None,
            artist=None,
            released_on=None,
            bpm=None,
            charts=(),
        )
        for n, title in enumerate(TITLES)
    ),
    reader=lambda _titles: READINGS,
)


@pytest.mark.parametrize(
    ("kana", "written"),
    [
        ("さくら", ("사쿠라", "사꾸라", "사구라")),
        ("つきよ", ("츠키요", "쓰키요", "쯔키요")),
        ("とうきょう", ("도쿄", "토쿄", "토우쿄우")),
        ("がっこう", ("갓코", "각코", "갓꼬")),
        ("ちぢみ", ("치지미", "지지미")),
        ("せんせい", ("센세이", "센세")),
        ("にほんばし", ("니혼바시", "니홈바시")),
        ("しゃーろっと", ("샤롯토", "샤로토")),
        ("じょうねつ", ("조네츠", "죠네쓰")),
        ("ファイナル", ("파이널", "파이나루")),
        ("ワールド", ("월드", "와루도")),
        ("フィナーレ", ("피날레", "피나레")),
        ("チェックメイト", ("체쿠메이토", "첵쿠메이토")),
        ("ジェノサイド", ("제노사이드",)),
        ("ティアラ", ("티아라",)),
    ],
)
def test_however_koreans_write_a_reading_it_is_the_same(kana: str, written: tuple[str, ...]) -> None:
    assert {hangul_key(each) for each in written} == {coarse(romaji_key(kana))}


@pytest.mark.parametrize("text", ["", "sakura", "さくら", "夜想曲", "123"])
def test_what_is_no_hangul_has_no_spelling(text: str) -> None:
    assert hangul_key(text) == ""


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("카타카나 단스", "カタカナ・ダンス"),
        ("가타카나", "カタカナ・ダンス"),
        ("쓰키요노 우타", "つきよのうた"),
        ("야소쿄쿠", "夜想曲"),
        ("센본마츠", "千本松"),
        ("센본", "千本松"),
        ("마쓰", "千本松"),
        ("야소쿄크", "夜想曲"),  # a slip
        ("하늘", "하늘"),
    ],
)
def test_titles_are_found_by_hangul(typed: str, title: str) -> None:
    assert INDEX.search(typed)[0].title == title


def test_a_reading_in_hangul_is_as_certain_as_one_in_kana() -> None:
    assert INDEX.find("야소쿄쿠").is_certain
    assert INDEX.find("지큐").songs[0].title == "ちきゅう"


@pytest.mark.parametrize("typed", ["헿헿헿헿", "뷁"])
def test_nothing_like_it_finds_nothing(typed: str) -> None:
    assert INDEX.search(typed) == []
