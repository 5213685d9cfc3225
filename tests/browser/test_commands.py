"""Every command of the demo as people try it, in English and in Japanese."""

import os
from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from chat import GALLERY, Chat, OpenTab
from known_commands import COMMANDS, FORM, commands_with
from playwright.async_api import Locator, expect
from tried_commands import GROUPS, OTHER, Try, step

from bot.demo import session

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(1500 if GALLERY in os.environ else 300),  # pictures of each answer take their time
]


@dataclass(frozen=True)
class Viewer:
    """Who tries the commands, and who else there is."""

    name: str
    other: str
    language: int
    locale: str
    """Of their browser."""


VIEWERS: Final = {"en": Viewer("Alice", "さくら", 0, "en-US"), "ja": Viewer("さくら", "Alice", 1, "ja-JP")}
FORMS: Final = commands_with(FORM)


@dataclass
class Walk:
    """Somebody who tries one command after the other."""

    chat: Chat
    viewer: Viewer
    short: str
    taken: Counter[str] = field(default_factory=Counter[str])
    faults: list[str] = field(default_factory=list[str])
    """What was wrong with answers on a phone."""

    async def take(self, step: Try) -> Locator:
        """Type a command, send it, and wait for its whole answer."""
        since = await self.chat.newest()
        await self.chat.begin(step.command)
        for option, text in step.typed.items():
            if isinstance(text, int):
                await self.chat.fill(option, "")
                await self.chat.suggestions.nth(text).click()
            else:
                await self.chat.fill(option, text)
        for option, text in step.chosen.items():
            # The page has suggested others before it hears of the name.
            other = self.viewer.other if text == OTHER else None
            await self.chat.fill(option, other or text, choose=other)
            if other is None:
                await self.chat.suggestions.first.click()
        await self.chat.send()
        answer = await self.chat.answer(since)
        await expect(answer).to_contain_text(step.says[self.viewer.language])
        self.taken[step.command] += 1
        name = self.name_of(step)
        self.faults += [f"{name}: {fault}" for fault in await self.chat.faults_on_phone(answer)]
        if step.has_picture:
            await self.chat.show_picture(answer, f"{name}-picture")
        await self.chat.show(name, on_phone=True)
        await self.chat.show_answer(answer, name)
        return answer

    async def turn_for_phones(self, step: Try, answer: Locator) -> None:
        """Turn the picture of an answer into that for phones and back, in place; posts have but one."""
        chat, language = self.chat, self.viewer.language
        phones, wide = (
            answer.get_by_role("button", name=name[language], exact=True)
            for name in (("For phones", "スマホ向け"), ("Wide", "横長"))
        )
        if not await phones.count():
            return
        since, name = await chat.newest(), self.name_of(step)
        await phones.click()
        await expect(wide).to_be_visible()
        assert await chat.newest() == since
        await chat.show_picture(answer, f"{name}-for-phones-picture")
        await chat.show(f"{name}-for-phones", on_phone=True)
        await wide.click()
        await expect(phones).to_be_visible()

    def name_of(self, step: Try) -> str:
        """Return what the pictures of a command's last answer are called."""
        nth = self.taken[step.command]
        return f"{self.short}-{step.command.replace(' ', '-')}" + (f"-{nth}" if nth > 1 else "")


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
    if is_light:
        await turn_light(chat, viewer)
    walk = Walk(chat, viewer, f"light/{short}" if is_light else short)
    for each in GROUPS[group]:
        answer = await walk.take(each)
        if each.has_picture and (GALLERY in os.environ or each.command == "best"):
            await walk.turn_for_phones(each, answer)
    assert walk.faults == []


async def turn_light(chat: Chat, viewer: Viewer) -> None:
    """Have the pictures drawn for a light page."""
    since = await chat.newest()
    await chat.begin("settings")
    await chat.send()
    pictures, light = (("Pictures", "Light · Wide"), ("画像", "ライト · 横長"))[viewer.language]
    await chat.pick_theme(await chat.answer(since), pictures, light)


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
