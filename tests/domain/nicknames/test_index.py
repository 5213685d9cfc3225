"""Songs found by what players call them, alone and within a search of all kinds."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from saved import REAL, read_nicknames

from bot.domain.charts import MASTER, Chart, Song
from bot.domain.folding import compared
from bot.domain.ids import JP2, SongId
from bot.domain.nicknames import NicknameIndex
from bot.domain.nicknames.words import initials, latin_words, title_words
from bot.domain.numbers import Hundredths
from bot.domain.other_names import OtherNames
from bot.domain.search import SongIndex
from bot.features.readings import read_titles
from bot.features.readings.meanings import read_meanings
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply

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


def test_of_equal_initials_the_most_played_song_comes_first_and_then_the_hardest() -> None:
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

    both = SongIndex([with_level(easy, 1200), with_level(hard, 1450)])
    assert [each.title for each in both.search("fd")] == ["Final Dawn", "Full Dress"]
    found = both.find("fd", count_plays=lambda: {easy.id: 1})
    assert [each.title for each in found.songs] == ["Full Dress", "Final Dawn"]
    assert not found.is_certain


@pytest.mark.parametrize("typed", ["spider dance", "deep sea girl", "my war"])
def test_sound_and_meaning_are_never_certain_and_no_filter_goes_by_them(typed: str) -> None:
    assert not INDEX.find(typed).is_certain
    assert INDEX.matches(typed) == ()


def test_other_scripts_are_left_to_the_other_rules() -> None:
    nicknames = NicknameIndex(TITLES, lambda _text, _limit: (), MEANINGS, {})
    assert nicknames.meant_by("真m年女王") == []
    assert nicknames.meant_by("") == []


def test_short_forms_are_found_but_never_certain() -> None:
    assert INDEX.search("longstar")[0].title == "Long Stardust Road"
    assert not INDEX.find("lonsroa").is_certain


def test_numbers_may_be_spelt_otherwise() -> None:
    numbers = index(["7 Wonders", "Seven Thousand Roads"])
    assert numbers.search("seven wonders")[0].title == "7 Wonders"
    assert numbers.search("roads 7000")[0].title == "Seven Thousand Roads"


def test_initials_are_those_of_kanji_too() -> None:
    reads = SongIndex([song(0, "脳天直撃")], reader=lambda _titles: {"脳天直撃": ("のうてんちょくげき",)})
    assert [each.title for each in reads.search("ntcg")] == ["脳天直撃"]


@given(
    st.lists(st.sampled_from((*TITLES, "fd", "Ray", "夜", "a b", "7 b", "Long Day")), unique=True),
    st.one_of(
        st.text(max_size=12), st.sampled_from(("fr", "long", "ray", "7", "夜", "sea girl", "Fade", "lsr"))
    ),
    st.dictionaries(st.sampled_from(("fr", "long", "lsr", "夜")), st.integers(0, 14), max_size=2),
)
def test_no_rule_moves_an_exact_title_a_beginning_or_an_alias(
    titles: list[str], text: str, names: dict[str, int]
) -> None:
    aliases = OtherNames({name: SongId(f"{number:016x}") for name, number in names.items()})
    full, bare = index(titles), index(titles)
    bare._nicknames = NicknameIndex((), lambda _text, _limit: (), {}, {})
    found = [each.title for each in full.search(text, aliases=aliases)]
    before = [each.title for each in bare.search(text, aliases=aliases)]
    called = [title for number, title in enumerate(titles) if names.get(compared(text)) == number]
    first = [
        title
        for title in before
        if title == text.strip() or title in called or compared(title).startswith(compared(text))
    ]
    assert [found.index(title) for title in first] == [before.index(title) for title in first]


@pytest.mark.skipif(not REAL, reason="real nicknames are not here")
@pytest.mark.parametrize(
    ("catalogue", "noise_goal"), [("music_showall_2025-04", 44), ("music_showall_2025-12", 28)]
)
def test_what_players_really_call_songs_is_found_and_little_else(catalogue: str, noise_goal: int) -> None:
    songs = read_reply(SongsReply, (REAL[0] / f"{catalogue}.json").read_bytes()).reply.to_domain(JP2).songs
    real = SongIndex(songs, reader=read_titles, meanings=read_meanings)
    titles = {each.title for each in songs}

    def share_found(names: Sequence[tuple[str, str]]) -> float:
        found = (title in [each.title for each in real.search(name, limit=5)] for name, title in names)
        return 100 * sum(found) / len(names)

    known = [(name, title) for name, title in read_nicknames() if title in titles]
    assert share_found(known) >= 87
    assert share_found([(name, title) for name, title in known if len(name) <= 5]) >= 70
    assert share_found([pair for pair in known if pair[0].lower() in initials(title_words(pair[1]))]) >= 90
    assert share_found(_unique_initials(titles)) >= 98
    absent = [name for name, title in read_nicknames() if title not in titles]
    assert sum(bool(real.search(name, limit=5)) for name in absent) <= noise_goal


def _unique_initials(titles: Iterable[str]) -> list[tuple[str, str]]:
    """Return the initials of three words and more that only one title has."""
    having: dict[str, list[str]] = {}
    for title in titles:
        words = latin_words(title)
        having.setdefault("".join(word[0] for word in words), []).append(title)
    return [(key, each[0]) for key, each in having.items() if 3 <= len(key) <= 8 and len(each) == 1]
