"""What players ask of their own scores, in a browser, in both languages."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from chat import Chat, OpenTab

from bot.demo import session
from bot.domain.members import Theme
from bot.ui.plots import Labels, bar_plot

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session")
async def chat(tmp_path: Path, open_tab: OpenTab) -> AsyncGenerator[Chat]:
    # Loads matplotlib, which takes long on a busy machine.
    bar_plot(Labels(title=""), [], Theme.DARK)
    async with session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _unlinked):
        yield await open_tab(page.url)


async def ask(chat: Chat, command: str, shown: str | None = None, **options: str) -> None:
    await chat.begin(command, shown=shown)
    for option, text in options.items():
        await chat.fill(option, text)
    await chat.send()


async def test_in_english(chat: Chat) -> None:
    await chat.begin("score")
    await chat.fill("song", "rainy")
    await chat.suggestions.first.click()
    await chat.send()
    await chat.sees("Scores of")
    await chat.show("en-20-score")
    await ask(chat, "scores", filter="diff:mas rank<sss")
    await chat.sees("average score")
    await chat.show("en-21-scores")
    await ask(chat, "plan")
    await chat.sees("What raises the average soonest")
    await chat.show("en-22-plan")
    await ask(chat, "plan", target="16.6")
    await chat.sees("The shortest way to 16.60")
    await chat.show("en-23-plan-target")
    await ask(chat, "calc", constant="14.7", rating="16.5")
    await chat.sees("Least score for 16.50")
    await chat.show("en-24-calc")
    await chat.begin("compare")
    await chat.fill("member", "さくら", choose="さくら")
    await chat.send()
    await chat.sees("won,")
    await chat.show("en-25-compare")
    await ask(chat, "overpower")
    await chat.sees("songs played")
    await chat.show("en-26-overpower")
    await ask(chat, "courses")
    await chat.sees("cleared")
    await ask(chat, "worldsend")
    await chat.sees("World's End scores of")
    await chat.show("en-27-worldsend")


async def test_in_japanese(chat: Chat) -> None:
    await chat.view_as("さくら")
    await ask(chat, "plan", "plan レート上げ")
    await chat.sees("平均が早く上がる順")
    await chat.show("ja-20-plan")
    await chat.begin("whatif", shown="whatif もしも")
    await chat.fill("song", "rainy")
    await chat.suggestions.first.click()
    await chat.fill("difficulty", "MASTER", choose="MASTER")
    await chat.fill("score", "1009000")
    await chat.send()
    await chat.sees("1,009,000")
    await chat.show("ja-21-whatif")
    await ask(chat, "calc", "calc 計算", constant="14.7", score="1008295")
    await chat.sees("16.77")
    await ask(chat, "overpower", "overpower オーバーパワー")
    await chat.sees("曲プレイ済み")
    await chat.show("ja-22-overpower")
    await ask(chat, "scores", "scores スコア一覧")
    await chat.sees("平均スコア")
    await chat.show("ja-23-scores")
