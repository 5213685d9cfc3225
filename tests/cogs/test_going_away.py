"""Interactions that go away before they are answered, and connections to Discord that break."""

import asyncio
import gc
import threading

import aiohttp
import discord
import pytest
from patience import PATIENT_SECONDS
from world import World

from bot.chat.gateway import connection
from bot.domain.members import Visibility

pytestmark = pytest.mark.usefixtures("deferred")


def is_thinking(message: discord.Message) -> bool:
    return message.flags.loading


async def test_the_answer_goes_to_the_asker_where_its_place_was_deleted(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    world.discord.delete_when(world.discord.channel, is_thinking)
    reply = await alice.slash(world.discord.channel, "best")
    assert reply.is_private
    assert len(reply.files) == 1
    assert world.discord.channel.posts() == []
    assert "fault" not in world.log.text


async def test_the_sentence_goes_to_the_asker_where_its_place_was_deleted(world: World) -> None:
    alice = world.discord.person("Alice", locale="ja")
    world.discord.delete_when(world.discord.channel, is_thinking)
    reply = await alice.slash(world.discord.channel, "song", title="qqqqqqqqqq")
    assert reply.is_private
    assert "見つかりません" in reply.text
    assert world.discord.channel.posts() == []
    assert "fault" not in world.log.text


async def test_a_message_that_was_deleted_when_its_button_was_pressed_is_no_fault(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best")
    world.discord.delete_when(
        world.discord.channel, lambda _: len(world.discord.wire.backend.interactions) == asked
    )
    asked = len(world.discord.wire.backend.interactions) + 1
    await world.discord.unanswered(alice.click(reply, "Refresh"), "an interaction went away")
    assert "fault" not in world.log.text


async def test_an_interaction_that_was_delivered_twice_is_answered_once(world: World) -> None:
    alice = world.discord.person("Alice")
    world.discord.deliver_twice()
    reply = await alice.slash(world.discord.channel, "song", title="AETHER")
    assert len(reply.posts) == 1
    await world.log.until("an interaction went away")
    assert len(reply.again().posts) == 1
    assert "fault" not in world.log.text


async def test_a_connection_that_breaks_while_an_error_is_told_ends_there(world: World) -> None:
    alice = world.discord.person("Alice")
    world.discord.break_connections(r"/webhooks/")
    await world.discord.unanswered(alice.slash(world.discord.channel, "account"), "could not tell a person")
    await world.discord.unanswered(
        alice.slash(world.discord.channel, "song", title="qqqqqqqqqq"), "could not tell a person"
    )
    gc.collect()
    assert "Traceback" not in world.log.text


async def test_a_connection_that_breaks_while_a_page_is_shown_is_no_fault(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    world.discord.break_connections("PATCH /webhooks/", times=1)
    reply = await hanako.slash(world.discord.channel, "song", title="AETHER")
    assert reply.is_private
    assert reply.text == "結果を Discord に表示できませんでした。数分後にもう一度試してください。"
    assert "did not accept an answer: ServerDisconnectedError" in world.log.text
    assert "fault" not in world.log.text


async def test_a_connection_that_breaks_while_a_mention_is_answered_ends_there(world: World) -> None:
    alice = world.discord.person("Alice")
    assert world.bot.user is not None
    world.discord.break_connections(r"/channels/\d+/messages")
    await alice.say(world.discord.channel, f"{world.bot.user.mention} qqqqqqqqqq")
    await world.log.until("a mention could not be answered")
    assert "Traceback" not in world.log.text


async def test_what_is_told_stays_private_where_the_public_place_could_not_be_deleted(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    world.discord.break_connections("DELETE /webhooks/", times=2)  # aiohttp tries a deletion again
    reply = await alice.slash(world.discord.channel, "rating", player="haruka88")
    assert reply.is_private
    assert world.discord.channel.posts() == []


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (404, 10008), (400, 40060)])
async def test_suggestions_that_nobody_waits_for_any_more_are_no_fault(
    world: World, status: int, code: int
) -> None:
    alice = world.discord.person("Alice")
    world.discord.wire.inject_error("POST", "/interactions/*/callback", status=status, code=code)
    await world.discord.unanswered(
        alice.autocomplete(world.discord.channel, "song", title="a"), "suggestions came when nobody waited"
    )
    assert "Traceback" not in world.log.text


async def test_suggestions_that_were_asked_for_twice_are_no_fault(world: World) -> None:
    alice = world.discord.person("Alice")
    world.discord.deliver_twice()
    assert await alice.autocomplete(world.discord.channel, "song", title="a")
    await world.log.until("suggestions came when nobody waited")
    assert "Traceback" not in world.log.text


async def test_a_connection_that_breaks_under_suggestions_is_one_line(world: World) -> None:
    alice = world.discord.person("Alice")
    world.discord.break_connections("POST /interactions/")
    await world.discord.unanswered(
        alice.autocomplete(world.discord.channel, "song", title="a"), "did not accept suggestions"
    )
    assert "Traceback" not in world.log.text


async def test_a_bot_closes_although_discord_says_nothing_to_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def say_nothing(socket: aiohttp.ClientWebSocketResponse, **_options: object) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            socket._response.close()  # as aiohttp's own does, or the connection is nobody's

    monkeypatch.setattr(aiohttp.ClientWebSocketResponse, "close", say_nothing)
    monkeypatch.setattr(connection, "CLOSE_TIMEOUT_SECONDS", 0.01)
    beating = [each for each in threading.enumerate() if each.name.startswith("keep-alive-handler")]
    assert beating
    async with asyncio.timeout(PATIENT_SECONDS):
        await world.discord.stop()
    assert world.bot.is_closed()
    for each in beating:
        await asyncio.to_thread(each.join, 20)
        assert not each.is_alive()
