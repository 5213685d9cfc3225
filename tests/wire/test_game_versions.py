from datetime import date

import pytest

from bot.domain.game_versions import Formula
from bot.domain.ids import JP2
from bot.wire.game_versions import read_table, read_versions
from bot.wire.host_files import BadLine


def test_the_versions_that_ship_are_those_of_the_game() -> None:
    assert [(each.name, each.first_day, each.new_since) for each in read_table().versions] == [
        ("VERSE", date(2024, 12, 12), date(2024, 12, 12)),
        ("X-VERSE", date(2025, 7, 16), date(2025, 7, 16)),
        ("X-VERSE-X", date(2025, 12, 11), date(2025, 12, 11)),
        ("Mate", date(2026, 7, 2), date(2026, 7, 2)),
    ]


def test_a_file_adds_versions_and_stands_before_what_ships() -> None:
    table = read_table(
        "\ufeff# ours\nLater, jp2, 2027-01-01, 30+20, 2026-07-02\n\nMine, jp2, 2026-07-02, 30+10\n"
    )
    assert [each.name for each in table.in_force(JP2, date(2027, 1, 1))][:2] == ["Later", "Mine"]
    assert table.in_force(JP2, date(2026, 12, 1))[0].formula is Formula.BEST_AND_RECENT


def test_a_file_stands_for_shipped_versions_of_its_names_and_its_days() -> None:
    table = read_table("mate, jp2, 2026-07-09, 30+20, 2026-07-09\nOurs, jp2, 2025-12-11, 30+20, 2025-07-16\n")
    assert [each.name for each in table.versions] == ["VERSE", "X-VERSE", "Ours", "mate"]


def test_a_file_may_replace_all_that_ships() -> None:
    table = read_table("replace\nOurs, jp2, 2025-12-11, 30+20, 2025-07-16\n")
    assert [each.name for each in table.versions] == ["Ours"]
    assert read_table("replace\n").versions == ()


def test_editions_of_two_regions_do_not_contradict_each_other() -> None:
    line = "2025-01-01, 30+20, 2025-01-01"
    assert len(read_versions(f"a, jp2, {line}\na, jp3, {line}\n")) == 2


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("x", "five values"),
        ("x,jp2,2025-01-01,30+20,2025-01-01,more", "five values"),
        (",jp2,2025-01-01,30+20,2025-01-01", "a name"),
        ("y" * 41 + ",jp2,2025-01-01,30+20,2025-01-01", "a name"),
        ("x,,2025-01-01,30+20,2025-01-01", "a region"),
        ("x,jp2,2025-01-01,40,2025-01-01", "the formula"),
        ("x,jp2,1.1.2025,30+20,2025-01-01", "a day"),
        ("x,jp2,2025-01-01,30+20", "30+20 wants"),
        ("x,jp2,2025-01-01,30+10,2025-01-01", "30+20 wants"),
        ("x,jp2,2025-01-01,30+20,2025-01-02", "only after"),
        ("a,jp2,2025-01-01,30+20,2025-01-01\nb,jp2,2025-01-01,30+20,2025-01-01", "two versions"),
        ("a,jp2,2025-01-01,30+20,2025-01-01\nA,jp2,2026-01-01,30+20,2026-01-01", "are called A"),
        ("a,jp2,2025-01-01,30+20,2025-01-01\nb,jp2,2026-01-01,30+20,2024-01-01", "a counts as old"),
        ("b,jp2,2026-01-01,30+20,2024-01-01\na,jp2,2025-01-01,30+20,2025-01-01", "a counts as old"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(line: str, what: str) -> None:
    with pytest.raises(BadLine, match=what.replace("+", r"\+")) as caught:
        read_versions(f"# a comment\n{line}\n")
    assert caught.value.line == 2 + line.count("\n")
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
