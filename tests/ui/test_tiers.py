"""bot/ui/tiers.py: what a list of tiers says of one chart."""

from dataclasses import replace
from datetime import UTC, datetime

import careers
import pytest

from bot.domain.age import Age
from bot.domain.entries import ChartEntry, record_entries
from bot.domain.filters import parse_filter
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, UserId, UserName
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.ranks import Rank
from bot.domain.tiers import Tier, TierEntry
from bot.features.tiers import TiersReport
from bot.ui.language.text import Languages
from bot.ui.tiers import tiers_embed

T = Languages()["en"]
PLAYER = Player(
    user_id=UserId(1), user_name=UserName("someone"), is_protected=False, player_name="Someone", honor="",
    honor_type=None, level=None, rating=Hundredths(1650), rating_max=Hundredths(1650), class_emblem=None,
    updated_on=None,
)  # fmt: skip


def listed(entry: ChartEntry, others: dict[ChartKey, int]) -> str:
    """Return the list of one chart that is not done, beside somebody else's scores."""
    row = Tier(0.3, (TierEntry(entry, 0.4, is_done=False),))
    report = TiersReport(
        player=PLAYER, wanted=parse_filter(""), rank=Rank.SSS, rows=(row,), count=1, is_known=True, of_all=False,
        level=Hundredths(1650), other=replace(PLAYER, player_name="Other"), other_scores=others, region=JP2,
        age=Age(datetime(2026, 11, 21, tzinfo=UTC)), audience=Audience.ANYONE,
    )  # fmt: skip
    return str(tiers_embed(T, report).description)


@pytest.mark.parametrize(
    ("score", "said"),
    [(None, "not played · Other –"), (0, "1,007,500 to go · Other 0"), (1, "1,007,499 to go · Other 1")],
)
def test_a_score_of_0_was_played(score: int | None, said: str) -> None:
    (entry,) = record_entries([careers.record("a", 1400, score or 0)], JP2)
    if score is None:
        entry = replace(entry, record=None)
    assert said in listed(entry, {} if score is None else {entry.key: score})
