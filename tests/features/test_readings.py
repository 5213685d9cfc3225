"""Titles with kanji are found by how they are said, with nothing installed beside the bot."""

import lzma
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from bench_search import queries, reading_rules, real, song
from generators.readings import build, find_dictionary

from bot.domain.search import SongIndex
from bot.features import readings
from bot.features.readings import WORDS, read_titles

ROOT = Path(__file__).parents[2]


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    monkeypatch.setattr(readings, "_known", known)
    return known


def test_words_that_everybody_knows() -> None:
    first = {
        "革命": "かくめい",
        "月光": "げっこう",
        "夜想曲": "やそうきょく",
        "人々": "ひとびと",
        "輝かしい未来": "かがやかしいみらい",
        "風に乗せた願い": "かぜにのせたねがい",
        "カタカナと漢字": "かたかなとかんじ",
    }
    assert {title: said[0] for title, said in read_titles(first).items()} == first


@pytest.mark.parametrize("typed", ["あす", "あした", "みょうにち", "ashita", "asita", "asu"])
def test_a_title_is_found_by_each_of_its_readings(typed: str) -> None:
    songs = [song(number, title) for number, title in enumerate(("昨日", "今日", "明日"))]
    assert SongIndex(songs, reader=read_titles).search(typed)[0].title == "明日"


def test_what_has_no_kanji_has_no_reading() -> None:
    assert read_titles(["カナ", "Latin", "ω", ""]) == {}


def test_the_file_is_read_for_new_titles_alone(
    monkeypatch: pytest.MonkeyPatch, forgotten: dict[str, tuple[str, ...]]
) -> None:
    before = read_titles(["明日"])
    monkeypatch.setattr(readings, "WORDS", Path("gone"))
    assert read_titles(["明日", "カナ"]) == before
    with pytest.raises(FileNotFoundError):
        read_titles(["明日", "昨日"])
    assert forgotten.keys() == {"明日"}


def test_titles_that_are_read_are_not_kept_for_ever(
    monkeypatch: pytest.MonkeyPatch, forgotten: dict[str, tuple[str, ...]]
) -> None:
    monkeypatch.setattr(readings, "_CACHED_TITLES", 2)
    assert read_titles(["昨日", "今日", "明日"]).keys() == {"昨日", "今日", "明日"}
    assert forgotten.keys() == {"今日", "明日"}


@pytest.mark.parametrize("place", [0, 1], ids=["kana", "romaji"])
def test_nine_of_ten_kanji_titles_of_a_real_catalogue_are_found_as_an_analyser_reads_them(place: int) -> None:
    pytest.importorskip("fugashi")
    if not (songs := real()):
        pytest.skip("no saved catalogue")
    index, spoken = SongIndex(songs, reader=read_titles), reading_rules()[place]
    typed = queries(songs, spoken, at_most=len(songs))
    found = [wanted in {each.id for each in index.search(query, limit=5)} for query, wanted in typed]
    assert len(found) > 400
    assert sum(found) >= 0.9 * len(found)


def test_the_file_is_small() -> None:
    assert WORDS.stat().st_size <= 1_500_000


def compiled(words: list[tuple[str, str, int]]) -> bytes:
    """Return a dictionary as MeCab compiles one, with a trie of eight bytes."""
    tokens, features = b"", b""
    for word, sound, cost in words:
        tokens += struct.pack("<3HhII", 1, 2, 3, cost, len(features), 0)
        fields = ['"a,b"', *["*"] * 7, word, *["*"] * 8, sound, "*"]
        features += ",".join(fields).encode() + b"\0"
    sizes = struct.pack("<10I", 0, 0, 0, 0, 0, 0, 8, len(tokens), len(features), 0)
    return sizes + b"utf-8".ljust(32, b"\0") + bytes(8) + tokens + features


def test_of_a_dictionary_the_words_with_kanji_are_kept(tmp_path: Path) -> None:
    words = [
        ("月", "ツキ", 4_060), ("月", "ゲツ", 4_210), ("月", "ツキ", 3_950), ("輝かしい", "カガヤカシイ", 5_000),
        ("輝かしく", "カガヤカシク", 5_100), ("食べ", "タベ", 700), ("ツキ", "ツキ", 10), ("Ｔ月", "ティーツキ", 10),
        ("月" * 9, "ツキ", 10), ("星", "", 10), ("星", "*", 10), ("氷", "コオリ", -120),
    ]  # fmt: skip
    file = tmp_path / "sys.dic"
    file.write_bytes(compiled(words))
    assert lzma.decompress(build(file)).decode().splitlines() == [
        "月 げつ 42 つき 39",
        "氷 こおり -2",
        "輝か かがやか 50",
        "食べ たべ 7",
    ]


@pytest.mark.long
def test_the_same_dictionary_gives_the_same_bytes_and_the_words_that_ship() -> None:
    dictionary = find_dictionary()
    if dictionary is None:
        pytest.skip("unidic-lite is not installed")
    code = "import sys; from generators.readings import *; sys.stdout.buffer.write(build(find_dictionary()))"
    one, other = (
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "tests")},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    )
    assert one == other
    # Another release of the compressor may pack the same words otherwise.
    assert lzma.decompress(one) == lzma.decompress(WORDS.read_bytes())
