"""bot/ui/daily.py and bot/ui/daily_card.py: what a daily post says and shows, of few and of many."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import discord
import pytest
from limits import check_embeds
from pictures import LONG

from bot.domain.charts import MASTER, Song
from bot.domain.chronicle import LampFlags, RecordChange, RecordMark
from bot.domain.goals import parse_goal
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, SongId
from bot.domain.members import Theme
from bot.domain.numbers import Hundredths
from bot.domain.posts import PostPlan
from bot.domain.standings import Standing, feats_of
from bot.features.daily import MOST_PLAYS, DailyPost
from bot.ui.cards import Move, draw_daily
from bot.ui.cards.daily import MAX_BARS, MAX_STEPS
from bot.ui.daily import daily_page
from bot.ui.daily_card import daily_card_alt, daily_picture
from bot.ui.language.text import Languages

T = Languages()["en"]
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
PLAN = PostPlan(
    guild=GuildId(1), channel=ChannelId(2), post_at=time(21), timezone="Asia/Tokyo"
)  # fmt: skip
SONG = Song(
    id=SongId("song"), title="*bold*", genre="ORIGINAL", artist=None, released_on=None, bpm=None, charts=()
)  # fmt: skip
PLAYED = RecordChange(
    (SONG.id, MASTER), RecordMark(1_000_000, 1, 1400, 0), RecordMark(1_009_000, int(LampFlags.TOLD | LampFlags.ALL_JUSTICE), 1400, 0)
)  # fmt: skip


def standing(number: int, change: int | None, *, name: str = "", plays: bool = False) -> Standing:
    rating = Hundredths(1600 - number)
    return Standing(
        member=MemberId(2**62 + number),
        player_name=name or f"player {number}",
        rating=rating,
        until=NOW,
        change=None if change is None else Hundredths(max(0, change)),
        fell_from=Hundredths(rating - change) if change is not None and change < 0 else None,
        feats=feats_of([PLAYED], JP2, rating) if plays else None,
        ratings=(Hundredths(rating - 5), rating),
    )


def post(standings: Iterable[Standing], *, left_out: int = 0) -> DailyPost:
    return DailyPost(
        plan=PLAN, day=date(2026, 11, 22), since=NOW - timedelta(days=1), made_at=NOW, standings=tuple(standings),
        missing=frozenset(MemberId(1 + number) for number in range(left_out)), songs={SONG.id: SONG},
    )  # fmt: skip


def said(found: DailyPost) -> str:
    page = daily_page(T, found)
    check_embeds([page.embed])
    return str(page.embed.description)


def test_goals_that_were_reached_are_told_of_three_and_counted() -> None:
    goals = tuple(parse_goal(f"level:14 rank>=sss count:{number}") for number in range(1, 6))
    found = said(post([replace(standing(1, 0), goals=goals), standing(2, 0)]))
    assert found.replace("\\", "").count("Goal reached: **level:14 rank>=sss count:") == 3
    assert "and 2 more goals" in found
    assert "(goal reached)" in found
    assert "No change: `2` player 2" in found


def test_the_longest_post_fits() -> None:
    goal = parse_goal(f'"{"*" * 60}" lamp:aj count:1')
    many = [replace(standing(number, 1, name="*" * 32, plays=True), goals=(goal,)) for number in range(60)]
    still = [standing(number, 0, name="*" * 32) for number in range(60, 120)]
    said(post([*many, *still], left_out=9))


def test_places_are_those_of_all_and_gains_those_of_who_moved() -> None:
    found = said(
        post([standing(1, 5), standing(0, 0), standing(2, None), standing(3, -4), standing(4, 0, plays=True)])
    )
    assert "**3 of 5**" in found
    lines = [line for line in found.splitlines() if "<@" in line]
    assert [(line.split()[0], line.rpartition("(")[2]) for line in lines] == [
        ("`2`", "+0.05)"), ("`3`", "first day)"), ("`5`", "1 new best)"),
    ]  # fmt: skip
    assert "No change: `1` player 0 16.00" in found
    assert "Lower than before: `4` player 3 15.97" in found
    assert "0.04" not in found


def test_the_best_plays_are_told_of_different_members() -> None:
    found = said(post(standing(number, 1, plays=True) for number in range(MOST_PLAYS + 2)))
    plays = [line for line in found.splitlines() if "MASTER 14.0" in line]
    assert len(plays) == MOST_PLAYS
    assert plays[0] == r"**\*bold\*** MASTER 14.0 · **1,009,000** (+9,000) · SSS+ · AJ · player 4"


def test_a_day_without_news_is_one_quiet_line() -> None:
    assert said(post([standing(1, 0)])) == "No change: `1` player 1 15.99"


def test_whom_nobody_joined_is_told_how() -> None:
    assert "`/daily join`" in said(post([]))
    assert "`/daily join`" not in said(post([], left_out=1))


@pytest.mark.parametrize("code", ["en", "ja"])
@pytest.mark.parametrize(
    "name", ["_" * 40, LONG, "[a](https://x.y)" * 3, "\u202eturned", "e" + "\u0301" * 200]
)
def test_a_post_of_hundreds_fits_into_an_embed(code: str, name: str) -> None:
    t = Languages()[code]
    many = post(
        (standing(number, number % 3 - 1, name=name, plays=True) for number in range(300)), left_out=3
    )
    still = post(standing(number, 0, name=name) for number in range(300))
    for found in (many, still):
        page = daily_page(t, found)
        check_embeds([page.embed])
        left_out = re.search(r"(\d+) (?:more members|人)", str(page.embed.description))
        assert left_out is not None
        assert int(left_out[1]) >= 300 - 20
    picture = daily_picture(t, many)
    assert len(picture.steps) + len(picture.bars) == MAX_STEPS + MAX_BARS
    assert str(300 - MAX_STEPS - MAX_BARS) in picture.more
    for theme in Theme:
        assert draw_daily(picture, theme).startswith(b"\x89PNG")


def test_anybody_may_press_below_a_post() -> None:
    view = daily_page(T, post([standing(1, 1)])).view
    assert view is not None
    buttons = [item for item in view.children if isinstance(item, discord.ui.Button)]
    assert [button.label for button in buttons] == ["Join", "My session"]
    assert all(str(button.custom_id).startswith("aside:") for button in buttons)


def numbers(found: DailyPost) -> tuple[list[str], list[str]]:
    """Return places and players in the order of the text, and of the picture, of those who have moved."""
    lines = [line.split() for line in said(found).splitlines() if "<@" in line]
    picture = daily_picture(T, found)
    shown = (*picture.steps, *picture.bars)
    return [f"{line[0].strip('`')} {line[3]}" for line in lines], [
        f"{each.place} {each.name.removeprefix('player ')}" for each in shown
    ]


def test_text_and_picture_have_one_order_and_one_set_of_numbers() -> None:
    few = [standing(0, 3), standing(1, 0), standing(2, 7), standing(3, -2), standing(4, None)]
    in_text, in_picture = numbers(post(few))
    assert in_text == in_picture == ["1 0", "3 2", "5 4"]
    in_text, in_picture = numbers(post(standing(number, number) for number in range(1, 19)))
    assert in_text[-MAX_STEPS - MAX_BARS :] == in_picture


def test_on_a_first_day_nothing_is_said_to_be_since_anything() -> None:
    picture = daily_picture(T, post([standing(0, None), standing(1, None)]))
    assert picture.note == "first day"
    some = daily_picture(T, post([standing(0, 2), standing(1, None)]))
    assert some.note.startswith("since ")
    assert some.steps[1].change == (Move.NEW, "first day")
    assert "player 1 15.99 (first day)" in daily_card_alt(T, some)


def test_the_picture_shows_who_has_moved() -> None:
    picture = daily_picture(
        T, post([standing(0, 3), standing(1, 0), standing(2, 7, plays=True), standing(3, -2)])
    )
    assert [(step.place, step.name) for step in picture.steps] == [
        ("1", "player 0"),
        ("3", "player 2"),
    ]
    assert picture.facts == (("2 of 4", "with news"), ("1", "new best"), ("+0.10", "together"))
    assert picture.score is not None
    assert (picture.score.name, picture.score.tile.title) == ("player 2", "*bold*")
    assert picture.score.note == "0.17 above their own rating"
    assert picture.note == "since 11/21/26, 9:00\u202fPM"
    assert "player 2 15.98 (+0.07)" in daily_card_alt(T, picture)


def test_a_play_below_ones_own_rating_is_not_said_to_be_above() -> None:
    weak = replace(PLAYED, after=RecordMark(900_000, 1, 1400, 0))
    played = replace(standing(1, 1), feats=feats_of([weak], JP2, Hundredths(1600)))
    score = daily_picture(T, post([played])).score
    assert score is not None
    assert score.note == ""


def test_a_picture_in_words_has_no_empty_part() -> None:
    picture = replace(daily_picture(T, post([standing(0, 3)])), title="Mon, Nov 23", facts=())
    assert daily_card_alt(T, picture) == "Mon, Nov 23: player 0 16.00 (+0.03)."
