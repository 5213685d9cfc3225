"""bot/demo/page.py in a browser: what simcord's page does, and what is added to it."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
import pytest_asyncio
from chat import WIDTH, Chat, OpenTab
from harness import Person, SimulatedDiscord
from playwright.async_api import expect
from toybot import Toy

from bot.demo.page import LivePage, served

pytestmark = pytest.mark.asyncio(loop_scope="session")


@dataclass
class Stage:
    page: LivePage
    toy: Toy
    alice: Person
    bob: Person


@pytest_asyncio.fixture(loop_scope="session")
async def stage(discord: SimulatedDiscord) -> AsyncGenerator[Stage]:
    alice, bob = discord.person("Alice"), discord.person("Bob")
    toy = Toy()
    await discord.start(toy)
    await alice.say(discord.channel, "Hello")
    viewers = [person.in_server(discord.home.id) for person in (alice, bob)]
    async with served(LivePage(discord.wire, discord.channel.handle, viewers, port=0, zone="UTC")) as page:
        yield Stage(page, toy, alice, bob)


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


async def test_late_suggestions_do_not_take_the_place_of_other_options(chat: Chat) -> None:
    await chat.begin("fruit")
    await chat.fill("name", "app")
    await chat.look_for_options()
    await chat.suggestions_arrive()
    await expect(chat.suggestions).to_contain_text(["eater"])


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


async def test_what_is_pressed_while_an_answer_is_pending_is_not_lost(chat: Chat) -> None:
    await chat.run("board")
    board = await chat.held(await chat.sees("Page 1"))
    await chat.run("lazy")  # its answer is waited for until Discord gives up
    await board.get_by_role("button", name="Next").dispatch_event("click")  # which a person need not wait for
    await expect(board).to_contain_text("Page 2")


async def test_what_is_chosen_while_an_answer_is_pending_is_not_lost(chat: Chat) -> None:
    await chat.run("board")
    board = await chat.held(await chat.sees("Page 1"))
    await chat.run("lazy")
    await chat.pick(board, "B")
    await expect(board).to_contain_text("slot b")


async def test_a_command_of_a_person_in_every_tab(chat: Chat, stage: Stage, open_tab: OpenTab) -> None:
    other = await open_tab(stage.page.url)
    await other.view_as("Bob")
    await other.open_menu(await other.sees("Hello"), on="author")
    await other.show("toy-menu")
    await other.choose("Greet")
    await other.sees("hinking")
    await chat.sees("hinking")
    stage.toy.gate.set()
    for each in (chat, other):
        await each.sees("Bob greets Alice")
        await each.loses("hinking")


async def test_a_command_of_the_person_who_asked(chat: Chat, stage: Stage, discord: SimulatedDiscord) -> None:
    stage.toy.gate.set()
    await stage.bob.slash(discord.channel, "whoami")
    await chat.open_menu(await chat.sees("Bob used /whoami"), on="asker")
    await chat.choose("Greet")
    await chat.sees("Alice greets Bob")


async def test_a_command_of_a_message_answers_one_person_alone(
    chat: Chat, stage: Stage, open_tab: OpenTab
) -> None:
    other = await open_tab(stage.page.url)
    await other.view_as("Bob")
    await chat.open_menu(await chat.sees("Hello"))
    await chat.choose("Read")
    assert "Only you can see this" in await (await chat.sees("It says: Hello")).inner_text()
    await expect(other.messages).to_have_count(1)


async def test_a_person_goes_on_after_a_command_that_nobody_answered(chat: Chat) -> None:
    await chat.open_menu(await chat.sees("Hello"), on="avatar")
    await chat.choose("Ignore")
    await chat.run("whoami")
    await chat.sees("en-US")
    await chat.open_menu(chat.messages.first)
    await chat.choose("Read")
    await chat.sees("It says: Hello")


async def test_a_menu_by_keyboard(chat: Chat, stage: Stage) -> None:
    stage.toy.gate.set()
    await chat.open_menu(await chat.sees("Hello"), on="author")
    greet, ignore = (chat.menu.get_by_role("menuitem", name=name) for name in ("Greet", "Ignore"))
    await expect(greet).to_be_focused()
    for key, focused in [("ArrowDown", ignore), ("ArrowDown", greet), ("ArrowUp", ignore), ("Home", greet)]:
        await chat.press(key)
        await expect(focused).to_be_focused()
    await chat.press("Enter")
    await chat.sees("Alice greets Alice")


async def test_a_menu_closes(chat: Chat, stage: Stage, discord: SimulatedDiscord) -> None:
    for number in range(40):
        await stage.alice.say(discord.channel, f"line {number}")
    hello = await chat.sees("line 39")
    for leave in (
        lambda: chat.press("Escape"),
        lambda: chat.press("Tab"),
        lambda: chat.click_at(600, 100),
        lambda: chat.scroll(-300),
    ):
        await chat.open_menu(hello)
        await leave()
        await expect(chat.menu).to_have_count(0)
    await expect(chat.messages.filter(has_text="It says")).to_have_count(0)


async def test_a_menu_stays_inside_the_window(chat: Chat, stage: Stage, discord: SimulatedDiscord) -> None:
    await stage.alice.say(discord.channel, "long " * 300)
    box = await (await chat.sees("long long")).bounding_box()
    assert box is not None
    assert box["x"] + box["width"] > WIDTH - 30
    await chat.click_at(WIDTH - 30, int(box["y"]) + 10, "right")
    await expect(chat.menu).to_be_in_viewport(ratio=1)


async def test_the_newest_message_stays_in_sight(chat: Chat, stage: Stage, discord: SimulatedDiscord) -> None:
    for _ in range(4):
        await chat.run("picture")
    await expect(chat.messages.filter(has_text="Picture")).to_have_count(4)
    await expect(chat.messages.last.locator("img").first).to_be_in_viewport(ratio=1)
    await stage.alice.say(discord.channel, "the newest")
    await expect(await chat.sees("the newest")).to_be_in_viewport(ratio=1)
    await chat.reload()
    await expect(await chat.sees("the newest")).to_be_in_viewport(ratio=1)


async def crowd(stage: Stage, discord: SimulatedDiscord) -> None:
    """Fill the channel with more messages, of all heights, than the page shows at a time."""
    for number in range(60):
        await stage.bob.say(discord.channel, "\n".join(f"line {number}" for _ in range(number % 7 + 1)))


async def test_your_answer_stays_in_sight_also_in_a_crowd(
    chat: Chat, stage: Stage, discord: SimulatedDiscord
) -> None:
    await crowd(stage, discord)
    await chat.sees("line 59")
    for number in range(2):
        since = await chat.newest()
        await chat.run("picture")
        picture = await chat.picture(await chat.answer(since))
        await expect(picture).to_be_in_viewport(ratio=1)
        await stage.bob.say(discord.channel, f"reply {number}")
        await expect(await chat.sees(f"reply {number}")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("command", ["whoami", "private"])
async def test_who_reads_older_messages_is_taken_to_their_own_answer(
    chat: Chat, stage: Stage, discord: SimulatedDiscord, command: str
) -> None:
    await crowd(stage, discord)
    await chat.sees("line 59")
    for leave in (lambda: chat.scroll(-1500), chat.look_further_back):
        await leave()
        await expect(chat.messages.last).not_to_be_in_viewport()
        await chat.run(command)
        answer = chat.messages.last
        said = {"whoami": "en-US", "private": "second"}[command]
        await expect(answer).to_contain_text(said)
        await expect(answer).to_be_in_viewport(ratio=1)
        await stage.bob.say(discord.channel, "well")
        await expect(await chat.sees("well")).to_be_in_viewport(ratio=1)


async def test_who_reads_older_messages_is_left_there_by_others(
    chat: Chat, stage: Stage, discord: SimulatedDiscord
) -> None:
    await crowd(stage, discord)
    await chat.sees("line 59")
    await chat.scroll(-1500)
    read = chat.messages.filter(has_text="line 41")
    await expect(read).to_be_in_viewport()
    await stage.bob.slash(discord.channel, "whoami")
    await chat.sees("Bob used /whoami")
    await expect(read).to_be_in_viewport()
    await expect(chat.messages.last).not_to_be_in_viewport()


async def test_what_is_typed_while_an_answer_is_pending_arrives_whole(chat: Chat) -> None:
    await chat.run("lazy")  # its answer is waited for until Discord gives up
    await chat.type("/fruit banana")
    await chat.send()
    await chat.type("and a word")
    await chat.press("Enter")
    await chat.type("never sent")
    await expect(await chat.sees("eaten by")).to_contain_text("banana")
    await chat.sees("and a word")
    await expect(chat.box).to_have_value("never sent")


async def test_what_is_typed_after_a_button_goes_to_the_message(chat: Chat) -> None:
    await chat.run("board")
    await (await chat.sees("Page 1")).get_by_role("button", name="Next").click()
    await chat.type("well done")
    await expect(chat.box).to_have_value("well done")
    await chat.sees("Page 2")


async def test_a_command_is_chosen_also_while_somebody_writes(
    chat: Chat, stage: Stage, discord: SimulatedDiscord
) -> None:
    await chat.begin_to_choose("whoami")
    await stage.bob.say(discord.channel, "hi")
    await chat.sees("hi")
    await chat.release()
    await chat.send()
    await chat.sees("used /whoami")


async def test_times_are_written_in_the_language_of_who_looks(
    chat: Chat, stage: Stage, discord: SimulatedDiscord
) -> None:
    stage.bob.speaks("ja")
    await stage.alice.say(discord.channel, "<t:0:D> <t:0:R>")
    for name, date, ago in (
        ("Alice", "January 1, 1970", "ago"),
        ("Bob", "1970年1月1日", "前"),
        ("Alice", "January 1, 1970", "ago"),
    ):
        await chat.view_as(name)
        await expect(await chat.sees(date)).to_contain_text(ago)


async def test_a_member_who_was_not_chosen_is_complained_about(chat: Chat) -> None:
    await chat.begin("fruit")
    await chat.fill("name", "apple")
    await chat.fill("eater", "123")
    await chat.send()
    await expect(chat.complaint).to_have_text("Choose an available option.")


async def test_what_others_do_appears_by_itself_in_every_tab(
    chat: Chat, stage: Stage, discord: SimulatedDiscord, open_tab: OpenTab
) -> None:
    other = await open_tab(stage.page.url)
    await other.view_as("Bob")
    await stage.alice.slash(discord.channel, "fruit", name="banana")
    await chat.sees("banana")
    await other.sees("banana")
