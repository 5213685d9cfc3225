"""Titles in little room: songs that are told apart by their ends stay apart."""

import json
import unicodedata
from dataclasses import replace

from pictures import invented_best
from saved import CATALOGUES, needs_catalogue

from bot.domain.charts import Song
from bot.domain.ids import SongId
from bot.domain.members import Cut, Theme
from bot.ui.cards.best import best_drawing
from bot.ui.cards.parts import bold
from bot.ui.kit.fonts import drawable
from bot.ui.kit.letters import fit_to, glyphs_of
from bot.ui.kit.look import listed_title
from bot.ui.songs import song_choices

REMIXES = [
    f"Where the Long Night Ends and the Longer Morning Begins{ending}"
    for ending in ("", " (Minamo Remix)", " (HAL-K Remix)", "【狂】")
]
_NARROWEST = (15, 144), (34, 300)
"""Sizes of letters, and pixels of a title: on the small tiles of a card, and on the lines of one for a phone."""


def on_card(title: str) -> bytes:
    card = invented_best(3)
    section = card.sections[0]
    titled = replace(section, tiles=(replace(section.tiles[20], title=title),) * 20)
    return best_drawing(replace(card, sections=(titled,)), Cut.PHONE).to_png(Theme.DARK)


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


@needs_catalogue
def test_every_letter_of_a_real_catalogue_is_drawn() -> None:
    titles = "".join(song["meta"]["title"] for song in json.loads(CATALOGUES[-1].read_text(encoding="utf-8")))
    letters = {char for char in titles if unicodedata.category(char) not in {"Zs", "Cf", "Mn"}}
    assert len(letters) > 900
    for font in (bold(15), bold(34)):
        assert not [char for char in letters if "〓" in drawable(char, font.file)]
        assert not [char for char in letters if all(glyph.mask is None for glyph in glyphs_of(char, font))]


@needs_catalogue
def test_so_are_all_songs_of_a_real_catalogue() -> None:
    titles = {song["meta"]["title"] for song in json.loads(CATALOGUES[-1].read_text(encoding="utf-8"))}
    assert len({listed_title(title) for title in titles}) == len(titles)
    for size, room in _NARROWEST:
        assert len({fit_to(title, bold(size), room).text for title in titles}) == len(titles)
