"""What is suggested is what Discord takes: of one choice that is too long it would take none."""

import pytest

from bot.ui.kit.choices import MAX_CHOICE_CHARACTERS, MAX_CHOICES, choice_text, matching_choices

SCRIPT = "\N{MATHEMATICAL BOLD SCRIPT SMALL F}"
"""A letter that takes two of Discord's characters, and one column."""


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize(
    "text", [SCRIPT * 90, "a" + SCRIPT * 90, "a" * 120, "漢" * 90, "\N{GRINNING FACE}" * 70]
)
def test_a_choice_has_no_more_characters_than_discord_counts(text: str) -> None:
    for middle in (False, True):
        cut = choice_text(text, middle=middle)
        assert units(cut) >= MAX_CHOICE_CHARACTERS - 2 or "漢" in cut
        assert units(cut) <= MAX_CHOICE_CHARACTERS
    assert all(units(each.name) <= MAX_CHOICE_CHARACTERS for each in matching_choices({"1": text}))


def test_a_value_that_discord_does_not_take_costs_no_other_choice() -> None:
    found = matching_choices({SCRIPT * 60: "long", **{f"{n}": f"{n}" for n in range(40)}})
    assert [each.value for each in found] == [f"{n}" for n in range(MAX_CHOICES)]
