"""Whether two share a server is looked at each time that it opens the one's records to the other."""

from typing import cast

import aiohttp
import discord
import pytest
from harness import Person, Reply
from world import World

from bot.chat.subjects import is_member
from bot.domain.ids import MemberId
from bot.domain.members import Visibility
from bot.features.shared.subjects import MembershipUnknown
from bot.ui.kit.look import VISIBILITIES

REFUSED = "has not linked an account that you may look up"
MEMBERS = "/guilds/*/members/*"


@pytest.fixture
async def alice(world: World) -> Person:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays", Visibility.SERVERS)
    return alice


@pytest.fixture
async def bob(world: World) -> Person:
    bob = world.discord.person("Bob")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    return bob


async def hide(world: World, person: Person, visibility: Visibility) -> None:
    settings = await person.slash(world.discord.channel, "settings")
    await person.choose(settings, "Who may look you up", VISIBILITIES[visibility])


async def pages(world: World, alice: Person, bob: Person) -> list[tuple[Reply, str]]:
    """Return pages about Bob, each with a button below it."""
    buttons = (("best", "List"), ("scores", "Next"), ("scores", "Share"), ("compare", "List"))
    return [
        (await alice.slash(world.discord.channel, command, member=bob), button) for command, button in buttons
    ]


async def test_whoever_is_still_here_is_shown(world: World, alice: Person, bob: Person) -> None:
    for page, button in await pages(world, alice, bob):
        assert "Dr" in (await alice.click(page, button)).posts[-1].everything


async def test_whoever_left_shares_the_server_no_more(world: World, alice: Person, bob: Person) -> None:
    shown = await pages(world, alice, bob)
    bob.leave(world.discord.home)
    for page, button in shown:
        assert REFUSED in (await alice.click(page, button)).posts[-1].text


async def test_discord_is_not_asked_about_those_who_let_anyone_look(
    world: World, alice: Person, bob: Person
) -> None:
    shown = await pages(world, alice, bob)
    await hide(world, bob, Visibility.ANYONE)
    world.discord.wire.inject_error("GET", MEMBERS, status=403, times=None)
    for page, button in shown:
        assert "Dr" in (await alice.click(page, button)).posts[-1].everything


async def test_a_failure_of_discord_is_for_now(world: World, alice: Person, bob: Person) -> None:
    page = await alice.slash(world.discord.channel, "best", member=bob)
    world.discord.wire.inject_error("GET", MEMBERS, status=403)
    told = (await alice.click(page, "List")).posts[-1]
    assert told.is_private
    assert "Try again in a few minutes" in told.text
    assert "#5 " in (await alice.click(page, "List")).everything


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (404, 10004)])
async def test_in_a_server_that_the_bot_is_not_in_nobody_is_asked_to_wait(
    world: World, alice: Person, bob: Person, status: int, code: int
) -> None:
    """Somebody uses it there who has it installed for themselves: Discord will not say it later either."""
    shown = await pages(world, alice, bob)
    world.discord.wire.inject_error("GET", MEMBERS, status=status, code=code, times=None)
    for page, button in shown:
        told = (await alice.click(page, button)).posts[-1]
        assert told.is_private
        assert "I am not in this server" in told.text


async def test_who_was_asked_for_from_elsewhere_stays_so(world: World, alice: Person, bob: Person) -> None:
    """Bob was not in the server when Alice asked for him: that he comes later opens nothing to her."""
    await hide(world, bob, Visibility.ANYONE)
    bob.leave(world.discord.home)
    page = await alice.slash(world.discord.channel, "best", member=bob)
    assert "Dr" in str(page.files[0].description)
    bob.join(world.discord.home)
    await hide(world, bob, Visibility.SERVERS)
    assert REFUSED in (await alice.click(page, "List")).posts[-1].text


@pytest.mark.parametrize("broken", [aiohttp.ServerDisconnectedError(), ConnectionResetError()])
async def test_a_connection_to_discord_that_breaks_is_for_now(broken: Exception) -> None:
    class Guild:
        async def fetch_member(self, _member: int) -> None:
            raise broken

    with pytest.raises(MembershipUnknown):
        await is_member(cast("discord.Guild", Guild()), MemberId(1))
