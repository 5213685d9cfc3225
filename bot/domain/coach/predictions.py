"""One member's predictions for all charts, each computed on demand: few of thousands are needed."""

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
"""The resolution of constants: hundredths."""
_UNITS_A_SPREAD: Final = 0.6
"""The units of the constant by which a chart is harder for each spread that its kind suits the member less."""
_BYTES_A_ROW: Final = 100
"""The bytes of a row of scores, besides its content."""
_BYTES_A_CHART: Final = 36
"""The bytes for one chart: constant, score and shift, and the data behind traits."""


class ScoreRows:
    """The rows of a score table, interpolated between constants."""

    def __init__(self, quantiles: Sequence[Sequence[float]], lowest: int) -> None:
        self.quantiles = quantiles
        self._lowest = lowest

    def at(self, constant: float) -> Sequence[float]:
        """Return the quantile of each score at a constant."""
        wanted = round(constant * _SAME_ROW) * TENTHS / _SAME_ROW - self._lowest
        below = max(0.0, min(len(self.quantiles) - 1.001, wanted))
        at, way = int(below), below - int(below)
        if not way:
            return self.quantiles[at]
        return [low + way * (high - low) for low, high in zip(*self.quantiles[at : at + 2], strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions(Mapping[ChartKey, Prediction]):
    """The predictions for every chart with a known constant, played or not."""

    features: ChartFeatureSet = field(repr=False)
    rows: ScoreRows = field(repr=False)
    constants: Sequence[float] = field(repr=False)
    """The difficulty of each chart of `features` for the member, as a constant."""
    scores: Sequence[int] = field(repr=False)
    """The score on each chart; 0 if unplayed."""
    own: Sequence[float] = field(repr=False)
    """The number of spreads by which each chart is harder for the member than its kind suggests."""
    effects: KindEffects = field(repr=False)
    later: float
    """The number of spreads by which the next try is below the final record."""

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
        """The size in bytes, without what all members share."""
        rows = self.rows.quantiles
        return (_BYTES_A_ROW + 8 * len(rows[0])) * len(rows) + _BYTES_A_CHART * len(self.constants)
