"""Titles that stand in a text."""

import unicodedata
from collections.abc import Iterable
from typing import Final

from bot.domain.folding import fold

_LEAST_LATIN: Final = 4
"""Letters and digits from which on a title is worth noticing: shorter ones are ordinary words."""
_LEAST_OTHER: Final = 2
_LONGEST_TEXT: Final = 4_000
"""Characters of a text that are looked through."""


class Mentions:
    """Notices titles in texts."""

    def __init__(self, titles: Iterable[tuple[str, int]]) -> None:
        worth = [(title, number) for title, number in titles if len(title) >= _least(title)]
        self._titles = sorted(worth, key=lambda pair: -len(pair[0]))

    def find(self, text: str) -> list[int]:
        """Return the numbers of the titles in a text, in its order; of those within one another the longest."""
        folded, edges = _fold_with_edges(text[:_LONGEST_TEXT])
        taken: dict[int, int] = {}
        covered = bytearray(len(folded))
        for title, number in self._titles:
            at = folded.find(title)
            while at >= 0:
                end = at + len(title)
                if edges[at] and edges[end] and not any(covered[at:end]):
                    covered[at:end] = b"\x01" * len(title)
                    taken[at] = number
                    break
                at = folded.find(title, at + 1)
        return list(dict.fromkeys(taken[at] for at in sorted(taken)))


def _least(title: str) -> int:
    return _LEAST_LATIN if title.isascii() else _LEAST_OTHER


def _fold_with_edges(text: str) -> tuple[str, list[bool]]:
    """Return a folded text, and for each place in it whether a word may begin or end there.

    Words of Latin letters have edges; between other letters, which are written without spaces, all places are.
    """
    folded = ""
    edges: list[bool] = []
    after_gap = True
    for char in unicodedata.normalize("NFKC", text):
        kept = fold(char)
        if not kept:
            after_gap = True
            continue
        is_word = kept.isascii() and folded[-1:].isascii()
        edges += [after_gap or not is_word] + [False] * (len(kept) - 1)
        folded += kept
        after_gap = False
    return folded, [*edges, True]
