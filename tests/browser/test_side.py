"""What stands around the chat: conversations, things to try, the language of the page, pictures shown large."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from chat import PHONE_WIDTH, WIDTH, Chat, OpenTab
from playwright.async_api import expect

from bot.chat import post_scheduler
from bot.demo import session
from bot.demo.page import LivePage

pytestmark = pytest.mark.asyncio(loop_scope="session")

KEPT_AS_IT_IS = re.compile(
    r"haruka88|http://127[.]0[.]0[.]1:[0-9]+/|Kiroku|Alice|general|DM|Enter|count|\S+\.png|.*: rating .*(?= を)|[@#/]\w+"
)
"""Names of people, options and files, and what is said so in Japanese, too."""
_LATIN = re.compile(r"[A-Za-z]{2,}")


@pytest_asyncio.fixture(loop_scope="session")
async def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[LivePage]:
    monkeypatch.setattr(post_scheduler, "TICK_SECONDS", 1.0)
    async with session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _unlinked):
        yield page


@pytest_asyncio.fixture(loop_scope="session")
async def chat(demo: LivePage, open_tab: OpenTab) -> Chat:
    return await open_tab(demo.url)


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(demo: LivePage, open_tab: OpenTab) -> Chat:
    """Somebody whose browser is Japanese."""
    return await open_tab(demo.url, locale="ja-JP")


async def test_a_card_stands_there_from_the_start(chat: Chat) -> None:
    card = await chat.sees("Alice used /best")
    await expect(await chat.picture(card)).to_be_in_viewport(ratio=0.9)
    await chat.show("side-en-first-look")


async def test_an_address_typed_by_hand_is_as_good(demo: LivePage, open_tab: OpenTab) -> None:
    await (await open_tab(demo.url.partition("#")[0])).sees("Alice used /best")


async def test_direct_messages(chat: Chat) -> None:
    await chat.turn_to("Direct messages with Kiroku")
    await expect(chat.messages).to_have_count(0)
    await chat.run("rating")
    await chat.sees("Alice used /rating")
    await chat.say("rainy horizon")
    await chat.sees("rainy horizon")
    assert "daily channel" not in await chat.offered()
    await chat.box.fill("")
    await chat.show("side-en-direct")
    await chat.view_as("Ken")
    await expect(chat.messages).to_have_count(0)
    await chat.view_as("Alice")
    await chat.sees("Alice used /rating")
    await chat.turn_to("# general")
    await chat.sees("Alice used /best")
    await chat.loses("Alice used /rating")


async def test_the_daily_post_comes_by_direct_message(chat: Chat) -> None:
    typed = await chat.side.locator(".try-typed", has_text="/daily direct").text_content()
    await chat.try_out(str(typed))
    await chat.sees("Direct messages about your day")
    await chat.next_day()
    await expect(chat.side.locator(".conversation.is-new")).to_contain_text("Direct messages", timeout=60_000)
    await chat.show("side-en-news")
    await chat.turn_to("Direct messages with Kiroku")
    await expect(chat.side.locator(".conversation.is-new")).to_have_count(0)
    await chat.picture(chat.messages.last)
    await chat.show("side-en-daily-direct")


async def test_what_is_clicked_is_typed_and_sent(chat: Chat) -> None:
    await chat.try_out("/rating member:@Ken")
    await chat.sees("Alice used /rating")
    await chat.sees("Ren")
    await chat.try_out("/search filter:const>=13.5 genre:original -lamp:aj")
    await chat.sees("used /search")
    await expect(chat.side.locator(".is-tried")).to_have_count(2)
    await chat.try_out("/link")
    await expect(chat.form.get_by_role("textbox")).to_be_visible()
    await chat.press("Escape")
    await chat.try_out("/unlink")
    await expect(chat.box).to_have_count(0)
    await chat.send()
    await chat.sees("Unlinked")


async def test_menus_are_opened(chat: Chat) -> None:
    await chat.try_out("Menu of a person")
    await expect(chat.menu.get_by_role("menuitem")).to_have_count(3)
    await chat.press("Escape")
    await chat.try_out("Menu of a message")
    await expect(chat.menu.get_by_role("menuitem")).to_have_count(2)


async def test_menus_in_direct_messages(chat: Chat) -> None:
    await chat.turn_to("Direct messages with Kiroku")
    await chat.say("rainy horizon")
    said = await chat.sees("rainy horizon")
    await chat.open_menu(said, on="author")
    await expect(chat.menu.get_by_role("menuitem")).to_have_text(
        ("Compare with me", "Show best", "Show rating")
    )
    await chat.choose("Show rating")
    await chat.sees("Show rating")
    await chat.sees("ＭＩＮＡＭＯ")
    await chat.open_menu(said)
    await chat.choose("Find songs in this message")
    found = await chat.sees("Find songs in this message")
    await expect(found.locator(".embed-card")).to_contain_text("Rainy Horizon")
    await chat.try_out("Menu of a person")
    await expect(chat.menu.get_by_role("menuitem")).to_have_count(3)
    await chat.show("side-en-menu-direct")


async def test_what_does_not_work_in_direct_messages_is_said_so(chat: Chat) -> None:
    await chat.turn_to("Direct messages with Kiroku")
    await chat.try_out("/leaderboard")
    await expect(chat.side.get_by_role("status")).to_have_text("That cannot be used in this conversation.")
    await chat.try_out("/plan")
    await chat.sees("used /plan")
    await expect(chat.side.locator(".try-note")).to_have_text("")


FORMS = {"/link", "/setup", "/alias import", "/連携", "/サーバー設定", "/別名 取り込み"}
"""What answers with a form."""


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("locale", "submit"), [("en-US", "Submit"), ("ja-JP", "送信")])
async def test_the_whole_list_can_be_walked(
    demo: LivePage, open_tab: OpenTab, locale: str, submit: str
) -> None:
    chat = await open_tab(demo.url, locale=locale)
    for each in demo.tries(locale.partition("-")[0]):
        for entry in [entry for entry in each["tries"] if entry.get("sends")]:
            since = await chat.newest()
            await chat.try_out(entry["typed"])
            if entry["typed"] in FORMS:
                await expect(chat.form.get_by_role("button", name=submit)).to_be_visible()
                await chat.press("Escape")
            else:
                await chat.answer(since)


async def test_the_page_speaks_japanese(visitor: Chat) -> None:
    await expect(visitor.side).to_contain_text("試してみる")
    said = await visitor.labels()
    await visitor.try_out("/スコア 曲:rainy horizon")
    await visitor.sees("さくら が /スコア を使いました")
    await visitor.show("side-ja-score")
    await visitor.begin("random", shown="random ランダム")
    await visitor.fill("count", "50")
    await visitor.look_for_options()
    said += await visitor.labels()
    await visitor.send()
    await expect(visitor.complaint).to_have_text("値が範囲外です。")
    said += await visitor.labels()
    await visitor.show("side-ja-complaint")
    await visitor.give_up()
    await visitor.try_out("/連携")
    await expect(visitor.form.get_by_role("button", name="送信")).to_be_visible()
    said += await visitor.labels()
    await visitor.show("side-ja-form")
    await visitor.press("Escape")
    await (await visitor.sees("Alice が /ベスト")).locator(".media-lightbox-trigger").click()
    said += await visitor.labels()
    assert len(set(said)) > 30
    assert [each for each in set(said) if _LATIN.search(KEPT_AS_IT_IS.sub("", each))] == []


async def test_the_language_is_switched_and_kept(visitor: Chat) -> None:
    await visitor.view_as("Alice")
    await visitor.speak("English")
    await expect(visitor.side).to_contain_text("Things to try")
    await visitor.run("rating")
    await visitor.sees("Alice used /rating")
    await visitor.reload()
    await expect(visitor.side).to_contain_text("Things to try")
    await visitor.speak("日本語")
    await expect(visitor.side).to_contain_text("試してみる")


async def test_a_narrow_window(demo: LivePage, open_tab: OpenTab) -> None:
    visitor = await open_tab(demo.url, locale="ja-JP", width=390)
    await expect(visitor.side).not_to_be_visible()
    await visitor.show("side-ja-narrow")
    await visitor.open_side()
    await visitor.show("side-ja-narrow-open")
    await visitor.try_out("/レーティング")
    await expect(visitor.side).not_to_be_visible()
    await visitor.sees("さくら が /レーティング を使いました")
    await visitor.open_side()
    await visitor.press("Escape")
    await expect(visitor.side).not_to_be_visible()


async def test_a_window_that_becomes_narrow_shows_the_chat(chat: Chat) -> None:
    await expect(chat.side).to_be_visible()
    await chat.resize(390)
    await expect(chat.side).not_to_be_visible()
    await chat.resize(WIDTH)
    await expect(chat.side).to_be_visible()


@pytest.mark.parametrize("width", [WIDTH, PHONE_WIDTH])
async def test_a_picture_opens_large(demo: LivePage, open_tab: OpenTab, width: int) -> None:
    chat = await open_tab(demo.url, width=width)
    card = await chat.sees("Alice used /best")
    small = await chat.picture(card)
    told = str(await small.get_attribute("alt"))
    before = await small.bounding_box()
    assert before is not None
    for leave in (
        lambda: chat.press("Escape"),
        lambda: chat.large.locator("img.media-lightbox-image").click(),
        lambda: chat.large.get_by_role("button", name="Close image preview").click(),
        lambda: chat.large.click(position={"x": 10, "y": 300}),
    ):
        await small.click()
        picture = chat.large.locator("img.media-lightbox-image")
        await expect(picture).to_have_attribute("alt", told)
        await expect(chat.large.get_by_text(told)).to_be_in_viewport(ratio=1)
        box = await picture.bounding_box()
        assert box is not None
        assert box["width"] > before["width"]
        await chat.show(f"side-en-large-{width}")
        await leave()
        await expect(chat.large).to_have_count(0)
