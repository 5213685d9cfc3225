"""Headless Chromium in front of the demo's page."""

import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest
from chat import CHROMIUM, FLAGS, Chat
from playwright.async_api import Browser, async_playwright

GALLERY = "KIROKU_GALLERY"
"""The environment variable that names a directory for pictures."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if not CHROMIUM.exists():
                item.add_marker(pytest.mark.skip(reason="there is no Chromium"))


@pytest.fixture
async def browser() -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture
def open_tab(browser: Browser) -> Callable[[str], Awaitable[Chat]]:
    gallery = os.environ.get(GALLERY)

    async def open_tab(url: str) -> Chat:
        tab = Chat(
            await browser.new_page(viewport={"width": 1100, "height": 900}),
            Path(gallery) if gallery else None,
        )
        await tab.open(url)
        return tab

    return open_tab
