"""Pictures, settings and what is kept, in a browser, in both languages."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from chat import Chat, OpenTab
from playwright.async_api import expect

from bot.demo import session

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def chat(tmp_path: Path, open_tab: OpenTab) -> AsyncGenerator[Chat]:
    async with session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _unlinked):
        yield await open_tab(page.url)


async def ask(chat: Chat, command: str, shown: str | None = None, **options: str) -> None:
    await chat.begin(command, shown=shown)
    for option, text in options.items():
        await chat.fill(option, text)
    await chat.send()


async def test_in_english(chat: Chat) -> None:
    await ask(chat, "best")
    card = (await chat.sees("Average:")).locator("img").last
    await expect(card).not_to_have_js_property("naturalWidth", 0)
    await card.scroll_into_view_if_needed()
    await chat.show("en-30-best-card")
    await ask(chat, "settings")
    await chat.sees("Your settings")
    await chat.show("en-31-settings")
    await ask(chat, "privacy show")
    await chat.sees("What is kept about you")
    await chat.show("en-32-privacy")
    await ask(chat, "privacy erase")
    question = await chat.sees("Erase everything?")
    await chat.show("en-33-erase")
    await question.get_by_role("button", name="Erase everything").click()
    await chat.sees("Everything is erased")
    await ask(chat, "help")
    await chat.sees("What this bot can do")
    await chat.show("en-34-help")
    await ask(chat, "about")
    await chat.sees("About Kiroku")
    await chat.show("en-35-about")


async def test_in_japanese(chat: Chat) -> None:
    await chat.view_as("さくら")
    await ask(chat, "settings", "settings 設定")
    await chat.sees("あなたの設定")
    await chat.show("ja-30-settings")
    await ask(chat, "best", "best ベスト")
    card = (await chat.sees("平均: ")).locator("img").last
    await expect(card).not_to_have_js_property("naturalWidth", 0)
    await card.scroll_into_view_if_needed()
    await chat.show("ja-31-best-card")
    await ask(chat, "export", "export 書き出し")
    await chat.sees("あなたの記録")
    await chat.show("ja-32-export")
    await ask(chat, "help", "help ヘルプ")
    await chat.sees("このボットでできること")
    await chat.show("ja-33-help")
    await ask(chat, "about", "about ボットについて")
    await chat.sees("Kiroku について")
    await chat.show("ja-34-about")
