"""Other names of songs, indexed for searching at every keystroke."""

import sys
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Final

from bot.domain.ids import SongId
from bot.domain.romaji import romaji_key


class OtherNames:
    """Names that are not the songs' titles; a name in kana is also found by its romaji."""

    def __init__(self, songs: Mapping[str, SongId] = MappingProxyType({})) -> None:
        self.songs = songs
        """The songs by folded name."""
        self._alphabet = sorted(songs)
        spoken = ((romaji_key(name), song) for name, song in songs.items() if not name.isascii())
        self._by_sound = {sound: song for sound, song in spoken if sound}

    def same(self, needle: str, sound: str) -> Iterator[SongId]:
        """Yield the song with exactly this name, and the song whose name in kana has this sound."""
        for song in (self.songs.get(needle), self._by_sound.get(sound)):
            if song is not None:
                yield song

    def starting(self, needle: str, limit: int) -> Iterator[SongId]:
        """Yield the songs of the first `limit` names that start with a text."""
        first = bisect_left(self._alphabet, needle)
        last = bisect_left(self._alphabet, f"{needle}{chr(sys.maxunicode)}")
        for name in islice(self._alphabet, first, min(last, first + limit)):
            yield self.songs[name]


NO_NAMES: Final = OtherNames()
