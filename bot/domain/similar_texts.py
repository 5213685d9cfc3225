"""Texts that are nearly what was typed, such as titles with a slip."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from rapidfuzz import fuzz, process

_MIN_LIKENESS: Final = 62.0
"""A near miss below this is noise; a title far shorter than what was typed reaches 60. Our choice."""
_RARE_PAIRS: Final = 10
"""Pairs of letters, the rarest first, by which candidates are chosen: two of them may fall to a slip."""
_MAX_CANDIDATES: Final = 48
_PART_WORTH: Final = 0.9
"""What likeness to a part of a title counts beside likeness to all of it."""
_SLACK_CHARACTERS: Final = 2
"""Characters that may be missing from what was typed of the start of a title."""
_MIN_PART_CHARACTERS: Final = 4
"""Characters typed from which on a part of a title is compared."""


class SimilarTexts:
    """Which songs have texts that hold which pairs of letters, to find those that are nearly what was typed."""

    def __init__(self, texts: Iterable[tuple[str, int]]) -> None:
        texts_of: dict[int, list[str]] = {}
        for text, number in sorted(texts, key=lambda pair: (len(pair[0]), pair[1])):
            if text:
                texts_of.setdefault(number, []).append(text)
        self._texts_of = texts_of
        self._holders: dict[str, array[int]] = {}
        for number, its_texts in texts_of.items():
            for pair in set[str]().union(*map(_pairs_of, its_texts)):
                self._holders.setdefault(pair, array("I")).append(number)

    def near(self, needle: str, sound: str, *, least: float = _MIN_LIKENESS) -> list[tuple[int, float]]:
        """Return songs and how like they are, of 100, the likest first; those that are noise are left out."""
        best: dict[int, float] = {}
        for typed in dict.fromkeys(each for each in (needle, sound) if each):
            texts = [(number, text) for number in self._candidates(typed) for text in self._texts_of[number]]
            for place, likeness in _similar(typed, [text for _number, text in texts], least):
                number = texts[place][0]
                best[number] = max(likeness, best.get(number, 0.0))
        return sorted(best.items(), key=lambda pair: -pair[1])

    def _candidates(self, typed: str) -> list[int]:
        # Of pairs that are equally rare the first by letter: the order of a set differs from one start to the next.
        known = sorted(
            (len(holders), pair, holders)
            for pair in _pairs_of(typed)
            if (holders := self._holders.get(pair)) is not None
        )
        counts: Counter[int] = Counter()
        for _rarity, _pair, holders in known[:_RARE_PAIRS]:
            counts.update(holders)
        return sorted(counts, key=counts.__getitem__, reverse=True)[:_MAX_CANDIDATES]


def _similar(typed: str, texts: list[str], least: float) -> Iterator[tuple[int, float]]:
    """Yield the places of texts that are like what was typed, and how like, as a whole and as their starts."""
    for _text, likeness, place in process.extract(
        typed, texts, scorer=fuzz.ratio, limit=None, score_cutoff=least
    ):
        yield place, likeness
    if len(typed) >= _MIN_PART_CHARACTERS:
        starts = [text[: len(typed) + _SLACK_CHARACTERS] for text in texts]
        for _text, likeness, place in process.extract(
            typed, starts, scorer=fuzz.ratio, limit=None, score_cutoff=least / _PART_WORTH
        ):
            yield place, _PART_WORTH * likeness


def _pairs_of(text: str) -> set[str]:
    """Return the pairs of letters in a text, its first and last letter among them."""
    return {first + second for first, second in pairwise(f"\n{text}\n")}
