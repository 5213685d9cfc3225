"""What is kept of a chart's statistics."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.coach.summaries import ChartSummary
from bot.domain.numbers import Hundredths
from bot.domain.statistics import ChartStatistics

AVERAGES = st.dictionaries(
    st.integers(0, 999_999).map(Hundredths), st.none() | st.decimals(-1, 2_000_000, places=4)
)


@given(st.integers(-5, 10**30), AVERAGES)
def test_averages_that_can_be_are_kept_to_the_hundredth(
    players: int, averages: dict[Hundredths, Decimal | None]
) -> None:
    summary = ChartSummary.of(ChartStatistics(players=players, ranks={}, lamps={}, averages=averages))
    assert summary.players == max(0, min(10**9, players))
    kept = dict(summary.steps)
    assert set(kept) == {
        step
        for step, average in averages.items()
        if average is not None and 0 <= average <= 1_010_000 and step < 2**16
    }
    assert all(
        abs(Decimal(average) - (averages[Hundredths(step)] or 0)) < Decimal("0.0051")
        for step, average in kept.items()
    )
    assert len(summary.averages) == 6 * len(kept)
