"""Answers that are at hand are given at once; Discord is told in time that others will come."""

import ast
import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import cast

import discord
import pytest
from aiohttp import ServerDisconnectedError
from dailies import start_daily
from discord.utils import utcnow
from patience import PATIENT_SECONDS
from world import World

from bot.chat import deferral
from bot.chat.answers import acknowledge, show, show_error
from bot.chat.deferral import defer_in_time, end_deferral
from bot.domain.errors import NotFound
from bot.domain.members import Audience, Visibility
from bot.ui.kit import routes, song_routes
from bot.ui.kit.address import Address
from bot.ui.kit.look import Page
from bot.ui.language.text import Languages


def of_discord(requests: Sequence[str]) -> list[str]:
    """Return by which requests interactions were answered, without their ids."""
    return [
        "callback" if "/callback" in each else each.split()[0].lower()
        for each in requests
        if "/interactions/" in each or "/webhooks/" in each
    ]


@pytest.mark.usefixtures("at_hand")
class TestAtHand:
    async def test_a_page_takes_one_request(self, world: World) -> None:
        alice = world.discord.person("Alice")
        requests = world.discord.note_requests()
        reply = await alice.slash(world.discord.channel, "song", title="AETHER")
        assert not reply.is_private
        assert reply.embed.title
        assert of_discord(requests) == ["callback"]

    async def test_a_page_for_whoever_asks_is_private_from_the_start(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "minamo_plays", Visibility.SERVERS)
        requests = world.discord.note_requests()
        reply = await alice.slash(world.discord.channel, "rating", player="haruka88")
        assert reply.is_private
        assert of_discord(requests) == ["callback"]
        assert world.discord.channel.posts() == []

    async def test_a_command_for_oneself_is_private(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "minamo_plays")
        requests = world.discord.note_requests()
        reply = await alice.slash(world.discord.channel, "friends")
        assert reply.is_private
        assert of_discord(requests) == ["callback"]

    async def test_what_went_wrong_is_told_in_one_request(self, world: World) -> None:
        alice = world.discord.person("Alice")
        requests = world.discord.note_requests()
        reply = await alice.slash(world.discord.channel, "song", title="qqqqqqqqqq")
        assert reply.is_private
        assert of_discord(requests) == ["callback"]

    async def test_a_picture_has_its_place_first(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.SERVERS)
        requests = world.discord.note_requests()
        reply = await alice.slash(world.discord.channel, "best")
        assert len(reply.files) == 1
        assert of_discord(requests) == ["callback", "patch"]

    async def test_a_button_changes_its_message_in_one_request(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.SERVERS)
        listed = await alice.slash(world.discord.channel, "scores")
        requests = world.discord.note_requests()
        turned = await alice.click(listed, "Next")
        assert of_discord(requests) == ["callback"]
        assert turned.everything != listed.everything
        assert len(turned.posts) == 1

    async def test_a_connection_that_breaks_is_told(self, world: World) -> None:
        hanako = world.discord.person("Hanako", locale="ja")
        world.discord.break_connections("POST /interactions/.*/callback", times=1)
        reply = await hanako.slash(world.discord.channel, "song", title="AETHER")
        assert reply.is_private
        assert reply.text == "結果を Discord に表示できませんでした。数分後にもう一度試してください。"
        assert "fault" not in world.log.text


@pytest.mark.usefixtures("deferred")
class TestDeferred:
    async def test_a_page_takes_the_place_that_was_reserved(self, world: World) -> None:
        alice = world.discord.person("Alice")
        requests = world.discord.note_requests()
        reply = await alice.slash(world.discord.channel, "song", title="AETHER")
        assert not reply.is_private
        assert of_discord(requests) == ["callback", "patch"]
        assert len(world.discord.channel.posts()) == 1

    async def test_a_page_for_whoever_asks_leaves_no_public_place(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "minamo_plays", Visibility.SERVERS)
        requests = world.discord.note_requests()
        reply = await alice.slash(world.discord.channel, "rating", player="haruka88")
        assert reply.is_private
        assert of_discord(requests) == ["callback", "delete", "post"]
        assert world.discord.channel.posts() == []

    async def test_a_button_changes_its_message(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.SERVERS)
        listed = await alice.slash(world.discord.channel, "scores")
        requests = world.discord.note_requests()
        turned = await alice.click(listed, "Next")
        assert of_discord(requests) == ["callback", "patch"]
        assert turned.everything != listed.everything

    async def test_what_discord_no_longer_waits_for_is_no_fault(self, world: World) -> None:
        alice = world.discord.person("Alice")
        world.discord.wire.inject_error("POST", "/interactions/*/callback", status=404, code=10062)
        await world.discord.unanswered(
            alice.slash(world.discord.channel, "song", title="AETHER"), "an interaction went away"
        )
        assert "fault" not in world.log.text
        assert "Traceback" not in world.log.text


@pytest.mark.usefixtures("at_hand")
class TestWhatChangesSomething:
    @pytest.mark.parametrize(("command", "given"), [("locked add", {"song": "AETHER"}), ("daily join", {})])
    async def test_it_is_done_once_where_it_was_delivered_twice(
        self, world: World, command: str, given: dict[str, str]
    ) -> None:
        await start_daily(world, "mio", "DrBeat")
        alice = world.discord.person("Alice")
        await world.link(alice, "minamo_plays")
        world.discord.deliver_twice()
        requests = world.discord.note_requests()
        await alice.slash(world.discord.channel, command, **given)
        await world.log.until("an interaction went away")
        assert sorted(of_discord(requests)) == ["callback", "callback", "patch"]

    async def test_a_button_that_changes_something_is_acknowledged_first(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "minamo_plays")
        shown = await alice.slash(world.discord.channel, "settings")
        requests = world.discord.note_requests()
        await alice.choose(shown, "Language", "日本語")
        assert of_discord(requests) == ["callback", "patch"]

    def test_a_page_that_changes_nothing_only_reads(self) -> None:
        # A filter is saved under a digest of its text, so that saving it again is nothing.
        reading = re.compile(
            r"_?((ask|draw|drawn|fetch|find|get|is|list|report|style|strike)(_\w+)?|\w*picture|aliases|save_filter)"
        )
        changing = {
            (kind, verb)
            for kind, verbs in made_with().items()
            for verb in verbs
            if not getattr(routes, kind, getattr(song_routes, kind, Address)).CHANGES
            and not reading.fullmatch(verb)
        }
        assert changing == set(), "the address of a page that changes something says CHANGES = True"


def made_with() -> dict[str, set[str]]:
    """Return what is awaited to make the page of each kind of address: the last names of what is called."""
    made: dict[str, set[str]] = {}
    for file in (Path(__file__).parents[2] / "cogs").glob("*.py"):
        for cog in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(cog, ast.ClassDef):
                methods = {each.name: each for each in cog.body if isinstance(each, ast.AsyncFunctionDef)}
                for method in methods.values():
                    for kind in shown_by(method):
                        made.setdefault(kind, set()).update(awaited_by(method, methods))
    assert len(made) > 40
    return made


def shown_by(method: ast.AsyncFunctionDef) -> Iterator[str]:
    for each in method.decorator_list:
        match each:
            case ast.Call(func=ast.Name(id="shows"), args=[ast.Name(id=kind)]):
                yield kind
            case _:
                pass


def awaited_by(method: ast.AsyncFunctionDef, methods: Mapping[str, ast.AsyncFunctionDef]) -> Iterator[str]:
    for node in ast.walk(method):
        match node:
            case ast.Await(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=own))) if (
                own in methods
            ):
                yield from awaited_by(methods[own], methods)
            case ast.Await(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))):
                yield name
            case _:
                pass


class Response:
    """Says whether Discord has had a first word."""

    def __init__(self) -> None:
        self.told = 0
        self.is_under_way = asyncio.Event()
        self.is_broken = False
        self.said: list[str] = []
        self.sent: dict[str, object] = {}
        self.edited: dict[str, object] = {}

    def is_done(self) -> bool:
        return self.told > 0

    async def defer(self) -> None:
        self.is_under_way.set()
        await asyncio.sleep(0)
        if self.is_broken:
            raise ServerDisconnectedError
        self.told += 1

    async def send_message(self, sentence: str = "", **shown: object) -> None:
        self.said.append(sentence)
        self.sent = shown
        self.told += 1

    async def edit_message(self, **shown: object) -> None:
        self.edited = shown
        self.told += 1


class Asked:
    """An interaction, by what deferring it looks at."""

    def __init__(self, age: timedelta) -> None:
        self.created_at = utcnow() - age
        self.extras: dict[object, object] = {}
        self.message = None
        self.response = Response()


@pytest.mark.parametrize(
    ("age", "is_deferred_at_once"),
    [
        (timedelta(seconds=0.1), False),
        (timedelta(seconds=1.1), True),
        (timedelta(seconds=2.8), True),
        # Nobody could answer these any more: Discord's clock and ours differ.
        (timedelta(minutes=1), False),
        (timedelta(minutes=-1), False),
    ],
)
@pytest.mark.usefixtures("at_hand")
async def test_what_has_waited_for_the_bot_is_deferred_at_once(
    age: timedelta, *, is_deferred_at_once: bool
) -> None:
    asked = Asked(age)
    interaction = cast("discord.Interaction", asked)
    await defer_in_time(interaction, asked.response.defer)
    assert asked.response.is_done() == is_deferred_at_once
    assert await end_deferral(interaction) == is_deferred_at_once
    assert asked.response.told == is_deferred_at_once


async def test_a_deferral_under_way_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deferral, "DEFER_AFTER_SECONDS", 1e-6)
    asked = Asked(timedelta())
    interaction = cast("discord.Interaction", asked)
    async with asyncio.timeout(PATIENT_SECONDS):
        await defer_in_time(interaction, asked.response.defer)
        await asked.response.is_under_way.wait()
        assert await end_deferral(interaction)
        assert await end_deferral(interaction, send=True)
    assert asked.response.told == 1


@pytest.mark.usefixtures("at_hand")
async def test_a_message_that_a_button_changes_loses_its_picture() -> None:
    asked = Asked(timedelta())
    interaction = cast("discord.Interaction", asked)
    await acknowledge(interaction, at_once=False)
    await show(interaction, Page(discord.Embed(title="a list")))
    assert asked.response.edited["attachments"] == []


@pytest.mark.usefixtures("at_hand")
async def test_what_only_the_asker_may_see_does_not_change_a_public_message() -> None:
    asked, view = Asked(timedelta()), discord.ui.View(timeout=None)
    interaction = cast("discord.Interaction", asked)
    await acknowledge(interaction, at_once=False)
    await show(interaction, Page(discord.Embed(title="mine"), view, audience=Audience.ASKER))
    assert asked.response.edited == {}
    assert asked.response.sent["ephemeral"] is True
    assert asked.response.sent["view"] is not view, "what is private has buttons of its own"


async def test_nothing_is_deferred_once_it_was_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deferral, "DEFER_AFTER_SECONDS", 0.01)
    asked, is_later = Asked(timedelta()), asyncio.Event()
    interaction = cast("discord.Interaction", asked)
    async with asyncio.timeout(PATIENT_SECONDS):
        await defer_in_time(interaction, asked.response.defer)
        assert not await end_deferral(interaction)
        asyncio.get_running_loop().call_later(0.02, is_later.set)
        await is_later.wait()
    assert not asked.response.is_under_way.is_set()


async def test_what_went_wrong_is_told_where_the_deferral_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deferral, "DEFER_AFTER_SECONDS", 1e-6)
    asked = Asked(timedelta())
    asked.response.is_broken = True
    interaction = cast("discord.Interaction", asked)
    async with asyncio.timeout(PATIENT_SECONDS):
        await defer_in_time(interaction, asked.response.defer)
        await asked.response.is_under_way.wait()
        await show_error(interaction, Languages()[None], NotFound("qqqqqqqqqq"))
    assert "qqqqqqqqqq" in asked.response.said[0]
