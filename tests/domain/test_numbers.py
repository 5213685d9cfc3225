from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.numbers import Hundredths, format_hundredths


@pytest.mark.parametrize("places", [1, 2])
@given(value=st.integers(0, 10**12))
def test_hundredths_are_written_as_the_decimals_that_they_are(value: int, places: int) -> None:
    assert format_hundredths(Hundredths(value), places=places) == f"{Decimal(value) / 100:.{places}f}"
