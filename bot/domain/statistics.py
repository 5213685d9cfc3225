"""How all players together fare on a chart. Source: specification, "Chart statistics"."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from bot.domain.numbers import Hundredths


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartStatistics:
    """What the service counts for one chart, in one shape for all versions."""

    players: int
    ranks: Mapping[str, int] = field(repr=False)
    """Players per rank, keyed as the service writes it: max, sss, ss+, ss, s, <s."""
    lamps: Mapping[str, int] = field(repr=False)
    """Players per lamp: aj, fc, other."""
    averages: Mapping[Hundredths, Decimal | None] = field(repr=False)
    """Average score of the players at each step of rating, lowest step first; None where nobody played."""
