"""The features of charts for the models: constant and kind. Source: the catalogue."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import log
from statistics import fmean, median
from typing import Final

from bot.domain.charts import Catalogue, Chart, Song
from bot.domain.coach.regression import Regression
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, Region
from bot.domain.numbers import Hundredths

DENSITY: Final = "density"
"""The trait of charts with many notes for their constant."""
TEMPO: Final = "tempo"
"""The trait of fast songs."""
ERA: Final = "era"
"""The trait of recent songs."""

_MAX_GENRES: Final = 10
_NOTES_STEP: Final = 5.0
"""The steps of density for each unit of log notes: a quarter more notes than usual weigh about as much as one step of
another trait."""
_TEMPO_STEP: Final = 3.0
_YEARS_A_STEP: Final = 4.0
_MAX_STEPS: Final = 3.0
"""The limit of a trait in steps: a chart of one note teaches nothing about density."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartFeatures:
    """One chart with a known constant."""

    key: ChartKey
    constant: float
    kind: tuple[float, ...] = field(repr=False)
    """The amount of each column of the `ChartFeatureSet`, in steps; 0 is usual or unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartFeatureSet:
    """All charts of a region whose scores can be predicted: those with a known constant."""

    traits: tuple[str, ...]
    """The traits in which charts differ: DENSITY, TEMPO, ERA, and names of genres."""
    charts: tuple[ChartFeatures, ...] = field(repr=False)
    difficulties: tuple[str, ...] = ()
    """The difficulties, which are columns besides the traits, so that a preference for one is not mistaken for a
    trait."""
    region: Region = JP2
    positions: Mapping[ChartKey, int] = field(init=False, repr=False, compare=False)
    """The index of each chart in `charts`."""
    constants: Sequence[float] = field(init=False, repr=False, compare=False)
    """The constant of each chart."""

    def __post_init__(self) -> None:
        """Precompute what is needed for every member."""
        object.__setattr__(self, "positions", {each.key: at for at, each in enumerate(self.charts)})
        object.__setattr__(self, "constants", tuple(each.constant for each in self.charts))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a chart's kind, in order: the traits, then the difficulties."""
        return (*self.traits, *self.difficulties)

    @classmethod
    def of(cls, catalogue: Catalogue) -> "ChartFeatureSet":
        """Return the charts of a catalogue with a known constant, in catalogue order."""
        charts = list(_charts(catalogue))
        songs = {song.id: song for song, _, _ in charts}.values()
        genres = Counter(song.genre for song in songs if song.genre)
        names = [name for name, _ in sorted(genres.items(), key=lambda pair: (-pair[1], pair[0]))]
        usual = _Usual.of([(song, chart) for song, chart, _ in charts])
        kept = names[:_MAX_GENRES]
        difficulties = sorted({chart.difficulty for _, chart, _ in charts})
        return cls(
            region=catalogue.region,
            traits=(DENSITY, TEMPO, ERA, *kept),
            difficulties=tuple(difficulties),
            charts=tuple(
                ChartFeatures(
                    key=(song.id, chart.difficulty),
                    constant=constant / 100,
                    kind=(
                        *usual.kind(song, chart, constant / 100),
                        *(float(song.genre == name) for name in kept),
                        *(float(chart.difficulty == code) for code in difficulties),
                    ),
                )
                for song, chart, constant in charts
            ),
        )


def _charts(catalogue: Catalogue) -> Iterator[tuple[Song, Chart, Hundredths]]:
    for song in catalogue.songs:
        for chart in song.charts:
            if chart.constant is not None:
                yield song, chart, chart.constant


@dataclass(frozen=True, slots=True)
class _Usual:
    """The averages over charts."""

    notes: Regression
    """The logarithm of the note count, by constant."""
    bpm: float
    released: float

    @classmethod
    def of(cls, charts: Sequence[tuple[Song, Chart]]) -> "_Usual":
        counted = [
            (chart.constant, chart.max_combo) for _, chart in charts if chart.constant and chart.max_combo
        ]
        songs = {song.id: song for song, _ in charts}.values()
        return cls(
            Regression(
                [_by_constant(constant / 100) for constant, _ in counted],
                [log(notes) for _, notes in counted],
                [1.0] * len(counted),
                [0.01] * 3,
            ),
            median([song.bpm for song in songs if song.bpm] or [1]),
            fmean([_year(song.released_on) for song in songs if song.released_on] or [0]),
        )

    def kind(self, song: Song, chart: Chart, constant: float) -> tuple[float, ...]:
        """Return density, tempo and era of a chart."""
        notes = chart.max_combo
        return (
            _bounded(_NOTES_STEP * (log(notes) - self.notes.explain(_by_constant(constant))))
            if notes
            else 0.0,
            _bounded(_TEMPO_STEP * log(song.bpm / self.bpm)) if song.bpm else 0.0,
            _bounded((_year(song.released_on) - self.released) / _YEARS_A_STEP) if song.released_on else 0.0,
        )


def _by_constant(constant: float) -> tuple[float, ...]:
    return 1.0, constant, constant * constant / 10


def _year(day: date) -> float:
    return day.year + day.month / 12


def _bounded(steps: float) -> float:
    return max(-_MAX_STEPS, min(_MAX_STEPS, steps))
