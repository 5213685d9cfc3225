from careers import record

from bot.domain.charts import EXPERT, MASTER, WORLDS_END
from bot.domain.comparison import DuelCounts, compare

MINE = (
    record("a", 1400, 1_000_000),
    record("a", 1100, 1_005_000, difficulty=EXPERT),
    record("b", 1400, 990_000),
    record("c", 1400, 1_009_000),
    record("mad", None, 1_000_000, difficulty=WORLDS_END),
    record("mine alone", 1400, 1_000_000),
)
THEIRS = (
    record("a", 1400, 999_999),
    record("a", 1100, 1_005_000, difficulty=EXPERT),
    record("b", 1400, 1_009_000),
    record("c", 1400, 1_008_000),
    record("mad", None, 1_000_500, difficulty=WORLDS_END),
    record("theirs alone", 1400, 1_000_000),
)


def test_charts_that_both_have_played_are_matched_and_counted() -> None:
    found = compare(MINE, THEIRS)
    assert found.total == DuelCounts(wins=2, losses=2, draws=1)
    assert found.by_difficulty == {
        EXPERT: DuelCounts(0, 0, 1),
        MASTER: DuelCounts(2, 1, 0),
        WORLDS_END: DuelCounts(0, 1, 0),
    }
    assert [(duel.mine.title, duel.gap) for duel in found.duels] == [
        ("b", -19_000),
        ("c", 1000),
        ("mad", -500),
        ("a", 1),
        ("a", 0),
    ]


def test_the_other_way_round_everything_turns() -> None:
    one, other = compare(MINE, THEIRS), compare(THEIRS, MINE)
    assert (one.total.wins, one.total.losses) == (other.total.losses, other.total.wins)
    assert [duel.gap for duel in one.duels] == [-duel.gap for duel in other.duels]


def test_nothing_in_common() -> None:
    assert compare(MINE, ()).total == DuelCounts(0, 0, 0)
    assert compare((), THEIRS).duels == ()
