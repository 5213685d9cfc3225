import shutil
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from once import made_once

from bot.base.clock import ManualClock
from service.options import ServiceOptions
from service.seed import SeededPlayer, SeedReport, seed
from service.server import running


class Caller:
    """Asks the running service as one client of the specification would."""

    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self._session = session
        self.base = base

    async def ask(self, path: str, token: str | None = None, **query: str | int) -> tuple[int, Any]:
        status, body, _ = await self.ask_in_full(path, token, **query)
        return status, body

    async def ask_in_full(
        self, path: str, token: str | None = None, **query: str | int
    ) -> tuple[int, Any, dict[str, str]]:
        return await self.send("GET", path, {**query, **({} if token is None else {"token": token})})

    async def send(
        self, method: str, path: str, parameters: dict[str, str | int]
    ) -> tuple[int, Any, dict[str, str]]:
        async with self._session.request(method, self.base + path, params=parameters) as response:
            body = await response.json() if await response.read() else None
            return response.status, body, dict(response.headers)


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SeedReport]:
    made, report = made_once(
        tmp_path_factory, "service", lambda folder: seed(folder / "records.db", players=12)
    )
    folder = tmp_path_factory.mktemp("service")  # what is served is written to
    return shutil.copytree(made, folder, dirs_exist_ok=True) / "records.db", report


@pytest.fixture
def players(seeded: tuple[Path, SeedReport]) -> tuple[SeededPlayer, ...]:
    return seeded[1].players


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 11, 21, 3, 0, tzinfo=UTC))


@pytest.fixture
async def caller(seeded: tuple[Path, SeedReport]) -> AsyncIterator[Caller]:
    options = ServiceOptions(limits={"2.0": 10_000, "1.3": 10_000, "1.0": 10_000}, quick_seconds=0)
    async with running(seeded[0], options=options) as base, aiohttp.ClientSession() as session:
        yield Caller(session, base)
