"""Looking songs up in the demo's page: in any script, with slips, by mention; pictures for those who ask."""

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


@pytest.mark.parametrize(
    ("name", "viewer", "typed", "offered"),
    [
        ("hiragana", "さくら", "はれのひ", "ハレノヒ"),
        ("katakana", "さくら", "ネオン", "ネオン街の"),
        ("romaji", "Alice", "meruto", "メルト・"),
        ("typo", "Alice", "Crimsn Overtre", "Crimson Overture"),
    ],
)
async def test_suggestions_in_any_script(
    chat: Chat, name: str, viewer: str, typed: str, offered: str
) -> None:
    await chat.view_as(viewer)
    await chat.begin("song")
    await chat.fill("title", typed)
    await expect(chat.suggestions.filter(has_text=offered).first).to_be_visible()
    await chat.show(f"find-{name}")


@pytest.mark.parametrize("viewer", ["Alice", "さくら"])
async def test_an_option_opens_with_songs_before_anything_is_typed(chat: Chat, viewer: str) -> None:
    await chat.view_as(viewer)
    await chat.begin("song")
    await expect(chat.suggestions).to_have_count(25)
    await chat.show(f"find-recent-{viewer}")


@pytest.mark.parametrize(
    ("viewer", "question", "placeholder"),
    [("Alice", "Which song do you mean?", "Choose a song"), ("さくら", "どの曲ですか？", "曲を選ぶ")],
)
async def test_an_ambiguous_title(chat: Chat, viewer: str, question: str, placeholder: str) -> None:
    await chat.view_as(viewer)
    await chat.begin("song")
    await chat.fill("title", "aethe")
    await chat.send()
    asked = await chat.sees(question)
    await expect(asked.get_by_text(placeholder)).to_be_visible()
    await chat.show(f"find-ambiguous-{viewer}")


@pytest.mark.parametrize(("viewer", "ranks"), [("Alice", "Ranks"), ("さくら", "ランク")])
async def test_statistics_with_their_plot(chat: Chat, viewer: str, ranks: str) -> None:
    await chat.view_as(viewer)
    await chat.begin("stats")
    await chat.fill("song", "iron rondo")
    await chat.suggestions.first.click()
    await chat.send()
    shown = await chat.sees(ranks)
    await expect(shown.locator("img").last).to_have_js_property("complete", value=True)
    await expect(shown.locator("img").last).not_to_have_js_property("naturalWidth", 0)
    await chat.show(f"find-stats-{viewer}")


async def test_a_mention_is_answered_with_the_song(chat: Chat) -> None:
    await chat.say("@Kiroku harenohi sakasu")
    await chat.sees("ハレノヒサーカス")
    await chat.show("find-mention")


@pytest.mark.parametrize(
    ("viewer", "said"), [("Alice", "const>=14 diff:mas,ult"), ("さくら", "定数>=14 難易度:マスター")]
)
async def test_a_filter(chat: Chat, viewer: str, said: str) -> None:
    await chat.view_as(viewer)
    await chat.begin("search")
    await chat.fill("filter", said)
    await chat.show(f"find-filter-{viewer}")
    await chat.send()
    await chat.sees("1 / ")
    await chat.show(f"find-search-{viewer}")
    await chat.begin("search")
    await chat.fill("filter", "const>=x")
    await chat.send()
    await chat.sees("13.5")
    await chat.show(f"find-wrong-filter-{viewer}")
