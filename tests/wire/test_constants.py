"""Files of constants that a host knows: what they say, and which line is wrong with what."""

import pytest

from bot.domain.charts import MASTER, ULTIMA
from bot.wire.constants import read_constants
from bot.wire.host_files import BadLine


def test_a_line_names_a_song_a_difficulty_and_a_constant() -> None:
    found = read_constants("\ufeff# ours\n\nTitle, with commas, mas, 14.9\n 0123456789abcdef , ULT, 15\n")
    assert [(each.line, each.song, each.difficulty, each.constant) for each in found] == [
        (3, "Title, with commas", MASTER, 1490),
        (4, "0123456789abcdef", ULTIMA, 1500),
    ]
    assert read_constants("") == ()


@pytest.mark.parametrize(
    "line",
    ["Song", "Song, MAS", "MAS, 14.9", ", MAS, 14.9", "Song, WE, 14.9", "Song, HARD, 14.9", "Song, MAS, 14.95",
     "Song, MAS, high", "Song, MAS, -1", "Song, MAS, 20.0"],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(line: str) -> None:
    with pytest.raises(BadLine, match=r"^line 2: a line is written like Title or id, MAS, 14\.9$"):
        read_constants(f"# ours\n{line}\n")


def test_two_constants_for_one_chart_contradict_each_other() -> None:
    with pytest.raises(BadLine, match=r"^line 2: two lines for SONG MAS$"):
        read_constants("Song, MAS, 14.9\nSONG, MAS, 14.8\nSong, ULT, 14.8\n")
