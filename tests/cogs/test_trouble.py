"""What people are told when the record service misbehaves, and what nobody is ever shown."""

import asyncio
import re
import sqlite3
from collections.abc import AsyncGenerator, Callable
from contextlib import closing

import pytest
from aiohttp import web
from serving import serving
from world import World

from bot.domain.ids import Region
from bot.domain.members import Visibility
from service.options import ServiceOptions


@pytest.fixture
async def broken_service() -> AsyncGenerator[Callable[[web.Response], str]]:
    """Serve one and the same answer to everything; returns its address."""
    answer = web.Response()

    async def say(_request: web.BaseRequest) -> web.Response:
        return web.Response(status=answer.status, body=answer.body, content_type=answer.content_type)

    runner = web.ServerRunner(web.Server(say, access_log=None))
    async with serving(runner) as url:

        def serve(response: web.Response) -> str:
            nonlocal answer
            answer = response
            return url

        yield serve


async def move(world: World, url: str) -> None:
    """Let the bot speak to another address from now on."""
    world.settings = world.settings.model_copy(update={"record_api_url": url})
    await world.start_bot()


@pytest.mark.parametrize(
    ("response", "sentence"),
    [
        (web.Response(status=503, text="<html>down</html>", content_type="text/html"), "not answering"),
        (web.Response(status=500), "not answering"),
        (
            web.Response(status=200, text="<html>hello</html>", content_type="text/html"),
            "an unexpected answer",
        ),
        (web.Response(status=200, text="[]", content_type="application/json"), "an unexpected answer"),
        (web.Response(status=401, text="no", content_type="text/plain"), "rejected the access token"),
        (
            web.Response(
                status=200,
                text='{"error": {"code": 404, "message": "not found.", "additional_message": ""}}',
                content_type="application/json",
            ),
            "Check the spelling",
        ),
        (web.Response(status=429), "used up"),
    ],
)
async def test_every_kind_of_answer_gets_its_sentence(
    world: World,
    broken_service: Callable[[web.Response], str],
    no_token_anywhere: Callable[[], None],
    response: web.Response,
    sentence: str,
) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await move(world, broken_service(response))
    reply = await alice.slash(world.discord.channel, "rating")
    assert reply.is_private
    assert sentence in reply.text
    place = world.bot.features.accounts.token_place
    said = reply.everything.replace(f"Access tokens are made on {place.service}: <{place.url}>", "")
    assert not re.search(r"https?:|127\.0\.0\.1|Traceback|\.py", said)
    assert "Traceback" not in world.log.text
    no_token_anywhere()


async def test_a_revoked_token_is_told_and_the_link_stays(world: World) -> None:
    alice = world.discord.person("Alice", locale="ja")
    await world.link(alice, "minamo_plays")
    with sqlite3.connect(world.service_database) as service:
        service.execute("DELETE FROM tokens")
    service.close()
    await world.restart_service()
    reply = await alice.slash(world.discord.channel, "rating")
    assert reply.is_private
    assert re.search(r"</link:\d+> \(/連携\) を", reply.text)
    again = await alice.slash(world.discord.channel, "rating")
    assert "拒否" in again.text


async def test_of_a_member_whose_account_is_gone_nobody_is_told_its_number(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.ANYONE)
    with closing(sqlite3.connect(world.service_database)) as service, service:
        service.execute("PRAGMA foreign_keys = ON")
        service.execute("DELETE FROM accounts WHERE user_name = 'DrBeat'")
    await world.restart_service()
    world.clock.advance(3600)
    for command in ("rating", "best", "scores", "compare"):
        told = (await alice.slash(world.discord.channel, command, member=bob)).posts[-1]
        assert told.is_private
        assert told.text.startswith(f"{bob.mention} has not linked an account that you may look up. They can")
    told = (await alice.slash(world.discord.channel, "rating", player="DrBeat")).posts[-1]
    assert "Nothing was found for “DrBeat”" in told.text


async def test_a_fault_of_ours_is_told_by_a_reference_that_the_log_has(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await world.change_database("DROP TABLE links")
    reply = await alice.slash(world.discord.channel, "rating")
    assert reply.is_private
    reference = re.search(r"noted as `([0-9a-f]{8})`", reply.text)
    assert reference
    assert f"fault {reference[1]}" in world.log.text


class TestSlowService:
    @pytest.fixture
    def options(self) -> ServiceOptions:
        return ServiceOptions(quick_seconds=0, delay_seconds=0.6)

    async def test_patience_ends_with_a_sentence(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "minamo_plays")
        world.settings = world.settings.model_copy(update={"patience_seconds": 0.3})
        await world.start_bot()
        reply = await alice.slash(world.discord.channel, "rating")
        assert reply.is_private
        assert "not answering" in reply.text

    async def test_several_people_wait_side_by_side(self, world: World) -> None:
        people = [world.discord.person(f"Person{number}") for number in range(4)]
        for person, player in zip(people, world.players, strict=False):
            await world.link(person, player)
        replies = await asyncio.gather(*(person.slash(world.discord.channel, "rating") for person in people))
        assert all(reply.embed.title for reply in replies)


class TestSpentBudget:
    @pytest.fixture
    def options(self) -> ServiceOptions:
        return ServiceOptions(quick_seconds=0, limits={"2.0": 1, "1.3": 120, "1.0": 200})

    async def test_says_when_it_is_back(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "minamo_plays")
        await alice.slash(world.discord.channel, "rating")
        reply = await alice.slash(world.discord.channel, "friends")
        assert reply.is_private
        assert re.search(r"Try again <t:\d+:R>", reply.text)

    @pytest.mark.parametrize(
        ("locale", "sentence"),
        [
            ("en-US", r"used up and come back <t:(\d+):R>; this is what it said <t:(\d+):R>"),
            ("ja", r"上限に達したため、前回のデータを表示しています（回復: <t:(\d+):R>、取得: <t:(\d+):R>）"),
        ],
    )
    async def test_old_data_says_so_too(self, world: World, locale: str, sentence: str) -> None:
        alice = world.discord.person("Alice", locale=locale)
        await world.link(alice, "minamo_plays")
        fetched_at = world.clock.now()
        await alice.slash(world.discord.channel, "rating")
        world.clock.advance(720)
        second = await alice.slash(world.discord.channel, "rating")
        said = re.search(sentence, second.everything)
        assert said is not None, second.everything
        assert int(said[2]) == int(fetched_at.timestamp())
        assert 0 < int(said[1]) - world.clock.now().timestamp() < 200


async def test_an_unknown_region_is_a_question_that_the_service_refuses(world: World) -> None:
    world.settings = world.settings.model_copy(update={"default_region": Region("xx")})
    await world.start_bot()
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "rating")
    assert reply.is_private
    assert reply.text


class TestClosing:
    @pytest.fixture
    def options(self) -> ServiceOptions:
        return ServiceOptions(quick_seconds=0, delay_seconds=1.5)

    async def test_a_command_under_way_ends_without_a_fault(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "minamo_plays")
        asking = asyncio.create_task(alice.slash(world.discord.channel, "friends"))
        await world.discord.wire.until(lambda: any(_is_command(task) for task in asyncio.all_tasks()), 5)
        await world.discord.stop()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert not any(_is_command(task) for task in asyncio.all_tasks())
        assert "fault" not in world.log.text


def _is_command(task: asyncio.Task[object]) -> bool:
    return task.get_name() == "CommandTree-invoker"
