"""The game's table of ranks, written out: a cut-off that moves must be seen here."""

import pytest

from bot.domain.ids import JP, JP2, Region
from bot.domain.ranks import MAX_SCORE, rank_of, ranks_of

TODAY = (
    (0, "D"), (500_000, "C"), (600_000, "B"), (700_000, "BB"), (800_000, "BBB"), (900_000, "A"), (925_000, "AA"),
    (950_000, "AAA"), (975_000, "S"), (990_000, "S+"), (1_000_000, "SS"), (1_005_000, "SS+"), (1_007_500, "SSS"),
    (1_009_000, "SSS+"),
)  # fmt: skip
OLD = tuple((score, label) for score, label in TODAY if label not in {"S+", "SSS+"})


@pytest.mark.parametrize(("region", "table"), [(JP2, TODAY), (JP, OLD)])
def test_both_sides_of_every_cut_off(region: Region, table: tuple[tuple[int, str], ...]) -> None:
    assert [(rank.least_score, rank.label) for rank in ranks_of(region)] == list(table)
    labels = [label for _, label in table]
    for place, (score, label) in enumerate(table):
        assert rank_of(score, region).label == label
        if score:
            assert rank_of(score - 1, region).label == labels[place - 1]
    assert rank_of(MAX_SCORE, region).label == labels[-1]


def test_the_greatest_score() -> None:
    assert MAX_SCORE == 1_010_000
