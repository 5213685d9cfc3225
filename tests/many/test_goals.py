"""Whoever sees that a goal is reached is killed, and it is told as one that was reached once, by real processes."""

import asyncio
import logging
import sqlite3
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from drill import service
from patience import PATIENT_SECONDS
from rigged import SOMEBODY, Told, running_rig, started
from typing_extensions import override

from bot.domain.chronicle.state import PlayerFigures, RecordsState
from bot.domain.ids import MemberId, UserId
from bot.domain.numbers import Hundredths
from bot.store import Store, Vault, new_key

KILLS: Final = 2
"""Once the record service has replied with the profile and the records, and once the moment is noted."""
ME = MemberId(SOMEBODY)
PERFECT = 1_010_000


class Replies(logging.Handler):
    """Counts what the record service has replied."""

    def __init__(self) -> None:
        super().__init__()
        self._more = asyncio.Event()
        self._count = 0

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self._count += 1
        self._more.set()

    async def wait(self, count: int) -> None:
        self._count = 0
        while self._count < count:
            self._more.clear()
            await self._more.wait()


@asynccontextmanager
async def counted() -> AsyncGenerator[Replies]:
    access, replies = logging.getLogger("service.access"), Replies()
    access.addHandler(replies)
    try:
        yield replies
    finally:
        access.removeHandler(replies)


def perfect(database: Path, account: UserId, *, one_more: bool) -> int:
    """Return how many MASTER charts an account has played perfectly, after one more where that is wanted."""
    mine = (
        " FROM records JOIN charts USING (chart_id)"
        " WHERE user_id = ? AND difficulty = 'MAS' AND region = 'jp2'"
    )
    with closing(sqlite3.connect(database)) as service_, service_:
        if one_more:
            (chart,) = service_.execute(
                f"SELECT chart_id{mine} AND score < ? LIMIT 1", [account, PERFECT]
            ).fetchone()
            now = int(datetime.now(UTC).timestamp())
            service_.execute(
                "UPDATE records SET score = ?, updated_at = ? WHERE user_id = ? AND chart_id = ?",
                [PERFECT, now, account, chart],
            )
            service_.execute("UPDATE accounts SET updated_at = ? WHERE user_id = ?", [now, account])
        (count,) = service_.execute(f"SELECT count(*){mine} AND score = ?", [account, PERFECT]).fetchone()
    return int(count)


async def moments(store: Store) -> list[datetime]:
    return sorted(each.reached_at for each in await store.goals.fetch(ME) if each.reached_at)


def goals_told(told: Told) -> int:
    return str(told.message["embeds"][0]["description"]).count("Goal reached")


@pytest.mark.processes
async def test_whoever_sees_that_a_goal_is_reached_is_killed(tmp_path: Path) -> None:
    database = f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}"
    await kill(tmp_path, {"DATABASE_URL": database, "TOKEN_KEYS": new_key()})


@pytest.mark.postgres
async def test_whoever_sees_it_with_postgresql_is_killed(tmp_path: Path, shared: dict[str, str]) -> None:
    await kill(tmp_path, shared)


async def kill(tmp_path: Path, settings: dict[str, str]) -> None:
    """Kill whoever sees that goals are reached, and have each told as one that was reached once."""
    async with (
        service(tmp_path, settings) as (url, _),
        counted() as replies,
        running_rig(shards=1, guilds=1, patience=PATIENT_SECONDS) as rig,
        Store(settings["DATABASE_URL"], Vault([settings["TOKEN_KEYS"]])) as store,
    ):
        link = (await store.members.get(ME)).link
        assert link is not None
        yesterday = datetime.now(UTC) - timedelta(days=1)
        look = RecordsState(
            member=ME,
            region=link.region,
            taken_at=yesterday,
            figures=PlayerFigures(rating=Hundredths(1)),
            marks={},
        )
        await store.chronicle.save(look, account=link.user_id)

        @asynccontextmanager
        async def running(name: str) -> AsyncGenerator[Process]:
            async with started(rig, name, tmp_path, RECORD_API_URL=url, **settings) as process:
                await rig.until(lambda state: [name] in state.shards.values())
                yield process

        async def noted(count: int) -> None:
            while len(await moments(store)) < count:  # noqa: ASYNC110 - another process notes it
                await asyncio.sleep(0.01)

        play = partial(perfect, tmp_path / "service.db", link.user_id)
        before = await asyncio.to_thread(play, one_more=False)
        async with running("first"):
            for number in range(1, KILLS + 1):
                told = await rig.ask("goal add", goal=f"diff:mas score>={PERFECT} count:{before + number}")
                assert "Goal set" in str(told.message["embeds"])
        seen: list[datetime] = []
        points: Sequence[Callable[[], Awaitable[None]]] = (
            lambda: replies.wait(2),
            lambda: noted(KILLS),
        )
        for number, point in enumerate(points):
            await asyncio.to_thread(play, one_more=True)
            async with running(f"killed-{number}") as process:
                asking = asyncio.create_task(rig.ask("session"))
                await point()
                process.kill()
                await process.wait()
                asking.cancel()
            async with running(f"asked-{number}"):
                assert goals_told(await rig.ask("session")) == number + 1
            now = await moments(store)
            assert now[: len(seen)] == seen
            seen = now
        assert len(set(seen)) == KILLS
