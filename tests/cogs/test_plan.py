"""`/plan`: what to play, in the order in which it gains, and that the list adds up to what playing it comes to."""

import asyncio
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from dailies import settled
from explained import explain_player
from harness import Person, Reply
from world import World

from bot.domain.gains import to_thousandths
from bot.domain.game_rating import PLACES
from bot.domain.ids import JP, MemberId
from bot.features import plan as plans
from service.accounts import get_account
from service.model import Flags

pytestmark = pytest.mark.shared

PLAYER = "minamo_plays"
GAIN = re.compile(r"^\*\*(?:\+|under \+|)(\d\.\d{3})", re.MULTILINE)
STEP = re.compile(r"^\*\*\+?(\d\.\d{3})\D*?\*\* .*\n-# #(\d+) · .* → \*\*([\d,]+)\*\*", re.MULTILINE)


async def linked(world: World, player: str = PLAYER, locale: str = "en-US") -> Person:
    person = world.discord.person(player, locale=locale)
    await world.link(person, player)
    return person


async def rating_of(world: World, person: Person) -> float:
    found = re.search(r"Rating \*\*(\d+\.\d\d)\*\*", (await plan(world, person)).everything)
    assert found is not None
    return float(found[1])


async def plan(world: World, person: Person, **options: str | float) -> Reply:
    return await person.slash(world.discord.channel, "plan", **options)


async def test_what_the_next_evening_is_likely_to_bring(world: World) -> None:
    alice = await linked(world)
    reply = await plan(world, alice)
    assert reply.is_private
    assert "-# older songs 1" in reply.everything
    assert re.search(
        r"The next evening: 10 tries, one on each of the first charts, add about \*\*\+\d\.\d{3}\*\* to the rating, "
        r"half of the time between (\+\d\.\d{3}|nothing) and \+\d\.\d{3}\.",
        reply.everything,
    )
    assert re.search(r"\*\*\+\d\.\d{3}\*\* .*\n-# #1 · .* · next try \*\*\d+%\*\*", reply.everything)
    turned = await alice.click(reply, "Next")
    assert "#6 " in turned.everything


async def test_the_old_game_is_told_nothing_of_old_and_new_songs(world: World) -> None:
    """There no song counts by itself because it is new."""
    alice = await linked(world)
    await world.bot.features.preferences.set_game(MemberId(alice.id), JP, None)
    reply = await plan(world, alice)
    assert re.search(r"^-# Best average \d\d\.\d{3}.×.30$", reply.everything, re.MULTILINE)
    assert "older songs" not in reply.everything
    assert {"New songs", "Older songs"}.isdisjoint(reply.component("Which charts").options)
    assert "All charts" in reply.component("Which charts").options


@pytest.mark.own
async def test_a_plan_is_made_once_whichever_page_is_looked_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, made = plans._plan, list[object]()

    def count(*given: Any) -> Any:
        made.append(given)
        return make(*given)

    monkeypatch.setattr(plans, "_plan", count)
    alice = await linked(world)
    first = await plan(world, alice)
    await alice.click(first, "Next")
    assert (await plan(world, alice)).charts == first.charts
    assert len(made) == 1
    await plan(world, alice, target=17.5)
    assert len(made) == 2
    played = (await world.best(alice)).charts[-1]
    await asyncio.to_thread(play_them, world, PLAYER, [(played, "", "1,009,900")])
    world.clock.advance(3600)
    await plan(world, alice)
    assert len(made) == 3
    assert plans.MAX_PLANS_BYTES > world.bot.features.plan._found.weight > 0


async def test_chances_go_by_ones_own_records_until_something_is_known_of_all_players(world: World) -> None:
    alone = "Chances are based on your own records alone"
    alice = await linked(world)
    shown = await plan(world, alice)
    assert alone in shown.everything
    title = next(title for difficulty, title in shown.charts if difficulty in {"MASTER", "ULTIMA"})
    stats = {"song": title, "difficulty": "MAS"}
    await alice.slash(world.discord.channel, "stats", **stats)
    world.clock.advance(600)
    assert alone not in (await plan(world, alice)).everything


@pytest.mark.parametrize(
    ("menu", "choice", "said"),
    [
        ("Which charts", "Played charts only", r"\d,\d{3} →|\d{3},\d{3} →"),
        ("Which charts", "New songs", r"· New songs( |$)"),
        ("Level", "14+", r"· 14\.[5-9] "),
    ],
)
async def test_of_some_charts_alone(world: World, menu: str, choice: str, said: str) -> None:
    alice = await linked(world)
    chosen = await alice.choose(await plan(world, alice), menu, choice)
    lines = [line for line in chosen.everything.splitlines() if line.startswith("-# #")]
    assert lines
    assert [line for line in lines if not re.search(said, line)] == []
    assert chosen.component(menu).chosen == (choice,)
    assert alice


async def test_a_target_is_answered_in_tries_and_weeks(world: World) -> None:
    hanako = await linked(world, locale="ja")
    found = re.search(r"レーティング \*\*(\d+\.\d\d)\*\*", (await plan(world, hanako)).everything)
    assert found is not None
    target = float(found[1]) + 0.02
    reply = await plan(world, hanako, target=round(target, 2))
    assert re.search(r"2回に1回.*\*\*\d+\*\* ?回.*10回に9回.*\*\*\d+\*\* ?回", reply.everything)
    assert "2週間" in reply.everything, "too little is known of the pace"
    assert re.search(r"\n-# #1 · .* → .* 次の1回 \*\*\d+%\*\*.* · JUSTICE\s\d+.* まで", reply.everything)


@pytest.mark.own
async def test_at_the_pace_of_the_past_it_is_there_in_so_many_weeks(world: World) -> None:
    alice = await linked(world)
    rating = await rating_of(world, alice)
    hundredths = round(rating * 100)
    await settled(world)
    now = datetime.now(UTC).replace(tzinfo=None)
    then = (now - timedelta(days=56)).isoformat(sep=" ")
    await world.change_database(
        "INSERT INTO snapshots (member_id, region, day, taken_at, rating)"  # noqa: S608 - numbers of our own
        f" SELECT member_id, region, date(day, '-56 days'), '{then}', {hundredths - 8} FROM snapshots LIMIT 1"
    )
    reply = await plan(world, alice, target=round(rating + 0.02, 2))
    assert re.search(
        r"At your pace of \+0\.04\d in four weeks that is about \*\*[12] weeks?\*\* away: ", reply.everything
    )
    history = (await alice.slash(world.discord.channel, "history")).everything
    (step, weeks), *_ = re.findall(r"(\d+\.\d\d) .* in about (\d+) weeks?", history)
    assert f"about **{weeks} week" in (await plan(world, alice, target=float(step))).everything


async def test_targets_that_are_reached_or_that_no_score_gives(world: World) -> None:
    alice = await linked(world)
    rating = await rating_of(world, alice)
    reached = await plan(world, alice, target=rating)
    assert f"**Rating {rating:.2f}** is reached already." in reached.everything
    beyond = await plan(world, alice, target=20.0)
    assert "No scores reach **Rating 20.00**: with the best score on every chart" in beyond.everything
    (highest,) = re.findall(r"it would be \*\*(\d+\.\d\d)\*\*", beyond.everything)
    far = await plan(world, alice, target=float(highest))
    assert "No scores reach" not in far.everything
    average = await plan(world, alice, target=1.0, of="best")
    assert "**Best average 1.00** is reached already." in average.everything


async def test_of_many_empty_places_those_come_first_that_can_be_told(world: World) -> None:
    sora = await linked(world, "sora_ch")
    reply = await plan(world, sora, target=15.5)
    assert re.search(r"60 charts come first, which lead to \*\*\d+\.\d\d\*\*; how far", reply.everything)
    assert "takes getting better" not in reply.everything


@pytest.mark.own
async def test_a_goal_says_the_same_as_a_plan(world: World) -> None:
    alice, yuzu = await linked(world), await linked(world, "yuzu_new")
    target = round(await rating_of(world, alice) + 0.05, 2)
    for person in (alice, yuzu):
        await person.slash(world.discord.channel, "goal add", goal=f"rating {target:.2f}")
    told = (await alice.slash(world.discord.channel, "goal list")).everything
    said = re.findall(
        r"^Tries to .*|^Your pace.*", (await plan(world, alice, target=target)).everything, re.MULTILINE
    )
    assert len(said) == 2
    assert all(line in told for line in said)
    assert not re.search(
        r"\*\*Rating|pace", (await yuzu.slash(world.discord.channel, "goal list")).everything
    )


async def test_who_has_no_records_is_told_so(world: World) -> None:
    alice = await linked(world, "yuzu_new")
    for target in ({}, {"target": 15.0}):
        assert "Nothing is known of your scores yet." in (await plan(world, alice, **target)).everything


@pytest.mark.own
async def test_who_has_the_maximum_everywhere_is_promised_nothing(world: World) -> None:
    def perfect() -> None:
        with closing(sqlite3.connect(world.service_database)) as database, database:
            user = get_account(database, "sora_ch").user_id
            database.execute("UPDATE records SET score = 1010000 WHERE user_id = ? AND score > 0", [user])

    await asyncio.to_thread(perfect)
    sora = await linked(world, "sora_ch")
    for command, given in (("plan", {}), ("practice", {}), ("tiers", {"filter": "lv>=12"})):
        told = (await sora.slash(world.discord.channel, command, **given)).everything
        assert "All your known scores are the maximum" in told, command
        assert "%" not in told, command
    assert "You have played 14 charts" in (await sora.slash(world.discord.channel, "skill")).everything


@pytest.mark.own
@pytest.mark.parametrize(("locale", "player"), [("en-US", PLAYER), ("ja", PLAYER), ("en-US", "sora_ch")])
async def test_what_is_shown_adds_up_to_what_playing_it_comes_to(
    world: World, locale: str, player: str
) -> None:
    person = await linked(world, player, locale)
    reply = await plan(world, person)
    steps: list[tuple[tuple[str, str], str, str]] = []
    label = "Next" if locale == "en-US" else "次へ"
    for page in range(3):
        if page:
            reply = await person.click(reply, label)
        charts = [chart for chart in reply.charts if chart[1]]
        found = STEP.findall(str(reply.embed.description))
        steps += [(chart, gain, score) for chart, (gain, _, score) in zip(charts, found, strict=True)]
    before = explain_player(world.service_database, player)
    await asyncio.to_thread(play_them, world, player, steps)
    after = explain_player(world.service_database, player)
    gained = after.worked_out.sum - before.worked_out.sum
    assert len(steps) == 15
    assert sum(Decimal(gain) for _, gain, _ in steps) == Decimal(to_thousandths(gained, PLACES)) / 1000


def play_them(world: World, player: str, steps: list[tuple[tuple[str, str], str, str]]) -> None:
    """Write the scores down as played, all on charts of the newer game."""
    names = {"MASTER": "MAS", "ULTIMA": "ULT", "EXPERT": "EXP", "ADVANCED": "ADV", "BASIC": "BAS"}
    with closing(sqlite3.connect(world.service_database)) as database, database:
        user = get_account(database, player).user_id
        for (difficulty, title), _, score in steps:
            charts = database.execute(
                "SELECT chart_id FROM charts JOIN songs USING (song_id, region)"
                " WHERE region = 'jp2' AND difficulty = ? AND title = ?",
                [names[difficulty], title.replace("\\", "")],
            ).fetchall()
            ((chart,),) = charts
            database.execute("DELETE FROM records WHERE user_id = ? AND chart_id = ?", [user, chart])
            database.execute(
                "INSERT INTO records (user_id, chart_id, score, flags, updated_at) VALUES (?, ?, ?, ?, 0)",
                [user, chart, int(score.replace(",", "")), Flags.PLAYED | Flags.CLEAR],
            )
        now = int(world.clock.now().timestamp())
        database.execute("UPDATE accounts SET updated_at = ? WHERE user_id = ?", [now, user])


@pytest.mark.own
async def test_what_was_shown_and_did_not_come_stands_further_back(world: World) -> None:
    alice = await linked(world)
    first = await plan(world, alice)
    assert "further down" not in first.everything
    again = await plan(world, alice)
    assert again.charts == first.charts, "nothing was uploaded since"
    played = (await world.best(alice)).charts[-1]
    await asyncio.to_thread(play_them, world, PLAYER, [(played, "", "1,009,900")])
    world.clock.advance(3600)
    then = await plan(world, alice)
    assert re.search(
        r"\d charts? that (?:was|were) here before your last upload and (?:has|have) not been reached (?:is|are) further down",
        then.everything,
    )
    assert then.charts != first.charts
