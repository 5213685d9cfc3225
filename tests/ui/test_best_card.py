"""bot/ui/best_card.py: what is written on the card of the best records."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import careers
import pytest

from bot.domain.age import Age
from bot.domain.charts import MASTER
from bot.domain.history import Snapshot
from bot.domain.ids import JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.scores import Record, Slot, SlotName
from bot.features.best import BestReport
from bot.features.paging import part_of
from bot.ui.best_card import best_card, sketch_of
from bot.ui.cards import Cell, Move
from bot.ui.text import Languages

T = Languages()["en"]
NOW = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)
PLAYER = Player(
    user_id=UserId(1), user_name=UserName("someone"), is_protected=False, player_name="Someone", honor="",
    honor_type=None, level=None, rating=Hundredths(1650), rating_max=Hundredths(1650), class_emblem=None,
    updated_on=None,
)  # fmt: skip
RECORD = careers.record("song", 1470, 1_001_000)


def best_report(record: Record, before: Snapshot | None = None) -> BestReport:
    slot = Slot(average=Decimal("16.999"), entries=(record, None))
    return BestReport(
        audience=Audience.ANYONE,
        player=PLAYER, name=SlotName.BEST, slot=slot, best=slot, recent=slot, before=before,
        part=part_of(slot.records, 10, 0), region=JP2, age=Age(NOW),
    )  # fmt: skip


def card_cell(record: Record, before: dict[str, int] | None = None) -> Cell:
    snapshot = None
    if before is not None:
        known = {(SongId(name), MASTER): score for name, score in before.items()}
        snapshot = Snapshot(
            member=MemberId(1), region=JP2, day=NOW.date(), taken_at=NOW, rating=Hundredths(0), scores=known
        )
    return best_card(T, sketch_of(best_report(record, snapshot))).sections[0].cells[0]


@pytest.mark.parametrize(
    ("before", "move"),
    [
        (None, None),
        ({"song": 1_001_000}, None),
        ({"song": 1_000_999}, Move.UP),
        ({"song": 1_001_001}, Move.DOWN),
        ({"other": 1_001_000}, Move.NEW),
    ],
)
def test_arrows_of_the_card(before: dict[str, int] | None, move: Move | None) -> None:
    assert card_cell(RECORD, before).move is move


@pytest.mark.parametrize(("score", "is_max"), [(1_009_999, False), (1_010_000, True)])
def test_the_card_knows_the_maximum(score: int, *, is_max: bool) -> None:
    assert card_cell(careers.record("song", 1470, score)).is_max is is_max


@pytest.mark.parametrize(
    ("record", "chart"),
    [
        (RECORD, "MASTER 14.7"),
        (replace(RECORD, is_estimated=True), "MASTER 14.7?"),
        (replace(RECORD, constant=None, level=Hundredths(1450)), "MASTER 14+?"),
    ],
)
def test_the_card_marks_constants_in_doubt(record: Record, chart: str) -> None:
    assert card_cell(record).chart == chart


def test_the_card_is_of_its_readers_day() -> None:
    sketch = sketch_of(best_report(RECORD))
    assert best_card(T, sketch).foot.startswith("11/22/26, 5:30")
    assert best_card(T.in_zone(ZoneInfo("UTC")), sketch).foot.startswith("11/21/26, 8:30")


def test_the_card_cuts_averages() -> None:
    assert best_card(T, sketch_of(best_report(RECORD))).facts[0] == ("Best average", "16.99")
