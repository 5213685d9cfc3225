"""Texts that are nearly what was typed, such as titles with a typing error."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from rapidfuzz import fuzz, process

_MIN_LIKENESS: Final = 62.0
"""The least similarity, of 100: a title far shorter than what was typed reaches 60. Our choice."""
_RARE_PAIRS: Final = 10
"""The number of letter pairs, rarest first, by which candidates are chosen: a typing error may spoil two of them."""
_MAX_CANDIDATES: Final = 48
_PART_WORTH: Final = 0.9
"""The weight of similarity to a part of a title, relative to that to the whole title."""
_SLACK_CHARACTERS: Final = 2
"""The characters of the start of a title that may be missing from what was typed."""
_MIN_PART_CHARACTERS: Final = 4
"""The least typed characters for comparison with a part of a title."""


class SimilarTexts:
    """The songs by the pairs of letters in their texts, for finding texts similar to what was typed."""

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
        """Return songs and their similarity, of 100, the most similar first; those below `least` are left out."""
        best: dict[int, float] = {}
        for typed in dict.fromkeys(each for each in (needle, sound) if each):
            texts = [(number, text) for number in self._candidates(typed) for text in self._texts_of[number]]
            for place, likeness in _similar(typed, [text for _number, text in texts], least):
                number = texts[place][0]
                best[number] = max(likeness, best.get(number, 0.0))
        return sorted(best.items(), key=lambda pair: -pair[1])

    def _candidates(self, typed: str) -> list[int]:
        # Equally rare pairs are sorted by letter: the order of a set differs from one start to the next.
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
    """Yield the positions of texts similar to what was typed, and the similarity, as a whole and by their starts."""
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
    """Return the pairs of letters in a text; its first and last letter are also paired with its edges."""
    return {first + second for first, second in pairwise(f"\n{text}\n")}
