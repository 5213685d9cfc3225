"""The real bot on the real service, on a simulated Discord."""

import shutil
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from harness import LogBook, SimulatedDiscord
from pydantic import SecretStr
from world import World

from bot.clock import ManualClock
from bot.config import Settings
from bot.features import catalogues
from bot.store import new_key
from service.options import ServiceOptions
from service.seed import SeedReport, seed
from service.server import running

PLAYERS = 8


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SeedReport]:
    folder = tmp_path_factory.mktemp("seeded")
    return folder, seed(folder / "service.db", players=PLAYERS)


@pytest.fixture
def options() -> ServiceOptions:
    return ServiceOptions(quick_seconds=0)


@pytest.fixture
def hurry_seconds() -> float:
    """Return how long suggestions wait for a first catalogue: until it is there, however busy the machine is."""
    return 30.0


@pytest.fixture
async def world(  # noqa: PLR0917 - each is another fixture
    discord: SimulatedDiscord,
    log: LogBook,
    seeded: tuple[Path, SeedReport],
    options: ServiceOptions,
    url: str,
    tmp_path: Path,
    hurry_seconds: float,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncGenerator[World]:
    monkeypatch.setattr(catalogues, "_HURRY", hurry_seconds)
    folder, report = seeded
    shutil.copytree(folder, tmp_path / "service")
    players = {str(player.user_name): player for player in report.players}
    async with AsyncExitStack() as stack:
        served = tmp_path / "service" / "service.db"
        record_api_url = await stack.enter_async_context(running(served, options=options))
        settings = Settings(
            record_api_url=record_api_url,
            record_token=SecretStr(report.players[-1].token),
            database_url=url,
            token_keys=() if url.startswith("sqlite") else (SecretStr(new_key()),),
        )
        clock = ManualClock(datetime.now(UTC))
        world = World(discord, log, tmp_path / "kiroku.db", served, options, players, settings, clock, stack)
        await world.start_bot()
        yield world
        await discord.stop()


@pytest.fixture
def no_token_anywhere(world: World, tmp_path: Path) -> Callable[[], None]:
    """Return a check that no token of any player is in a log line or in a file of the bot."""

    def check() -> None:
        secrets = [player.token for player in world.players.values()]
        files = [file.read_bytes() for file in tmp_path.glob("kiroku*")]
        assert files
        for secret in secrets:
            assert secret not in world.log.text
            assert not any(secret.encode() in content for content in files)

    return check
