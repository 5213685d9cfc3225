"""Fails first, and plainly, when a new simcord moves what the demo holds on to."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from inspect import signature
from socket import create_server
from typing import Any

import pytest
from aiohttp import ClientSession
from harness import Person, SimulatedDiscord
from simcord import Env, SetupError
from simcord.preview import Preview
from toybot import Toy

from bot.demo.page import LivePage, served
from bot.demo.patches import CHANGED, SCRIPTS, patched
from bot.demo.simulator import Simulator


def static(path: str) -> str:
    name = "index.html" if path == "/" else path.removeprefix("/")
    return files("simcord.preview").joinpath("static", name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(CHANGED))
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
    "name",
    [
        "_action",
        "_open_page",
        "_publish",
        "_advance_presentation_time",
        "_close_page",
        "_target_message",
        "_member_handle",
    ],
)
def test_the_preview_still_has_the_parts_that_are_driven(name: str) -> None:
    assert callable(getattr(Preview, name))


async def test_the_page_answers(discord: SimulatedDiscord) -> None:
    alice = discord.person("Alice").in_server(discord.home.id)
    async with (
        served(LivePage(discord.wire, discord.channel.handle, [alice], port=0, zone="Asia/Tokyo")) as page,
        ClientSession() as session,
    ):
        assert page.url.endswith("/#demo")
        async with session.get(page.url) as reply:
            assert reply.status == 200
            assert "Kiroku demo" in await reply.text()
        headers = {"X-Simcord-Capability": "demo"}
        async with session.post(page.url.replace("/#demo", "/api/pages"), json={}, headers=headers) as reply:
            assert (await reply.json())["channel"]["name"] == "general"


@dataclass(frozen=True)
class Tab:
    session: ClientSession
    base: str
    context: str

    async def ask(self, body: object) -> tuple[int, Any]:
        headers = {"X-Simcord-Context": self.context}
        async with self.session.post(f"{self.base}/api/action", json=body, headers=headers) as reply:
            return reply.status, await reply.json()


@asynccontextmanager
async def tab(discord: SimulatedDiscord, *viewers: Person) -> AsyncGenerator[Tab]:
    """A browser tab of the first viewer."""
    members = [each.in_server(discord.home.id) for each in viewers]
    async with (
        served(LivePage(discord.wire, discord.channel.handle, members, port=0, zone="UTC")) as page,
        ClientSession(headers={"X-Simcord-Capability": "demo"}) as session,
    ):
        base = page.url.removesuffix("/#demo")
        async with session.post(f"{base}/api/pages", json={}) as reply:
            context = (await reply.json())["context"]["id"]
        yield Tab(session, base, context)


async def test_the_page_has_the_scripts_of_the_demo(discord: SimulatedDiscord) -> None:
    async with tab(discord, discord.person("Alice")) as page, page.session.get(page.base) as index:
        html = await index.text()
        for path, script in SCRIPTS.items():
            async with page.session.get(page.base + path) as reply:
                assert reply.status == 200
                assert reply.content_type == "application/javascript"
                assert await reply.text() == script.read_text(encoding="utf-8")
            assert f'src="{path}"' in html


@pytest.mark.parametrize(
    ("file", "needed"),
    [
        ("timeline.js", ('element.className = "channel-message"', "element.dataset.messageId = id")),
        ("messages.js", ('"message-interaction-header"', '"message-avatar"', '"message-author"')),
        ("media.js", ('"media-lightbox-trigger"',)),
        ("transport.js", ('"X-Simcord-Capability"', '"X-Simcord-Context"', '"/api/action"')),
        ("app.js", ('window, "simcordPreview"', "contextId: state.contextId")),
        (
            "index.html",
            ('id="channel-composer-input"', 'id="modal-root"', 'id="preview-stage"', "preview-brand"),
        ),
    ],
)
def test_the_page_still_has_what_the_scripts_hold_on_to(file: str, needed: Sequence[str]) -> None:
    text = static(file)
    assert [each for each in needed if each not in text] == []


def question(message: object, part: str, chosen: str | None = None) -> dict[str, object]:
    return {"kind": "menu", "message_id": message, "part": part, "chosen": chosen}


async def test_a_menu_has_the_commands_of_its_kind_in_the_language_of_the_viewer(
    discord: SimulatedDiscord,
) -> None:
    alice = discord.person("Alice")
    alice.speaks("ja")
    await discord.start(Toy())
    await alice.say(discord.channel, "hello")
    said = str(discord.channel.posts()[-1].id)
    greet, ignore, read = (
        {"name": "Greet", "shown": "挨拶する"},
        {"name": "Ignore", "shown": "Ignore"},
        {"name": "Read", "shown": "Read"},
    )
    async with tab(discord, alice) as page:
        assert await page.ask(question(said, "message")) == (200, {"commands": [read]})
        assert await page.ask(question(said, "author")) == (200, {"commands": [greet, ignore]})


async def test_a_menu_refuses_what_cannot_be(discord: SimulatedDiscord) -> None:
    alice, bob = discord.person("Alice"), discord.person("Bob")
    await discord.start(Toy())
    await alice.say(discord.channel, "hello")
    said = discord.channel.posts()[-1].id
    whispered = (await bob.slash(discord.channel, "private")).posts[0].handle.id
    async with tab(discord, alice) as page:
        for wrong in (
            question(said, "message", "Greet"),
            question(said, "author", "No such command"),
            question(said, "asker"),
            question(said, "channel"),
            question(1, "message"),
            question(whispered, "message"),
            question(whispered, "message", "Read"),
            question(10**400, "message"),
            question("hello", "message"),
            question(None, "message"),
            question(said, "author", "") | {"chosen": 3},
            {"kind": "menu"},
        ):
            assert (await page.ask(wrong))[0] == 400, wrong
        nobody = replace(page, context="gone")
        assert (await nobody.ask(question(said, "message")))[0] == 400
        headers = {"X-Simcord-Capability": "guessed"}
        async with page.session.post(f"{page.base}/api/action", json={}, headers=headers) as reply:
            assert reply.status == 401
    assert len(discord.wire.backend.interactions) == 1


async def test_a_tab_too_many_takes_the_place_of_the_oldest(discord: SimulatedDiscord) -> None:
    alice = discord.person("Alice").in_server(discord.home.id)
    headers = {"X-Simcord-Capability": "demo"}
    async with (
        served(LivePage(discord.wire, discord.channel.handle, [alice], port=0, zone="UTC")) as page,
        ClientSession() as session,
    ):
        for _ in range(Preview._MAX_PAGES + 2):
            async with session.post(
                page.url.replace("/#demo", "/api/pages"), json={}, headers=headers
            ) as reply:
                assert reply.status == 200


@pytest.mark.parametrize("body", [5, "viewer", ["published_revision"]])
async def test_a_body_that_is_no_object_is_refused(discord: SimulatedDiscord, body: object) -> None:
    async with tab(discord, discord.person("Alice")) as page:
        assert (await page.ask(body))[0] == 400


async def test_a_taken_port_is_named(discord: SimulatedDiscord) -> None:
    alice = discord.person("Alice").in_server(discord.home.id)
    with create_server(("127.0.0.1", 0)) as taken, pytest.raises(SetupError, match="could not bind port"):
        async with served(
            LivePage(discord.wire, discord.channel.handle, [alice], port=taken.getsockname()[1], zone="UTC")
        ):
            pass


async def test_old_messages_are_forgotten_except_the_first(discord: SimulatedDiscord) -> None:
    alice = discord.person("Alice")
    for number in range(9):
        await alice.say(discord.channel, str(number))
    discord.wire.trim(3)
    assert [post.content for post in discord.channel.posts()] == ["0", "6", "7", "8"]


async def test_whoever_looks_reads_in_their_language_which_command_a_message_answers(
    discord: SimulatedDiscord,
) -> None:
    alice, bob = discord.person("Alice"), discord.person("Bob")
    alice.speaks("ja")
    toy = Toy()
    await discord.start(toy)
    toy.gate.set()
    await bob.context_menu(discord.channel, "Greet", alice)
    await bob.slash(discord.channel, "whoami")
    for viewer, said in ((alice, ["挨拶する", "whoami"]), (bob, ["Greet", "whoami"])):
        async with (
            tab(discord, viewer) as page,
            page.session.post(f"{page.base}/api/pages", json={}) as reply,
        ):
            messages = (await reply.json())["messages"]
        headers = [messages[number]["interaction_header"] for number in sorted(messages, key=int)]
        assert [header["name"] for header in headers] == said
