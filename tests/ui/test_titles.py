"""Titles in little room: songs that are told apart by their ends stay apart."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pictures import invented_best

from bot.domain.charts import Song
from bot.domain.ids import SongId
from bot.domain.members import Theme
from bot.ui.cards import draw_best
from bot.ui.cards.letters import cut_to
from bot.ui.cards.parts import BOLD_LABEL
from bot.ui.look import listed_title
from bot.ui.songs import song_choices

REAL = sorted((Path(__file__).parents[3] / "shared" / "data").glob("music_showall_2.0_jp2_*.json"))
REMIXES = [
    f"Where the Long Night Ends and the Longer Morning Begins{ending}"
    for ending in ("", " (Minamo Remix)", " (HAL-K Remix)", "【狂】")
]
_NARROWEST = 144
"""Pixels of a title on the card's small tiles."""


def on_card(title: str) -> bytes:
    card = invented_best(3)
    return draw_best(replace(card, tiles=(replace(card.tiles[9], title=title),)), Theme.DARK)


def test_remixes_are_told_apart_in_lists_choices_and_on_the_card() -> None:
    assert len({listed_title(title) for title in REMIXES}) == len(REMIXES)
    assert len({on_card(title) for title in REMIXES}) == len(REMIXES)
    songs = [
        Song(
            id=SongId(f"{n}"), title=title * 2, genre=None, artist=None, released_on=None, bpm=None, charts=()
        )
        for n, title in enumerate(REMIXES)
    ]
    assert [choice.name[-6:] for choice in song_choices(songs)] == [title[-6:] for title in REMIXES]


@pytest.mark.skipif(not REAL, reason="there is no real catalogue beside the project")
def test_so_are_all_songs_of_a_real_catalogue() -> None:
    titles = {song["meta"]["title"] for song in json.loads(REAL[-1].read_text(encoding="utf-8"))}
    assert len({listed_title(title) for title in titles}) == len(titles)
    assert len({cut_to(title, BOLD_LABEL, _NARROWEST, middle=True) for title in titles}) == len(titles)
