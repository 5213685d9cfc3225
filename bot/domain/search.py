"""Searches songs by what people type: the exact title, then parts of titles and readings, then near misses."""

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, auto
from functools import cached_property
from itertools import accumulate, islice
from typing import Final, TypeAlias

from bot.domain.charts import Song
from bot.domain.folding import compared, fold, plain
from bot.domain.greek import latin_readings
from bot.domain.hangul import coarse, hangul_key
from bot.domain.ids import SongId
from bot.domain.mentions import Mentions
from bot.domain.nicknames import Kin, Kinship, Meanings, NicknameIndex
from bot.domain.other_names import NO_NAMES, OtherNames
from bot.domain.romaji import romaji_key
from bot.domain.similar_texts import SimilarTexts

Reader: TypeAlias = Callable[[Iterable[str]], Mapping[str, Sequence[str]]]
"""Returns the readings of those titles that have kanji, in kana or romaji, the likeliest first."""

Dictionary: TypeAlias = Callable[[Iterable[str]], Meanings]
"""Returns the English meanings of the Japanese words in some titles, as stems."""

LIMIT: Final = 25
"""The most songs of a search, unless requested otherwise: as many as Discord shows of an autocomplete."""
NEAREST: Final = 3
"""The most songs that are offered if nothing is found."""
_MIN_KINSHIP: Final = 40.0
_MIN_MEANT: Final = 60.0
"""The least score of a song that is offered as nearest. Our choice, as above."""
_ENOUGH_SONGS: Final = 5
"""The least songs containing what was typed with which near misses are noise."""
_MIN_LATIN_LIKENESS: Final = 68.0
"""The same for texts in Latin letters, which may also be meant by sound or meaning. Our choice, by real names."""
_CLEAR_LIKENESS: Final = 80.0
_CLEAR_LEAD: Final = 10.0
"""The lead over the next near miss that makes a near miss certain."""
_NEAR_BONUS: Final = 8.0
"""The bonus of a near miss over matches by sound or meaning, on the same scale."""
_MAX_DRAWN_OUT_LETTERS: Final = 4
"""The most letters for each of a sound, whose vowels are short: hundreds of "a" are not the "a" in most titles."""
_VOWELS: Final = frozenset("aeiou")


class Grade(IntEnum):
    """The quality of a match, best first."""

    EXACT = auto()
    """The title exactly as it is written, including case and symbols."""
    SAME = auto()
    """The title apart from width, case, kana and symbols."""
    ALIAS = auto()
    READING = auto()
    SPELT = auto()
    """The title contains what was typed, with its symbols."""
    TITLE_STARTS = auto()
    INITIALS = auto()
    """The text consists of the initials of the title's words."""
    READING_STARTS = auto()
    TITLE_HOLDS = auto()
    ALIAS_STARTS = auto()
    READING_HOLDS = auto()
    ARTIST_HOLDS = auto()
    NEAR = auto()
    MEANT = auto()
    """The title sounds like what was typed or means it, at least in part: never certain, and never used by filters."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search."""

    songs: tuple[Song, ...]
    """The songs, best first; for an exact title, only its song."""
    is_certain: bool
    """Whether the first song is what was meant; otherwise the asker has to choose."""


CountPlays: TypeAlias = Callable[[], Mapping[SongId, int]]
"""Returns how often the asker is known to have played each song; called if several have the same initials."""


@dataclass(frozen=True, slots=True)
class _Query:
    """The text to look for, and the asker."""

    text: str
    limit: int
    aliases: OtherNames
    count_plays: CountPlays


class SongIndex:
    """The titles, readings and artists of a catalogue, indexed for searching."""

    def __init__(
        self,
        songs: Iterable[Song],
        *,
        reader: Reader | None = None,
        meanings: Dictionary | None = None,
        aliases: OtherNames = NO_NAMES,
    ) -> None:
        self._songs = tuple(songs)
        self._by_id = {song.id: number for number, song in enumerate(self._songs)}
        self._exact: dict[str, list[int]] = {}
        for number, song in enumerate(self._songs):
            self._exact.setdefault(song.title.strip(), []).append(number)
        titles = [(compared(song.title), n) for n, song in enumerate(self._songs)]
        self._spellings = _Texts((plain(song.title), n) for n, song in enumerate(self._songs))
        heard = self._heard(titles, reader)
        readings = list(self._readings(titles, heard))
        self._titles = _Texts(titles)
        self._readings_of = _Texts(readings)
        self._artists = _Texts((fold(song.artist or ""), n) for n, song in enumerate(self._songs))
        self._similar = SimilarTexts([*titles, *readings])
        self._mentions = Mentions([song.title for song in self._songs])
        self.aliases = aliases
        """The aliases that everybody can use."""
        names = [song.title for song in self._songs]
        self._nicknames = NicknameIndex(
            names,
            lambda typed, limit: self._readings_of.holding(romaji_key(typed), limit),
            meanings(names) if meanings else {},
            heard,
        )
        self._hardest = [
            max((chart.constant_or_level for chart in song.charts), default=0) for song in self._songs
        ]
        self._newest = sorted(self._songs, key=lambda song: str(song.released_on or ""), reverse=True)

    def search(
        self,
        text: str,
        *,
        limit: int = LIMIT,
        aliases: OtherNames = NO_NAMES,
        count_plays: CountPlays = dict,
    ) -> list[Song]:
        """Return at most `limit` songs, best first; the exact title always leads.

        An empty text gives the newest songs.
        """
        if not text.strip():
            return self._newest[:limit]
        return [self._songs[number] for number in self._ranked(_Query(text, limit, aliases, count_plays))[0]]

    def find(
        self, text: str, *, aliases: OtherNames = NO_NAMES, count_plays: CountPlays = dict
    ) -> SearchResult:
        """Return what a text may mean, and whether the first song is certain."""
        if not text.strip():
            return SearchResult((), is_certain=False)
        exact = self._exact.get(text.strip(), ())
        if len(exact) == 1:
            return SearchResult((self._songs[exact[0]],), is_certain=True)
        ranked, lead = self._ranked(_Query(text, LIMIT, aliases, count_plays))
        songs = tuple(self._songs[number] for number in ranked)
        grades = list(ranked.values())
        if not grades:
            return SearchResult((), is_certain=False)
        if grades[0] is Grade.MEANT:
            return SearchResult(songs, is_certain=False)
        if grades[0] is Grade.NEAR:
            return SearchResult(songs, is_certain=lead >= _CLEAR_LEAD)
        held = len(grades) - grades.count(Grade.MEANT)
        rivals = grades.count(grades[0]) if grades[0] <= Grade.READING else held
        return SearchResult(songs, is_certain=rivals == 1)

    def nearest(self, text: str) -> list[tuple[Song, Kinship]]:
        """Return the songs nearest to a text that finds nothing, with reasons: they are less similar than results."""
        near = self._similar.near(compared(text), romaji_key(text), least=_MIN_KINSHIP)
        akin = [
            *self._nicknames.meant_by(text, least=_MIN_MEANT),
            *((number, (likeness + _NEAR_BONUS, Kinship.SPELLING)) for number, likeness in near),
        ]
        best: dict[int, Kinship] = {}
        for number, (_score, why) in sorted(akin, key=lambda each: (-each[1][0], each[0])):
            best.setdefault(number, why)
        return [(self._songs[number], why) for number, why in islice(best.items(), NEAREST)]

    def matches(self, text: str, *, aliases: OtherNames = NO_NAMES) -> tuple[SongId, ...]:
        """Return every song that contains what was typed, best first; near misses only if none does.

        Nothing is found by sound or meaning here: nobody could say why a list contains such a song.
        """
        ranked, _lead = self._ranked(_Query(text, len(self._songs), aliases, dict))
        known = {number: grade for number, grade in ranked.items() if grade is not Grade.MEANT}
        holding = [number for number, grade in known.items() if grade is not Grade.NEAR]
        return tuple(self._songs[number].id for number in holding or islice(known, _ENOUGH_SONGS))

    def named_in(self, text: str) -> list[Song]:
        """Return the songs whose titles appear in a text, in order of appearance; of overlapping titles, the longest.

        Of titles that differ only in case or symbols, only those with the exact spelling count; if none has it, all do.
        """
        return [self._songs[number] for number in self._mentions.find(text)]

    def _ranked(self, query: _Query) -> tuple[dict[int, Grade], float]:
        """Return songs with their grades, and the lead of the first near miss."""
        needle, said, limit = compared(query.text), hangul_key(query.text), query.limit
        heard = romaji_key(query.text)
        if len(needle) > _MAX_DRAWN_OUT_LETTERS * len(heard):
            heard = ""
        sound, readings = (said, self._said) if said else (heard, self._readings_of)
        found: dict[int, Grade] = {}
        for number, grade in self._holding(query, needle, sound, readings):
            if found.setdefault(number, grade) is grade and len(found) >= limit:
                return found, 0.0
        if len(found) >= _ENOUGH_SONGS:
            return found, 0.0
        near = self._similar.near(needle, sound)
        if needle.isascii():
            near = [pair for pair in near if pair[1] >= _MIN_LATIN_LIKENESS]
        lead = _lead([likeness for _number, likeness in near])
        is_named = next(iter(found.values()), Grade.NEAR) <= Grade.SAME
        meant = [] if is_named else self._nicknames.meant_by(query.text)
        for number, grade in _merged(near, meant, room=_ENOUGH_SONGS - 1 - len(found)):
            if len(found) >= limit:
                break
            found.setdefault(number, grade)
        return found, lead

    def _holding(
        self, query: _Query, needle: str, sound: str, readings: "_Texts"
    ) -> Iterator[tuple[int, Grade]]:
        text, limit, known = query.text.strip(), query.limit, (query.aliases, self.aliases)
        for number in self._exact.get(text, ()):
            yield number, Grade.EXACT
        spelling = plain(text)
        spelt = spelling if _has_symbols(spelling) else ""
        by_initials = (Grade.INITIALS, self._with_initials(query))
        by_beginning = (Grade.READING_STARTS, readings.starting(sound, limit))
        # A text that ends in a vowel is more likely the beginning of a reading.
        ends_in_vowel = needle[-1:] in _VOWELS
        steps: tuple[tuple[Grade, Iterable[int]], ...] = (
            (Grade.SAME, self._titles.same(needle)),
            (Grade.ALIAS, self._aliased(names.same(needle, sound) for names in known)),
            (Grade.READING, readings.same(sound)),
            (Grade.SPELT, self._spellings.starting(spelt, limit)),
            (Grade.SPELT, self._spellings.holding(spelt, limit)),
            (Grade.TITLE_STARTS, self._titles.starting(needle, limit)),
            *((by_beginning, by_initials) if ends_in_vowel else (by_initials, by_beginning)),
            (Grade.TITLE_HOLDS, self._titles.holding(needle, limit)),
            (Grade.ALIAS_STARTS, self._aliased(names.starting(needle, limit) for names in known)),
            (Grade.READING_HOLDS, readings.holding(sound, limit)),
            (Grade.ARTIST_HOLDS, self._artists.holding(needle, limit)),
        )
        for grade, numbers in steps:
            for number in numbers:
                yield number, grade

    @cached_property
    def _said(self) -> "_Texts":
        """The titles and readings in the coarse spelling of Hangul, created when somebody first types it."""
        texts = (*self._titles, *self._readings_of)
        return _Texts((coarse(sound), number) for text, number in texts if (sound := romaji_key(text)))

    def _with_initials(self, query: _Query) -> Sequence[int]:
        """Return the songs whose initials were typed: those that the asker plays most first, then the hardest."""
        found = self._nicknames.with_initials(query.text)
        plays: Mapping[SongId, int] = query.count_plays() if len(found) > 1 else {}
        return sorted(
            found,
            key=lambda number: (-plays.get(self._songs[number].id, 0), -self._hardest[number], number),
        )

    def _aliased(self, found: Iterable[Iterable[SongId]]) -> Iterator[int]:
        return (self._by_id[song] for songs in found for song in songs if song in self._by_id)

    def _heard(self, titles: list[tuple[str, int]], reader: Reader | None) -> Mapping[str, Sequence[str]]:
        unread = [self._songs[number].title for folded, number in titles if not romaji_key(folded)]
        return reader(unread) if reader else {}

    def _readings(
        self, titles: list[tuple[str, int]], heard: Mapping[str, Sequence[str]]
    ) -> Iterator[tuple[str, int]]:
        for folded, number in titles:
            title = self._songs[number].title
            sounds = (folded, *heard.get(title, ()), *latin_readings(title))
            for reading in dict.fromkeys(map(romaji_key, sounds)):
                if reading and reading != folded:
                    yield reading, number


def _has_symbols(spelling: str) -> bool:
    return any(not (char.isalnum() or char.isspace() or char == "ー") for char in spelling)


class _Texts:
    """Texts of songs, the shortest first: sorted by alphabet, and joined into one string for fast searching."""

    def __init__(self, texts: Iterable[tuple[str, int]]) -> None:
        pairs = sorted(
            ((text, number) for text, number in texts if text), key=lambda pair: (len(pair[0]), pair[1])
        )
        self._numbers = array("I", (number for _text, number in pairs))
        alphabet = sorted((text, place) for place, (text, _number) in enumerate(pairs))
        self._alphabet = [text for text, _place in alphabet]
        self._places = array("I", (place for _text, place in alphabet))
        self._joined = "\n" + "\n".join(text for text, _number in pairs) + "\n"
        self._starts = array("I", accumulate((len(text) + 1 for text, _number in pairs), initial=0))

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """Yield the texts with their songs, the shortest first."""
        return zip(self._joined.strip("\n").split("\n"), self._numbers, strict=False)

    def same(self, needle: str) -> Iterator[int]:
        """Yield the songs with exactly this text."""
        return self._between(needle, f"{needle}\0", len(self._numbers)) if needle else iter(())

    def starting(self, needle: str, limit: int) -> Iterator[int]:
        """Yield the first `limit` songs whose text starts with this."""
        return self._between(needle, f"{needle}{chr(sys.maxunicode)}", limit) if needle else iter(())

    def holding(self, needle: str, limit: int) -> Iterator[int]:
        """Yield the first `limit` songs whose text contains this."""
        at = 0
        for _ in range(limit if needle else 0):
            at = self._joined.find(needle, at)
            if at < 0:
                return
            place = bisect_right(self._starts, at) - 1
            yield self._numbers[place]
            at = self._starts[place + 1]

    def _between(self, first: str, last: str, limit: int) -> Iterator[int]:
        begin, end = bisect_left(self._alphabet, first), bisect_left(self._alphabet, last)
        for place in sorted(self._places[begin:end])[:limit]:
            yield self._numbers[place]


def _merged(
    near: Sequence[tuple[int, float]], meant: Sequence[tuple[int, Kin]], *, room: int
) -> Iterator[tuple[int, Grade]]:
    """Yield near misses and matches by sound or meaning: clear near misses first, then both by their scores.

    The nearest unclear near miss is third at the latest, since it may be a title with a typing error.
    """
    clear = sum(likeness >= _CLEAR_LIKENESS for _number, likeness in near)
    mixed = [(number, score, Grade.MEANT) for number, (score, _why) in meant]
    mixed += [(number, likeness + _NEAR_BONUS, Grade.NEAR) for number, likeness in near[clear:]]
    mixed.sort(key=lambda each: -each[1])
    nearest = next((place for place, each in enumerate(mixed) if each[2] is Grade.NEAR), 0)
    latest = max(0, min(2, room - clear))
    if nearest > latest:
        mixed.insert(latest, mixed.pop(nearest))
    for number, _likeness in near[:clear]:
        yield number, Grade.NEAR
    for number, _score, grade in mixed:
        yield number, grade


def _lead(similar: Sequence[float]) -> float:
    """Return the lead of the nearest miss over the next; 0 if it is not clear, even if it is the only one."""
    first, second = (*similar, 0.0, 0.0)[:2]
    return first - second if first >= _CLEAR_LIKENESS else 0.0
