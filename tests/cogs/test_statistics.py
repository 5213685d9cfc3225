import re
import sqlite3
from contextlib import closing

import pytest
from discord.app_commands import Argument
from world import World

from bot.database.tables import CHART_STATISTICS
from bot.domain.members import Visibility
from service.options import ServiceOptions

pytestmark = pytest.mark.shared


async def best_master(world: World) -> str:
    """Return the title of a MASTER chart that DrBeat has played."""
    person = world.discord.person("Zoe")
    await world.link(person, "DrBeat")
    best = await world.best(person)
    return next(title for difficulty, title in best.charts if difficulty == "MASTER")


def most_played(world: World) -> str:
    """Return the title of the MASTER chart that most have played, DrBeat among them."""
    with closing(sqlite3.connect(world.service_database)) as service:
        (title,) = service.execute(
            "SELECT title FROM songs JOIN charts USING (region, song_id) JOIN records USING (chart_id) "
            "WHERE region = 'jp2' AND difficulty = 'MAS' GROUP BY chart_id "
            "HAVING sum(user_id = (SELECT user_id FROM accounts WHERE user_name = 'DrBeat')) "
            "ORDER BY count(*) DESC, chart_id LIMIT 1"
        ).fetchone()
    return str(title)


async def test_statistics_with_a_plot_and_the_askers_place(world: World) -> None:
    title = most_played(world)
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "stats", song=title)
    assert "Ranks" in reply.everything
    ranks, lamps, _you = (str(field.value) for field in reply.post.handle.embeds[0].fields)
    assert ranks.count("<:") == 5  # all but the greatest score, which is no rank
    assert "< <:S_k" in ranks
    assert lamps.count("<:") == 2
    assert str(reply.post.handle.embeds[0].description).startswith("<:MAS_k")
    assert "Place " in reply.everything
    (plot,) = reply.files
    assert plot.filename.endswith(".png")
    alt = re.fullmatch(
        r"Average score by rating on (.+) MASTER: ([\d,]+) at ([\d.]+), ([\d,]+) at ([\d.]+)\.",
        str(plot.description),
    )
    assert alt is not None
    assert alt[1] == title
    assert float(alt[3]) < float(alt[5])
    menu = reply.component("Choose a difficulty")
    assert len(menu.options) == 4
    easier = await alice.choose(reply, "Choose a difficulty", menu.options[0])
    assert "BASIC" in easier.everything


async def test_what_is_counted_is_kept_for_the_coach_but_for_worlds_end(world: World) -> None:
    await world.change_database("DELETE FROM chart_statistics")
    world.clock.advance(3601)  # nothing that was answered before is fresh any more
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    found = await alice.slash(world.discord.channel, "worldsend")
    (_, strange), *_ = found.charts
    before = world.clock.now()
    for title in (strange, await best_master(world)):
        reply = await alice.slash(world.discord.channel, "stats", song=title)
        assert "Ranks" in reply.everything
    (row,) = await world.rows(CHART_STATISTICS)
    assert (row["difficulty"], row["asked_at"], row["fetched_at"]) == ("MAS", before, before)
    assert row["players"] in range(2, 9)
    assert row["averages"]


async def test_in_japanese(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    title = await best_master(world)
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "DrBeat")
    reply = await hanako.slash(world.discord.channel, "stats", song=title, difficulty="MAS")
    assert "人がプレイ" in reply.everything
    (lamps,) = (field.value for field in reply.embed.fields if field.name == "ランプ")
    assert str(lamps).startswith("AJ ")
    assert "\nFC " in str(lamps)
    for name in [*world.bot.languages.icons]:  # as where Discord has none of them
        monkeypatch.delitem(world.bot.languages.icons, name)
    reply = await hanako.slash(world.discord.channel, "stats", song=title, difficulty="MAS")
    (lamps,) = (field.value for field in reply.embed.fields if field.name == "ランプ")
    assert "ALL JUSTICE" in str(lamps)
    assert "FULL COMBO" in str(lamps)
    assert "\nSSS **" in reply.everything


async def test_a_chart_that_the_song_has_not_is_answered_with_those_that_count(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    title = await best_master(world)
    reply = await alice.slash(world.discord.channel, "stats", song=title, difficulty="WE")
    assert reply.is_private
    assert "no WORLD'S END chart" in reply.text
    assert "BASIC, ADVANCED, EXPERT, MASTER" in reply.text


async def test_ultima_is_not_offered(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    (command,) = (each for each in await world.bot.tree.fetch_commands() if each.name == "stats")
    (option,) = (each for each in command.options if each.name == "difficulty")
    assert isinstance(option, Argument)
    offered = [choice.value for choice in option.choices]
    assert offered == ["BAS", "ADV", "EXP", "MAS", "WE"]
    found = await alice.slash(world.discord.channel, "search", filter="diff:ult")
    (_, title), *_ = found.charts
    reply = await alice.slash(world.discord.channel, "stats", song=title)
    assert "MASTER" in reply.everything
    assert not any("ULTIMA" in option for option in reply.component("Choose a difficulty").options)


@pytest.mark.own
async def test_a_song_of_which_nothing_is_counted_says_so(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    with sqlite3.connect(world.service_database) as service:
        service.execute("UPDATE charts SET difficulty = 'X' || difficulty WHERE difficulty <> 'ULT'")
    service.close()
    await world.restart_service()
    await world.change_database("DELETE FROM catalogues")
    await world.start_bot()
    found = await alice.slash(world.discord.channel, "search", filter="diff:ult")
    (_, title), *_ = found.charts
    reply = await alice.slash(world.discord.channel, "stats", song=title)
    assert "has no statistics for this song" in reply.text


@pytest.mark.own
async def test_a_song_that_the_service_has_no_more_is_not_told_by_its_id(world: World) -> None:
    alice, title = world.discord.person("Alice"), most_played(world)
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "song", title=title)
    with closing(sqlite3.connect(world.service_database)) as service, service:
        service.execute(
            "UPDATE charts SET is_listed = 0 WHERE song_id IN (SELECT song_id FROM songs WHERE title = ?)",
            [title],
        )
        service.execute("UPDATE songs SET is_listed = 0 WHERE title = ?", [title])
    await world.restart_service()
    reply = await alice.slash(world.discord.channel, "stats", song=title)
    assert reply.text == "The record service has no statistics for this song."


@pytest.mark.own
async def test_fewer_than_five_players_are_no_plot(world: World) -> None:
    title = await best_master(world)
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    with sqlite3.connect(world.service_database) as service:
        service.execute(
            "DELETE FROM records WHERE user_id NOT IN (SELECT user_id FROM accounts "
            "WHERE user_name IN ('DrBeat', 'minamo_plays', 'mio'))"
        )
    service.close()
    await world.restart_service()
    world.clock.advance(61)
    reply = await alice.slash(world.discord.channel, "stats", song=title)
    assert reply.files == ()
    assert "at least 5 players" in reply.everything
    assert "Place " in reply.everything
    assert "Players of your rating" not in reply.everything


@pytest.mark.own
async def test_nobody_at_all_is_said_without_a_count(world: World) -> None:
    title = await best_master(world)
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    with sqlite3.connect(world.service_database) as service:
        service.execute("DELETE FROM records")
    service.close()
    await world.restart_service()
    world.clock.advance(61)
    reply = await alice.slash(world.discord.channel, "stats", song=title)
    assert "Nobody has played this chart yet" in reply.everything
    assert "0 players" not in reply.everything


async def test_who_has_not_linked_is_told_how(world: World) -> None:
    bob = world.discord.person("Bob")
    reply = await bob.slash(world.discord.channel, "stats", song="AETHER")
    assert "/link" in reply.text


@pytest.mark.own
class TestMissingScores:
    """Statistics are shown whatever becomes of the reader's own score, and one sentence says what did."""

    @pytest.fixture
    def options(self) -> ServiceOptions:
        return ServiceOptions(quick_seconds=0, limits={"2.0": 1, "1.3": 120, "1.0": 200})

    async def test_a_spent_budget_is_not_taken_for_no_play(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.ANYONE)
        await alice.slash(world.discord.channel, "friends")
        reply = await alice.slash(world.discord.channel, "stats", song=most_played(world))
        assert "Ranks" in reply.everything
        assert "You\nYour scores are missing: Your requests" in reply.everything
