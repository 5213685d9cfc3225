"""A filter: terms that must all hold. It is frozen, and its text can be parsed back."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from typing_extensions import override

from bot.domain.charts import MASTER
from bot.domain.entries import ChartEntry, record_entries
from bot.domain.filters.keys import Key, Operator, Test, find_key
from bot.domain.filters.values import UNKNOWN, Value, ValueRange
from bot.domain.filters.words import word_for
from bot.domain.folding import occurs_in
from bot.domain.ids import Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import ranks_of
from bot.domain.scores import Record

_BARE: Final = re.compile(
    r"[^\s,，、:：=＝<＜>＞≤≥≦≧≠!！\"“”＂「」\\\-－−][^\s,，、:：=＝<＜>＞≤≥≦≧≠!！\"“”＂「」\\]*"
)
_NO_RATING: Final = Hundredths(0)
_LETTERS: Final = re.compile(r"[a-z]+")
_ESCAPES: Final = re.compile(r"[\\\"“”＂]")
"""The characters that would end a quoted text, in any script, or escape the next character."""


@dataclass(frozen=True, slots=True)
class Words:
    """Plain words: a search."""

    text: str
    is_excluded: bool = False
    found: frozenset[SongId] | None = None
    """The songs that a song index found for them; None if only titles and artists are searched."""

    def tester(self) -> Test:
        """Return a test of whether the words find an entry, or do not find it if they exclude."""
        return lambda entry: self._finds(entry) is not self.is_excluded

    def _finds(self, entry: ChartEntry) -> bool:
        if self.found is not None:
            return entry.song.id in self.found
        return occurs_in(self.text, entry.song.title) or occurs_in(self.text, entry.song.artist or "")

    @override
    def __str__(self) -> str:
        return f"{'-' if self.is_excluded else ''}{_quoted(self.text)}"


@dataclass(frozen=True, slots=True)
class FilterCondition:
    """A key, an operator, and values of which one must match."""

    name: str
    """The key's name, as printed."""
    operator: Operator
    values: tuple[Value, ...]
    is_excluded: bool = False

    @property
    def key(self) -> Key:
        """The key that the name refers to."""
        key = find_key(self.name)
        assert key is not None, self.name  # noqa: S101 - the parser creates no others
        return key

    def tester(self) -> Test:
        """Return a test of whether an entry meets the condition, or does not if the condition excludes."""
        is_so = self.key.tester(self.operator, self.values)
        return (lambda entry: not is_so(entry)) if self.is_excluded else is_so

    @override
    def __str__(self) -> str:
        return self._written(self.name, [value.text for value in self.values])

    def written(self, language: str) -> str:
        """Return the condition in the words of a language."""
        words = {option.names[0] for option in self.key.options} | {UNKNOWN.text}
        texts = [
            word_for(value.text, language) if value.text in words else written_value(value, language)
            for value in self.values
        ]
        return self._written(word_for(self.name, language), texts)

    def _written(self, name: str, values: Sequence[str]) -> str:
        return f"{'-' if self.is_excluded else ''}{name}{self.operator}{','.join(map(_quoted, values))}"


def written_value(value: Value, language: str) -> str:
    """Return a value in the words of a language; a value relative to a constant includes its name."""
    is_beside = isinstance(value, ValueRange) and value.is_beside
    return _LETTERS.sub(lambda name: word_for(name[0], language), value.text) if is_beside else value.text


Term: TypeAlias = Words | FilterCondition


@dataclass(frozen=True, slots=True)
class Filter:
    """Terms that must all hold; a filter without terms passes everything."""

    terms: tuple[Term, ...] = ()

    def matches(self, entry: ChartEntry) -> bool:
        """Return whether an entry passes."""
        return self.tester()(entry)

    def tester(self) -> Test:
        """Return a test of whether an entry passes: for callers with many entries that also want those that do not."""
        tests = [term.tester() for term in self.terms]
        return lambda entry: all(test(entry) for test in tests)

    def passing(self, entries: Iterable[ChartEntry]) -> list[ChartEntry]:
        """Return the entries that pass, in their order."""
        found = [*entries]
        for term in self.terms:
            found = [*filter(term.tester(), found)]
        return found

    @property
    def words(self) -> str:
        """The plain words to search for, as one text; empty if there are none."""
        return " ".join(term.text for term in self.terms if isinstance(term, Words) and not term.is_excluded)

    @property
    def titles(self) -> list[str]:
        """The texts that a title has to equal or contain, the plain words first."""
        named = [
            value.text
            for term in self.terms
            if isinstance(term, FilterCondition) and term.name == "title" and not term.is_excluded
            for value in term.values
        ]
        return [self.words, *named] if self.words else named

    @property
    def needs_records(self) -> bool:
        """Whether it asks about scores, locked songs or felt difficulty, and so needs a player."""
        return self.needs_felt or self.names_locked or any(map(_is_of_records, self.terms))

    @property
    def needs_felt(self) -> bool:
        """Whether it asks about the felt difficulty of charts."""
        return self._names("felt")

    @property
    def names_locked(self) -> bool:
        """Whether it has a condition on songs that are not unlocked."""
        return self._names(LOCKED_KEY)

    def has_its_ranks(self, region: Region) -> bool:
        """Return whether every wanted rank can be reached in a region, or matches an unplayed chart."""
        scores = [
            Record(None, "", MASTER, _NO_RATING, None, rank.least_score, _NO_RATING, False, None)  # noqa: FBT003 - by position, as everywhere
            for rank in ranks_of(region)
        ]
        entries = [*record_entries(scores, region)]
        entries.append(replace(entries[0], record=None))
        wanted = (term for term in self.terms if isinstance(term, FilterCondition) and term.name == "rank")
        return all(any(map(term.tester(), entries)) for term in wanted)

    def _names(self, key: str) -> bool:
        return any(isinstance(term, FilterCondition) and term.name == key for term in self.terms)

    def parted(self) -> "tuple[Filter, Filter]":
        """Return the filter's conditions on charts, and those on records."""
        return (
            Filter(tuple(term for term in self.terms if not _is_of_records(term))),
            Filter(tuple(term for term in self.terms if _is_of_records(term))),
        )

    def searched(self, search: Callable[[str], Collection[SongId]]) -> "Filter":
        """Return the filter with its plain words looked up, all as one text, by a search that tolerates typing errors.

        Excluding words stay exact: a near miss must not exclude songs that were not meant.
        """
        if not self.words:
            return self
        found = frozenset(search(self.words))
        return Filter(
            tuple(
                replace(term, found=found) if isinstance(term, Words) and not term.is_excluded else term
                for term in self.terms
            )
        )

    def in_place_of(self, names: Collection[str], other: "Filter") -> "Filter":
        """Return the filter with the terms of `other` in place of all conditions on the keys of these names."""
        kept = (term for term in self.terms if not (isinstance(term, FilterCondition) and term.name in names))
        return Filter((*kept, *other.terms))

    def and_also(self, other: "Filter") -> "Filter":
        """Return a filter that requires both."""
        return Filter(self.terms + other.terms)

    @override
    def __str__(self) -> str:
        return " ".join(map(str, self.terms))

    def written(self, language: str) -> str:
        """Return the filter in the words of a language; it parses to the same."""
        return " ".join(
            term.written(language) if isinstance(term, FilterCondition) else str(term) for term in self.terms
        )


LOCKED_KEY: Final = "locked"
"""The key for songs that a player has marked as locked."""
_FLAGS: Final = frozenset({LOCKED_KEY, "played"})
"""The keys whose name alone means yes."""
RECORD_KEYS: Final = frozenset({"lamp", "chain", "rank", "score", "rating", "played", "updated"})
"""The keys that read a player's record."""


def _is_of_records(term: Term) -> bool:
    return isinstance(term, FilterCondition) and term.name in RECORD_KEYS


def find_flag(text: str) -> str | None:
    """Return the key's name if a word alone means yes for a key, or None; a title of that name has to be quoted."""
    key = find_key(text)
    return key.names[0] if key is not None and key.names[0] in _FLAGS else None


def _quoted(text: str) -> str:
    if _BARE.fullmatch(text) and find_flag(text) is None:
        return text
    escaped = _ESCAPES.sub(r"\\\g<0>", text)
    return f'"{escaped}"'
