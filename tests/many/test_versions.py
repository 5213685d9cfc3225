"""A process of an older version beside a newer one: it says so, leaves the database alone, and waits to be ended."""

import asyncio
import shutil
import signal
from asyncio.subprocess import Process
from pathlib import Path

import pytest
from cluster import name_of, run_sql
from patience import PATIENT_SECONDS
from rigged import running_rig, started

from bot.cluster.invalidation import SCHEMA_TOPIC
from bot.database.migrate import known_revisions
from bot.store import Store, Vault

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("cluster")]
ROOT = Path(__file__).parents[2]
TO_COME = "9999"
HELD = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'"


async def says(process: Process, words: bytes) -> None:
    assert process.stderr is not None
    async with asyncio.timeout(PATIENT_SECONDS):
        while words not in (line := await process.stderr.readline()):
            assert line, "it ended before"


async def end(process: Process) -> None:
    assert process.returncode is None
    process.send_signal(signal.SIGTERM)
    await process.communicate()
    assert process.returncode == 0


async def test_one_that_serves_leaves_when_a_newer_one_comes_and_waits(
    tmp_path: Path, shared: dict[str, str], cluster: Path
) -> None:
    async with (
        running_rig(shards=1, guilds=1, patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared) as one,
    ):
        await rig.until(lambda state: state.shards.get(0) == ["one"])
        async with Store(shared["DATABASE_URL"], Vault([shared["TOKEN_KEYS"]])) as newer:
            async with newer._database.write() as connection:
                await newer.bus.publish(connection, SCHEMA_TOPIC, TO_COME)
            await says(one, b"serves no more, and waits to be ended")
        assert not (await rig.state()).shards.get(0)
        while run_sql(cluster, HELD, database=name_of(shared["DATABASE_URL"])) != "0\n":  # noqa: ASYNC110 - a database tells nobody
            await asyncio.sleep(0.05)
        await end(one)


async def test_one_that_starts_waits_until_it_can_serve(
    tmp_path: Path, shared: dict[str, str], cluster: Path
) -> None:
    def set_shape(revision: str) -> None:
        statement = f"UPDATE alembic_version SET version_num = '{revision}'"  # noqa: S608 - a test's own
        for each in (statement, f"COMMENT ON TABLE alembic_version IS '{revision}'"):
            run_sql(cluster, each, database=name_of(shared["DATABASE_URL"]))

    set_shape(TO_COME)
    async with (
        running_rig(shards=1, guilds=1, patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared) as one,
    ):
        await says(one, b"newer than this version of Kiroku: waiting")
        set_shape(known_revisions()[-1])
        await rig.until(lambda state: state.shards.get(0) == ["one"])
        await end(one)


async def test_one_serves_on_beside_a_newer_one_that_only_added(
    tmp_path: Path, shared: dict[str, str]
) -> None:
    """The newer one is the same code with a migration more, in a folder of its own."""
    newer = tmp_path / "newer"
    for folder in ("bot", "cogs", "service"):
        shutil.copytree(ROOT / folder, newer / folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = f'''"""One table more."""

import sqlalchemy as sa
from alembic import op

revision = "{TO_COME}"
down_revision = "{known_revisions()[-1]}"
ADDS_ALONE = True


def upgrade() -> None:
    """Add it."""
    op.create_table("added", sa.Column("id", sa.Integer()))
'''
    (newer / f"bot/database/migrations/versions/{TO_COME}_added.py").write_text(text)
    async with (
        running_rig(shards=2, guilds=1, patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared),
    ):
        await rig.until(lambda state: state.shards.get(0) == ["one"])
        async with started(rig, "two", tmp_path, PYTHONPATH=str(newer), **shared) as two:
            state = await rig.until(
                lambda state: {*state.shards.get(0, ()), *state.shards.get(1, ())} == {"one", "two"}
            )
            assert state
            await end(two)
