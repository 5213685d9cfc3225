"""One process on SQLite under forty commands a second, from sixty members: nobody is locked out, and all is kept.

`python -m pytest -m long tests/test_sqlite_load.py`; KIROKU_LOAD_SECONDS and KIROKU_LOAD_RATE make it shorter, or lighter.
What holds it in moments is tests/store/test_turns.py.
"""

import asyncio
import json
import os
import sqlite3
import time
from asyncio.subprocess import Process
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from rigged import SOMEBODY, Rig, running_rig, started

from bot.domain.ids import JP2, MemberId
from bot.domain.members import AccountLink, Visibility
from bot.store import Store, open_vault
from service.options import ServiceOptions
from service.seed import seed
from service.server import running

pytestmark = [pytest.mark.long, pytest.mark.processes, pytest.mark.sqlite, pytest.mark.timeout(900)]

SECONDS = float(os.environ.get("KIROKU_LOAD_SECONDS", "60"))
RATE = float(os.environ.get("KIROKU_LOAD_RATE", "40"))
MEMBERS = 60
PATIENCE = 60.0
NEVER = ("locked", "cannot be", "could not be", "lost", "fault", "Traceback")
ZONES = ("Asia/Tokyo", "Europe/Paris", "America/Lima")


async def test_nobody_is_locked_out_and_all_is_kept(tmp_path: Path) -> None:
    database = tmp_path / "kiroku.db"
    players = seed(tmp_path / "service.db", players=MEMBERS).players
    async with Store(f"sqlite+aiosqlite:///{database}", open_vault((), database)) as store:
        for number, each in enumerate(players):
            link = AccountLink(
                member=MemberId(SOMEBODY + number), user_id=each.user_id, user_name=each.user_name, region=JP2,
                visibility=Visibility.ANYONE, linked_at=datetime.now(UTC),
            )  # fmt: skip
            await store.links.save(link, each.token)
    limits = dict.fromkeys(("2.0", "1.3", "1.0"), 99_999)
    said = list[str]()
    async with (
        running(tmp_path / "service.db", options=ServiceOptions(limits=limits, quick_seconds=0)) as url,
        running_rig(shards=1, guilds=MEMBERS) as rig,
        started(
            rig, "one", tmp_path,
            DATABASE_URL=f"sqlite+aiosqlite:///{database}", RECORD_API_URL=url, FRESH_SECONDS="5",
        ) as process,
    ):  # fmt: skip
        hearing = asyncio.create_task(hear(process, said))
        await rig.until(lambda state: bool(state.shards))
        filters = await load(rig)
        reports = await rig.do("asked")
        process.terminate()
        await process.wait()
        await hearing
    answered = Counter("answered" if each["answered"] else "not answered" for each in reports)
    ages = sorted(min((one["after"] for one in each["tries"]), default=99) for each in reports)
    print(dict(answered), "first answer: median", ages[len(ages) // 2], "longest", ages[-1])  # noqa: T201 - for whoever runs it
    assert [line for line in said if any(word in line for word in NEVER)] == []
    assert answered.keys() == {"answered"}
    with closing(sqlite3.connect(database)) as kept:
        assert {text for (text,) in kept.execute("SELECT text FROM questions")} >= filters
        days = kept.execute("SELECT count(DISTINCT member_id) FROM snapshots WHERE records IS NOT NULL")
        assert days.fetchone() == (MEMBERS,)
        assert kept.execute("SELECT count(*) FROM preferences").fetchone() == (MEMBERS,)


async def hear(process: Process, said: list[str]) -> None:
    assert process.stderr is not None
    said.extend(
        [
            json.loads(line)["message"] if line.startswith(b"{") else line.decode()
            async for line in process.stderr
        ]
    )


async def load(rig: Rig) -> set[str]:
    """Use so many commands a second; return the filters whose lists were asked for."""
    filters, asked, numbers = set[str](), set[asyncio.Task[object]](), count()
    began = time.monotonic()
    while time.monotonic() < began + SECONDS:
        number = next(numbers)
        await asyncio.sleep(max(0.0, began + number / RATE - time.monotonic()))
        member = number % MEMBERS
        constant = f"{10 + number % 50 / 10:.1f}"
        wanted = f"const>={constant} score<{900_000 + number}"
        commands: list[tuple[str, dict[str, str]]] = [
            ("rating", {}),
            ("search", {"filter": wanted}),
            ("session", {}),
            ("settings", {"timezone": ZONES[number // 4 % len(ZONES)]}),
        ]
        # Each member uses each of the four in their turn.
        command, given = commands[(number + number // MEMBERS) % len(commands)]
        if command == "search":
            filters.add(wanted)
        asking = rig.ask(command, guild=member, user=SOMEBODY + member, seconds=PATIENCE, **given)
        asked.add(task := asyncio.create_task(asking))
        task.add_done_callback(asked.discard)
    await asyncio.gather(*asked)
    return filters
