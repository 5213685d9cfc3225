"""Headless Chromium in front of the demo's page."""

import os
from collections.abc import AsyncGenerator, Generator
from functools import cache
from pathlib import Path

import pytest
import pytest_asyncio
from chat import CHROMIUM, FLAGS, GALLERY, HEIGHT, WIDTH, Chat, OpenTab
from demos import invented_once
from harness import LogBook, SimulatedDiscord, simulated_discord
from playwright.async_api import Browser, BrowserContext, ViewportSize, async_playwright
from simcord.preview._media import MediaInfo, MediaWorker

from bot.chat import app_emoji

KILLED = "ignore:Exception ignored in.*(Transport|FileIO):pytest.PytestUnraisableExceptionWarning"
"""simcord kills the program that looks at a picture when its page closes meanwhile, and leaves the pipes behind."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.filterwarnings(KILLED))
            if not CHROMIUM.exists():
                item.add_marker(pytest.mark.skip(reason="there is no Chromium"))


@pytest.fixture(scope="session", autouse=True)
def invented(tmp_path_factory: pytest.TempPathFactory) -> Generator[None]:
    with invented_once(tmp_path_factory):
        yield


@pytest.fixture(scope="session", autouse=True)
def drawn_once() -> Generator[None]:
    """Have each icon drawn once: every demo has all of them drawn as its bot starts."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(app_emoji, "draw_icon", cache(app_emoji.draw_icon))
        yield


@pytest.fixture(scope="session", autouse=True)
def looked_at_once() -> Generator[None]:
    """Have simcord look at each picture once: every page would start a program for each that it shows."""
    looked_at: dict[tuple[bytes, float | None], MediaInfo] = {}
    decode = MediaWorker._decode

    async def decode_once(self: MediaWorker, key: str, blob: bytes, media_time: float | None) -> MediaInfo:
        if (blob, media_time) not in looked_at:
            looked_at[blob, media_time] = await decode(self, key, blob, media_time)
        return looked_at[blob, media_time]

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(MediaWorker, "_decode", decode_once)
        yield


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def discord(log: LogBook) -> AsyncGenerator[SimulatedDiscord]:
    """As for other tests, on the event loop of the browser."""
    async with simulated_discord(log) as world:
        yield world


@pytest_asyncio.fixture(loop_scope="session")
async def open_tab(browser: Browser) -> AsyncGenerator[OpenTab]:
    gallery = os.environ.get(GALLERY)
    contexts: dict[tuple[str, int], BrowserContext] = {}

    async def open_tab(url: str, *, locale: str = "en-US", width: int = WIDTH) -> Chat:
        if (locale, width) not in contexts:
            size: ViewportSize = {"width": width, "height": HEIGHT}
            contexts[locale, width] = await browser.new_context(viewport=size, locale=locale)
        tab = Chat(await contexts[locale, width].new_page(), Path(gallery) if gallery else None)
        await tab.open(url)
        return tab

    yield open_tab
    for context in contexts.values():
        await context.close()
