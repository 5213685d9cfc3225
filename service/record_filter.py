"""Filters records as records/filter of version 1.0 does. Source: specification, "Parameters of records/filter"."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.domain.charts import LETTERS
from bot.domain.folding import spelling
from service.model import Flags, StoredRecord
from service.parameters import Arguments

_GENRES: Final[Mapping[str, str]] = {
    "pops": "POPS&ANIME",
    "niconico": "niconico",
    "toho": "東方Project",
    "variety": "VARIETY",
    "irodori": "イロドリミドリ",
    "gekimai": "ゲキマイ",
    "orig": "ORIGINAL",
}
"""The genre of each filter code, as the catalogue writes it."""

_FAMILIES: Final[tuple[Mapping[str, Callable[[int], object]], ...]] = (
    {
        "clear": lambda flags: flags & Flags.CLEAR,
        "failed": lambda flags: not flags & (Flags.CLEAR | Flags.unsaid(Flags.CLEAR)),
    },
    {
        "fc": lambda flags: flags & Flags.FULL_COMBO and not flags & Flags.ALL_JUSTICE,
        "aj": lambda flags: flags & Flags.ALL_JUSTICE,
        "noajfc": lambda flags: not flags & (Flags.FULL_COMBO | Flags.ALL_JUSTICE),
    },
    {
        "fch": lambda flags: flags & Flags.FULL_CHAIN,
        "nofch": lambda flags: not flags & Flags.FULL_CHAIN,
    },
)
"""Lamps exclude each other within a family: a record needs one of those named; a family of which all are named does
not filter. This is our reading."""


def filter_records(records: Sequence[StoredRecord], arguments: Arguments) -> list[StoredRecord]:
    """Return the records that pass every condition, in the order given."""
    title = spelling(arguments.text("title"))
    letters = set(arguments.text("diff"))
    scores = arguments.integer("min_score"), arguments.integer("max_score")
    levels = arguments.number("min_level"), arguments.number("max_level")
    genre = _GENRES.get(arguments.text("genre"))
    lamps = set(arguments.text("lamp").split(","))
    return [
        record
        for record in records
        if LETTERS.get(record.chart.difficulty) in letters
        and scores[0] <= record.score <= scores[1]
        and levels[0] <= record.chart.level / 100 <= levels[1]
        and (genre is None or spelling(record.song.genre) == spelling(genre))
        and title in spelling(record.song.title)
        and _passes_lamps(record.flags, lamps)
    ]


def _passes_lamps(flags: int, lamps: set[str]) -> bool:
    for family in _FAMILIES:
        named = [passes for lamp, passes in family.items() if lamp in lamps]
        if 0 < len(named) < len(family) and not any(passes(flags) for passes in named):
            return False
    return True
