"""bot/ui/felt.py: what is said of charts of which nobody knows how hard they feel."""

import pytest

from bot.domain.charts import ADVANCED, BASIC, MASTER, Difficulty
from bot.domain.coach.feeling import FeltChart
from bot.domain.coach.felt import Felt
from bot.ui.felt import felt_lines, not_felt_lines
from bot.ui.language.text import Languages

T = Languages()["en"]
NOT_KNOWN = "How it plays at your level is not known: there are too few scores"


def charts(known: dict[Difficulty, bool]) -> dict[Difficulty, FeltChart]:
    return {code: FeltChart(Felt(14.0, 0.5, 0.1, is_known=is_known)) for code, is_known in known.items()}


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({}, []),
        ({BASIC: True, MASTER: True}, []),
        ({BASIC: True, MASTER: False}, [(MASTER, f"-# {NOT_KNOWN}")]),
        ({BASIC: False, MASTER: False}, [(MASTER, f"-# {NOT_KNOWN}")]),
        ({BASIC: False, ADVANCED: False, MASTER: True}, [(ADVANCED, f"-# BASIC, ADVANCED: {NOT_KNOWN}")]),
    ],
)
def test_what_is_not_known_is_said_once_and_of_which_charts(
    known: dict[Difficulty, bool], said: list[tuple[Difficulty, str]]
) -> None:
    felt = charts(known)
    assert [(code, line) for code in felt for line in not_felt_lines(T, felt, code)] == said
    lines = [line for each in felt.values() for line in felt_lines(T, each)]
    assert lines == ["-# Plays like 14.5 at your level (sure)"] * sum(known.values())
