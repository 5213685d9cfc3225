"""Finding songs by what people type: normalised substring first, then near misses."""

import unicodedata
from collections.abc import Iterable
from typing import Final

import jaconv
from rapidfuzz import fuzz, process

from bot.domain.charts import Song

_LEAST_LIKENESS: Final = 62.0
"""Below this a near miss is noise; a title far shorter than what was typed reaches 60. Our choice."""


def normalise(text: str) -> str:
    """Fold width, case and kana, and leave symbols and spaces out: "ﾊﾛｰ　World!" is "はろーworld"."""
    folded = jaconv.kata2hira(unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in folded if char.isalnum() or char == "ー")


class SongIndex:
    """The titles and artists of a catalogue, ready to be searched."""

    def __init__(self, songs: Iterable[Song]) -> None:
        self._songs = tuple(songs)
        self._titles = [normalise(song.title) or song.title for song in self._songs]
        self._artists = [normalise(song.artist or "") for song in self._songs]

    def search(self, text: str, *, limit: int = 25) -> list[Song]:
        """Return at most `limit` songs, best first; the exact title always leads.

        An empty text gives the newest songs.
        """
        if not text.strip():
            newest = sorted(self._songs, key=lambda song: str(song.released_on or ""), reverse=True)
            return newest[:limit]
        needle = normalise(text) or text.strip()
        ranked = {
            index: grade for index in range(len(self._songs)) if (grade := self._grade(index, text, needle))
        }
        found = sorted(ranked, key=lambda index: (ranked[index], len(self._titles[index]), index))[:limit]
        if len(found) < limit:
            found += [index for index in self._near(needle, limit) if index not in ranked][
                : limit - len(found)
            ]
        return [self._songs[index] for index in found]

    def _grade(self, index: int, text: str, needle: str) -> int:
        """Return how well a song matches, 1 best; 0 where the text does not occur at all."""
        title = self._titles[index]
        grades = (
            (self._songs[index].title == text.strip(), 1),
            (title == needle, 2),
            (title.startswith(needle), 3),
            (needle in title, 4),
            (needle in self._artists[index], 5),
        )
        return next((grade for matches, grade in grades if matches), 0)

    def _near(self, needle: str, limit: int) -> list[int]:
        matches = process.extract(
            needle, self._titles, scorer=fuzz.WRatio, limit=limit, score_cutoff=_LEAST_LIKENESS
        )
        return [index for _title, _likeness, index in matches]
