"""An assistant that speaks to `kiroku mcp`, by the SDK's own client, about a player of the real service."""

import json
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from mcp import Client
from mcp.types import CallToolResult
from once import made_once

from bot.api import RecordApi
from bot.api.cache import AnswerCache
from bot.base.clock import Clock, SystemClock
from bot.domain.ids import JP2
from bot.mcp.reader import FRESH_FOR, PlayerReader
from bot.mcp.server import build_server
from bot.mcp.tools import PlayerTools
from bot.wire.game_versions import read_table
from service.options import ServiceOptions
from service.seed import SeedReport, seed
from service.server import running

UNPACED = ServiceOptions(quick_seconds=0)


@dataclass
class Assistant:
    """One conversation."""

    client: Client
    api: RecordApi
    said: list[str] = field(default_factory=list[str])
    """All that was answered, as it came."""

    async def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.call(tool, **arguments)
        assert not result.is_error, self.said[-1]
        assert result.structured_content is not None
        return result.structured_content

    async def ask_in_vain(self, tool: str, **arguments: Any) -> str:
        result = await self.call(tool, **arguments)
        assert result.is_error
        return self.said[-1]

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        result = await self.client.call_tool(tool, arguments)
        self.said.append(result.model_dump_json())
        return result

    @property
    def sent(self) -> int:
        """How many requests the service has had of this conversation."""
        return self.api.counts["sent"]


@asynccontextmanager
async def assistant(address: str, token: str, clock: Clock | None = None) -> AsyncGenerator[Assistant]:
    clock = clock or SystemClock()
    async with RecordApi(address, clock=clock) as api:
        cache = AnswerCache(clock, fresh_for=FRESH_FOR)
        reader = PlayerReader(api.holder(token), cache, JP2)
        server = build_server(PlayerTools(reader, clock, read_table()), reader, cache)
        async with Client(server) as client:
            yield Assistant(client, api)


@dataclass(frozen=True)
class Served:
    """A service, its first player, and what it says of them, read by somebody else."""

    address: str
    token: str
    replies: dict[str, Any]

    @property
    def records(self) -> list[dict[str, Any]]:
        return self.replies["2.0/records/showall"]["records"]

    @property
    def songs(self) -> list[dict[str, Any]]:
        return self.replies["2.0/music/showall"]

    @property
    def charts(self) -> list[tuple[dict[str, Any], str, dict[str, Any]]]:
        """Every chart with its song and difficulty."""
        return [(song["meta"], diff, chart) for song in self.songs for diff, chart in song["data"].items()]


READ = ("1.3/users/me", "2.0/records/showall", "2.0/records/worldsend", "2.0/music/showall")


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SeedReport]:
    return made_once(tmp_path_factory, "mcp", lambda folder: seed(folder / "records.db", players=4))


@pytest.fixture
async def served(seeded: tuple[Path, SeedReport], tmp_path: Path) -> AsyncGenerator[Served]:
    folder, report = seeded
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    token = report.players[0].token
    async with running(tmp_path / "records.db", options=UNPACED) as address:
        replies: dict[str, Any] = {}
        async with aiohttp.ClientSession() as session:
            for path in READ:
                async with session.get(f"{address}/{path}.json?region=jp2&token={token}") as response:
                    replies[path] = json.loads(await response.read())
        yield Served(address, token, replies)
