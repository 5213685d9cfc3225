"""bot/ui/language/text.py: means are cut as the game cuts them."""

from decimal import Decimal

import pytest

from bot.ui.language.text import Language, Languages


@pytest.fixture
def t() -> Language:
    return Languages()["en"]


@pytest.mark.parametrize(
    ("mean", "shown"),
    [
        ("16.999", "16.99"),
        ("16.9966666666", "16.99"),
        ("16.99", "16.99"),
        ("17", "17.00"),
        ("16.769999999999996", "16.77"),  # 16.77 as the mean of thirty binary floats
        ("16.990000000000002", "16.99"),
        ("0.009", "0.00"),
    ],
)
def test_means_are_cut_as_the_game_cuts_them(t: Language, mean: str, shown: str) -> None:
    assert t.average(Decimal(mean)) == shown
    assert t.average(Decimal(float(mean))) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [("16.99996667", "16.9999"), ("16.99999999999", "17.0000"), ("2179.48", "2,179.4800")],
)
def test_so_are_numbers_of_more_places(t: Language, number: str, shown: str) -> None:
    assert t.decimal(Decimal(number), least=4, most=4) == shown
