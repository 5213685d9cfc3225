"""`/whatif`: what scores would do to the rating, and that it is what `kiroku rating explain` says with them."""

import asyncio
import re
import sqlite3
from contextlib import closing
from decimal import Decimal

import pytest
from explained import explain_player
from harness import Person, Reply
from world import World

from bot.domain.gains import to_thousandths
from bot.domain.game_rating import PLACES
from service.accounts import get_account

pytestmark = pytest.mark.shared

PLAYER = "minamo_plays"


async def first_step(world: World, player: str) -> tuple[str, str]:
    """Return song and difficulty of the first best record of a player, linked to a person of that name."""
    person = world.discord.person(player)
    await world.link(person, player)
    reply = await world.best(person)
    difficulty, title = reply.charts[0]
    return title, {"MASTER": "MAS", "ULTIMA": "ULT", "EXPERT": "EXP"}[difficulty]


async def test_a_score_that_is_no_better_changes_nothing(world: World) -> None:
    song, difficulty = await first_step(world, PLAYER)
    alice = world.discord.person("Alice", locale="ja")
    await world.link(alice, PLAYER)
    low = await alice.slash(world.discord.channel, "whatif", song=song, difficulty=difficulty, score=1)
    assert low.is_private
    assert "自己ベスト以下" in low.everything
    assert "変化なし" in low.everything


async def test_a_first_play_fills_an_empty_place(world: World) -> None:
    song, difficulty = await first_step(world, "DrBeat")
    alice = world.discord.person("Alice")
    await world.link(alice, "yuzu_new")
    reply = await alice.slash(
        world.discord.channel, "whatif", song=song, difficulty=difficulty, score=1_010_000
    )
    assert "It fills an empty place." in reply.everything
    assert re.search(r"Would be \*\*#1\*\* of the (best 30|20 new songs)\.", reply.everything)
    assert "0.00 → **0.3" in reply.everything


def own_charts(world: World, player: str) -> list[tuple[str, str]]:
    """Return charts of a player whose records can be better, the highest constants first: songs by id."""
    with closing(sqlite3.connect(world.service_database)) as database:
        user = get_account(database, player).user_id
        rows = database.execute(
            "SELECT song_id, difficulty FROM records JOIN charts USING (chart_id) WHERE user_id = ?"
            " AND region = 'jp2' AND constant > 0 AND score < 1005000 ORDER BY constant DESC LIMIT 3",
            [user],
        )
        return [(str(song), str(difficulty)) for song, difficulty in rows]


def play_them(world: World, player: str, scores: dict[tuple[str, str], int]) -> None:
    with closing(sqlite3.connect(world.service_database)) as database, database:
        user = get_account(database, player).user_id
        for (song, difficulty), score in scores.items():
            database.execute(
                "UPDATE records SET score = ? WHERE user_id = ? AND chart_id ="
                " (SELECT chart_id FROM charts WHERE song_id = ? AND difficulty = ? AND region = 'jp2')",
                [score, user, song, difficulty],
            )


async def ask(world: World, person: Person, scores: dict[tuple[str, str], int]) -> Reply:
    options: dict[str, str | int] = {}
    for number, ((song, difficulty), score) in enumerate(scores.items(), start=1):
        after = "" if number == 1 else str(number)
        options |= {f"song{after}": song, f"difficulty{after}": difficulty, f"score{after}": score}
    return await person.slash(world.discord.channel, "whatif", **options)


@pytest.mark.own
@pytest.mark.parametrize(("locale", "count"), [("en-US", 1), ("en-US", 3), ("ja", 2)])
async def test_what_is_shown_adds_up_to_what_playing_it_comes_to(
    world: World, locale: str, count: int
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, PLAYER)
    charts = (await asyncio.to_thread(own_charts, world, PLAYER))[:count]
    scores = {chart: 1_008_000 + 300 * number for number, chart in enumerate(charts)}
    reply = await ask(world, alice, scores)
    before = explain_player(world.service_database, PLAYER)
    assert before.is_explained
    await asyncio.to_thread(play_them, world, PLAYER, scores)
    after = explain_player(world.service_database, PLAYER)
    gained = after.worked_out.sum - before.worked_out.sum
    each = [
        Decimal(gain)
        for gain in re.findall(r"^\*\*\+(\d+\.\d{3})\*\*", str(reply.embed.description), re.MULTILINE)
    ]
    (rating,) = (str(field.value) for field in reply.embed.fields)
    shown, exact = rating.splitlines()
    then, now, total = (Decimal(number) for number in re.findall(r"[\d.]+", shown))
    assert len(each) == count
    assert sum(each) == total == Decimal(to_thousandths(gained, PLACES)) / 1000
    assert [int(value * 100) for value in (then, now)] == [before.worked_out.rating, after.worked_out.rating]
    assert [Decimal(number) for number in re.findall(r"[\d.]+", exact)] == [
        Decimal(found.worked_out.sum) / 100 / PLACES for found in (before, after)
    ]


async def test_a_song_without_a_score_and_a_score_without_a_song_are_named(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    options = {"song": "AETHER", "difficulty": "MAS", "score": 1_009_000}
    lacks = await alice.slash(world.discord.channel, "whatif", **options, song2="AETHER")
    assert "`score2` is not valid." in lacks.text
    lacks = await alice.slash(world.discord.channel, "whatif", **options, score3=1_000_000)
    assert "`song3` is not valid." in lacks.text


async def test_which_of_several_songs_is_meant_is_asked_of_each(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    options = {
        "song": "AETHER",
        "difficulty": "MAS",
        "score": 1_009_000,
        "song2": "aethe",
        "score2": 1_008_000,
    }
    reply = await alice.slash(world.discord.channel, "whatif", **options)
    assert reply.embed.title == "Which song do you mean?"
    (menu,) = reply.components
    chosen = (await alice.choose(reply, menu.custom_id, menu.options[1])).posts[-1]
    assert chosen.embed.title == "What if?"
    assert "AETHER" in chosen.everything
    assert "1,008,000" in chosen.everything


@pytest.mark.parametrize(("locale", "named"), [("en-US", "It takes: BASIC"), ("ja", "BASIC")])
async def test_a_chart_that_the_song_does_not_have(world: World, locale: str, named: str) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, "DrBeat")
    await world.bot.features.about.report()  # the catalogue is there: a suggestion does not wait long for it
    for choice in await alice.autocomplete(world.discord.channel, "whatif", song=""):
        song = str(choice["value"])
        shown = await alice.slash(world.discord.channel, "song", title=song)
        names = [str(field.name) for field in shown.embed.fields]
        if any(name.startswith("BASIC") for name in names) and not any("ULTIMA" in name for name in names):
            reply = await alice.slash(
                world.discord.channel, "whatif", song=song, difficulty="ULT", score=1_000_000
            )
            assert named in reply.text.replace("\\", "")
            return
    pytest.fail("every new song has ULTIMA")
