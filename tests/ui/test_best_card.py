"""bot/ui/best_card.py: what is written on the card of the best records."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import careers
import pytest

from bot.domain.age import Age
from bot.domain.charts import MASTER
from bot.domain.game_rating import BEST_PLACES, NEW_PLACES, Explanation, SlotEntry, WorkedOut
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.history import Past, Snapshot
from bot.domain.ids import JP, JP2, MemberId, Region, SongId, UserId, UserName
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.rating import rating_bounds
from bot.domain.scores import EMPTY_SLOT, Record, Slot, SlotName
from bot.features.best import BestReport
from bot.features.shared.paging import part_of
from bot.ui.best import best_embed
from bot.ui.best_card import best_card, best_card_alt
from bot.ui.cards.best import BestCard
from bot.ui.cards.plates import DeltaText, LampBadge, Move
from bot.ui.cards.tiles import Tile
from bot.ui.kit.alternative import MAX_ALT_CHARACTERS
from bot.ui.language.text import Language, Languages

T, JA = Languages()["en"], Languages()["ja"]
NOW = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)
PLAYER = Player(
    user_id=UserId(1), user_name=UserName("someone"), is_protected=False, player_name="Someone", honor="",
    honor_type=None, level=None, rating=Hundredths(1650), rating_max=Hundredths(1650), class_emblem=None,
    updated_on=None,
)  # fmt: skip
RECORD = careers.record("song", 1470, 1_001_000)
VERSION = GameVersion(
    name="NEWEST", region=JP2, first_day=date(2026, 7, 2), formula=Formula.BEST_AND_NEW, new_since=date(2026, 7, 2)
)  # fmt: skip


def slot_of(records: Sequence[Record], places: int) -> Slot:
    return Slot(average=None, entries=(*records, *[None] * (places - len(records))))


def best_report(
    record: Record,
    before: Snapshot | None = None,
    *,
    new: Sequence[Record] | None = (),
    name: SlotName = SlotName.BEST,
    region: Region = JP2,
    rating: int | None = None,
) -> BestReport:
    """Return a report of one old record and some new ones; `rating`: what they are worked out to be."""
    best, recent = slot_of([record], BEST_PLACES), slot_of([record], 10)
    slots = {
        SlotName.BEST: best,
        SlotName.NEW: EMPTY_SLOT if new is None else slot_of(new, NEW_PLACES),
        SlotName.RECENT: recent,
    }
    entries = tuple(
        SlotEntry(each.rating, each.rating, (SongId(each.title), MASTER), each)
        for each in (record, *(new or ()))
    )
    found = WorkedOut(
        version=VERSION,
        formula=Formula.BEST_AND_NEW,
        best=entries[:1],
        new=entries[1:],
        highest_best=rating_bounds(record, region)[1],
        highest_new=Hundredths(sum(each.rating for each in new or ())),
    )
    newest = () if before is None else (before,)
    past = Past(
        region=region,
        until=NOW.date() + timedelta(days=1),
        newest=newest,
        ratings=((NOW, Hundredths(1640)), (NOW, Hundredths(1650))),
    )
    return BestReport(
        audience=Audience.ANYONE,
        player=replace(PLAYER, rating=Hundredths(found.rating or 0)) if rating is None else replace(PLAYER, rating=Hundredths(rating)),
        name=name, slot=slots[name], best=best, new=None if new is None else slots[SlotName.NEW], recent=recent,
        explanation=Explanation(worked_out=found, is_explained=None, reason=None),
        genres=(None,), past=past, part=part_of(best.records, 10, 0), region=region, age=Age(NOW),
    )  # fmt: skip


def card_of(report: BestReport) -> BestCard:
    return best_card(T, report)


def snapshot(scores: dict[str, int]) -> Snapshot:
    known = {(SongId(name), MASTER): score for name, score in scores.items()}
    return Snapshot(
        member=MemberId(1), region=JP2, day=NOW.date(), taken_at=NOW, rating=Hundredths(0), scores=known
    )


def card_tile(record: Record, before: dict[str, int] | None = None) -> Tile:
    report = best_report(record, None if before is None else snapshot(before))
    # The slot has another record that was known before: of an unknown slot nobody can say what came in.
    known = replace(report.best, entries=(record, careers.record("known", 1400, 1_000_000)))
    return card_of(replace(report, best=known)).sections[0].tiles[0]


@pytest.mark.parametrize(
    ("before", "change"),
    [
        (None, None),
        ({"song": 1_001_000}, None),
        ({"song": 1_000_999}, DeltaText(Move.UP, "0.01")),
        ({"song": 990_000}, DeltaText(Move.UP, "0.50")),
        ({"song": 1_001_001}, DeltaText(Move.DOWN, "")),
        ({"song": 1_003_000}, DeltaText(Move.DOWN, "0.20")),
        ({"known": 1_000_000}, DeltaText(Move.UP, "IN")),
        ({"other": 1_001_000}, None),
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
        (RECORD, "MAS 14.7"),
        (replace(RECORD, is_estimated=True), "MAS 14.7?"),
        (replace(RECORD, constant=None, level=Hundredths(1450)), "MAS 14+?"),
    ],
)
def test_the_card_marks_constants_in_doubt(record: Record, chart: str) -> None:
    assert card_tile(record).chart == chart


def test_the_legend_says_what_is_on_the_card_and_no_more() -> None:
    legend = card_of(best_report(RECORD, snapshot({}))).legend
    played = careers.record("song", 1470, 1_001_000, lamps=careers.ALL_JUSTICE)
    assert legend.lamps == ()
    assert card_of(best_report(played)).legend.lamps == ((LampBadge.ALL_JUSTICE, "ALL JUSTICE"),)
    assert [(change.move, change.text) for change, _ in legend.changes] == [(Move.UP, ""), (Move.UP, "IN")]


def test_the_card_is_of_its_readers_day() -> None:
    report = best_report(RECORD)
    assert best_card(T, report).when.startswith("11/22/26, 5:30")
    assert best_card(T.in_zone(ZoneInfo("UTC")), report).when.startswith("11/21/26, 8:30")


def test_both_slots_and_how_they_make_the_rating() -> None:
    new = [careers.record(f"new {number}", 1400, 1_000_000) for number in range(18)]
    card = card_of(best_report(RECORD, new=new))
    best, fresh = card.sections
    assert (best.heading, fresh.heading) == ("BEST 30", "NEW 20")
    assert (best.is_new, fresh.is_new, fresh.tiles[0].is_new) == (False, True, True)
    # An average is over all places, of which an empty one counts 0, and cut: 18 × 15.00 / 20 is 13.5.
    assert fresh.note == "average 13.500  songs of this version"
    assert best.note == f"average {Decimal(RECORD.rating) / 3000:.4f}"[:-1] + "  older songs"
    assert (best.average[-4:], fresh.average) == ("0.52", "∅ 13.50")
    assert fresh.floor == "2 places free: each counts 0"
    total = card.hero.sum
    assert total is not None
    assert [(row.average, row.places, row.total) for row in total.rows] == [
        ("0.526", "× 30", "15.80"),
        ("13.500", "× 20", "270.00"),
    ]
    assert (total.total, total.divisor, total.result) == ("285.80 ÷ 50", "÷ 50", "5.71")
    assert card.hero.rating.text == "5.71"


def test_a_rating_that_the_slots_do_not_explain_is_not_said_to_come_of_them() -> None:
    total = card_of(best_report(RECORD, rating=1691)).hero.sum
    assert total is not None
    assert total.total == "15.80 ÷ 50 = 0.31"


def test_a_full_slot_says_what_enters() -> None:
    full = slot_of([careers.record(f"{number}", 1400, 1_000_000) for number in range(30)], 30)
    (best, _new) = card_of(replace(best_report(RECORD), best=full)).sections
    assert best.floor == "floor 15.00: a score rated above it enters"
    assert best.phone_note == "older songs · floor 15.00"


def test_recent_plays_are_beside_the_best_in_the_older_game_alone() -> None:
    old = card_of(best_report(RECORD, new=None, region=JP))
    assert [section.heading for section in old.sections] == ["BEST 30", "Recent"]
    assert old.hero.sum is not None
    assert old.hero.sum.divisor == "÷ 40"
    today = card_of(best_report(RECORD, new=None))
    assert [section.heading for section in today.sections] == ["BEST 30"]
    assert today.hero.sum is None
    asked = card_of(best_report(RECORD, name=SlotName.RECENT))
    assert [section.heading for section in asked.sections] == ["Recent"]


@pytest.mark.parametrize(
    ("rating", "to_go", "in_japanese"),
    [
        (1691, "0.09 to 極", "極まで 0.09"),
        (1620, "0.05 to ★★", "★★まで 0.05"),
        (1590, "0.10 to RAINBOW ★", "虹 ★まで 0.10"),
        (1704, "", ""),
    ],
)
def test_how_much_is_missing_to_the_next_step(rating: int, to_go: str, in_japanese: str) -> None:
    report = best_report(RECORD, rating=rating)
    for t, said in ((T, to_go), (JA, in_japanese)):
        parts = best_card(t, report).hero.to_go
        assert "".join(part for part, _is_figure in parts) == said
        assert [part for part, is_figure in parts if is_figure] == (
            [said.split()[-1 if t is JA else 0]] if said else []
        )


@pytest.mark.parametrize("t", [T, JA])
def test_the_card_in_words_is_whole_sentences_that_discord_takes(t: Language) -> None:
    new = [careers.record(f"new {number}" + "長い曲名" * 20, 1400, 1_000_000) for number in range(20)]
    full = slot_of([careers.record(f"{number}" + "W" * 90, 1400, 1_000_000) for number in range(30)], 30)
    report = replace(best_report(RECORD, snapshot({"0" + "W" * 90: 1}), new=new), best=full)
    alt = best_card_alt(t, best_card(t, report))
    assert 600 < len(alt) <= MAX_ALT_CHARACTERS
    assert alt.endswith((".", "。"))
    assert "BEST 30" in alt or "ベスト枠" in alt


def test_the_card_in_words_says_what_matters() -> None:
    new = [careers.record("Fresh", 1400, 1_000_000)]
    alt = best_card_alt(T, card_of(best_report(RECORD, snapshot({"song": 1_000_000}), new=new)))
    assert alt.startswith(
        "Someone: rating 0.61 BLUE, up 0.61 since Nov 22, 2026. BEST 30: average 0.526  older songs"
    )
    assert alt.endswith("First: song MAS 15.80.")
    # Where other languages would count backwards, the day stands before what has risen since.
    found = best_card_alt(JA, best_card(JA, best_report(RECORD, snapshot({"song": 1_000_000}), new=new)))
    assert "レート 0.61 青、2026/11/22から 0.61 上昇。" in found


def test_a_slot_that_the_service_sends_is_said_to_be_its_own() -> None:
    report = best_report(RECORD, new=[RECORD], name=SlotName.NEW)
    said = [str(best_embed(T, each).description) for each in (report, replace(report, is_new_sent=True))]
    assert ["the record service's own" in each for each in said] == [False, True]


def test_where_the_service_has_no_recent_plays_nobody_is_told_to_have_none() -> None:
    report = replace(best_report(RECORD, name=SlotName.RECENT), recent=EMPTY_SLOT, slot=EMPTY_SLOT)
    report = replace(report, part=part_of((), 10, 0), genres=())
    for each, said in (
        (report, "No recent plays."),
        (replace(report, is_recent_sent=False), "has no recent plays of"),
    ):
        assert said in str(best_embed(T, each).description)
        assert any(said in section.note for section in card_of(each).sections), said


def test_what_unknown_constants_leave_open_is_on_the_card() -> None:
    unknown = replace(RECORD, constant=None, level=Hundredths(1450), rating=Hundredths(0))
    report = best_report(unknown, new=[careers.record("new", 1400, 1_000_000)])
    card = card_of(report)
    assert card.sections[0].tiles[0].rating == "≥15.60"
    for each in (
        report,
        replace(report, explanation=None),
    ):  # where no slots were worked out, records alone tell
        for section, at_least in zip(card_of(each).sections, ("≥", ""), strict=True):
            assert section.average.startswith(f"∅ {at_least}0.")
            assert section.note.startswith(f"average {at_least}0.")
    assert card.legend.signs == (("?", "constant in doubt"),)
    hosts = card_of(best_report(replace(RECORD, is_hosts=True)))
    assert hosts.sections[0].tiles[0].chart == "MAS 14.7*"
    assert hosts.legend.signs == (("*", "constant from this bot's host"),)
