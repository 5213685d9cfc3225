"""The predictions of one member for all charts, each made when somebody asks for it: few are, of thousands."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from typing_extensions import override

from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.prediction import Chances, Prediction
from bot.domain.coach.score_table import TENTHS
from bot.domain.coach.traits import KindEffects
from bot.domain.history import ChartKey

_SAME_ROW: Final = 100
"""Charts are told apart by hundredths of the constant."""
_UNITS_A_SPREAD: Final = 0.6
"""A chart is harder by this much of the constant for each spread by which its kind lies less to the member."""
_BYTES_A_ROW: Final = 100
"""The bytes of a row of scores, beside what stands in it."""
_BYTES_A_CHART: Final = 36
"""The bytes of what is kept of one chart: constant, score and shift, and what stands behind traits."""


class ScoreRows:
    """The rows of a table of scores, between constants too."""

    def __init__(self, quantiles: Sequence[Sequence[float]], lowest: int) -> None:
        self.quantiles = quantiles
        self._lowest = lowest

    def at(self, constant: float) -> Sequence[float]:
        """Return how hard each score is at a constant."""
        wanted = round(constant * _SAME_ROW) * TENTHS / _SAME_ROW - self._lowest
        below = max(0.0, min(len(self.quantiles) - 1.001, wanted))
        at, way = int(below), below - int(below)
        if not way:
            return self.quantiles[at]
        return [low + way * (high - low) for low, high in zip(*self.quantiles[at : at + 2], strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions(Mapping[ChartKey, Prediction]):
    """What is expected on every chart with a known constant, played or not."""

    features: ChartFeatureSet = field(repr=False)
    rows: ScoreRows = field(repr=False)
    constants: Sequence[float] = field(repr=False)
    """As hard as which constant each chart of the features is for the member."""
    scores: Sequence[int] = field(repr=False)
    """What stands on each; 0 where nothing was played."""
    own: Sequence[float] = field(repr=False)
    """How many spreads harder for the member than its kind says each is."""
    effects: KindEffects = field(repr=False)
    later: float
    """How many spreads the next try lies below what the record will be in the end."""

    @override
    def __len__(self) -> int:
        return len(self.features.positions)

    @override
    def __iter__(self) -> Iterator[ChartKey]:
        return iter(self.features.positions)

    @override
    def __contains__(self, key: object) -> bool:
        return key in self.features.positions

    @override
    def __getitem__(self, key: ChartKey) -> Prediction:
        at = self.features.positions[key]
        quantiles, width = self.rows.at(self.constants[at]), self.effects.width
        shift = self.effects.shift(self.features.charts[at].kind) + self.own[at]
        hardness = self.constants[at] + _UNITS_A_SPREAD * shift
        return Prediction(
            Chances(quantiles, shift + self.later, width), self.later, self.scores[at], hardness
        )

    @property
    def weight(self) -> int:
        """How many bytes it takes, beside what all members share."""
        rows = self.rows.quantiles
        return (_BYTES_A_ROW + 8 * len(rows[0])) * len(rows) + _BYTES_A_CHART * len(self.constants)
