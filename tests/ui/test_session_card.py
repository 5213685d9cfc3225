"""bot/ui/session_card.py: what is written on the picture of a session; and what pictures say in words."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from careers import ALL_JUSTICE, record
from pictures import invented_comparison, invented_daily, invented_session, invented_tiers

from bot.domain.age import Age
from bot.domain.charts import MASTER, Song
from bot.domain.chronicle.effects import RatingEffects, VersionTurn
from bot.domain.chronicle.session import SessionDiff, compare
from bot.domain.chronicle.state import RecordsState, figures_of, marks_of
from bot.domain.gains import RatedPlace, RatedPlay, RatingSlots, gains_of, slots_after
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.ids import JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import Audience, Cut, PictureStyle, Theme
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.rating import song_rating
from bot.domain.scores import Record
from bot.features.shared.session_report import SessionReport
from bot.ui.cards.drawn import draw_session
from bot.ui.cards.plates import DeltaText, LampBadge, Move
from bot.ui.cards.session import MAX_EFFECTS, MAX_OTHERS, Effect, SessionCard, wide_session
from bot.ui.chronicle import session_embed
from bot.ui.comparison_card import comparison_alt
from bot.ui.daily_card import daily_card_alt
from bot.ui.kit.alternative import MAX_ALT_CHARACTERS
from bot.ui.language.text import Language, Languages
from bot.ui.lists import bars_alt
from bot.ui.plots import PlotBar
from bot.ui.session_card import session_card, session_card_alt
from bot.ui.tiers_card import tiers_card_alt

T = Languages()["en"].in_zone(ZoneInfo("UTC"))
NOW = datetime(2026, 11, 22, 20, 30, tzinfo=UTC)
SONGS = {
    SongId(name): Song(
        id=SongId(name), title=f"{name}'s title", genre="VARIETY", artist=None, released_on=None, bpm=None, charts=()
    )
    for name in ("risen", "new")
}  # fmt: skip


def state(records: list[Record], rating: int, before: RecordsState | None = None) -> RecordsState:
    player = Player(
        user_id=UserId(1), user_name=UserName("someone"), is_protected=False, player_name="Someone", honor="",
        honor_type=None, level=None, rating=Hundredths(rating), rating_max=Hundredths(rating), class_emblem=None,
        updated_on=None,
    )  # fmt: skip
    marks = marks_of(tuple(records), before.marks if before else None)
    taken_at = before.taken_at + timedelta(hours=2) if before else NOW - timedelta(hours=2)
    return RecordsState(
        member=MemberId(1), region=JP2, taken_at=taken_at, figures=figures_of(player, marks, JP2), marks=marks
    )


def session(
    before: list[Record], after: list[Record], ratings: tuple[int, int] = (1633, 1644)
) -> SessionDiff:
    first = state(before, ratings[0])
    return compare(first, state(after, ratings[1], first))


PLAYED = session(
    [record("risen", 1500, 1_000_000)],
    [
        record("risen", 1500, 1_005_000),
        record("new", 1400, 1_010_000, lamps=ALL_JUSTICE),
        record("gone", None, 990_000),
    ],
)

VERSION = GameVersion(
    name="NEWEST", region=JP2, first_day=date(2026, 7, 2), formula=Formula.BEST_AND_NEW, new_since=date(2026, 7, 2)
)  # fmt: skip
PLAYER = Player(
    user_id=UserId(1), user_name=UserName("someone"), is_protected=False, player_name="Some\u202eone", honor="",
    honor_type=None, level=None, rating=Hundredths(1644), rating_max=Hundredths(1644), class_emblem=None,
    updated_on=None,
)  # fmt: skip


def report_of(session: SessionDiff, effects: RatingEffects | None = None) -> SessionReport:
    return SessionReport(
        player=PLAYER, session=session, remembered_since=NOW, is_from_first=False, effects=effects, songs=SONGS,
        region=JP2, age=Age(NOW), audience=Audience.ANYONE,
    )  # fmt: skip


def card_of(session: SessionDiff, effects: RatingEffects | None = None, t: Language = T) -> SessionCard:
    return session_card(t, report_of(session, effects), session)


def slots(best: int = 1700, new: int = 1600) -> RatingSlots:
    """Return full slots of equal ratings."""
    sides = [
        tuple(
            RatedPlace(Hundredths(rating), 1_000_000, (SongId(f"{rating} {n}"), MASTER))
            for n in range(places)
        )
        for rating, places in ((best, 30), (new, 20))
    ]
    return RatingSlots(best=sides[0], new=sides[1], version=VERSION)


def played(
    plays: Sequence[tuple[str, int, int]], *, new: Sequence[str] = (), is_explained: bool = True
) -> SessionCard:
    """Return the picture of charts that were played, each with its constant and score, in the order of play."""
    diff = session([], [record(name, constant, score) for name, constant, score in plays])
    rated = [
        RatedPlay(song_rating(Hundredths(constant), score, JP2), score, (SongId(name), MASTER), name in new)
        for name, constant, score in plays
    ]
    before = slots()
    effects = RatingEffects(
        before=before,
        after=slots_after(before, rated),
        by_chart={play.key: effect for play, effect in zip(rated, gains_of(before, rated), strict=True)},
        is_explained=is_explained,
        counted=frozenset(),
        is_lowered=False,
    )
    return card_of(diff, effects)


def number(effect: Effect) -> Decimal:
    return Decimal(effect.text.replace("+", ""))


@pytest.mark.parametrize(("seconds", "is_one"), [(0, True), (40, True), (60, False)])
def test_a_time_of_one_minute_is_written_once(seconds: int, *, is_one: bool) -> None:
    plays = [
        replace(record(name, 1400, 1_000_000), updated_at=NOW + timedelta(seconds=after))
        for name, after in (("risen", 0), ("new", seconds))
    ]
    diff = session([], plays)
    said = session_embed(T, report_of(diff), is_short=True).to_dict()
    (line,) = [line for line in str(said).split("\\n") if line.startswith("Played ")]
    for written in (card_of(diff).when, line):
        assert (" – " in written) is not is_one
        assert "8:30" in written.replace("20:30", "8:30")


def test_what_was_played_is_written_down() -> None:
    card = card_of(PLAYED)
    assert card.player == "Someone"
    assert (card.before, card.change) == ("16.33", DeltaText(Move.UP, "0.11"))
    assert card.rating is not None
    assert card.rating == ("16.44", 1644, "rainbow", "RAINBOW", 2)
    assert [value for value, _label in card.counts] == ["2", "1", "2", "1"]
    assert card.play is not None
    tiles = {tile.title: tile for tile in (card.play.tile, *card.others)}
    new, risen = tiles["new's title"], tiles["risen's title"]
    assert (new.lamps, new.rank, new.chart) == ((LampBadge.ALL_CRITICAL,), "SSS+", "MAS 14.0")
    assert (risen.score, risen.rating) == ("1,005,000", "16.50")
    unknown = tiles["a song that the catalogue does not have"]
    assert (unknown.rating, unknown.chart) == ("", "MAS")


def test_what_each_play_added_adds_up_in_the_order_of_play() -> None:
    card = played(
        [("old", 1500, 1_009_000), ("fresh", 1450, 1_009_000), ("nothing", 1300, 1_000_000)], new=["fresh"]
    )
    first, second = card.effects
    assert [effect.tile and effect.tile.face.initials for effect in card.effects] == ["AS", "AS"]
    # 17.15 for 17.00, and 16.65 for 16.00: 0.15 and 0.65 of 50.
    assert [effect.text for effect in card.effects] == ["+0.0030", "+0.0130"]
    assert [effect.place for effect in card.effects] == ["BEST #1", "NEW #1"]
    assert [effect.tag for effect in card.effects] == ["", "NEW"]
    assert card.together == ("in all", "+0.0160")
    assert first.start == pytest.approx(1660)
    assert first.end == second.start
    assert second.end == pytest.approx(1661.6)
    assert card.effects_note == "exactly 16.6000 → 16.6160: shown rounded down"
    assert card.effects_heading == "What made the +0.11"
    assert card.play is not None
    assert (card.play.effect, card.play.tag, card.play.short_facts) == ("+0.0130", "NEW SONG", "first play")
    assert [text for _at, text in card.ticks] == ["16.60", "16.61", "16.62"]
    assert len(card.others) == 1


@pytest.mark.parametrize("count", [MAX_EFFECTS, MAX_EFFECTS + 1, 20])
def test_what_has_no_room_is_added_up(count: int) -> None:
    card = played([(f"{each}", 1500 + each, 1_009_000) for each in range(count)])
    assert len(card.effects) == MAX_EFFECTS
    assert card.together is not None
    assert sum(map(number, card.effects)) == Decimal(card.together[1])
    assert (card.effects[-1].label != "") is (count > MAX_EFFECTS)
    assert all(one.end == other.start for one, other in zip(card.effects, card.effects[1:], strict=False))


def test_where_the_slots_do_not_explain_the_rating_it_is_not_said_to_come_of_them() -> None:
    card = played([("old", 1500, 1_009_000)], is_explained=False)
    assert (card.effects_heading, card.effects_note) == ("What the plays added", "")


def test_what_came_close_to_counting_is_told_where_nothing_did() -> None:
    card = played(
        [("near", 1484, 1_009_000), ("far", 1400, 1_000_000), ("fresh", 1380, 1_009_000)], new=["fresh"]
    )
    (near, fresh) = card.effects
    assert card.effects_heading == "Closest to counting"
    assert (near.text, near.end, near.tag) == ("0.01 short", -1, "")
    assert (fresh.text, fresh.tag) == ("0.05 short", "NEW")
    assert (card.floor, card.floor_text, card.ticks, card.together) == (0.0, "floor", (), None)
    assert card.play is not None
    assert (card.play.effect, card.play.tag) == ("", "")
    one = played([("near", 1484, 1_009_000)])
    assert one.floor_text == "floor 17.00"


def test_a_version_that_has_begun_is_no_loss() -> None:
    before = slots()
    turn = VersionTurn(VERSION, Hundredths(1020))
    effects = RatingEffects(
        before=before,
        after=before,
        by_chart={},
        turn=turn,
        is_explained=True,
        counted=frozenset(),
        is_lowered=False,
    )
    card = card_of(session([], [], (1700, 1025)), effects)
    assert (card.before, card.change) == ("10.20", DeltaText(Move.UP, "0.05"))


def test_on_rows_stands_the_gain_in_score() -> None:
    diff = session(
        [record(f"{each}", 1500, 1_000_000) for each in range(2)],
        [record(f"{each}", 1500, 1_005_000 + each) for each in range(2)],
    )
    card = card_of(diff)
    (row,) = card.others
    assert (row.change, row.chart) == (DeltaText(Move.UP, "5,000"), "MAS 15.0")
    assert card.play is not None
    assert card.play.facts == "from 16.00 · SS+ for the first time"


def test_what_has_no_room_is_counted() -> None:
    room = 1 + MAX_OTHERS
    for count, more in ((room, ""), (room + 1, "and 1 more chart"), (room + 7, "and 7 more charts")):
        card = card_of(session([], [record(f"{each}", 1500, 1_005_000) for each in range(count)]))
        assert len(card.others) == MAX_OTHERS
        assert card.more == more


def test_of_one_chart_there_is_no_heading_of_others() -> None:
    several = played([("risen", 1500, 1_005_000), ("new", 1400, 1_010_000)])
    alone = replace(several, others=())
    assert len(wide_session(several).blocks) == len(wide_session(alone).blocks) + 2, "a heading and a row"


def test_a_rating_that_stood_still_has_no_before() -> None:
    card = card_of(session([], [], (1644, 1644)))
    assert (card.before, card.change, card.play) == ("", DeltaText(Move.NONE, "±0.00"), None)
    assert card.rating is not None


def test_a_fall_is_told() -> None:
    card = card_of(session([], [], (1644, 1640)))
    assert card.change == DeltaText(Move.DOWN, "0.04")
    assert "down 0.04" in session_card_alt(T, card)


def test_the_time_is_the_readers() -> None:
    assert card_of(PLAYED).when.startswith("11/22/26, 6:30")
    assert card_of(PLAYED, t=T.in_zone(ZoneInfo("Asia/Tokyo"))).when.startswith("11/23/26, 3:30")


@pytest.mark.parametrize("cut", [Cut.WIDE, Cut.PHONE])
def test_it_is_drawn_and_found_again(cut: Cut) -> None:
    card, again = (played([("old", 1500, 1_009_000)]) for _ in range(2))
    assert hash(card) == hash(again)
    assert draw_session(card, PictureStyle(Theme.LIGHT, cut)).startswith(b"\x89PNG")


def test_a_session_in_words_says_what_each_play_made() -> None:
    alt = session_card_alt(T, played([("new", 1500, 1_009_000)], new=["new"]))
    assert "What made the +0.11: together +0.0230, new's title MAS 17.15 first play +0.0230." in alt


def test_charts_are_counted_that_came_into_either_slot() -> None:
    """And not those among the best of all songs, which is no slot: a new song stands in its own, however good it is."""
    plays = [("new", 1500, 1_009_000), ("old", 1530, 1_009_000), ("low", 1300, 1_000_000)]
    assert ("2", "entered a slot") in played(plays, new=["new"]).counts
    assert ("0", "entered the best") in card_of(session([], [])).counts


def test_a_session_in_words_counts_as_its_language_does() -> None:
    card, japanese = played([("new", 1500, 1_009_000)], new=["new"]), Languages()["ja"]
    assert "1 new record, 0 higher scores, " in session_card_alt(T, card)
    found = session_card_alt(japanese, replace(card, counts=(("1", "初プレイ"), ("0", "スコア更新"))))
    assert re.search(r"レート [\d.]+、[\d.]+ 上昇。.*。初プレイ 1、スコア更新 0。", found)


@pytest.mark.parametrize("is_long", [False, True])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_pictures_are_told_to_those_who_do_not_see_them(language: str, *, is_long: bool) -> None:
    t = Languages()[language]
    card = invented_session(3, language, is_long=is_long)
    day = invented_daily(3, language, members=30, is_long=is_long)
    two = invented_comparison(3, language, is_long=is_long)
    tiers = invented_tiers(3, language, is_long=is_long)
    assert card.play is not None
    for alt, told in (
        (session_card_alt(t, card), ("16.91", card.effects[0].text, card.effects_heading)),
        (daily_card_alt(t, day), (day.title, "0.38", day.members[0].rating.text)),
        (comparison_alt(t, two), ("16.91", "13.05", two.meetings[0].scores[0])),
        (
            bars_alt(
                t,
                "Skills",
                [PlotBar(name=f"{day.title} {each}", value=0.5, text=f"{each}%") for each in range(99)],
            ),
            ("Skills", "0%"),
        ),
        (tiers_card_alt(t, tiers), (tiers.rows[0].count_text, tiers.rows[0].open_charts[0].missing)),
    ):
        assert len(alt) <= MAX_ALT_CHARACTERS
        assert alt.endswith((".", "。"))
        assert all(text in alt for text in told), alt
