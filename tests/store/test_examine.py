"""What is wrong with a PostgreSQL, as `kiroku doctor` finds it by looking alone."""

import re
import shutil
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from cluster import name_of, run_sql, url_of
from troubled import small_disk

from bot.clock import ManualClock, SystemClock
from bot.config import parse_settings
from bot.doctor import Doctor, Finding, Mark
from bot.store import new_key

pytestmark = pytest.mark.postgres

OWNER_OF_FILES = "postgres"
"""As whom a server runs where root tests, who alone may mount disks."""


async def examine(
    url: str, *, ahead: timedelta = timedelta(), keys: str | None = None
) -> Mapping[str, Finding]:
    settings = {"database_url": url, "token_keys": new_key() if keys is None else keys}
    clock = ManualClock(SystemClock().now() + ahead)
    found = await Doctor(parse_settings(settings), clock).examine()
    assert "secret" not in "".join(map(str, found))
    return {finding.what: finding for finding in found}


@pytest.fixture
def weak(cluster: Path, url: str) -> str:
    """Return the address of a database as somebody sees it who may do nothing there."""
    name = name_of(url)
    run_sql(cluster, f"CREATE ROLE \"{name}\" LOGIN PASSWORD 'secret'")
    return url_of(cluster, name, user=f"{name}:secret")


def wrong(found: Mapping[str, Finding], what: str) -> str:
    assert found[what].mark is Mark.WRONG, str(found[what])
    return found[what].sentence


async def test_a_role_that_may_do_nothing(weak: str) -> None:
    assert "ALTER DATABASE … OWNER TO" in wrong(await examine(weak), "DATABASE_URL")


async def test_a_role_that_may_make_tables_and_not_change_those_of_others(cluster: Path, weak: str) -> None:
    role = name_of(weak)
    run_sql(
        cluster,
        f'GRANT CREATE ON SCHEMA public TO "{role}"',
        f'GRANT SELECT ON ALL TABLES IN SCHEMA public TO "{role}"',
        database=role,
    )
    assert "of the tables that are there" in wrong(await examine(weak), "DATABASE_URL")
    run_sql(cluster, f'GRANT kiroku TO "{role}"')
    assert (await examine(weak))["DATABASE_URL"].mark is Mark.FINE


async def test_a_role_that_may_make_no_tables_in_an_empty_database(cluster: Path, weak: str) -> None:
    run_sql(cluster, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public", database=name_of(weak))
    assert "ALTER DATABASE … OWNER TO" in wrong(await examine(weak), "DATABASE_URL")


async def test_a_password_that_is_wrong(weak: str) -> None:
    found = await examine(weak.replace(":secret", ":other"))
    assert "refuses the user or the password" in wrong(found, "DATABASE_URL")


async def test_a_server_that_only_follows_another_one(cluster: Path, url: str) -> None:
    run_sql(cluster, f'ALTER DATABASE "{name_of(url)}" SET default_transaction_read_only = on')
    assert "takes nothing" in wrong(await examine(url), "DATABASE_URL")


async def test_a_database_newer_than_the_code(cluster: Path, url: str) -> None:
    run_sql(cluster, "UPDATE alembic_version SET version_num = '9999'", database=name_of(url))
    assert wrong(await examine(url), "DATABASE_URL").startswith("The database was made by a newer version")


async def test_one_that_is_right(url: str) -> None:
    found = await examine(url)
    assert str(found["DATABASE_URL"]).startswith("✓ DATABASE_URL: PostgreSQL, at revision ")
    assert str(found["Disk"]).startswith("✓ Disk: a few megabytes can be written; the database has ")
    assert found["Clock"].sentence == "as that of the database server."


async def test_a_server_whose_disk_is_full(cluster: Path, url: str, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 1) as disk, open_to_all(tmp_path):
        shutil.chown(disk, OWNER_OF_FILES)
        name = name_of(url)
        run_sql(cluster, f"CREATE TABLESPACE \"{name}\" LOCATION '{disk}'")
        run_sql(cluster, f'ALTER DATABASE "{name}" SET temp_tablespaces = "{name}"')
        found = await examine(url)
        run_sql(cluster, f'ALTER DATABASE "{name}" RESET temp_tablespaces', f'DROP TABLESPACE "{name}"')
    assert wrong(found, "Disk").startswith("The disk of the database that DATABASE_URL names is full.")
    assert found["DATABASE_URL"].mark is Mark.FINE


@contextmanager
def open_to_all(folder: Path) -> Generator[None]:
    """Let PostgreSQL's user into a folder of ours."""
    closed = [each for each in folder.parents if not each.stat().st_mode & 1] + [folder]
    modes = [each.stat().st_mode for each in closed]
    for each in closed:
        each.chmod(each.stat().st_mode | 0o711)
    try:
        yield
    finally:
        for each, mode in zip(closed, modes, strict=True):
            each.chmod(mode)


async def test_keys_that_are_not_set(url: str) -> None:
    assert wrong(await examine(url, keys=""), "TOKEN_KEYS").startswith("TOKEN_KEYS is not set")


async def test_a_clock_that_is_not_the_servers(url: str) -> None:
    found = await examine(url, ahead=timedelta(hours=1))
    assert re.search(r"clock is 3[56]\d\d s ahead of that of the database server\.", wrong(found, "Clock"))
