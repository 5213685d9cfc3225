"""bot/ui/daily.py and bot/ui/daily_card.py: what a daily post says and shows, of few and of many."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import discord
import pytest
from inventing import LONG
from limits import check_embeds

from bot.domain.charts import MASTER, Song
from bot.domain.chronicle.session import RecordChange
from bot.domain.chronicle.state import LampFlags, RecordMark
from bot.domain.goals import parse_goal
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, SongId
from bot.domain.members import Theme
from bot.domain.numbers import Hundredths
from bot.domain.posts import PostPlan
from bot.domain.standings import Standing, feats_of
from bot.features.daily import MAX_PLAYS, DailyPost
from bot.ui import daily
from bot.ui.cards.daily import MAX_MEMBERS
from bot.ui.cards.drawn import draw_daily
from bot.ui.cards.plates import Move
from bot.ui.daily import daily_page, preview_page
from bot.ui.daily_card import daily_card, daily_card_alt
from bot.ui.kit.alternative import MAX_ALT_CHARACTERS
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
        plan=PLAN, day=date(2026, 11, 22), since=NOW - timedelta(days=1), standings=tuple(standings),
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
    found = said(post(standing(number, 1, plays=True) for number in range(MAX_PLAYS + 2)))
    plays = [line for line in found.splitlines() if "MASTER 14.0" in line]
    assert len(plays) == MAX_PLAYS
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
    card = daily_card(t, many)
    assert len(card.members) == MAX_MEMBERS
    assert str(300 - MAX_MEMBERS) in card.more
    assert len(daily_card_alt(t, card)) <= MAX_ALT_CHARACTERS
    for theme in Theme:
        assert draw_daily(card, theme).startswith(b"\x89PNG")


def test_of_a_thousand_members_only_those_shown_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    escape = daily.escape

    def counted(name: str, **options: int) -> str:
        written.append(name)
        return escape(name, **options)

    monkeypatch.setattr(daily, "escape", counted)
    daily_page(T, post(standing(number, number % 2) for number in range(1_000)))
    assert 0 < len(written) <= 50


def test_anybody_may_press_below_a_post() -> None:
    view = daily_page(T, post([standing(1, 1)])).view
    assert view is not None
    buttons = [item for item in view.children if isinstance(item, discord.ui.Button)]
    assert [button.label for button in buttons] == ["Join", "My session"]
    assert all(str(button.custom_id).startswith("aside:") for button in buttons)


def numbers(found: DailyPost) -> tuple[list[str], list[str]]:
    """Return places and players in the order of the text, and of the picture, of those who have moved."""
    lines = [line.split() for line in said(found).splitlines() if "<@" in line]
    shown = [each for each in daily_card(T, found).members if each.change and each.change.text != "–"]
    return [f"{line[0].strip('`')} {line[3]}" for line in lines], [
        f"{each.place} {each.name.removeprefix('player ')}" for each in shown
    ]


def test_text_and_picture_have_one_order_and_one_set_of_numbers() -> None:
    few = [standing(0, 3), standing(1, 0), standing(2, 7), standing(3, -2), standing(4, None)]
    in_text, in_picture = numbers(post(few))
    assert in_text == in_picture == ["1 0", "3 2", "5 4"]
    in_text, in_picture = numbers(post(standing(number, number) for number in range(1, 19)))
    assert in_text == in_picture


def test_beside_the_picture_nobody_is_told_of_twice() -> None:
    page = daily_page(T, post([standing(0, 3, plays=True), standing(1, 0), standing(2, 7)]))
    assert page.beside is not None
    (short,) = page.beside
    assert f"With news: <@{2**62}> player 0, <@{2**62 + 2}> player 2" in str(short.description)
    assert "16.00" not in str(short.description)
    assert "player 1" not in str(short.description)
    assert "player 1" in str(page.embed.description)
    many = daily_page(T, post(standing(number, 1) for number in range(MAX_MEMBERS + 1)))
    assert many.beside is None


def test_a_preview_says_that_it_is_one_wherever_it_is_read() -> None:
    page = preview_page(T, daily_page(T, post([standing(0, 3)])))
    assert page.beside is not None
    for embed in (page.embed, *page.beside):
        assert "A preview." in str(embed.description)


def test_on_a_first_day_nothing_is_said_to_be_since_anything() -> None:
    assert daily_card(T, post([standing(0, None), standing(1, None)])).foot == "first day"
    some = daily_card(T, post([standing(0, 2), standing(1, None)]))
    assert some.foot.startswith("since ")
    assert some.members[1].change == (Move.NONE, "first day")
    assert "2 player 1 15.99 first day" in daily_card_alt(T, some)


def test_the_picture_shows_everybody_by_rating() -> None:
    found = post(
        [
            standing(0, 3),
            standing(1, 0),
            standing(2, 7, plays=True),
            standing(3, -2),
            standing(4, 0, plays=True),
        ]
    )
    card = daily_card(T, found)
    assert [(each.place, each.name, each.change) for each in card.members] == [
        ("1", "player 0", (Move.UP, "0.03")), ("2", "player 1", (Move.NONE, "–")), ("3", "player 2", (Move.UP, "0.07")),
        ("4", "player 3", (Move.NONE, "–")), ("5", "player 4", (Move.NONE, "±0")),
    ]  # fmt: skip
    assert [each.name for each in card.members if each.is_largest] == ["player 2"]
    assert (card.total, card.total_note, card.note) == ((Move.UP, "0.10"), "3 of 5 with news", "2 new bests")
    assert card.play is not None
    assert (card.play.by, card.play.tile.title) == ("player 4", "*bold*")
    assert card.play.facts == "0.19 above their own rating"
    assert card.foot == "since 11/21/26, 9:00\u202fPM"
    alt = daily_card_alt(T, card)
    assert "Most gained: player 2, up 0.07." in alt
    assert "3 player 2 15.98 up 0.07" in alt


def test_a_member_alone_has_no_place_and_is_not_the_one_who_gained_most() -> None:
    card = daily_card(T, post([standing(0, 3, plays=True)]))
    assert (card.total, card.total_note) == (None, "")
    assert not card.members[0].is_largest
    assert card.members[0].place == ""
    assert card.to_go == "0.25 to ★★"
    assert card.play is not None
    assert card.play.by == ""


def test_who_has_moved_is_shown_where_there_is_no_room_for_all() -> None:
    many = [standing(number, 0) for number in range(40)] + [standing(100 + number, 1) for number in range(5)]
    card = daily_card(T, post(many))
    assert [each.name for each in card.members][-5:] == [f"player {100 + number}" for number in range(5)]
    assert [each.place for each in card.members][:2] == ["1", "2"]
    assert card.more == "and 15 more members"


def test_a_play_below_ones_own_rating_is_not_said_to_be_above() -> None:
    weak = replace(PLAYED, after=RecordMark(900_000, 1, 1400, 0))
    played = replace(standing(1, 1), feats=feats_of([weak], JP2, Hundredths(1600)))
    play = daily_card(T, post([played])).play
    assert play is not None
    assert play.facts == ""


def test_a_picture_in_words_has_no_empty_part() -> None:
    card = replace(daily_card(T, post([standing(0, 3)])), title="Mon, Nov 23", total_note="", note="")
    assert daily_card_alt(T, card) == "Mon, Nov 23. player 0 16.00 up 0.03."
