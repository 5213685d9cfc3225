"""docs/scaling.md is written from what `make bench-whole` measures."""

import pytest
from whole.scaling import MIX, PAGE, replace_measured

ROWS = [
    {
        "name": "a command of the mix",
        "rounds": [9.0, 11.0, 10.0],
        "figure": 10.0,
        "unit": "ms",
        "beside": 1.25,
    },
    {"name": MIX, "rounds": [99.0, 101.0, 100.0], "figure": 100.0, "unit": "", "beside": None},
]


def test_the_page_has_what_was_measured_and_what_follows_from_it() -> None:
    page = replace_measured(PAGE.read_text(encoding="utf-8"), ROWS)
    assert "| a command of the mix | 10 ms | 9 to 11 | 1.25 ms |" in page
    assert f"| {MIX} | 100 | 99 to 101 |  |" in page
    assert "**100 commands a second**" in page
    assert "350 a second would take 3.5 cores" in page
    assert replace_measured(page, ROWS) == page


def test_a_page_without_a_place_for_it_is_refused() -> None:
    with pytest.raises(ValueError, match="no place"):
        replace_measured("# How far it goes\n", ROWS)
