"""Fixtures for all tests: the simulated Discord and what was logged."""

import logging
from collections.abc import AsyncGenerator, Generator

import pytest
from harness import LogBook, SimulatedDiscord, simulated_discord

QUIET = ("discord", "aiosqlite", "asyncio")
"""Libraries whose debug output would hold whole messages; the bot's own logging keeps them quiet as well."""


@pytest.fixture
def log() -> Generator[LogBook]:
    root = logging.getLogger()
    book, level = LogBook(), root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    root.addHandler(book)
    root.setLevel(logging.DEBUG)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.INFO)
    try:
        yield book
    finally:
        root.removeHandler(book)
        root.setLevel(level)
        for name, before in levels.items():
            logging.getLogger(name).setLevel(before)


@pytest.fixture
async def discord(log: LogBook) -> AsyncGenerator[SimulatedDiscord]:
    async with simulated_discord(log) as world:
        yield world
