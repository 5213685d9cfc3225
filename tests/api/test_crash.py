"""A bot that is killed at any moment, again and again: the copy on disk never lets it send what it must not."""

import asyncio
import re
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from harness import LogBook

from service.options import ServiceOptions
from service.seed import seed
from service.server import running

pytestmark = pytest.mark.processes

LIMIT = 12
ROOT = Path(__file__).parents[2]
ASKS = """
import asyncio, sys
from bot.api import RecordApi
from bot.domain.errors import BudgetSpent
from bot.store import Store, Vault, new_key

async def ask(api, token):
    try:
        while True:
            await api.holder(token, patience=2).v2_0.friends.list()
            print("answered", flush=True)
    except BudgetSpent:
        pass

async def main(service, database, token):
    async with Store(database, Vault([new_key()])) as store, RecordApi(service, windows=store.windows) as api:
        await asyncio.gather(*(ask(api, token) for _ in range(3)))
    print("spent", flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize("kills", [(3, 6), (9, 1, 1)], ids=str)
async def test_no_request_too_many_however_often_it_is_killed(
    tmp_path: Path, log: LogBook, kills: tuple[int, ...]
) -> None:
    token = seed(tmp_path / "service.db", players=1).players[0].token
    options = ServiceOptions(
        limits={"2.0": LIMIT, "1.3": 120, "1.0": 200}, quick_seconds=0, delay_seconds=0.05, access_log=True
    )
    said = b""
    async with running(tmp_path / "service.db", options=options) as service:
        for answers in (*kills, LIMIT):
            bot = await asyncio.create_subprocess_exec(
                sys.executable, "-c", ASKS, service, f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", token,
                cwd=ROOT, stdout=PIPE,
            )  # fmt: skip
            assert bot.stdout is not None
            for _ in range(answers):
                said = await bot.stdout.readline()
                if said == b"spent\n":
                    break
                assert said == b"answered\n"
            else:
                bot.send_signal(signal.SIGKILL)
            await bot.wait()
    statuses = re.findall(r"service.access: GET \S+ (\d+)", log.text)
    assert said == b"spent\n"
    assert set(statuses) == {"200"}
    assert len(statuses) <= LIMIT
