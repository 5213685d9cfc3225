"""What Discord does not take costs what it is about alone, and nobody is told twice."""

from argparse import Namespace
from typing import Any, cast

import discord
import pytest
from dailies import at_nine, start_daily
from harness import Reply
from world import World

from bot.chat.failures import describe_failure
from bot.domain.members import Visibility

FILES: dict[str, Any] = {"status": 413, "code": 40005}

pytestmark = pytest.mark.usefixtures("deferred")


async def test_an_answer_goes_without_a_picture_that_discord_does_not_take(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    for command in ("overpower", "best"):
        whole = await alice.slash(world.discord.channel, command)
        assert whole.files
        world.discord.wire.inject_error("PATCH", "/webhooks/*", **FILES)
        shown = await alice.slash(world.discord.channel, command)
        assert shown.files == ()
        assert shown.embed.image.url is None
        assert len(shown.posts) == 1
        assert [each.label for each in shown.components] == [each.label for each in whole.components]
        assert {"overpower": "songs played", "best": "#1 "}[command] in shown.everything
        assert "on our side" not in shown.everything
    assert "fault" not in world.log.text
    assert world.log.text.count("did not accept a picture") == 2
    assert "Dr" not in world.log.text.partition("did not accept a picture")[2].splitlines()[0]


@pytest.mark.parametrize("command", ["account", "overpower"])
async def test_what_is_refused_for_something_else_is_not_tried_again(world: World, command: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    refusal: dict[str, Any] = FILES if command == "account" else {"status": 400, "code": 50035}
    world.discord.wire.inject_error("PATCH", "/webhooks/*", **refusal)
    told: Reply = await alice.slash(world.discord.channel, command)
    assert "on our side" in told.posts[-1].text
    assert len(told.posts) == 1


async def test_what_is_told_aside_goes_without_its_picture_once(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays", Visibility.SERVERS)
    world.discord.wire.inject_error("POST", "/webhooks/*", **FILES)
    shown = await alice.slash(
        world.discord.channel, "best", player="haruka88"
    )  # a friend, whom others may not see
    assert [post.files for post in shown.posts] == [()]
    assert shown.is_private


async def test_a_post_goes_without_a_picture_that_discord_does_not_take(world: World) -> None:
    await start_daily(world, "mio", "DrBeat")
    world.discord.wire.inject_error("POST", f"/channels/{world.discord.channel.id}/messages", **FILES)
    at_nine(world)
    await world.tick()
    post = await world.discord.post(world.discord.channel)
    assert post.attachments == []
    assert post.embeds[0].image.url is None
    await world.tick()
    assert len(world.discord.channel.posts()) == 1


async def test_without_icons_and_with_nothing_that_discord_takes_of_them_words_stand(world: World) -> None:
    await world.discord.stop()
    world.discord.wire.backend.application_emojis.clear()
    world.discord.wire.inject_error("POST", "/applications/*/emojis", status=400, code=30008, times=None)
    await world.start_bot()
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    shown = await world.best(alice)
    assert shown.post.icons == 0
    assert "MASTER" in shown.everything
    await world.log.until("words replace the missing ones")
    assert world.log.text.count("words replace") == 1


def test_a_refusal_is_told_with_its_code_and_the_fields() -> None:
    response = Namespace(status=400, reason="Bad Request")
    errors = {"embeds": {"0": {"description": {"_errors": [{"code": "X", "message": "too long"}]}}}}
    refused = discord.HTTPException(
        cast("Any", response), {"code": 50035, "message": "Invalid", "errors": errors}
    )
    assert describe_failure(refused) == "status 400, code 50035, in embeds.0.description"


async def test_setup_is_listed_for_those_who_manage_the_server(world: World) -> None:
    command = world.bot.tree.get_command("setup")
    assert isinstance(command, discord.app_commands.Command)
    assert command.default_permissions == discord.Permissions(manage_guild=True)
