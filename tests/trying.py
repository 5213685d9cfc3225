"""Somebody who tries one command after the other in a browser, and keeps a picture of each answer where pictures are asked for."""

from collections import Counter
from dataclasses import dataclass, field

from chat import Chat
from playwright.async_api import Locator, expect
from tried_commands import OTHER, Try


@dataclass(frozen=True)
class Viewer:
    """Who tries the commands, and who else there is."""

    name: str
    other: str
    language: int
    locale: str
    """Of their browser."""


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
        answer = await self.chat.held(answer)  # what the bot posts by itself may follow at once
        self.taken[step.command] += 1
        name = self.name_of(step)
        self.faults += [f"{name}: {fault}" for fault in await self.chat.faults_on_phone(answer)]
        if step.has_picture:
            await self.chat.show_picture(answer, f"{name}-picture")
        await self.chat.show(name, on_phone=True)
        await self.chat.show_answer(answer, name)
        return answer

    async def turn_light(self) -> None:
        """Have the pictures drawn for a light page."""
        since = await self.chat.newest()
        await self.chat.begin("settings")
        await self.chat.send()
        pictures, light = (("Pictures", "Light · Wide"), ("画像", "ライト · 横長"))[self.viewer.language]
        await self.chat.pick_theme(await self.chat.answer(since), pictures, light)

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
