"""An index of what players call songs, in addition to that of titles and readings; only for texts in Latin letters."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum, auto
from itertools import pairwise
from math import ceil
from typing import Final, TypeAlias

from rapidfuzz import fuzz, process

from bot.domain.folding import fold
from bot.domain.kanji import KANJI
from bot.domain.nicknames.heads import HeadIndex, kanji_initials
from bot.domain.nicknames.meanings import stem, words_in
from bot.domain.nicknames.sounds import consonants, english_sounds, kana_sound, phrase_sounds
from bot.domain.nicknames.words import (
    SMALL_WORDS,
    in_digits,
    in_latin,
    initials,
    latin_words,
    title_words,
    without_aside,
)


class Kinship(IntEnum):
    """The reason why a title may be what was meant."""

    SPELLING = auto()
    """Its spelling is similar."""
    HEADS = auto()
    """Its words begin with what was typed."""
    SOUND = auto()
    MEANING = auto()
    WORDS = auto()
    """It contains words that were typed, in its spelling or its reading."""


Kin: TypeAlias = tuple[float, Kinship]
"""The certainty that a song was meant, and the reason."""
Meanings: TypeAlias = Mapping[str, Sequence[str]]
"""Stems of the English meanings of Japanese words."""
FindReadings: TypeAlias = Callable[[str, int], Iterable[int]]
"""Finds the songs whose reading contains a text, at most the given number."""

MIN_SCORE: Final = 71.0
"""The least score, of 100, of matches by sound or meaning: those below are more often wrong than right."""
_MAX_TYPED_WORDS: Final = 10
_SMALL_WORD_WEIGHT: Final = 0.3
_MEANING_WORTH: Final = 0.97
_SOUND_COST: Final = 0.14
"""The penalty of a match by sound instead of letters: romaji of other songs is similar to many texts."""
_READING_WORTH: Final = 0.95
_MIN_READING_LENGTH: Final = 4
_MAX_BY_READING: Final = 40
_MAX_BY_SOUND: Final = 12
_MIN_RUN_CONSONANTS: Final = 2
_FEW_CONSONANTS: Final = 4
"""The least consonants for approximate comparison: fewer say too little."""
_MIN_LIKENESS: Final = 74
_MIN_SOUND: Final = 72
_MIN_SHORT_SOUND: Final = 80
_CONSONANTS_WORTH: Final = 0.6
"""The share of the consonants in the similarity of two sounds; the rest is the similarity with vowels."""
_COVERED_BASE, _COVERED_WORTH = 55.0, 38.0
"""The score of a title that contains nothing of what was typed, and what is added if it contains all of it."""
_HEADS_WORTH: Final = 85.0
"""The score of a title if beginnings of its words were typed, less one for each of its words."""
_LENGTH_COST: Final = 0.05
"""The penalty for each character of the title: of titles that match equally, the shorter one is more likely meant."""

_KANA: Final = re.compile("[ぁ-ヺ]")
_SPOKEN: Final = re.compile("[A-Za-z]+|[ぁ-ゖァ-ヺー]+")
_RUN: Final = re.compile("[ァ-ヺー]{2,}|[ぁ-ゖー]{4,}")


class _Sounds:
    """Sounds of songs, found by similarity to another one."""

    def __init__(self) -> None:
        self._songs: dict[str, list[tuple[str, int]]] = defaultdict(list)
        """Sounds with their songs, by their consonants."""
        self._by_length: dict[int, list[str]] = defaultdict(list)

    def add(self, sound: str, number: int, *, least_consonants: int = 1) -> None:
        """Add a sound of a song, if it has at least this many consonants."""
        bare = consonants(sound)
        if len(bare) < least_consonants:
            return
        if bare not in self._songs:
            self._by_length[len(bare)].append(bare)
        self._songs[bare].append((sound, number))

    def like(self, sound: str) -> Iterator[tuple[int, float]]:
        """Yield songs that sound similar, and the similarity, of 100."""
        bare = consonants(sound)
        if not bare:
            return
        least = _MIN_SHORT_SOUND if len(bare) < _FEW_CONSONANTS else _MIN_SOUND
        for alike, likeness in self._alike(bare):
            for spelt, number in self._songs[alike]:
                score = _CONSONANTS_WORTH * likeness + (1 - _CONSONANTS_WORTH) * fuzz.ratio(sound, spelt)
                if score >= least:
                    yield number, score

    def _alike(self, bare: str) -> Iterator[tuple[str, float]]:
        """Yield known consonants that are similar, the most similar first; few consonants have to be the same."""
        if len(bare) < _FEW_CONSONANTS:
            if bare in self._songs:
                yield bare, 100.0
            return
        shortest = ceil(len(bare) * _MIN_LIKENESS / (200 - _MIN_LIKENESS))
        lengths = range(shortest, len(bare) * (200 - _MIN_LIKENESS) // _MIN_LIKENESS + 1)
        near = [each for length in lengths for each in self._by_length.get(length, ())]
        found = process.extract(
            bare, near, scorer=fuzz.ratio, limit=_MAX_BY_SOUND, score_cutoff=_MIN_LIKENESS
        )
        for alike, likeness, _place in found:
            yield alike, likeness


class NicknameIndex:
    """Initials of titles, and the words, sounds and meanings in them, by the songs' numbers."""

    def __init__(
        self,
        titles: Sequence[str],
        find_readings: FindReadings,
        meanings: Meanings,
        readings: Mapping[str, Sequence[str]],
    ) -> None:
        self._lengths = [len(title) for title in titles]
        self._find_readings = find_readings
        self._initials: dict[str, list[int]] = defaultdict(list)
        self._whole = _Sounds()
        self._runs = _Sounds()
        self._words: dict[str, set[int]] = defaultdict(set)
        self._meant: dict[str, set[int]] = defaultdict(set)
        ways = [title_words(title) for title in titles]
        for number, title in enumerate(titles):
            proper = without_aside(title)
            said = (kanji_initials(proper, each) for each in readings.get(title, ()))
            for key in initials(ways[number]).union(*said):
                self._initials[key].append(number)
            words = latin_words(title)
            for part in (*zip(words, strict=True), *pairwise(words)):
                self._words[in_digits(part)].add(number)
            self._add_sounds(title, number)
            for word in words_in(title, meanings) if meanings else ():
                for each in meanings[word]:
                    self._meant[each].add(number)
        self._heads = HeadIndex(ways)

    def with_initials(self, text: str) -> Sequence[int]:
        """Return the songs whose initials are the text."""
        return self._initials.get(fold(in_latin(text)), ())

    def meant_by(self, text: str, *, least: float = MIN_SCORE) -> list[tuple[int, Kin]]:
        """Return songs that a text may refer to by sound or meaning, with scores of 100, the likeliest first."""
        words, typed = latin_words(text)[:_MAX_TYPED_WORDS], fold(in_latin(text))
        if not words or not typed.isascii():
            return []
        found = [
            (number, (_HEADS_WORTH - length, Kinship.HEADS)) for number, length in self._heads.holding(typed)
        ]
        for sound in phrase_sounds(words):
            found += [(number, (score, Kinship.SOUND)) for number, score in self._whole.like(sound)]
        for number, (share, why) in self._shares(words).items():
            score = _COVERED_BASE + _COVERED_WORTH * share - self._lengths[number] * _LENGTH_COST
            found.append((number, (score, why)))
        best: dict[int, Kin] = {}
        for number, kin in found:
            if kin[0] >= least:
                best[number] = max(kin, best.get(number, kin))
        return sorted(best.items(), key=lambda pair: (-pair[1][0], pair[0]))

    def _add_sounds(self, title: str, number: int) -> None:
        proper = unicodedata.normalize("NFKC", without_aside(title))
        if _KANA.search(proper) and not KANJI.search(proper):
            spoken = _SPOKEN.findall(proper)
            self._whole.add("".join(_first_sound(each) for each in spoken), number)
        for run in _RUN.findall(unicodedata.normalize("NFKC", title)):
            self._runs.add(kana_sound(run), number, least_consonants=_MIN_RUN_CONSONANTS)

    def _shares(self, words: Sequence[str]) -> Mapping[int, Kin]:
        """Return the share of the typed letters that each title contains, and the kind of match of the longest word."""
        weights = [len(word) * (_SMALL_WORD_WEIGHT if word in SMALL_WORDS else 1.0) for word in words]
        covered: dict[int, dict[int, Kin]] = defaultdict(dict)
        for size in (1, 2):  # two typed words may be one in the title
            for start in range(len(words) - size + 1):
                for number, kin in self._holding(words[start : start + size]):
                    places = covered[number]
                    for place in range(start, start + size):
                        places[place] = max(kin, places.get(place, kin))
        whole = sum(weights)
        return {
            number: (
                sum(weights[place] * worth for place, (worth, _why) in places.items()) / whole,
                places[max(places, key=weights.__getitem__)][1],
            )
            for number, places in covered.items()
        }

    def _holding(self, words: Sequence[str]) -> Iterator[tuple[int, Kin]]:
        """Yield the songs whose titles contain one word, or two as one: as Latin, reading, meaning or sound."""
        typed = "".join(words)
        for number in self._words.get(in_digits(words), ()):
            yield number, (1.0, Kinship.WORDS)
        if len(words) == 1 and len(typed) >= _MIN_READING_LENGTH:
            for number in self._find_readings(typed, _MAX_BY_READING):
                yield number, (_READING_WORTH, Kinship.WORDS)
        for number in self._meant.get(stem(typed), ()):
            yield number, (_MEANING_WORTH, Kinship.MEANING)
        for sound in phrase_sounds(words)[:2]:
            if len(consonants(sound)) >= _MIN_RUN_CONSONANTS:
                for number, score in self._runs.like(sound):
                    yield number, (score / 100 - _SOUND_COST, Kinship.SOUND)


def _first_sound(spoken: str) -> str:
    return next(iter(english_sounds(spoken.lower())), "") if spoken.isascii() else kana_sound(spoken)
