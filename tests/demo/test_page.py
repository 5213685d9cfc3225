"""Fails first, and plainly, when a new simcord moves what the demo holds on to."""

from importlib.resources import files
from inspect import signature
from socket import create_server

import pytest
from aiohttp import ClientSession
from harness import SimulatedDiscord
from simcord import Env, SetupError
from simcord.preview import Preview

from bot.demo.page import PATCHES, STYLE_PATH, live_page, patched
from bot.demo.simulator import Simulator


def static(path: str) -> str:
    name = "index.html" if path == "/" else path.removeprefix("/")
    return files("simcord.preview").joinpath("static", name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [*PATCHES, STYLE_PATH])
def test_the_page_still_has_what_is_patched(path: str) -> None:
    assert patched(path, static(path)) != static(path)


def test_a_changed_page_is_refused() -> None:
    with pytest.raises(LookupError, match="SimCord Preview"):
        patched("/", "<title>Something else</title>")


@pytest.mark.parametrize("name", ["_begin_operation", "_end_operation", "_settle_internal"])
def test_simcord_still_asks_what_the_simulator_answers(name: str) -> None:
    assert list(signature(getattr(Simulator, name)).parameters) == list(
        signature(getattr(Env, name)).parameters
    )


@pytest.mark.parametrize(
    "name", ["_action", "_open_page", "_publish", "_advance_presentation_time", "_close_page"]
)
def test_the_preview_still_has_the_parts_that_are_driven(name: str) -> None:
    assert callable(getattr(Preview, name))


async def test_the_page_answers(discord: SimulatedDiscord) -> None:
    alice = discord.person("Alice").in_server(discord.home.id)
    async with (
        live_page(discord.wire, discord.channel.handle, [alice], port=0, zone="Asia/Tokyo") as page,
        ClientSession() as session,
    ):
        assert page.url.endswith("/#demo")
        async with session.get(page.url) as reply:
            assert reply.status == 200
            assert "Kiroku demo" in await reply.text()
        headers = {"X-Simcord-Capability": "demo"}
        async with session.post(page.url.replace("/#demo", "/api/pages"), json={}, headers=headers) as reply:
            assert (await reply.json())["channel"]["name"] == "general"


async def test_a_tab_too_many_takes_the_place_of_the_oldest(discord: SimulatedDiscord) -> None:
    alice = discord.person("Alice").in_server(discord.home.id)
    headers = {"X-Simcord-Capability": "demo"}
    async with (
        live_page(discord.wire, discord.channel.handle, [alice], port=0, zone="UTC") as page,
        ClientSession() as session,
    ):
        for _ in range(Preview._MAX_PAGES + 2):
            async with session.post(
                page.url.replace("/#demo", "/api/pages"), json={}, headers=headers
            ) as reply:
                assert reply.status == 200


@pytest.mark.parametrize("body", [5, "viewer", ["published_revision"]])
async def test_a_body_that_is_no_object_is_refused(discord: SimulatedDiscord, body: object) -> None:
    alice = discord.person("Alice").in_server(discord.home.id)
    async with (
        live_page(discord.wire, discord.channel.handle, [alice], port=0, zone="UTC") as page,
        ClientSession(headers={"X-Simcord-Capability": "demo"}) as session,
    ):
        base = page.url.removesuffix("/#demo")
        async with session.post(f"{base}/api/pages", json={}) as reply:
            context = {"X-Simcord-Context": (await reply.json())["context"]["id"]}
        async with session.post(f"{base}/api/action", json=body, headers=context) as reply:
            assert reply.status == 400


async def test_a_taken_port_is_named(discord: SimulatedDiscord) -> None:
    alice = discord.person("Alice").in_server(discord.home.id)
    with create_server(("127.0.0.1", 0)) as taken, pytest.raises(SetupError, match="could not bind port"):
        async with live_page(
            discord.wire, discord.channel.handle, [alice], port=taken.getsockname()[1], zone="UTC"
        ):
            pass


async def test_old_messages_are_forgotten_except_the_first(discord: SimulatedDiscord) -> None:
    alice = discord.person("Alice")
    for number in range(9):
        await alice.say(discord.channel, str(number))
    discord.wire.trim(3)
    assert [post.content for post in discord.channel.posts()] == ["0", "6", "7", "8"]
