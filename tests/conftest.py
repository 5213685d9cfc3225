"""Fixtures for all tests: the simulated Discord, what was logged, and a database of either kind.

`pytest --postgres` has the databases of the bot in PostgreSQL: one cluster for all workers, a database for each test.
"""

import asyncio
import gc
import json
import logging
import os
import shutil
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from copy import copy, deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias, cast

import pytest
from cluster import Cluster, create_database, drop_database, find_memory, find_programs
from discord import state
from discord.app_commands import Command, CommandTree, ContextMenu, Group, Translator
from harness import HEARTBEAT_MILLISECONDS, PATIENT_SECONDS, LogBook, SimulatedDiscord, simulated_discord
from hypothesis import settings
from logbook import listening
from once import made_once
from simcord import components, results
from simcord import gateway as events
from simcord.backend import serializers
from simcord.http import router
from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.dialects.sqlite.base import SQLiteDialect
from sqlalchemy.ext import asyncio as sqlalchemy_asyncio
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.chat import client
from bot.chat.gateway import shards
from bot.cluster import fleet
from bot.database import engine, migrate, reserve
from bot.database.progress import UpgradeProgress
from bot.demo import gateway, simulator
from bot.domain.charts import Catalogue
from bot.domain.ids import Region
from bot.domain.search import SongIndex
from bot.features.shared.catalogues import Catalogues
from bot.program import app
from bot.store import KeptCatalogue, Store, Vault, new_key, transfer
from bot.ui.language.text import CommandTranslator
from service import snapshot
from service import songs as songs_sent
from service.model import StoredCatalogue as SongsServed
from service.model import StoredSong

settings.register_profile("kiroku", deadline=None)  # a busy machine may be slow at any step
settings.load_profile("kiroku")
logging.getLogger("alembic").setLevel(logging.WARNING)  # it speaks of "defaults" where tests look for faults

FOLDER = "KIROKU_TEST_CLUSTER"
"""The variable that tells workers where the cluster is."""
DEMANDED = "KIROKU_TEST_DEMANDS_POSTGRES"
"""The variable that makes a failure of what is skipped where PostgreSQL is not installed."""
TEMPLATE = "migrated"
Payload: TypeAlias = dict[str, Any]
Upgrade: TypeAlias = Callable[[Connection, UpgradeProgress | None], None]
Statement: TypeAlias = tuple[str, tuple[object, ...]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--postgres", action="store_true", help="have the bot's databases in PostgreSQL")


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--postgres") or FOLDER in os.environ:
        return
    if find_programs() is None:
        if os.environ.get(DEMANDED):
            raise pytest.UsageError("PostgreSQL is not installed")
        return
    cluster = Cluster(find_memory())
    config.add_cleanup(cluster.__exit__)
    os.environ[FOLDER] = str(cluster.__enter__().folder)
    asyncio.run(made(create_database(cluster.folder, TEMPLATE)))


async def made(url: str) -> None:
    async with Store(url, Vault([new_key()])):
        pass


@pytest.hookimpl(trylast=True)  # after the order was shuffled
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("first") is None)
    if config.getoption("--postgres"):
        same = [item for item in items if not is_of_postgresql(item)]
        config.hook.pytest_deselected(items=same)
        items[:] = [item for item in items if is_of_postgresql(item)]


def is_of_postgresql(item: pytest.Item) -> bool:
    """Return whether a test has a database in PostgreSQL, and is no second run of one that has not."""
    has = {*cast("pytest.Function", item).fixturenames}
    is_shared = item.get_closest_marker("shared") is not None and item.get_closest_marker("own") is None
    # What a file shares is in SQLite.
    return bool(
        has & {"cluster", "own_world", "url"}
        or ("world" in has and not is_shared)
        or item.get_closest_marker("postgres") is not None
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Have the collector walk what tests make, and not each time all that was imported for them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def ready_soon() -> Generator[None]:
    """Have a bot ready soon after the last server: the simulated Discord names them all at once."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(client, "_GUILD_READY_TIMEOUT_SECONDS", 0.3)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Generator[None]:
    """Have each statement put into a database's words once: every one that is opened would do it anew."""
    words: dict[str, dict[object, object]] = {"sqlite": {}, "postgresql": {}}

    def create_async_engine(url: str, **options: Any) -> AsyncEngine:
        made = sqlalchemy_asyncio.create_async_engine(url, **options)
        return made.execution_options(compiled_cache=words[made.name])

    def is_alike(one: object, other: object) -> bool:
        return type(one) is type(other)

    def is_one(_: object) -> int:
        return 1

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(engine, "create_async_engine", create_async_engine)
        # No test takes the power away, and a disk may take seconds where others write to it.
        monkeypatch.setattr(engine, "_PRAGMAS", f"{engine._PRAGMAS} PRAGMA synchronous = OFF;")
        # No disk is full, and thousands of worlds would each keep room.
        monkeypatch.setattr(reserve, "BYTES", 4096)
        # Words are remembered by the dialect, of which each engine has one of its own.
        for dialect in (SQLiteDialect, PGDialect):
            monkeypatch.setattr(dialect, "__eq__", is_alike)
            monkeypatch.setattr(dialect, "__hash__", is_one)
        yield


@pytest.fixture(scope="session", autouse=True)
def translated_once() -> Generator[None]:
    """Have each command translated once: every bot that starts would do it anew, a sixth of what a world costs."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for kind in (Command, ContextMenu, Group):
            monkeypatch.setattr(
                kind, "get_translated_payload", remembered(cast("Any", kind).get_translated_payload)
            )
        yield


@pytest.fixture(scope="session", autouse=True)
def read_once() -> Generator[None]:
    """Have the songs read once by service and bot, and what discord.py can be told: every world would do it anew."""
    songs: dict[object, SongsServed] = {}
    indexed: dict[object, tuple[Catalogue, SongIndex]] = {}
    told: dict[type, list[str]] = {}
    sent: dict[int, tuple[StoredSong, Payload]] = {}
    load, index, shape = snapshot.store.load_catalogue, Catalogues._index, songs_sent.song_v2_0

    def load_catalogue(connection: sqlite3.Connection, region: Region) -> SongsServed:
        rows = [tuple(connection.execute(every)) for every in ("SELECT * FROM songs", "SELECT * FROM charts")]
        key = (region, *rows)
        if key not in songs:
            songs[key] = load(connection, region)
        return songs[key]

    def song_v2_0(song: StoredSong) -> Payload:
        if id(song) not in sent:
            sent[id(song)] = song, shape(song)  # which keeps the song, and so its number
        return sent[id(song)][1]

    def index_once(
        self: Catalogues, kept: KeptCatalogue, make: Callable[[], Catalogue]
    ) -> tuple[Catalogue, SongIndex]:
        if self._constants.given:
            return index(self, kept, make)
        region, digest = kept.region, kept.digest
        state = digest, self._constants.given
        at_hand, known = self._indexed.get(region), indexed.get((region, digest))
        if known is not None and (at_hand is None or at_hand[0] != state):
            # A copy, since each bot has its songs go by the aliases of its own operator.
            catalogue = self._constants.fill_catalogue(known[0], kept.first_seen_at)
            self._indexed[region] = (state, (catalogue, copy(known[1])))
        found = index(self, kept, make)
        indexed.setdefault((region, digest), found)
        return found

    def getmembers(held: object) -> list[tuple[str, object]]:
        names = told.get(type(held))
        if names is None:
            names = told[type(held)] = [name for name in dir(held) if name.startswith("parse_")]
        return [(name, getattr(held, name)) for name in names]

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(snapshot.store, "load_catalogue", load_catalogue)
        monkeypatch.setattr(songs_sent, "song_v2_0", song_v2_0)
        monkeypatch.setattr(Catalogues, "_index", index_once)
        monkeypatch.setattr(state, "inspect", SimpleNamespace(getmembers=getmembers))
        yield


@pytest.fixture(scope="session", autouse=True)
def migrated_once() -> Generator[Upgrade]:
    """Have new SQLite databases take the shape that the migrations gave the first: each would have all of them applied."""
    shape = list[Statement]()

    def upgrade_within(connection: Connection, progress: UpgradeProgress | None = None) -> None:
        is_new = connection.dialect.name == "sqlite" and migrate.find_applied(connection) is None
        if not is_new or not shape:
            upgrade(connection, progress)
        if is_new and not shape:
            shape.extend(shape_of(connection))
        elif is_new:
            for statement, values in shape:
                connection.exec_driver_sql(statement, values)

    upgrade = migrate.upgrade_within
    with pytest.MonkeyPatch.context() as monkeypatch:
        for module in (migrate, transfer):
            monkeypatch.setattr(module, "upgrade_within", upgrade_within)
        yield upgrade


@pytest.fixture
def all_migrations(migrated_once: Upgrade, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a new database get all of them applied, one after another, as those have that ship."""
    monkeypatch.setattr(migrate, "upgrade_within", migrated_once)


def shape_of(connection: Connection) -> list[Statement]:
    """Return what makes a database like one that holds nothing but its revision."""
    made = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
    return [
        *((statement, ()) for statement in made.scalars()),
        ("INSERT INTO alembic_version VALUES (?)", (migrate.find_applied(connection),)),
        (f"PRAGMA user_version = {connection.exec_driver_sql('PRAGMA user_version').scalar()}", ()),
    ]


@pytest.fixture(scope="session", autouse=True)
def copied_plainly() -> Generator[None]:
    """Have the simulated Discord copy JSON as JSON: by `copy.deepcopy` it was a tenth of all that a world costs."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for module in (router, events):
            monkeypatch.setattr(module, "copy", SimpleNamespace(deepcopy=copied))
        for module in (components, results, serializers):
            monkeypatch.setattr(module, "deepcopy", copied)
        yield


def copied(value: Any) -> Any:
    if type(value) is dict:
        return {key: copied(each) for key, each in cast("Payload", value).items()}
    if type(value) is list:
        return [copied(each) for each in cast("list[Any]", value)]
    return value if value is None or isinstance(value, str | int | float) else deepcopy(value)


def remembered(translate: Callable[..., Awaitable[Payload]]) -> Callable[..., Awaitable[Payload]]:
    known: dict[object, Payload] = {}

    async def get_translated_payload(command: Any, tree: CommandTree, translator: Translator) -> Payload:
        said = json.dumps(command.to_dict(tree), sort_keys=True)
        key = (said, translator.digest if isinstance(translator, CommandTranslator) else translator)
        if key not in known:
            known[key] = await translate(command, tree, translator)
        return known[key]

    return get_translated_payload


@pytest.fixture(autouse=True)
def logged_as_before(request: pytest.FixtureRequest) -> Generator[None]:
    """Have no command that a test tries, and that sets the log up, decide what those after it find in theirs."""
    if (
        request.node.get_closest_marker("shared") is not None
    ):  # its file has one book, which the first has opened
        yield
        return
    root = logging.getLogger()
    handlers = root.handlers[:]
    levels = {name: logging.getLogger(name).level for name in (None, "bot", "cogs", "service")}
    yield
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def log() -> Generator[LogBook]:
    with listening() as book:
        yield book


@pytest.fixture
def cluster() -> Path:
    """Return the folder of a running PostgreSQL."""
    if FOLDER not in os.environ:
        pytest.skip("PostgreSQL is not installed")
    return Path(os.environ[FOLDER])


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite database of the bot in which nothing stands, for copies."""
    folder, _ = made_once(
        tmp_path_factory,
        "migrated",
        lambda folder: asyncio.run(made(f"sqlite+aiosqlite:///{folder / 'kiroku.db'}")),
    )
    return folder / "kiroku.db"


@pytest.fixture
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    """Return the address of a database of the bot, of the kind that is asked for, in which nothing stands."""
    if not request.config.getoption("--postgres"):
        migrated: Path = request.getfixturevalue("migrated")
        yield f"sqlite+aiosqlite:///{shutil.copy(migrated, tmp_path)}"
        return
    folder: Path = request.getfixturevalue("cluster")
    name = tmp_path.parent.name + tmp_path.name
    yield create_database(folder, name, like=TEMPLATE)
    drop_database(folder, name)


@pytest.fixture
async def discord(log: LogBook, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[SimulatedDiscord]:
    monkeypatch.setattr(simulator, "ACKNOWLEDGE_SECONDS", PATIENT_SECONDS)
    monkeypatch.setattr(gateway, "HEARTBEAT_MILLISECONDS", HEARTBEAT_MILLISECONDS)
    # A bot that is started anew waits for Discord otherwise, which is not here.
    monkeypatch.setattr(app, "_CATALOGUE_DELAY_SECONDS", 0)
    monkeypatch.setattr(fleet, "_SESSION_START_INTERVAL_SECONDS", 0)
    monkeypatch.setattr(shards, "_SESSION_START_SECONDS", 0)
    async with simulated_discord(log) as world:
        yield world
