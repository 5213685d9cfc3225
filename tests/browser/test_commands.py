"""Every command of the demo as people try it, in English and in Japanese."""

import os
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from chat import GALLERY, OpenTab
from known_commands import COMMANDS, FORM, commands_with
from playwright.async_api import expect
from tried_commands import GROUPS, step
from trying import Viewer, Walk

from bot.demo import session

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(1500 if GALLERY in os.environ else 300),  # pictures of each answer take their time
]


VIEWERS: Final = {"en": Viewer("Alice", "さくら", 0, "en-US"), "ja": Viewer("さくら", "Alice", 1, "ja-JP")}
FORMS: Final = commands_with(FORM)


@pytest_asyncio.fixture(loop_scope="session")
async def demo(tmp_path: Path) -> AsyncGenerator[str]:
    async with session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _unlinked):
        yield page.url


@pytest.mark.long
@pytest.mark.parametrize("is_light", [False, True] if GALLERY in os.environ else [False])
@pytest.mark.parametrize("short", VIEWERS)
@pytest.mark.parametrize("group", GROUPS)
async def test_every_command(demo: str, open_tab: OpenTab, group: str, short: str, *, is_light: bool) -> None:
    viewer = VIEWERS[short]
    chat = await open_tab(demo, locale=viewer.locale)
    await chat.view_as(viewer.name)
    walk = Walk(chat, viewer, f"light/{short}" if is_light else short)
    if is_light:
        await walk.turn_light()
    for each in GROUPS[group]:
        answer = await walk.take(each)
        if each.has_picture and (GALLERY in os.environ or each.command == "best"):
            await walk.turn_for_phones(each, answer)
    assert walk.faults == []


async def test_the_page_offers_every_command(demo: str, open_tab: OpenTab) -> None:
    assert await (await open_tab(demo)).offered() == COMMANDS.keys()


@pytest.mark.long
@pytest.mark.parametrize("short", VIEWERS)
@pytest.mark.parametrize("command", sorted(FORMS))
async def test_what_answers_with_a_form(demo: str, open_tab: OpenTab, command: str, short: str) -> None:
    chat = await open_tab(demo, locale=VIEWERS[short].locale)
    await chat.view_as(VIEWERS[short].name)
    await chat.begin(command)
    await chat.send()
    form = chat.form.get_by_role("dialog")
    await expect(form).to_be_visible()
    await chat.show_answer(form, f"{short}-{command.replace(' ', '-')}")


@pytest.mark.parametrize("short", [pytest.param("en", marks=pytest.mark.long), "ja"])
async def test_a_list_is_shared_and_all_is_erased(demo: str, open_tab: OpenTab, short: str) -> None:
    viewer = VIEWERS[short]
    chat, others = await open_tab(demo), await open_tab(demo)
    await chat.view_as(viewer.name)
    await others.view_as("Ken")
    walk = Walk(chat, viewer, f"{short}-shared")
    plan = await walk.take(step("plan", ("The next evening", "次にプレイする日")))
    await expect(others.messages.filter(has_text="/plan")).to_have_count(0)
    await plan.get_by_role("button", name=("Share", "みんなに見せる")[viewer.language]).click()
    shared = await others.sees(("The next evening", "次にプレイする日")[viewer.language])
    await others.show(f"{short}-shared-plan-for-others")
    await expect(shared.locator(".component-button")).to_have_count(0)
    erase = await walk.take(step("privacy erase", ("Erase everything?", "すべて消去しますか？")))
    await erase.get_by_role("button", name=("Erase everything", "すべて消去する")[viewer.language]).click()
    await chat.sees(("Everything is erased", "消去しました")[viewer.language])
    await chat.show(f"{short}-erased")
    await walk.take(step("rating", ("You have not linked", "まだ連携されていません")))
