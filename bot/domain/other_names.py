"""Other names of songs, ready to be looked up at every keystroke."""

import sys
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Final

from bot.domain.ids import SongId
from bot.domain.romaji import romaji_key


class OtherNames:
    """Names that are not the songs' titles; one in kana is known by its romaji too."""

    def __init__(self, songs: Mapping[str, SongId] = MappingProxyType({})) -> None:
        self.songs = songs
        """The songs by their names, folded."""
        self._alphabet = sorted(songs)
        spoken = ((romaji_key(name), song) for name, song in songs.items() if not name.isascii())
        self._by_sound = {sound: song for sound, song in spoken if sound}

    def same(self, needle: str, sound: str) -> Iterator[SongId]:
        """Yield the song that is called so, and the one whose name in kana sounds so."""
        for song in (self.songs.get(needle), self._by_sound.get(sound)):
            if song is not None:
                yield song

    def starting(self, needle: str, limit: int) -> Iterator[SongId]:
        """Yield the songs of the first `limit` names that start so."""
        first = bisect_left(self._alphabet, needle)
        last = bisect_left(self._alphabet, f"{needle}{chr(sys.maxunicode)}")
        for name in islice(self._alphabet, first, min(last, first + limit)):
            yield self.songs[name]


NO_NAMES: Final = OtherNames()
