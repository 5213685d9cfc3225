"""What is kept about a server goes when the bot leaves it: at once, later, or at the next start; and never else."""

import asyncio
import sqlite3
from contextlib import closing
from typing import Any, cast

import pytest
from harness import Server
from patience import PATIENT_SECONDS
from world import World

from bot.domain.ids import GuildId
from bot.domain.members import Visibility
from cogs.servers import ServersCog

KEPT = "SELECT guild_id FROM {} ORDER BY guild_id"
TABLES = ("aliases", "daily_members", "post_plans")
ERASED = "everything about server {} is erased"


async def settle(world: World, server: Server) -> None:
    """Have something of every kind kept about a server."""
    channel = server.channel("records")
    boss = world.discord.person(f"Boss of {server.id}")
    boss.join(server, manager=True)
    await world.link(boss, "mio", Visibility.SERVERS)
    await boss.slash(channel, "daily channel", channel=channel, time="21:00")
    await boss.slash(channel, "daily join")
    await boss.slash(channel, "alias add", alias="our song", song="AETHER")
    assert "our song" in (await boss.slash(channel, "alias list")).everything


@pytest.fixture
async def away(world: World) -> Server:
    """One of two servers that have settled, once the bot has looked through those that Discord named at its start."""
    await world.bot.wait_until_ready()
    server = world.discord.server("Away")
    for each in (server, world.discord.home):
        await settle(world, each)
    return server


def kept(world: World) -> set[int]:
    """Return the servers about which anything is kept."""
    with closing(sqlite3.connect(world.database)) as database:
        return {guild for table in TABLES for (guild,) in database.execute(KEPT.format(table))}


def leave(world: World, server: Server) -> None:
    world.discord.wire.backend.remove_guild(server.id)


async def leave_unwritten(world: World, server: Server) -> None:
    """Take the bot out of a server while nothing can be written, and wait until it knows both."""
    leave(world, server)
    while GuildId(server.id) not in world.bot.features.servers._left:  # noqa: ASYNC110 - others write too
        await asyncio.sleep(0)
    await world.log.until("the database cannot be written")


async def look_around(world: World) -> None:
    """Do what the bot does whenever Discord has named its servers."""
    cog = world.bot.get_cog("ServersCog")
    assert isinstance(cog, ServersCog)
    await cog.on_shard_ready(0)


async def test_leaving_a_server_erases_all_that_is_kept_about_it(world: World, away: Server) -> None:
    leave(world, away)
    await world.log.until(ERASED.format(away.id))
    assert kept(world) == {world.discord.home.id}
    assert away.id not in [*world.bot.features.aliases._at_hand]


async def test_what_could_not_be_written_is_tried_again(
    world: World, away: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.database.engine.WRITE_SECONDS", 0.1)
    async with world.locked():
        await leave_unwritten(world, away)
        await world.tick()
    assert kept(world) == {away.id, world.discord.home.id}
    await world.tick()
    assert kept(world) == {world.discord.home.id}
    assert "Traceback" not in world.log.text


async def test_a_server_that_the_bot_is_in_again_loses_nothing(
    world: World, away: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.database.engine.WRITE_SECONDS", 0.1)
    guild = world.bot.get_guild(away.id)
    assert guild is not None
    async with world.locked():
        await leave_unwritten(world, away)
        world.bot.dispatch("guild_join", guild)
        await world.tick()
    await world.tick()
    assert kept(world) == {away.id, world.discord.home.id}


async def test_nor_one_that_comes_back_while_the_database_is_waited_for(world: World, away: Server) -> None:
    servers = world.bot.features.servers
    async with world.locked():
        leaving = asyncio.create_task(servers.leave(GuildId(away.id)))
        while not servers._left:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0)
        servers.rejoin(GuildId(away.id))
    await leaving
    assert kept(world) == {away.id, world.discord.home.id}


async def test_a_server_that_is_unavailable_for_a_while_loses_nothing(world: World, away: Server) -> None:
    outage = {"id": str(away.id), "unavailable": True}
    world.discord.wire.backend.emit("GUILD_DELETE", outage)
    await world.bot.wait_for("guild_unavailable", timeout=PATIENT_SECONDS)
    await look_around(world)
    assert kept(world) == {away.id, world.discord.home.id}


async def test_a_server_that_was_left_while_the_bot_did_not_run_is_noticed(
    world: World, away: Server
) -> None:
    await world.discord.stop()
    leave(world, away)
    await world.start_bot()
    await world.log.until(ERASED.format(away.id))
    assert kept(world) == {world.discord.home.id}


@pytest.mark.parametrize(("status", "code"), [(403, 0), (404, 0), (400, 50035)])
async def test_what_discord_does_not_say_plainly_erases_nothing(
    world: World, away: Server, monkeypatch: pytest.MonkeyPatch, status: int, code: int
) -> None:
    monkeypatch.delitem(world.bot._connection._guilds, away.id)
    world.discord.wire.inject_error("GET", "/guilds/*", status=status, code=code, times=None)
    await look_around(world)
    assert kept(world) == {away.id, world.discord.home.id}


async def test_a_server_that_discord_did_not_name_but_knows_loses_nothing(
    world: World, away: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(world.bot._connection._guilds, away.id)
    await look_around(world)
    assert kept(world) == {away.id, world.discord.home.id}


async def test_the_database_of_another_bot_stays_as_it_is(world: World, away: Server) -> None:
    await world.discord.stop()
    for server in (away, world.discord.home):
        leave(world, server)
    await world.start_bot()
    await world.log.until("2 of 2 servers in the database are not this bot's")
    assert kept(world) == {away.id, world.discord.home.id}


async def test_servers_of_another_shard_are_not_missed(world: World, away: Server) -> None:
    for table in ("aliases", "daily_members", "sightings"):
        await world.change_database(f"DELETE FROM {table}")  # noqa: S608 - no foreign text
    await world.change_database(f"UPDATE post_plans SET guild_id = {4 << 22} WHERE guild_id = {away.id}")  # noqa: S608 - as above
    await world.change_database(f"UPDATE post_plans SET guild_id = {2 << 22} WHERE guild_id != {4 << 22}")  # noqa: S608 - as above
    servers = world.bot.features.servers
    here = frozenset({GuildId(2 << 22)})
    assert await servers.find_absent(here, shard=0, shards=2) == {4 << 22}
    assert await servers.find_absent(frozenset(), shard=1, shards=2) == frozenset()
    assert "not this bot's" not in world.log.text


async def test_what_is_in_a_server_is_not_kept(world: World) -> None:
    server = world.discord.server("Nihon", locale="ja")
    channel = server.channel("records")
    boss = world.discord.person("Boss")
    boss.join(server, manager=True)
    await boss.slash(channel, "about")
    guild = world.bot.get_guild(server.id)
    assert guild is not None
    assert str(guild.preferred_locale) == "ja"
    assert [*guild.channels, *guild.roles, *guild.emojis, *guild.features] == []


async def test_the_language_of_a_server_that_was_not_named_again_is_asked_for(world: World) -> None:
    server = world.discord.server("Nihon", locale="ja")
    world.bot._connection._add_guild_from_data(cast("Any", {"id": server.id, "unavailable": True}))
    world.bot.served_guilds.unnamed.add(server.id)
    guild = await world.bot.served_guilds.find(server.id)
    assert guild is not None
    assert str(guild.preferred_locale) == "ja"


@pytest.mark.usefixtures("away")
async def test_a_shard_that_was_given_away_meanwhile_says_nothing_of_its_servers(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(world.bot), "served", [])
    monkeypatch.setattr(world.bot._connection, "_guilds", {})
    await look_around(world)
    assert "they stay" not in world.log.text
