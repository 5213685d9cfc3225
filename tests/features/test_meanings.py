"""What titles mean: the file that ships, how it is made from EDICT, and how it is read."""

import lzma

from generators.meanings import build

from bot.features.readings.meanings import read_meanings

LINES = (
    "深海 [しんかい] /(n) (1) deep sea/(2) the ocean depths/(P)/\n"
    "稀 [まれ] /(adj-na) rare/\n"
    "うみ /(n) sea/(P)/\n"
    "スパイダー /(n) spider/(P)/\n"
    "愛;恋 [あい] /(n,vs) {comp} love (for someone)/affection/(P)/\n"
)


def test_common_words_alone_with_what_they_mean_without_what_stands_aside() -> None:

    lines = lzma.decompress(build(LINES)).decode().splitlines()
    assert dict(line.split(" ", 1) for line in lines) == {
        "深海": "deep sea ocean depth",
        "スパイダー": "spider",
        "愛": "lov affection",
        "恋": "lov affection",
    }


def test_words_of_titles_mean_what_the_file_says_and_are_read_once() -> None:
    found = read_meanings(["深海少女", "Latin"])
    assert "girl" in found["少女"]
    assert read_meanings(["深海少女"]) == found
    assert read_meanings([]) == {}
