"""What a server is told that the bot joins: who it is, once, and where it may."""

from datetime import datetime, timedelta

import discord
import pytest
from harness import Channel, Server
from world import World

from bot.database.tables import GREETINGS
from bot.domain.errors import CannotKeep
from bot.domain.ids import GuildId
from cogs.servers import ServersCog

pytestmark = pytest.mark.shared

HERE = {"en-US": "Hello, I am Kiroku", "ja": "Kiroku といいます"}


async def found(world: World, *, locale: str = "en-US", system: bool = True) -> tuple[Server, Channel]:
    """Return a server that the bot knows, with a channel that may be that of the system's messages."""
    server = world.discord.server("New", locale=locale)
    channel = server.channel("hall")
    await world.discord.person("Alice", server=server).slash(channel, "about")
    if system:
        world.discord.wire.backend.edit_guild(server.id, {"system_channel_id": channel.id})
    return server, channel


def said(channel: Channel) -> list[discord.Message]:
    """Return what the bot has said there by itself."""
    return [post for post in channel.posts() if post.embeds and post.interaction_metadata is None]


async def join(world: World, server: Server, *, ago: timedelta = timedelta()) -> None:
    """Have the bot told that it has joined, and wait until it has done what it does then."""
    guild, cog = world.bot.get_guild(server.id), world.bot.get_cog("ServersCog")
    assert guild is not None
    assert isinstance(cog, ServersCog)
    backend = world.discord.wire.backend
    backend.guilds[server.id].members[backend.bot_user.id].joined_at = (world.clock.now() - ago).isoformat()
    await cog.on_guild_join(guild)


@pytest.mark.parametrize("locale", [*HERE])
async def test_a_server_is_greeted_in_its_language(world: World, locale: str) -> None:
    await world.begun()  # what is named before counts as named anew
    server, channel = await found(world, locale=locale)
    world.discord.wire.invite(server.id, world.clock.now())
    (embed,) = (await world.discord.post(channel)).embeds
    assert HERE[locale] in str(embed.title)


async def test_its_buttons_lead_whoever_presses_them_on(world: World) -> None:
    server, channel = await found(world)
    bob = world.discord.person("Bob", locale="ja", server=server)
    await join(world, server)
    (message,) = said(channel)
    greeting = world.discord.seen(message)
    assert (await bob.click(greeting, "Link")).form is not None
    told = await bob.click(greeting, "What can it do?")
    assert told.is_private
    assert "できること" in told.everything


async def test_a_server_is_greeted_once(world: World) -> None:
    server, channel = await found(world)
    await join(world, server)
    await join(world, server)
    assert len(said(channel)) == 1


async def test_a_server_that_is_only_named_again_is_not_greeted(world: World) -> None:
    server, channel = await found(world)
    await join(world, server, ago=timedelta(days=8))
    assert said(channel) == []


@pytest.mark.parametrize(("days", "greetings"), [(6, 1), (8, 2)])
async def test_whoever_sends_the_bot_away_for_some_days_is_not_greeted_again(
    world: World, days: int, greetings: int
) -> None:
    server, channel = await found(world)
    await join(world, server)
    world.clock.advance(timedelta(days=20).total_seconds())
    cog = world.bot.get_cog("ServersCog")
    guild = world.bot.get_guild(server.id)
    assert isinstance(cog, ServersCog)
    assert guild is not None
    await cog.on_guild_remove(guild)
    world.clock.advance(timedelta(days=days).total_seconds())
    await join(world, server)
    assert len(said(channel)) == greetings


async def test_a_server_without_a_place_for_it_is_not_greeted_then_nor_later(world: World) -> None:
    server, channel = await found(world, system=False)
    await join(world, server)
    assert said(channel) == []
    assert server.id in {row["server_id"] for row in await world.rows(GREETINGS)}
    world.discord.wire.backend.edit_guild(server.id, {"system_channel_id": channel.id})
    await join(world, server)
    assert said(channel) == []


class TestUnheard:
    """Servers that were joined while no process listened."""

    pytestmark = pytest.mark.own

    async def test_they_are_greeted_at_the_next_start_and_once(self, world: World) -> None:
        await world.begun()
        await world.discord.stop()
        (server, channel), (_again, before) = joined_unheard(world, hours=30), joined_unheard(world, hours=31)
        world.clock.advance(timedelta(days=2).total_seconds())
        await world.start_bot()
        for each in (channel, before):
            (embed,) = (await world.discord.post(each)).embeds
            assert HERE["en-US"] in str(embed.title)
        for _ in range(2):
            await world.start_bot()
            await world.begun()
        await join(world, server, ago=timedelta(hours=18))  # as after an outage
        assert len(said(channel)) == len(said(before)) == 1

    async def test_a_week_later_is_too_late(self, world: World) -> None:
        await world.begun()
        await world.discord.stop()
        _server, old = joined_unheard(world, hours=1)
        world.clock.advance(timedelta(days=7).total_seconds())
        _server, new = joined_unheard(world, hours=1)
        world.clock.advance(timedelta(days=1).total_seconds())
        await world.start_bot()
        await world.discord.post(new)  # named after the old one
        assert said(old) == []

    async def test_a_version_that_greets_for_the_first_time_asks_and_greets_none_of_before(
        self, world: World
    ) -> None:
        await world.begun()
        await world.discord.stop()
        await world.change_database("DELETE FROM leases WHERE name = 'greetings'")
        before = [joined_unheard(world, hours=-2 * number) for number in range(1, 60)]
        _server, last = joined_unheard(world, hours=0)
        world.discord.wire.backend.http_requests.clear()
        await world.start_bot()
        await world.discord.post(last)  # named after all others
        asked = str(world.discord.wire.backend.http_requests)
        assert "/guilds/" in asked
        for server, channel in before:
            assert said(channel) == []
            assert str(server.id) not in asked

    async def test_nobody_is_greeted_whom_the_database_may_know(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def refuse(*_: object) -> datetime:
            raise CannotKeep

        servers = world.bot.features.servers
        monkeypatch.setattr(servers, "_since", None)
        monkeypatch.setattr(servers._greetings, "begin", refuse)
        assert not await servers.find_new({GuildId(1): world.clock.now()})
        assert not await servers.may_greet(GuildId(1), world.clock.now())


def joined_unheard(world: World, *, hours: int) -> tuple[Server, Channel]:
    """Return a server that took the bot in while it did not run, some hours from now, with its channel."""
    server = world.discord.server("Unheard")
    channel, backend = server.channel("hall"), world.discord.wire.backend
    backend.edit_guild(server.id, {"system_channel_id": channel.id})
    joined_at = world.clock.now() + timedelta(hours=hours)
    backend.guilds[server.id].members[backend.bot_user.id].joined_at = joined_at.isoformat()
    return server, channel


async def test_where_the_bot_may_not_write_nothing_breaks_and_nobody_is_told_twice(world: World) -> None:
    server, channel = await found(world)
    world.discord.wire.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50013)
    await join(world, server)
    await join(world, server)
    assert said(channel) == []


async def test_while_the_database_takes_nothing_nobody_is_greeted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> bool:
        raise CannotKeep

    server, channel = await found(world)
    monkeypatch.setattr(world.bot.features.servers._greetings, "claim", refuse)
    await join(world, server)
    assert said(channel) == []


async def test_a_mention_alone_says_the_same(world: World) -> None:
    server, channel = await found(world)
    carol, bot = world.discord.person("Carol", server=server), world.bot.user
    assert isinstance(bot, discord.ClientUser)
    await join(world, server)
    before = len(channel.posts())
    await carol.say(channel, bot.mention)
    await world.discord.post(channel, after=before + 1)
    greeting, answer = said(channel)
    assert answer.embeds == greeting.embeds
    assert [row.to_dict() for row in answer.components] == [row.to_dict() for row in greeting.components]
