"""Fixtures for all tests: the simulated Discord and what was logged."""

import logging
from collections.abc import AsyncGenerator, Generator

import pytest
from harness import LogBook, SimulatedDiscord, simulated_discord
from hypothesis import settings

settings.register_profile("kiroku", deadline=None)  # a busy machine may be slow at any step
settings.load_profile("kiroku")

OURS = ("", "bot", "cogs", "service")
"""The root logger takes INFO from the libraries; our own packages tell all."""


@pytest.hookimpl(trylast=True)  # after the order was shuffled
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


@pytest.fixture
def log() -> Generator[LogBook]:
    book = LogBook()
    loggers = [logging.getLogger(name) for name in OURS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG if logger.name in OURS else logging.INFO)
    logging.getLogger().addHandler(book)
    try:
        yield book
    finally:
        logging.getLogger().removeHandler(book)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@pytest.fixture
async def discord(log: LogBook) -> AsyncGenerator[SimulatedDiscord]:
    async with simulated_discord(log) as world:
        yield world
