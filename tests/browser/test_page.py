from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from chat import Chat, OpenTab
from harness import Person, SimulatedDiscord
from playwright.async_api import expect
from toybot import Toy

from bot.demo.page import LivePage, live_page

pytestmark = pytest.mark.asyncio(loop_scope="session")


@dataclass
class Stage:
    page: LivePage
    toy: Toy
    alice: Person


@pytest_asyncio.fixture(loop_scope="session")
async def stage(discord: SimulatedDiscord) -> AsyncGenerator[Stage]:
    alice, bob = discord.person("Alice"), discord.person("Bob")
    toy = Toy()
    await discord.start(toy)
    await alice.say(discord.channel, "Hello")
    viewers = [person.in_server(discord.home.id) for person in (alice, bob)]
    async with live_page(discord.wire, discord.channel.handle, viewers, port=0, zone="UTC") as page:
        yield Stage(page, toy, alice)


@pytest_asyncio.fixture(loop_scope="session")
async def chat(stage: Stage, open_tab: OpenTab) -> Chat:
    return await open_tab(stage.page.url)


async def test_a_command_with_autocomplete_and_a_member(chat: Chat) -> None:
    await chat.begin("fruit")
    await chat.fill("name", "app", choose="Apple")
    await chat.fill("eater", "Bob", choose="Bob")
    await chat.show("toy-command")
    await chat.send()
    await chat.sees("eaten by @Bob")


async def test_thinking_is_shown_and_ends(chat: Chat, stage: Stage) -> None:
    await chat.run("slow")
    await chat.sees("hinking")
    await chat.run("whoami")
    await chat.sees("en-US")
    stage.toy.gate.set()
    await chat.sees("done")
    await chat.loses("hinking")


async def test_an_error_after_a_public_deferral_is_shown_to_the_asker_alone(
    chat: Chat, stage: Stage, open_tab: OpenTab
) -> None:
    other = await open_tab(stage.page.url)
    await other.view_as("Bob")
    await chat.run("boom")
    await chat.sees("Sorry: no such fruit")
    await chat.loses("hinking")
    await chat.show("toy-error")
    await expect(other.messages).to_have_count(1)


async def test_a_form(chat: Chat) -> None:
    await chat.run("form")
    await chat.form.get_by_label("A word").fill("kiroku")
    await chat.show("toy-form")
    await chat.form.get_by_role("button", name="Submit").click()
    await chat.sees("kiroku in red")


async def test_buttons_and_selects(chat: Chat) -> None:
    await chat.run("board")
    board = await chat.sees("Page 1")
    await board.get_by_role("button", name="Next").click()
    await chat.sees("Page 2")
    await chat.show("toy-board")


async def test_the_newest_message_stays_in_sight(chat: Chat, stage: Stage, discord: SimulatedDiscord) -> None:
    for _ in range(4):
        await chat.run("picture")
    await expect(chat.messages.filter(has_text="Picture")).to_have_count(4)
    await expect(chat.messages.last.locator("img").first).to_be_in_viewport(ratio=1)
    await stage.alice.say(discord.channel, "the newest")
    await expect(await chat.sees("the newest")).to_be_in_viewport(ratio=1)
    await chat.reload()
    await expect(await chat.sees("the newest")).to_be_in_viewport(ratio=1)


async def test_what_others_do_appears_by_itself_in_every_tab(
    chat: Chat, stage: Stage, discord: SimulatedDiscord, open_tab: OpenTab
) -> None:
    other = await open_tab(stage.page.url)
    await other.view_as("Bob")
    await stage.alice.slash(discord.channel, "fruit", name="banana")
    await chat.sees("banana")
    await other.sees("banana")
