"""`/leaderboard`: who is on it, who is not even counted, and one's own place."""

import asyncio
import re
import sqlite3
from collections.abc import Collection, Mapping
from contextlib import closing
from decimal import Decimal
from typing import cast

import pytest
from dailies import settled as chronicle_settled
from explained import explain_player
from harness import Person, Reply
from sqlalchemy import delete
from turning import begin_version
from world import World

from bot.database.tables import SCORE_BLOCKS, SIGHTINGS
from bot.demo.days import play_day
from bot.domain.chronicle.score_blocks import scores_in
from bot.domain.ids import GuildId, MemberId
from bot.domain.members import Visibility
from bot.features.boards import BoardQuestion, BoardReport
from bot.features.shared.subjects import Neighbour
from service.accounts import get_account, set_protected


async def settled(world: World) -> None:
    """Wait until what is noted behind answers is written down."""
    await asyncio.gather(*world.bot.features.boards._notes)


async def board(person: Person, world: World, **options: object) -> Reply:
    return await person.slash(world.discord.channel, "leaderboard", **options)  # pyright: ignore[reportArgumentType]  # whatever is tried


async def remembered(world: World, name: str, player: str, visibility: Visibility) -> Person:
    """Return somebody who has looked at all their records once."""
    person = world.discord.person(name, manager=name == "Bob")
    await world.link(person, player, visibility)
    await person.slash(world.discord.channel, "session")
    await settled(world)
    return person


async def kept_scores(world: World) -> Mapping[object, list[int]]:
    """Return the scores that stand for boards, by their blocks."""
    return {
        row["block"]: sorted(scores_in(cast("bytes", row["scores"])))
        for row in await world.rows(SCORE_BLOCKS)
    }


async def played_song(world: World) -> str:
    """Return a song of which Alice has played the MASTER chart."""

    def find() -> str:
        with closing(sqlite3.connect(world.service_database)) as database:
            (song,) = database.execute(
                "SELECT song_id FROM records JOIN charts USING (chart_id) WHERE user_id = ? AND difficulty = 'MAS'"
                " AND region = 'jp2' LIMIT 1",
                [get_account(database, "DrBeat").user_id],
            ).fetchone()
        return song

    return await asyncio.to_thread(find)


@pytest.fixture
async def alice(world: World) -> Person:
    return await remembered(world, "Alice", "DrBeat", Visibility.SERVERS)


@pytest.fixture
async def bob(world: World) -> Person:
    return await remembered(world, "Bob", "minamo_plays", Visibility.ANYONE)


async def test_those_who_let_others_look_are_compared_without_asking_the_service(
    world: World, alice: Person, bob: Person
) -> None:
    await alice.slash(world.discord.channel, "song", title="Never")
    await world.stop_service()
    shown = await board(alice, world)
    assert not shown.is_private
    assert "2 members" in shown.everything
    assert "▸" in shown.everything
    assert "Bob" in shown.everything
    assert "You: place" not in shown.everything
    for what in ("best", "overpower"):
        listed = (await board(alice, world, what=what)).everything
        assert "Bob" in listed
    bob.leave(world.discord.home)
    world.clock.advance(61)
    assert "Bob" not in (await board(alice, world)).everything
    await settled(world)
    assert {row["member_id"] for row in await world.rows(SIGHTINGS)} == {alice.id}


async def test_who_keeps_to_themselves_is_not_counted_and_sees_where_they_would_stand(
    world: World, alice: Person, bob: Person
) -> None:
    carol = await remembered(world, "Carol", "mio", Visibility.ONLY_ME)
    for person in (alice, bob):
        shown = await board(person, world)
        assert "2 members" in shown.everything
        assert "Carol" not in shown.everything
        assert "**3.**" not in shown.everything
    own = await board(carol, world)
    assert own.is_private
    assert "2 members" in own.everything
    assert "You: place" in own.everything
    assert "Nobody else sees you" in own.everything
    seen = (await carol.click(own, "Let friends see me")).posts[-1]
    assert "`/leaderboard`" not in seen.everything
    assert "can look you up now" in seen.everything
    await settled(world)
    await carol.slash(world.discord.channel, "rating")
    await settled(world)
    assert "3 members" in (await board(carol, world)).everything


async def test_those_of_new_songs_are_compared(world: World, alice: Person, bob: Person) -> None:
    await chronicle_settled(world)
    shown = await board(bob, world, what="new")
    averages = [
        explain_player(world.service_database, player).worked_out.new for player in ("DrBeat", "minamo_plays")
    ]
    for entries in averages:
        average = f"{Decimal(sum(entry.rating for entry in entries)) / 2000:.4f}"
        assert f"**{average}**" in shown.everything
    assert alice.name in shown.everything


@pytest.mark.usefixtures("alice")
async def test_ratings_from_before_a_version_began_stand_below(
    world: World, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = begin_version(world, monkeypatch)
    await chronicle_settled(world)
    world.clock.advance(2 * 86_400)
    await asyncio.to_thread(play_day, world.service_database, ["minamo_plays"], world.clock.now())
    await bob.slash(world.discord.channel, "session")
    await chronicle_settled(world)
    shown = await board(bob, world)
    first, heading, second = (
        line
        for line in str(shown.embed.description).splitlines()
        if "Bob" in line or "Alice" in line or "Before" in line
    )
    assert first.startswith("▸ **1.** Bob")
    assert heading == f"Before {version.name}, not looked at since:"
    assert second.startswith("**2.** Alice")


async def test_only_those_of_a_role_are_compared(world: World, alice: Person, bob: Person) -> None:
    role = world.discord.home.guild.roles["manager"]
    shown = await board(alice, world, role=role)
    assert "1 member" in shown.everything
    assert "Bob" in shown.everything
    assert "Alice" not in shown.everything
    assert "You: place" in shown.everything
    assert "You: place" not in (await board(bob, world, role=role)).everything


async def test_a_song_compares_scores_on_one_of_its_charts(world: World, alice: Person, bob: Person) -> None:
    song = await played_song(world)
    shown = await board(alice, world, song=song)
    assert "MASTER" in shown.everything
    assert "Rating" not in shown.everything
    assert "Alice" in shown.everything
    refused = await board(bob, world, song=song, difficulty="ULT")
    assert "It has: BASIC, ADVANCED, EXPERT, MASTER" in refused.everything


async def test_scores_that_stand_in_packed_records_alone_are_written_out_behind_a_board(
    world: World, alice: Person
) -> None:
    await chronicle_settled(world)
    song, before = await played_song(world), await kept_scores(world)
    async with world.bot.features.boards._store.links._database.write() as connection:
        await connection.execute(delete(SCORE_BLOCKS))
    for _ in range(2):
        assert "1 member" in (await board(alice, world, song=song)).everything
        await settled(world)
    assert sum(map(len, before.values())) > 100
    assert await kept_scores(world) == before


@pytest.mark.usefixtures("alice")
async def test_nothing_is_remembered_of_who_is_new(world: World) -> None:
    dave = world.discord.person("Dave")
    assert "You have not linked" in (await board(dave, world)).everything
    await world.link(dave, "mio", Visibility.SERVERS)
    shown = await board(dave, world)
    assert "Alice" in shown.everything
    assert "Nothing of yours is remembered" in shown.everything


async def test_whose_account_is_protected_is_on_no_board(world: World, alice: Person, bob: Person) -> None:
    def hide() -> None:
        with closing(sqlite3.connect(world.service_database)) as database, database:
            set_protected(database, get_account(database, "minamo_plays").user_id, is_protected=True)

    await asyncio.to_thread(hide)
    world.clock.advance(3600)
    await bob.slash(world.discord.channel, "rating")
    shown = await board(alice, world)
    assert "Bob" not in shown.everything
    assert "1 member" in shown.everything
    own = await board(bob, world)
    assert "Nobody else sees you" in own.everything
    assert "Let friends see me" not in {each.label for each in own.components}
    assert own.is_private


async def test_two_who_look_at_once_ask_discord_for_the_same_members_once(
    world: World, alice: Person, bob: Person
) -> None:
    boards, asked, told = world.bot.features.boards, list[set[MemberId]](), asyncio.Event()

    async def among(members: Collection[MemberId]) -> Mapping[MemberId, Neighbour]:
        asked.append({*members})
        await told.wait()
        return {each: Neighbour(str(each), frozenset()) for each in members}

    viewers = [MemberId(alice.id), MemberId(bob.id)]
    guild = GuildId(world.discord.home.id)
    looks = [asyncio.create_task(boards.report(each, guild, BoardQuestion(), among)) for each in viewers]
    while not asked:  # noqa: ASYNC110 - nobody is told
        await asyncio.sleep(0)
    await asyncio.sleep(0.05)
    told.set()
    first, second = await asyncio.gather(*looks)
    assert isinstance(first, BoardReport)
    assert isinstance(second, BoardReport)
    assert asked == [{*viewers}]
    assert [each.rival.member for each in first.part.items] == [
        each.rival.member for each in second.part.items
    ]


async def test_over_power_is_that_of_the_own_command(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    own = (await alice.slash(world.discord.channel, "overpower")).everything
    await chronicle_settled(world)
    (total,) = re.findall(r"\*\*([0-9,.]+)\*\* of ", own)
    assert f"**{total}**" in (await board(alice, world, what="overpower")).everything
    (shown,) = (await alice.slash(world.discord.channel, "history", what="overpower")).embeds
    assert total in str(shown.to_dict())
