"""Killed without warning, again and again: whole catalogues, and no forgotten requests.

The victims are forked from a process that has everything loaded, for twenty deaths in reasonable time.
"""

import json
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from random import Random
from socket import socket
from typing import Any

import pytest

from bot.domain.ids import JP2
from service.options import ServiceOptions
from service.refresh import refresh_catalogue
from service.schema import opened
from service.seed import seed
from service.serving import ListenOptions, serve
from tests.contract.conftest import Outsider, Reply

pytestmark = pytest.mark.processes

KILLS = 20
SONGS = 3_000
LIMIT = 100_000
CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["service.serving", "service.seed"])
chance = Random(4)  # noqa: S311 - chooses moments of death


@pytest.fixture
def sources(tmp_path: Path) -> dict[Path, set[str]]:
    chart = {"level": 13.5, "const": 13.7, "maxcombo": 1000, "is_const_unknown": False}
    found: dict[Path, set[str]] = {}
    for name in ("old", "new"):
        meta = {"genre": "ORIGINAL", "artist": "A", "release": "2026-01-01", "bpm": 180}
        songs: list[dict[str, Any]] = [
            {
                "meta": {**meta, "id": f"{number:016x}", "title": f"{name} {number}"},
                "data": {"EXP": chart, "MAS": chart},
            }
            for number in range(SONGS)
        ]
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(songs), encoding="utf-8")
        found[file] = {song["meta"]["title"] for song in songs}
    return found


def titles(database: Path) -> set[str]:
    with opened(database) as connection:
        rows = connection.execute("SELECT title FROM songs WHERE region = 'jp2' AND is_listed").fetchall()
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
    return {title for (title,) in rows}


def imported(database: Path, source: Path) -> None:
    refresh_catalogue(database, source, [JP2])


def seeded(database: Path, source: Path) -> None:
    seed(database, catalogue=source, players=4)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("work", [imported, seeded])
def test_a_killed_writer_leaves_one_catalogue_whole(
    tmp_path: Path, sources: dict[Path, set[str]], work: Callable[[Path, Path], None]
) -> None:
    database = tmp_path / "records.db"
    old, new = sources
    seeded(database, old)
    started = time.monotonic()
    work(database, new)
    usual = time.monotonic() - started
    for number in range(KILLS):
        victim = CONTEXT.Process(target=work, args=(database, old if number % 2 else new))
        victim.start()
        victim.join(usual * chance.uniform(0.1, 1.2))
        victim.kill()
        victim.join()
        victim.close()
        assert titles(database) in sources.values()


@pytest.fixture
def port() -> int:
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def served(database: Path, port: int) -> None:
    options = ServiceOptions(limits={"2.0": LIMIT, "1.3": LIMIT, "1.0": LIMIT}, quick_seconds=0)
    serve(database, ListenOptions(port=port), options)


def asked_until_gone(outsider: Outsider) -> Generator[Reply]:
    """Ask until the server does not answer any more."""
    while True:
        try:
            yield outsider.get("/1.3/users/me.json")
        except OSError:
            return


def first_reply(outsider: Outsider) -> Reply:
    """Ask until the server answers."""
    while True:
        try:
            return outsider.get("/1.3/users/me.json")
        except OSError:
            continue


@pytest.mark.timeout(300)
def test_a_killed_server_forgets_no_request(tmp_path: Path, port: int) -> None:
    database = tmp_path / "records.db"
    report = seed(database, players=1)
    outsider = Outsider(f"http://127.0.0.1:{port}", [{"token": report.players[0].token}], report.songs)
    counted = 0
    for _ in range(KILLS):
        victim = CONTEXT.Process(target=served, args=(database, port))
        victim.start()
        reply = first_reply(outsider)
        remembered = LIMIT - int(reply.headers["x-rate-limit-remaining"])
        assert remembered > counted
        with ThreadPoolExecutor(2) as pool:
            askers = [pool.submit(lambda: len(list(asked_until_gone(outsider)))) for _ in range(2)]
            victim.join(chance.uniform(0.05, 0.2))
            victim.kill()
            victim.join()
            victim.close()
            counted = remembered + sum(asker.result() for asker in askers)
    assert counted > KILLS
