"""Finds song titles in a text."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain.folding import compared, fold

_MIN_LATIN_CHARACTERS: Final = 4
"""The least letters and digits of a title that is noticed: shorter ones are ordinary words."""
_MIN_OTHER_CHARACTERS: Final = 2
_MAX_TEXT_CHARACTERS: Final = 4_000
"""The most characters of a text that are searched."""


@dataclass(frozen=True, slots=True)
class _Spelling:
    """One title's spelling, among titles that differ only in case and symbols."""

    number: int
    title: str
    normal: str
    """The text with width normalised."""
    lead: int
    """The number of characters before the first one that counts when titles are compared."""


class Mentions:
    """Finds titles in texts."""

    def __init__(self, titles: Sequence[str]) -> None:
        """`titles`: those of a catalogue, each identified by its position."""
        alike: dict[str, list[_Spelling]] = {}
        for number, title in enumerate(titles):
            folded = compared(title)
            if len(folded) >= _least(folded):
                alike.setdefault(folded, []).append(_spelling(number, title.strip()))
        self._alike = sorted(alike.items(), key=lambda pair: -len(pair[0]))

    def find(self, text: str) -> list[int]:
        """Return the numbers of the titles in a text, in order of appearance; of overlapping titles, the longest.

        Of titles that differ only in case or symbols, only those with the exact spelling count; if none has it, all do.
        """
        told = _Told.of(text[:_MAX_TEXT_CHARACTERS])
        taken: dict[int, list[int]] = {}
        covered = bytearray(len(told.folded))
        for title, spellings in self._alike:
            at = told.folded.find(title)
            while at >= 0:
                end = at + len(title)
                if told.edges[at] and told.edges[end] and not any(covered[at:end]):
                    covered[at:end] = b"\x01" * len(title)
                    taken[at] = told.meant(spellings, at)
                at = told.folded.find(title, at + 1)
        return list(dict.fromkeys(number for at in sorted(taken) for number in taken[at]))


@dataclass(frozen=True, slots=True)
class _Told:
    """A text, and where its folded form comes from."""

    text: str
    normal: str
    """The text with width normalised."""
    folded: str
    places: list[int]
    """The position in `normal` of each character of `folded`."""
    edges: list[bool]
    """Whether a word may begin or end at each position in `folded`, including its end.

    Words of Latin letters have edges; others are written without spaces, so every position between them is an edge.
    """

    @classmethod
    def of(cls, text: str) -> "_Told":
        normal = unicodedata.normalize("NFKC", text)
        folded = ""
        places: list[int] = []
        edges: list[bool] = []
        after_gap = True
        for place, char in enumerate(normal):
            kept = fold(char)
            if kept:
                is_word = kept.isascii() and folded[-1:].isascii()
                edges += [after_gap or not is_word] + [False] * (len(kept) - 1)
                places += [place] * len(kept)
                folded += kept
            after_gap = not kept
        return cls(text, normal, folded, places, [*edges, True])

    def meant(self, spellings: Sequence[_Spelling], at: int) -> list[int]:
        """Return which of several titles are at a position of `folded`: the longest with the exact spelling, or all."""
        place = self.places[at]
        spelt = [
            each
            for each in spellings
            if each.lead <= place and self.normal.startswith(each.normal, place - each.lead)
        ]
        longest = max((len(each.normal) for each in spelt), default=0)
        spelt = [each for each in spelt if len(each.normal) == longest]
        # Titles that differ only in width are distinguished by the text as it was sent.
        spelt = [each for each in spelt if each.title in self.text] or spelt
        return [each.number for each in spelt or spellings]


def _spelling(number: int, title: str) -> _Spelling:
    normal = unicodedata.normalize("NFKC", title)
    lead = next((place for place, char in enumerate(normal) if fold(char)), 0)
    return _Spelling(number, title, normal, lead)


def _least(title: str) -> int:
    return _MIN_LATIN_CHARACTERS if title.isascii() else _MIN_OTHER_CHARACTERS
