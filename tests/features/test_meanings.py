"""What titles mean: the file that ships, how it is made from EDICT, and how it is read."""

import lzma

from generators.meanings import build

from bot.features.readings.meanings import MEANINGS, read_meanings

LINES = (
    "深海 [しんかい] /(n) (1) deep sea/(2) the ocean depths/(P)/\n"
    "愛 [めぐみ] /(n) grace/\n"
    "稀 [まれ] /(adj-na) rare/\n"
    "稀少 [きしょう] /(adj-na) scarce/\n"
    "稀少性 [きしょうせい] /(n) scarcity/\n"
    "うみ /(n) sea/(P)/\n"
    "スパイダー /(n) spider/(P)/\n"
    "愛;恋 [あい] /(n,vs) {comp} love (for someone)/affection/(P)/\n"
)


def test_common_words_and_short_ones_that_are_spoken_with_what_they_mean_without_what_stands_aside() -> None:
    lines = lzma.decompress(build(LINES, {"稀少", "稀少性", "愛"})).decode().splitlines()
    assert dict(line.split(" ", 1) for line in lines) == {
        "深海": "deep sea ocean depth",
        "スパイダー": "spid",
        "愛": "lov affect grac",
        "稀少": "scarc",
        "恋": "lov affect",
    }


def test_words_of_titles_mean_what_the_file_says_and_are_read_once() -> None:
    found = read_meanings(["深海少女", "Latin"])
    assert "girl" in found["少女"]
    assert read_meanings(["深海少女"]) == found
    assert read_meanings([]) == {}


def test_the_file_is_small() -> None:
    assert MEANINGS.stat().st_size <= 600_000
