"""bot/ui/session_card.py and bot/ui/daily_card.py: what is written on the pictures of a session and of a day."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from careers import ALL_JUSTICE, record
from pictures import invented_daily, invented_session

from bot.domain.charts import Song
from bot.domain.chronicle import RecordsState, SessionDiff, compare, figures_of, marks_of
from bot.domain.ids import JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import Theme
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.scores import Record
from bot.ui.cards import DeltaText, LampBadge, Move
from bot.ui.cards.session import MAX_ROWS, MAX_TILES
from bot.ui.daily_card import daily_card_alt
from bot.ui.language.text import Languages
from bot.ui.session_card import draw_session_card, session_card_alt, session_picture, session_sketch

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


def test_what_was_played_is_written_down() -> None:
    picture = session_picture(T, session_sketch("Some\u202eone", PLAYED, SONGS))
    assert picture.player == "Someone"
    assert (picture.before, picture.change) == ("16.33", DeltaText(Move.UP, "0.11"))
    assert picture.after is not None
    assert picture.after == ("16.44", "rainbow", "RAINBOW ★★")
    assert [value for value, _label in picture.counts] == ["2", "1", "2", "1"]
    gains = {tile.title: tile for tile in picture.gains}
    new, risen = gains["new's title"], gains["risen's title"]
    assert (new.change, new.lamps, new.rank, new.chart) == (
        DeltaText(Move.NEW, "NEW"), (LampBadge.ALL_CRITICAL,), "SSS+", "MASTER 14.0",
    )  # fmt: skip
    assert (risen.change, risen.score, risen.rating) == (DeltaText(Move.UP, "0.50"), "1,005,000", "16.50")
    unknown = gains["a song that the catalogue does not have"]
    assert (unknown.rating, unknown.chart) == ("", "MASTER")


def test_on_rows_stands_the_gain_in_score() -> None:
    many = range(MAX_TILES + 1)
    played = session(
        [record(f"{number}", 1500, 1_000_000) for number in many],
        [record(f"{number}", 1500, 1_005_000 + number) for number in many],
    )
    (row,) = session_picture(T, session_sketch("Someone", played, {})).others
    assert (row.change, row.chart) == (DeltaText(Move.UP, "5,000"), "MAS 15.0")


def test_what_has_no_room_is_counted() -> None:
    room = MAX_TILES + MAX_ROWS
    for count, more in ((room, ""), (room + 1, "and 1 more chart"), (room + 7, "and 7 more charts")):
        played = session([], [record(f"{number}", 1500, 1_005_000) for number in range(count)])
        picture = session_picture(T, session_sketch("Someone", played, {}))
        assert len(picture.gains) + len(picture.others) == room
        assert picture.more == more


def test_a_rating_that_stood_still_has_no_before() -> None:
    picture = session_picture(T, session_sketch("Someone", session([], [], (1644, 1644)), {}))
    assert (picture.before, picture.change, picture.gains) == (None, None, ())
    assert picture.after is not None


def test_a_fall_is_told() -> None:
    picture = session_picture(T, session_sketch("Someone", session([], [], (1644, 1640)), {}))
    assert picture.change == DeltaText(Move.DOWN, "0.04")
    assert "(−0.04)" in session_card_alt(T, picture)


def test_the_time_is_the_readers() -> None:
    sketch = session_sketch("Someone", PLAYED, SONGS)
    assert session_picture(T, sketch).when.startswith("11/22/26, 6:30")
    assert session_picture(T.in_zone(ZoneInfo("Asia/Tokyo")), sketch).when.startswith("11/23/26, 3:30")


def test_it_is_drawn_and_found_again() -> None:
    sketch = session_sketch("Someone", PLAYED, SONGS)
    assert hash(sketch) == hash(session_sketch("Someone", PLAYED, dict(SONGS)))
    assert draw_session_card(Languages()["ja"], sketch, Theme.LIGHT).startswith(b"\x89PNG")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_pictures_are_told_to_those_who_do_not_see_them(language: str) -> None:
    t = Languages()[language]
    picture = invented_session(3, language)
    alt = session_card_alt(t, picture)
    for text in (picture.player, "16.44", "(+0.11)", *(tile.title for tile in picture.gains)):
        assert text in alt
    day = invented_daily(3, language)
    alt = daily_card_alt(t, day)
    for text in (day.title, *(step.name for step in day.steps), "(+0.11)"):
        assert text in alt
    assert day.empty in daily_card_alt(t, replace(day, steps=()))
