"""The keys of the filter language: their names, the values that they accept, and the data that they read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import Final, TypeAlias

from bot.base.clock import JST
from bot.domain.charts import difficulty_order
from bot.domain.entries import ChartEntry, felt_beside, least_rating
from bot.domain.filters.bad import Expected
from bot.domain.filters.options import DIFFICULTIES, GENRES, LAMPS, RANKS, VERSIONS, YES_NO
from bot.domain.filters.values import (
    UNKNOWN,
    FilterValue,
    Needle,
    SpanReader,
    Value,
    ValueRange,
    beside_reader,
    option_reader,
    read_date,
    read_hundredths,
    read_level,
    read_span,
    read_whole,
)
from bot.domain.filters.words import every_name
from bot.domain.folding import fold, is_same, occurs_in, plain
from bot.domain.ranks import MAX_SCORE, Rank, rank_of
from bot.domain.versions import version_of


class Operator(StrEnum):
    """How a value is compared."""

    HAS = ":"
    IS = "="
    AT_LEAST = ">="
    AT_MOST = "<="
    ABOVE = ">"
    BELOW = "<"


EQUALITIES: Final = (Operator.HAS, Operator.IS)
"""The two operators that accept several values; for numbers they mean the same."""

Test: TypeAlias = Callable[[ChartEntry], bool]
"""Tests an entry; created once for thousands of entries."""

_RANK_NUMBERS: Final = {rank: number for number, rank in enumerate(Rank)}


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberKey:
    """A key whose values have an order."""

    names: tuple[str, ...]
    """The printed name, then all others."""
    field: Callable[[ChartEntry], int | None]
    reader: SpanReader
    expected: Expected
    options: Sequence[FilterValue] = ()
    beside: Callable[[ChartEntry], int | None] | None = None
    """The difference to the number that relative values refer to."""
    may_be_unknown: bool = False
    operators: tuple[Operator, ...] = tuple(Operator)
    usual: Operator = Operator.AT_LEAST
    """The operator that is suggested first."""
    example: str = ""

    def read(self, text: str) -> Value | None:
        """Return what was typed as a value of this key; None if it is not one."""
        return read_span(text, self.reader, may_be_unknown=self.may_be_unknown)

    def tester(self, operator: Operator, values: Sequence[Value]) -> Test:
        """Return a test for entries; an entry without a number is neither more nor less than anything."""
        field = self.field
        spans = [
            (self.beside if self.beside and value.is_beside else field, *_span(operator, value))
            for value in values
            if isinstance(value, ValueRange)
        ]
        takes_unknown = any(value is UNKNOWN for value in values)

        def is_so(entry: ChartEntry) -> bool:
            for number_of, low, high in spans:  # `any` takes twice as long for thousands of entries
                number = number_of(entry)
                if number is not None and low <= number <= high:
                    return True
            return takes_unknown and field(entry) is None

        return is_so


def _span(operator: Operator, value: ValueRange) -> tuple[float, float]:
    """Return the least and the greatest number that an entry may have."""
    match operator:
        case Operator.AT_LEAST:
            return value.low, inf
        case Operator.AT_MOST:
            return -inf, value.high
        case Operator.ABOVE:
            return value.high + 1, inf
        case Operator.BELOW:
            return -inf, value.low - 1
        case _:
            return value.low, value.high


@dataclass(frozen=True, slots=True, kw_only=True)
class TextKey:
    """A key that reads a text: `:` matches a part of it, `=` the whole text."""

    names: tuple[str, ...]
    field: Callable[[ChartEntry], str | None]
    shorthands: Sequence[tuple[str, FilterValue]] = ()
    """Words that stand for a whole text."""
    expected: Expected = Expected.VALUE
    operators: tuple[Operator, ...] = EQUALITIES
    example: str = ""

    @property
    def options(self) -> Sequence[FilterValue]:
        """The shorthands, as suggestions."""
        return [option for _text, option in self.shorthands]

    def read(self, text: str) -> Value | None:
        """Return what was typed; None if it is empty."""
        if not text.strip():
            return None
        for whole, option in self.shorthands:
            if plain(text) in (plain(name) for name in option.names) or is_same(text, whole):
                return Needle(option.names[0], whole)
        return Needle(text, text)

    def tester(self, operator: Operator, values: Sequence[Value]) -> Test:
        """Return a test for entries; an unknown text contains nothing."""
        field, finds = self.field, is_same if operator is Operator.IS else occurs_in
        needles = [value.needle for value in values if isinstance(value, Needle)]

        def is_so(entry: ChartEntry) -> bool:
            whole = field(entry)
            return whole is not None and any(finds(needle, whole) for needle in needles)

        return is_so


Key: TypeAlias = NumberKey | TextKey


def _lamp(entry: ChartEntry) -> int | None:
    played = entry.played
    if played is None or played.lamps is None:
        return None
    lamps = played.lamps
    unlit = None if lamps.is_clear is None else 0
    steps = (lamps.is_clear, lamps.is_full_combo, lamps.is_all_justice, played.score >= MAX_SCORE)
    return max((step for step, is_lit in enumerate(steps, start=1) if is_lit), default=unlit)


def _chain(entry: ChartEntry) -> int | None:
    played = entry.played
    return int(played.lamps.is_full_chain) if played and played.lamps else None


def _rank(entry: ChartEntry) -> int | None:
    return _RANK_NUMBERS[rank_of(entry.played.score, entry.region)] if entry.played else None


def _updated(entry: ChartEntry) -> int | None:
    moment = entry.played.updated_at if entry.played else None
    return moment.astimezone(JST).date().toordinal() if moment else None


def _released(entry: ChartEntry) -> int | None:
    return entry.song.released_on.toordinal() if entry.song.released_on else None


def _version(entry: ChartEntry) -> int | None:
    return version_of(entry.song.released_on) if entry.song.released_on else None


KEYS: Final[tuple[Key, ...]] = (
    NumberKey(
        names=every_name("const", "constant"),
        field=lambda entry: entry.chart.constant,
        reader=read_hundredths,
        expected=Expected.NUMBER,
        may_be_unknown=True,
        example="13.5",
    ),
    NumberKey(
        names=every_name("level", "lv", "lvl"),
        field=lambda entry: entry.chart.level or None,
        reader=read_level,
        expected=Expected.LEVEL,
        example="13+",
    ),
    NumberKey(
        names=every_name("diff", "difficulty"),
        field=lambda entry: difficulty_order(entry.chart.difficulty),
        reader=option_reader(DIFFICULTIES),
        expected=Expected.CHOICE,
        options=DIFFICULTIES,
    ),
    TextKey(names=every_name("genre"), field=lambda entry: entry.song.genre, shorthands=GENRES),
    NumberKey(
        names=every_name("bpm"),
        field=lambda entry: entry.song.bpm,
        reader=read_whole,
        expected=Expected.WHOLE,
        may_be_unknown=True,
        example="200",
    ),
    NumberKey(
        names=every_name("combo", "notes", "maxcombo"),
        field=lambda entry: entry.chart.max_combo,
        reader=read_whole,
        expected=Expected.WHOLE,
        may_be_unknown=True,
        example="2000",
    ),
    NumberKey(
        names=every_name("release", "released", "date"),
        field=_released,
        reader=read_date,
        expected=Expected.DATE,
        may_be_unknown=True,
        example="2023",
    ),
    NumberKey(
        names=every_name("version", "ver"),
        field=_version,
        reader=option_reader(VERSIONS),
        expected=Expected.CHOICE,
        options=VERSIONS,
        may_be_unknown=True,
    ),
    TextKey(names=every_name("artist"), field=lambda entry: entry.song.artist),
    TextKey(names=every_name("title"), field=lambda entry: entry.song.title),
    NumberKey(
        names=every_name("lamp"),
        field=_lamp,
        reader=option_reader(LAMPS),
        expected=Expected.CHOICE,
        options=LAMPS,
    ),
    NumberKey(
        names=every_name("chain"),
        field=_chain,
        reader=option_reader(YES_NO),
        expected=Expected.CHOICE,
        options=YES_NO,
        operators=EQUALITIES,
    ),
    NumberKey(
        names=every_name("rank"),
        field=_rank,
        reader=option_reader(RANKS),
        expected=Expected.CHOICE,
        options=RANKS,
    ),
    NumberKey(
        names=every_name("score"),
        field=lambda entry: entry.played.score if entry.played else None,
        reader=read_whole,
        expected=Expected.WHOLE,
        example="1007500",
    ),
    NumberKey(
        names=every_name("rating"),
        field=least_rating,
        reader=read_hundredths,
        expected=Expected.NUMBER,
        example="16.5",
    ),
    NumberKey(
        names=every_name("felt"),
        field=lambda entry: entry.felt,
        beside=felt_beside,
        reader=beside_reader("const"),
        expected=Expected.FELT,
        may_be_unknown=True,
        usual=Operator.BELOW,
        example="const-0.2",
    ),
    NumberKey(
        names=every_name("played"),
        field=lambda entry: int(entry.played is not None),
        reader=option_reader(YES_NO),
        expected=Expected.CHOICE,
        options=YES_NO,
        operators=EQUALITIES,
    ),
    NumberKey(
        names=every_name("locked"),
        field=lambda entry: int(entry.is_locked),
        reader=option_reader(YES_NO),
        expected=Expected.CHOICE,
        options=YES_NO,
        operators=EQUALITIES,
    ),
    NumberKey(
        names=every_name("updated"),
        field=_updated,
        reader=read_date,
        expected=Expected.DATE,
        may_be_unknown=True,
        example="2026-01-01",
    ),
)
"""All keys, in the order in which they are suggested."""

_BY_NAME: Final = {fold(name): key for key in KEYS for name in key.names}


def find_key(name: str) -> Key | None:
    """Return the key of that name in any language, or None."""
    return _BY_NAME.get(fold(name))
