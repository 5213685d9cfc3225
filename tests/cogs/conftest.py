"""The real bot on the real service, on a simulated Discord."""

import shutil
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from harness import HEARTBEAT_MILLISECONDS, PATIENT_SECONDS, LogBook, SimulatedDiscord, simulated_discord
from logbook import listening
from once import made_once
from world import World, running_world

from bot.chat import deferral
from bot.demo import gateway, simulator
from bot.features.shared import catalogues
from bot.ui.cards.canvas import ToneCanvas
from service.options import ServiceOptions
from service.seed import SeedReport, seed

PLAYERS = 8
TO_PNG = ToneCanvas.to_png


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SeedReport]:
    return made_once(tmp_path_factory, "seeded", lambda folder: seed(folder / "service.db", players=PLAYERS))


def to_png_quickly(canvas: ToneCanvas, _compression: int = 0) -> bytes:
    """Return a picture that is larger than it has to be: to make it as small as it ships takes as long as to draw it."""
    return TO_PNG(canvas, 1)


@pytest.fixture
def options() -> ServiceOptions:
    return ServiceOptions(quick_seconds=0)


@pytest.fixture
def hurry_seconds() -> float:
    """Return how long suggestions wait for a first catalogue: until it is there, however busy the machine is."""
    return PATIENT_SECONDS


@pytest.fixture
def deferred(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every answer deferred, however soon it is there."""
    monkeypatch.setattr(deferral, "DEFER_AFTER_SECONDS", 0.0)


@pytest.fixture
def at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no answer deferred that can do without, however slow the machine is."""
    monkeypatch.setattr(deferral, "DEFER_AFTER_SECONDS", PATIENT_SECONDS)


@pytest.fixture
async def own_world(  # noqa: PLR0917 - each is another fixture
    discord: SimulatedDiscord,
    log: LogBook,
    seeded: tuple[Path, SeedReport],
    options: ServiceOptions,
    url: str,
    tmp_path: Path,
    hurry_seconds: float,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncGenerator[World]:
    monkeypatch.setattr(catalogues, "_HURRY_SECONDS", hurry_seconds)
    monkeypatch.setattr(ToneCanvas, "to_png", to_png_quickly)
    async with running_world(discord, log, tmp_path, url, seeded, options) as world:
        yield world


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def module_world(
    seeded: tuple[Path, SeedReport], migrated: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[World]:
    folder = tmp_path_factory.mktemp("shared")
    url = f"sqlite+aiosqlite:///{shutil.copy(migrated, folder)}"
    many = ServiceOptions(quick_seconds=0, limits=dict.fromkeys(("2.0", "1.3", "1.0"), 99_999))
    with pytest.MonkeyPatch.context() as monkeypatch, listening() as log:
        monkeypatch.setattr(catalogues, "_HURRY_SECONDS", PATIENT_SECONDS)
        monkeypatch.setattr(ToneCanvas, "to_png", to_png_quickly)
        monkeypatch.setattr(simulator, "ACKNOWLEDGE_SECONDS", PATIENT_SECONDS)
        monkeypatch.setattr(gateway, "HEARTBEAT_MILLISECONDS", HEARTBEAT_MILLISECONDS)
        async with (
            simulated_discord(log) as discord,
            running_world(discord, log, folder, url, seeded, many) as world,
        ):
            yield world


@pytest_asyncio.fixture(loop_scope="module")
async def shared_world(module_world: World) -> World:
    module_world.log.lines.clear()
    module_world.discord.move()
    return module_world


@pytest.fixture
def world(
    request: pytest.FixtureRequest,
    seeded: tuple[Path, SeedReport],  # noqa: ARG001 - named, so that tests may give it parameters
    options: ServiceOptions,  # noqa: ARG001 - as above
) -> World:
    """Return a world of the test's own; of tests marked `shared` their file's, in a server of the test's own."""
    return request.getfixturevalue("shared_world" if is_shared(request.node) else "own_world")


def is_shared(item: pytest.Item) -> bool:
    return item.get_closest_marker("shared") is not None and item.get_closest_marker("own") is None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_shared(item) and item.get_closest_marker("asyncio") is not None:
            item.add_marker(pytest.mark.asyncio(loop_scope="module"), append=False)


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
