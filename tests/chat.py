"""A person in front of the demo's page: types commands, presses buttons, looks."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

from playwright.async_api import Locator, Page, expect

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE_MILLISECONDS = 10_000


class Chat:
    """One tab of a browser."""

    def __init__(self, page: Page, gallery: Path | None) -> None:
        self._page = page
        self._gallery = gallery
        self.messages = page.locator("article.channel-message")
        page.set_default_timeout(PATIENCE_MILLISECONDS)

    async def open(self, url: str) -> None:
        await self._page.goto(url)
        await expect(self.messages.first).to_be_visible()

    async def reload(self) -> None:
        await self._page.reload()
        await expect(self.messages.first).to_be_visible()

    async def view_as(self, name: str) -> None:
        (chosen,) = await self._page.locator("#viewer-picker").select_option(label=name)
        await self._page.wait_for_function("id => window.simcordPreview.viewerId === id", arg=chosen)

    async def begin(self, command: str, *, shown: str | None = None) -> None:
        """Type a command and choose it from the list, where it may be `shown` with a name in another language."""
        box = self._page.locator("#channel-composer-input")
        await box.fill("")
        await box.press_sequentially(f"/{command}")
        title = re.compile(rf"^/{re.escape(shown or command)}{'' if shown else '( .+)?'}(\+\d+ optional)?$")
        await (
            self._page.locator(".command-entry")
            .filter(has=self._page.locator(".command-entry-title", has_text=title))
            .click()
        )

    async def fill(self, option: str, text: str, choose: str | None = None) -> None:
        """Type into an option of the command; `choose` is the suggestion to take, if it offers some."""
        pill = self._page.locator(f'.command-option-input[data-option="{option}"]')
        if not await pill.count():
            await self._page.locator(".command-ghost").click()
            await self._suggestion(option).click()
        await pill.press_sequentially(text)
        if choose is not None:
            await self._suggestion(choose).click()

    async def say(self, text: str) -> None:
        """Type a message and send it."""
        await self._page.locator("#channel-composer-input").fill(text)
        await self.send()

    async def send(self) -> None:
        await self._page.locator("#send-message").click()

    async def run(self, command: str, **options: str) -> None:
        """Type a command with options, each taken from the suggestions, and send it."""
        await self.begin(command)
        for option, text in options.items():
            await self.fill(option, text, choose=text)
        await self.send()

    @property
    def suggestions(self) -> Locator:
        """What is offered for the option that is being typed."""
        return self._page.locator(".command-popup [role=option]")

    def _suggestion(self, text: str) -> Locator:
        return self.suggestions.filter(has_text=text).first

    async def sees(self, text: str | re.Pattern[str]) -> Locator:
        """Wait for a message that says so, and return the newest that does."""
        found = self.messages.filter(has_text=text).last
        await expect(found).to_be_visible()
        return found

    async def loses(self, text: str) -> None:
        """Wait until no message says so."""
        await expect(self.messages.filter(has_text=text)).to_have_count(0)

    @property
    def form(self) -> Locator:
        return self._page.locator("#modal-root")

    async def is_at_the_end(self) -> bool:
        """Whether the newest message stands wholly above the composer."""
        return await self._page.locator("#channel-timeline").evaluate(
            "timeline => timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight < 2"
        )

    async def show(self, name: str) -> None:
        """Keep a picture of the page for people to look at, where they asked for one."""
        if self._gallery is not None:
            self._gallery.mkdir(parents=True, exist_ok=True)
            await self._page.screenshot(path=self._gallery / f"{name}.png")


OpenTab: TypeAlias = Callable[[str], Awaitable[Chat]]
