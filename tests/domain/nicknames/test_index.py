"""Songs found by what players call them, alone and within a search of all kinds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.charts import MASTER, Chart, Song
from bot.domain.folding import compared
from bot.domain.ids import JP2, SongId
from bot.domain.nicknames import NicknameIndex
from bot.domain.numbers import Hundredths
from bot.domain.search import SongIndex
from bot.features.readings import read_titles
from bot.features.readings.meanings import read_meanings
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply

REAL: Final = Path(__file__).parents[4] / "shared/data/real"
TITLES: Final = (
    "スパイダーダンス",
    "深海少女",
    "Fracture Ray",
    "Fade Rain",
    "Fr",
    "fresh start",
    "ワールドイズマイン",
    "僕の戦争",
    "Long Stardust Road",
)
MEANINGS: Final[Mapping[str, Sequence[str]]] = {
    "深海": ("deep", "sea"),
    "少女": ("girl",),
    "僕": ("my",),
    "戦争": ("war",),
}


def song(number: int, title: str) -> Song:
    return Song(
        id=SongId(f"{number:016x}"),
        title=title,
        genre=None,
        artist=None,
        released_on=None,
        bpm=None,
        charts=(),
    )


def index(titles: Sequence[str] = TITLES) -> SongIndex:
    return SongIndex([song(*pair) for pair in enumerate(titles)], meanings=lambda _titles: MEANINGS)


INDEX: Final = index()


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("spider dance", "スパイダーダンス"),
        ("world is mine", "ワールドイズマイン"),
        ("deep sea girl", "深海少女"),
        ("Deep-Sea Girls", "深海少女"),
        ("my war", "僕の戦争"),
        ("lsr", "Long Stardust Road"),
        ("stardust road", "Long Stardust Road"),
    ],
)
def test_songs_are_found_by_sound_meaning_and_initials(typed: str, title: str) -> None:
    assert INDEX.search(typed)[0].title == title


def test_the_exact_title_and_a_beginning_stand_before_initials() -> None:
    found = [each.title for each in INDEX.search("fr")]
    assert found[:2] == ["Fr", "fresh start"]
    assert set(found[2:4]) == {"Fracture Ray", "Fade Rain"}


def test_what_ends_in_a_vowel_is_rather_the_beginning_of_a_reading() -> None:
    found = index(["Ka Ra", "Big Ko", "クラゲ", "Kind Roba A"]).search("kra")
    assert found[0].title == "Kind Roba A"
    assert [each.title for each in index(["Kite Under", "クラゲ"]).search("ku")] == ["クラゲ", "Kite Under"]


def test_of_equal_initials_the_harder_song_comes_first() -> None:

    easy, hard = song(0, "Full Dress"), song(1, "Final Dawn")

    def with_level(each: Song, level: int) -> Song:
        chart = Chart(
            difficulty=MASTER, level=Hundredths(level), constant=None, is_estimated=False, max_combo=None
        )
        return Song(
            id=each.id,
            title=each.title,
            genre=None,
            artist=None,
            released_on=None,
            bpm=None,
            charts=(chart,),
        )

    found = SongIndex([with_level(easy, 1200), with_level(hard, 1450)]).search("fd")
    assert [each.title for each in found] == ["Final Dawn", "Full Dress"]


@pytest.mark.parametrize("typed", ["spider dance", "deep sea girl", "my war"])
def test_sound_and_meaning_are_never_certain_and_no_filter_goes_by_them(typed: str) -> None:
    assert not INDEX.find(typed).is_certain
    assert INDEX.matches(typed) == ()


def test_other_scripts_are_left_to_the_other_rules() -> None:
    nicknames = NicknameIndex(TITLES, lambda _text, _limit: (), MEANINGS)
    assert nicknames.meant_by("真m年女王") == []
    assert nicknames.meant_by("") == []


@given(
    st.lists(st.sampled_from((*TITLES, "fd", "Ray", "夜", "a b", "7 b")), unique=True), st.text(max_size=12)
)
def test_no_rule_moves_an_exact_title_or_a_beginning(titles: list[str], text: str) -> None:
    found = [each.title for each in index(titles).search(text)] if text.strip() else []
    exact = [title for title in titles if title == text.strip()]
    assert found[: len(exact)] == exact
    begins = [title for title in titles if compared(title).startswith(compared(text))]
    places = [found.index(title) for title in begins] if text.strip() and compared(text) else []
    assert not places or max(places) < len(begins) + sum(
        compared(title) == compared(text) for title in titles if title not in begins
    )


def _nicknames() -> list[tuple[str, str]]:
    lines = (REAL / "nicknames.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line]
    return [(name, title) for title, *names in rows for name in names if name and name != title]


@pytest.mark.skipif(not REAL.exists(), reason="real nicknames are not here")
@pytest.mark.parametrize(
    ("catalogue", "found_goal", "noise_goal"),
    [("music_showall_2025-04", 85.5, 44), ("music_showall_2025-12", 86, 28)],
)
def test_what_players_really_call_songs_is_found_and_little_else(
    catalogue: str, found_goal: float, noise_goal: int
) -> None:
    songs = read_reply(SongsReply, (REAL / f"{catalogue}.json").read_bytes()).reply.to_domain(JP2).songs
    real = SongIndex(songs, reader=read_titles, meanings=read_meanings)
    titles = {each.title for each in songs}
    known = [(name, title) for name, title in _nicknames() if title in titles]
    found = sum(title in [each.title for each in real.search(name, limit=5)] for name, title in known)
    assert 100 * found / len(known) >= found_goal
    short = [(name, title) for name, title in known if len(name) <= 5]
    found = sum(title in [each.title for each in real.search(name, limit=5)] for name, title in short)
    assert 100 * found / len(short) >= 66
    absent = [name for name, title in _nicknames() if title not in titles]
    assert sum(bool(real.search(name, limit=5)) for name in absent) <= noise_goal
