"""What a newcomer does with the demo, in a browser, on the program as it is started."""

import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio
from chat import Chat, OpenTab
from demonstration import demonstration
from harness import LogBook
from playwright.async_api import expect

from bot.demo import session
from bot.demo.page import LivePage

pytestmark = pytest.mark.asyncio(loop_scope="session")

POLL_MILLISECONDS = 500
"""How often the page asks for what is new."""


@dataclass
class Shown:
    """A demo in this process: the program itself is started once, below."""

    page: LivePage
    token: str
    """Of the one who has not linked."""
    folder: Path

    async def crowd(self) -> None:
        """Fill the channel with more messages, of all heights, than the page shows at a time."""
        for number in range(60):
            speaker = self.page.viewers[number % len(self.page.viewers)]
            await speaker.send(self.page.channel, "\n".join(f"line {number}" for _ in range(number % 7 + 1)))


@pytest_asyncio.fixture(loop_scope="session")
async def demo(tmp_path: Path) -> AsyncGenerator[Shown]:
    async with session.demo(tmp_path, session.DemoOptions(port=0)) as (page, unlinked):
        yield Shown(page, unlinked["Chris"], tmp_path)


@pytest_asyncio.fixture(loop_scope="session")
async def chat(demo: Shown, open_tab: OpenTab) -> Chat:
    return await open_tab(demo.page.url)


async def test_a_newcomer_in_english(chat: Chat) -> None:
    await chat.sees("Welcome")
    await chat.show("en-0-welcome")

    await chat.run("rating")
    await chat.sees("ＭＩＮＡＭＯ")
    await chat.show("en-1-rating")
    await chat.begin("rating")
    await chat.fill("member", "さくら", choose="さくら")
    await chat.show("en-2-rating-member")
    await chat.send()
    await chat.sees("はるか")

    since = await chat.newest()
    await chat.run("best")
    best = await chat.answer(since)
    await expect(best).to_contain_text("For phones")
    await chat.show("en-3-best")
    await best.get_by_role("button", name="List").click()
    await (await chat.sees("1 / ")).get_by_role("button", name="Next").click()
    await chat.sees("2 / ")
    await chat.show("en-4-best-turned")

    await chat.run("friends")
    await chat.sees("Friends")
    await chat.show("en-5-friends")

    await chat.run("account")
    await chat.sees("Only you can see this")
    await chat.show("en-6-account")


async def test_a_song_with_autocomplete(chat: Chat) -> None:
    await chat.begin("song")
    await chat.fill("title", "a")
    await expect(chat.suggestions.first).to_be_visible()
    await chat.show("en-7-song-autocomplete")
    title = await chat.suggestions.first.inner_text()
    await chat.suggestions.first.click()
    await chat.send()
    await chat.sees(title.split(" — ")[0].split(" / ")[0])
    await chat.show("en-8-song")


async def test_someone_who_has_not_linked(chat: Chat, demo: Shown, log: LogBook) -> None:
    await chat.view_as("Chris")
    await chat.run("rating")
    await chat.sees("Use /link to")
    await chat.show("en-11-not-linked")
    await chat.run("link")
    await chat.form.get_by_role("textbox").fill(demo.token)
    await chat.show("en-12-link-form")
    await chat.form.get_by_role("button", name="Submit").click()
    await chat.sees("Dr.Beat")
    await chat.show("en-13-linked")
    assert demo.token not in log.text
    files = list(demo.folder.iterdir())
    assert {"kiroku.db", "service.db"} <= {file.name for file in files}
    assert not any(demo.token.encode() in file.read_bytes() for file in files)


async def test_the_program_ends_at_once_also_with_a_tab_open(tmp_path: Path, open_tab: OpenTab) -> None:
    async with demonstration(tmp_path) as program:
        chat = await open_tab(program.url)
        await chat.picture(await chat.sees("used /best"))
        await chat.run("friends")  # has no picture, which a busy machine may give up and log
        await chat.sees("used /friends")
        assert await program.stop() == 0
        assert program.log == ""
        await expect(chat.ended).to_contain_text("The demo has ended.")
        await expect(chat.ended).to_contain_text("make demo")
        await chat.show("demo-ended")
        asked = chat.asked
        await chat.rest(3 * POLL_MILLISECONDS)
        assert chat.asked <= asked + 2, "it looks for the next one, and seldom"


async def test_a_tab_goes_on_by_itself_once_a_demo_answers(demo: Shown, open_tab: OpenTab) -> None:
    chat = await open_tab(demo.page.url, locale="ja-JP")
    for page in demo.page._browser_pages():
        demo.page._close_page(page.id)
    await expect(chat.ended).to_contain_text("このタブは古くなっています。")
    await expect(chat.ended).to_have_count(0)
    await chat.sees("を使いました")


async def test_a_tab_that_is_answered_no_more_says_so_and_goes_on_then(
    demo: Shown, open_tab: OpenTab
) -> None:
    chat = await open_tab(demo.page.url)
    async with chat.unanswered("/api/state"):
        await expect(chat.ended).to_contain_text("This tab is no longer kept up to date.")
        await chat.show("demo-stalled")
    await expect(chat.ended).to_have_count(0)
    await chat.sees("used /")


async def test_what_can_be_pressed_stands_below_the_picture(chat: Chat) -> None:
    since = await chat.newest()
    await chat.run("best")
    best = await chat.answer(since)
    assert await chat.room_between_picture_and("List", best) >= 0


async def test_a_phone_has_its_own_width_before_any_icon_is_there(demo: Shown, open_tab: OpenTab) -> None:
    chat = await open_tab(demo.page.url, width=390)
    async with chat.unanswered("/api/action"):
        await chat.reload()
        assert await chat.width_of_chat() <= 390


async def test_pictures_have_the_width_of_a_phone(demo: Shown, open_tab: OpenTab) -> None:
    chat = await open_tab(demo.page.url, width=390)
    since = await chat.newest()
    await chat.run("best")
    best = await chat.answer(since)
    await best.get_by_role("button", name="For phones").click()
    await expect(best.get_by_role("button", name="Wide")).to_be_visible()
    box = await (await chat.picture(best)).bounding_box()
    assert box is not None
    assert (round(box["width"]), box["x"] + box["width"] <= 390) == (350, True)


async def test_a_tab_of_a_demo_that_another_one_followed_says_so(demo: Shown, open_tab: OpenTab) -> None:
    chat = await open_tab(demo.page.url, locale="ja-JP")
    for page in demo.page._browser_pages():  # as a demo that was started anew knows none
        demo.page._close_page(page.id)
    await expect(chat.ended).to_contain_text("このタブは古くなっています。")
    await chat.show("demo-forgotten")
    await chat.ended.get_by_role("button", name="ページを読み込み直す").click()
    await chat.sees("を使いました")
    await expect(chat.ended).to_have_count(0)


async def test_a_refusal(chat: Chat) -> None:
    await chat.begin("rating")
    await chat.fill("member", "カエデ", choose="カエデ")
    await chat.send()
    await chat.sees("protected")
    await chat.show("en-14-protected")


async def test_a_newcomer_in_japanese(chat: Chat) -> None:
    await chat.view_as("さくら")
    await chat.begin("rating", shown="rating レーティング")
    await chat.show("ja-0-command")
    await chat.send()
    await chat.sees("レーティング")
    await chat.show("ja-1-rating")
    await chat.run("best")
    await (await chat.sees("スマホ向け")).get_by_role("button", name="一覧").click()
    await (await chat.sees("1 / ")).get_by_role("button", name="次へ").click()
    await chat.sees("2 / ")
    await chat.show("ja-2-best")
    await chat.run("friends")
    await chat.sees("フレンド")
    await chat.show("ja-3-friends")


async def test_a_song_in_japanese(chat: Chat) -> None:
    await chat.view_as("さくら")
    await chat.begin("song")
    await chat.fill("title", "の")
    await chat.suggestions.first.click()
    await chat.send()
    await chat.sees("アーティスト")
    await chat.show("ja-4-song")


@pytest.mark.parametrize(
    ("viewer", "phones", "whole", "candidates"),
    [
        ("Alice", "For phones", "Wide", "Candidates"),
        ("さくら", "スマホ向け", "横長", "ベスト枠候補"),
    ],
)
async def test_every_slot_and_cut_of_best_has_its_card(
    chat: Chat, viewer: str, phones: str, whole: str, candidates: str
) -> None:
    await chat.view_as(viewer)
    since = await chat.newest()
    await chat.run("best")
    best = await chat.answer(since)
    card = await chat.drawn(best)
    await expect(best.locator("img")).to_have_count(1)
    await chat.show(f"demo-best-{viewer}")
    await best.get_by_role("button", name=phones).click()
    await expect(best.get_by_role("button", name=whole)).to_be_visible()
    await expect(best.locator("img")).to_have_count(1)
    await chat.picture(best)
    await chat.show(f"demo-best-phones-{viewer}")
    await best.get_by_role("button", name=whole).click()
    await expect(best.get_by_role("button", name=phones)).to_be_visible()
    await expect(best.locator("img")).to_have_count(1)
    assert await chat.drawn(best) == card
    shown = str(await best.locator("img").get_attribute("src"))
    await chat.pick(best, candidates)
    await expect(best.locator("img")).not_to_have_attribute("src", shown)
    await chat.picture(best)
    await chat.show(f"demo-best-candidates-{viewer}")


@pytest.mark.parametrize(("viewer", "turn"), [("Alice", "List"), ("さくら", "一覧")])
async def test_sixty_messages_and_your_answer_in_view(
    chat: Chat, demo: Shown, viewer: str, turn: str
) -> None:
    await chat.view_as(viewer)
    await demo.crowd()
    await chat.sees("line 59")
    for _ in range(2):
        since = await chat.newest()
        await chat.run("best")
        answer = await chat.answer(since)
        await expect(answer.get_by_role("button", name=turn)).to_be_in_viewport(ratio=1)
    await chat.show(f"demo-crowd-{viewer}")


@pytest.mark.parametrize(
    ("viewer", "song", "used"),
    [
        ("Alice", "song", ("/rating", "/song")),
        ("さくら", "song", ("/レーティング", "/曲")),
        ("さくら", "曲", ("/レーティング", "/曲")),
    ],
)
async def test_a_command_typed_at_once_after_another_arrives_whole(
    chat: Chat, viewer: str, song: str, used: tuple[str, str]
) -> None:
    await chat.view_as(viewer)
    await chat.run("rating")
    await chat.type(f"/{song} freedom")
    await chat.send()
    await chat.sees(f"{viewer} used {used[0]}")
    await expect(await chat.sees(f"{viewer} used {used[1]}")).to_contain_text("freedom")
    await chat.show(f"demo-typed-at-once-{viewer}-{song}")


@pytest.mark.parametrize(("viewer", "friends"), [("Alice", "/friends"), ("さくら", "/フレンド")])
@pytest.mark.parametrize(
    ("command", "option", "value"), [("random", "count", "50"), ("calc", "constant", "-3")]
)
async def test_a_value_out_of_range_is_complained_about(
    chat: Chat, viewer: str, friends: str, command: str, option: str, value: str
) -> None:
    await chat.view_as(viewer)
    await chat.begin(command)
    await chat.fill(option, value)
    await chat.send()
    await expect(chat.complaint).to_have_text("Value is outside the allowed range.")
    await expect(chat.complaint).to_be_in_viewport(ratio=1)
    await chat.show(f"demo-out-of-range-{command}-{viewer}")
    await chat.give_up()
    await chat.run("friends")
    await chat.sees(f"{viewer} used {friends}")


@pytest.mark.parametrize(
    ("viewer", "about", "ago"), [("Alice", "/about", "ago|now"), ("さくら", "/ボットについて", "前|今")]
)
async def test_how_long_ago_it_was_is_said_in_the_language_of_who_looks(
    chat: Chat, viewer: str, about: str, ago: str
) -> None:
    await chat.view_as(viewer)
    await chat.run("about")
    answer = await chat.sees(f"{viewer} used {about}")
    await expect(answer.locator("time.discord-timestamp").first).to_have_text(re.compile(ago))
    await chat.show(f"demo-times-{viewer}")


PERSON_MENU = ("Compare with me", "Show best", "Show rating")
PERSON_MENU_JA = ("自分と比べる", "ベスト枠を見る", "レーティングを見る")


@pytest.mark.parametrize(
    ("viewer", "language", "of_person", "find"),
    [
        ("Alice", "en", PERSON_MENU, "Find songs in this message"),
        ("さくら", "ja", PERSON_MENU_JA, "このメッセージの曲を探す"),
    ],
)
async def test_the_menus_of_a_person_and_of_a_message(
    chat: Chat, viewer: str, language: str, of_person: tuple[str, str, str], find: str
) -> None:
    compare, best, rating = of_person
    await chat.view_as("みお")
    await chat.say("have you tried snake_case_love yet?")
    await chat.view_as(viewer)
    said = await chat.sees("have you tried")

    await chat.open_menu(said, on="author")
    await expect(chat.menu.get_by_role("menuitem")).to_have_text(of_person)
    await chat.show(f"{language}-40-menu-of-a-person")
    await chat.choose(rating)
    await chat.sees("mio")

    await chat.open_menu(said, on="avatar")
    await chat.choose(best)
    await chat.picture(await chat.sees(best))

    await chat.open_menu(await chat.sees(rating), on="asker")
    await chat.choose(rating)
    await expect(chat.messages.filter(has_text=rating)).to_have_count(2)

    await chat.open_menu(said)
    await chat.show(f"{language}-41-menu-of-a-message")
    await chat.choose(find)
    found = await chat.sees(find)
    await expect(found.locator(".embed-card")).to_contain_text("snake")
    await expect(found).to_contain_text("Only you can see this")

    await chat.open_menu(said, on="author")
    await chat.choose(compare)
    compared = await chat.sees(compare)
    await expect(compared.locator(".embed-card")).to_contain_text("mio")
    await compared.scroll_into_view_if_needed()
    await chat.show(f"{language}-42-compare")


async def test_a_day_goes_by(chat: Chat) -> None:
    await chat.next_day()
    await chat.run("session")
    session = await chat.sees("Alice used /session")
    await expect(await chat.picture(session)).to_have_attribute("alt", re.compile("higher score"))
    await chat.show("en-7-next-day")
