"""A player's title: how their best records were played, and which charts they are of."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import Enum, auto
from typing import Final, NamedTuple

from bot.domain.charts import ADVANCED, BASIC, EXPERT, ULTIMA
from bot.domain.ranks import MAX_SCORE, Rank
from bot.domain.scores import Record, Slot


class Manner(Enum):
    """A style of playing; the first that fits is used."""

    BUDDING = auto()
    """Fewer than ten records."""
    IMMACULATE = auto()
    """Three records of the highest score."""
    UNERRING = auto()
    """All justice on half."""
    HARMONIOUS = auto()
    """A full chain on a quarter."""
    UNBROKEN = auto()
    """A full combo on two thirds."""
    METICULOUS = auto()
    """SSS+ on two thirds."""
    DARING = auto()
    """Scores below SS on half."""
    SLEEPLESS = auto()
    """The recent average is not below the best."""
    STEADFAST = auto()
    """The first is rated at most 0.30 above the last."""
    SOARING = auto()
    """The first is rated 1.00 above the last, or more."""
    CAREFREE = auto()
    """The recent average is 1.00 below the best, or more."""
    WANDERING = auto()
    """None of these."""


class Calling(Enum):
    """A kind of charts played; the first that fits is used."""

    CLIMBER = auto()
    """A quarter is of ULTIMA."""
    EXPLORER = auto()
    """Half is of EXPERT or below."""
    CARTOGRAPHER = auto()
    """Two fifths are of ORIGINAL, as with the genres below."""
    TROUBADOUR = auto()
    COMET = auto()
    PILGRIM = auto()
    JUGGLER = auto()
    PAINTER = auto()
    VOYAGER = auto()
    ALCHEMIST = auto()
    """A bit of everything."""


class Title(NamedTuple):
    """The two words of a title."""

    manner: Manner
    calling: Calling


_OF_GENRE: Final[Mapping[str, Calling]] = {
    "ORIGINAL": Calling.CARTOGRAPHER,
    "POPS&ANIME": Calling.TROUBADOUR,
    "POPS & ANIME": Calling.TROUBADOUR,
    "niconico": Calling.COMET,
    "東方Project": Calling.PILGRIM,
    "VARIETY": Calling.JUGGLER,
    "イロドリミドリ": Calling.PAINTER,
    "ゲキマイ": Calling.VOYAGER,
}
"""The calling of each genre. Source: the game's genres, as the service writes them."""
_FEW_RECORDS: Final = 10
_MAXIMA: Final = 3
_EVEN_HUNDREDTHS: Final = 30
_UNEVEN_HUNDREDTHS: Final = 100
_BEHIND_RATING: Final = Decimal(1)


def title_of(best: Slot, recent: Slot) -> Title | None:
    """Return the title of a player, derived from their slots; None if they have no best records."""
    records = best.records
    return Title(_manner(records, best.average, recent.average), _calling(records)) if records else None


def _manner(records: Sequence[Record], average: Decimal | None, recent: Decimal | None) -> Manner:
    lamps = [record.lamps for record in records if record.lamps]
    scores = [record.score for record in records]
    behind = None if average is None or recent is None else average - recent
    ratings = [record.rating for record in records]
    spread = max(ratings) - min(ratings)
    rules: dict[Manner, Callable[[], bool]] = {
        Manner.BUDDING: lambda: len(records) < _FEW_RECORDS,
        Manner.IMMACULATE: lambda: scores.count(MAX_SCORE) >= _MAXIMA,
        Manner.UNERRING: lambda: 2 * sum(each.is_all_justice for each in lamps) >= len(records),
        Manner.HARMONIOUS: lambda: 4 * sum(each.is_full_chain for each in lamps) >= len(records),
        Manner.UNBROKEN: lambda: 3 * sum(each.is_full_combo for each in lamps) >= 2 * len(records),
        Manner.METICULOUS: lambda: 3 * _count(scores, Rank.SSS_PLUS) >= 2 * len(records),
        Manner.DARING: lambda: 2 * _count(scores, Rank.SS) <= len(records),
        Manner.SLEEPLESS: lambda: behind is not None and behind <= 0,
        Manner.STEADFAST: lambda: spread <= _EVEN_HUNDREDTHS,
        Manner.SOARING: lambda: spread >= _UNEVEN_HUNDREDTHS,
        Manner.CAREFREE: lambda: behind is not None and behind >= _BEHIND_RATING,
    }
    return next((manner for manner, fits in rules.items() if fits()), Manner.WANDERING)


def _count(scores: Sequence[int], rank: Rank) -> int:
    return sum(score >= rank.least_score for score in scores)


def _calling(records: Sequence[Record]) -> Calling:
    if 4 * sum(record.difficulty == ULTIMA for record in records) >= len(records):
        return Calling.CLIMBER
    if 2 * sum(record.difficulty in {BASIC, ADVANCED, EXPERT} for record in records) >= len(records):
        return Calling.EXPLORER
    [(genre, most)] = Counter(record.genre or "" for record in records).most_common(1)
    return _OF_GENRE.get(genre, Calling.ALCHEMIST) if 5 * most >= 2 * len(records) else Calling.ALCHEMIST
