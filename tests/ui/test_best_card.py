"""bot/ui/best_card.py: what is written on the card of the best records."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import careers
import pytest

from bot.domain.age import Age
from bot.domain.charts import MASTER
from bot.domain.history import Past, Snapshot
from bot.domain.ids import JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.scores import Record, Slot, SlotName
from bot.features.best import BestReport
from bot.features.rating import RatingReport
from bot.features.shared.paging import part_of
from bot.ui.best_card import best_card, sketch_of
from bot.ui.cards import DeltaText, LampBadge, Move, Tile
from bot.ui.language.text import Languages
from bot.ui.rating import rating_embed

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
    newest = () if before is None else (before,)
    past = Past(region=JP2, until=NOW.date() + timedelta(days=1), newest=newest, ratings=())
    return BestReport(
        audience=Audience.ANYONE,
        player=PLAYER, name=SlotName.BEST, slot=slot, best=slot, recent=slot, genres=(None,), past=past,
        part=part_of(slot.records, 10, 0), region=JP2, age=Age(NOW),
    )  # fmt: skip


def card_tile(record: Record, before: dict[str, int] | None = None) -> Tile:
    snapshot = None
    if before is not None:
        known = {(SongId(name), MASTER): score for name, score in before.items()}
        snapshot = Snapshot(
            member=MemberId(1), region=JP2, day=NOW.date(), taken_at=NOW, rating=Hundredths(0), scores=known
        )
    return best_card(T, sketch_of(best_report(record, snapshot))).tiles[0]


@pytest.mark.parametrize(
    ("before", "change"),
    [
        (None, None),
        ({"song": 1_001_000}, None),
        ({"song": 1_000_999}, DeltaText(Move.UP, "0.01")),
        ({"song": 990_000}, DeltaText(Move.UP, "0.50")),
        ({"song": 1_001_001}, DeltaText(Move.DOWN, "")),
        ({"song": 1_003_000}, DeltaText(Move.DOWN, "0.20")),
        ({"other": 1_001_000}, DeltaText(Move.NEW, "NEW")),
    ],
)
def test_what_became_of_a_record(before: dict[str, int] | None, change: DeltaText | None) -> None:
    assert card_tile(RECORD, before).change == change


@pytest.mark.parametrize(("score", "lamps"), [(1_009_999, ()), (1_010_000, (LampBadge.ALL_CRITICAL,))])
def test_the_card_knows_the_maximum(score: int, lamps: tuple[LampBadge, ...]) -> None:
    assert card_tile(careers.record("song", 1470, score)).lamps == lamps


@pytest.mark.parametrize(
    ("record", "chart"),
    [
        (RECORD, "MASTER 14.7"),
        (replace(RECORD, is_estimated=True), "MASTER 14.7?"),
        (replace(RECORD, constant=None, level=Hundredths(1450)), "MASTER 14+?"),
    ],
)
def test_the_card_marks_constants_in_doubt(record: Record, chart: str) -> None:
    assert card_tile(record).chart == chart


def test_the_legend_has_no_numbers_that_read_as_data() -> None:
    before = Snapshot(
        member=MemberId(1), region=JP2, day=NOW.date(), taken_at=NOW, rating=Hundredths(0), scores={}
    )
    legend = best_card(T, sketch_of(best_report(RECORD, before))).legend
    assert [(change.move, change.text) for change, _ in legend.changes] == [(Move.NEW, "NEW"), (Move.UP, "")]


def test_the_highest_rating_is_one_figure_on_every_page() -> None:
    """What the service calls the highest may be older than the rating."""
    report = best_report(RECORD)
    player = replace(PLAYER, rating=Hundredths(1645), rating_max=Hundredths(1644))
    card = best_card(T, sketch_of(replace(report, player=player)))
    assert card.hero.highest == "highest 16.45"
    page = rating_embed(
        T,
        RatingReport(
            audience=Audience.ANYONE,
            player=player,
            best_average=None,
            recent_average=None,
            history=(),
            region=JP2,
            age=Age(NOW),
        ),
    )
    assert [field.value for field in page.fields if field.name == "Highest"] == ["16.45"]


def test_the_card_is_of_its_readers_day() -> None:
    sketch = sketch_of(best_report(RECORD))
    assert best_card(T, sketch).when.startswith("11/22/26, 5:30")
    assert best_card(T.in_zone(ZoneInfo("UTC")), sketch).when.startswith("11/21/26, 8:30")


def test_the_card_cuts_averages() -> None:
    assert best_card(T, sketch_of(best_report(RECORD))).hero.facts[0] == ("Best", "16.99")
