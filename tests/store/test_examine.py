"""What a database is like, by looking alone; of a PostgreSQL, as `kiroku doctor` says it."""

import re
import shutil
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cluster import name_of, run_sql, url_of
from troubled import small_disk

from bot import store
from bot.base.clock import ManualClock, SystemClock
from bot.base.config import parse_settings
from bot.database.migrate import known_revisions
from bot.database.trouble import StoreNotWhole, StoreTooNew, StoreUnavailable
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.program.doctor import Doctor
from bot.program.findings import Finding, Verdict
from bot.store import Store, Vault, new_key

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
    assert found[what].mark is Verdict.WRONG, str(found[what])
    return found[what].sentence


@pytest.mark.postgres
async def test_a_role_that_may_do_nothing(weak: str) -> None:
    assert "ALTER DATABASE … OWNER TO" in wrong(await examine(weak), "DATABASE_URL")


@pytest.mark.postgres
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
    assert (await examine(weak))["DATABASE_URL"].mark is Verdict.FINE


@pytest.mark.postgres
async def test_a_role_that_may_make_no_tables_in_an_empty_database(cluster: Path, weak: str) -> None:
    run_sql(cluster, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public", database=name_of(weak))
    assert "ALTER DATABASE … OWNER TO" in wrong(await examine(weak), "DATABASE_URL")


@pytest.mark.postgres
async def test_a_password_that_is_wrong(weak: str) -> None:
    found = await examine(weak.replace(":secret", ":other"))
    assert "refuses the user or the password" in wrong(found, "DATABASE_URL")


@pytest.mark.postgres
async def test_a_server_that_only_follows_another_one(cluster: Path, url: str) -> None:
    run_sql(cluster, f'ALTER DATABASE "{name_of(url)}" SET default_transaction_read_only = on')
    assert "takes nothing" in wrong(await examine(url), "DATABASE_URL")


@pytest.mark.postgres
async def test_a_database_newer_than_the_code(cluster: Path, url: str) -> None:
    run_sql(cluster, "UPDATE alembic_version SET version_num = '9999'", database=name_of(url))
    assert wrong(await examine(url), "DATABASE_URL").startswith("The database was made by a newer version")


@pytest.mark.postgres
async def test_one_that_is_right(url: str) -> None:
    found = await examine(url)
    assert str(found["DATABASE_URL"]).startswith("✓ DATABASE_URL: PostgreSQL, at revision ")
    assert str(found["Disk"]).startswith("✓ Disk: a few megabytes can be written; the database has ")
    assert found["Clock"].sentence == "as that of the database server."


@pytest.mark.postgres
async def test_a_server_whose_disk_is_full(cluster: Path, url: str, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 1) as disk, open_to_all(tmp_path):
        shutil.chown(disk, OWNER_OF_FILES)
        name = name_of(url)
        run_sql(cluster, f"CREATE TABLESPACE \"{name}\" LOCATION '{disk}'")
        run_sql(cluster, f'ALTER DATABASE "{name}" SET temp_tablespaces = "{name}"')
        found = await examine(url)
        run_sql(cluster, f'ALTER DATABASE "{name}" RESET temp_tablespaces', f'DROP TABLESPACE "{name}"')
    assert wrong(found, "Disk").startswith("The disk of the database that DATABASE_URL names is full.")
    assert found["DATABASE_URL"].mark is Verdict.FINE


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


@pytest.mark.postgres
async def test_keys_that_are_not_set(url: str) -> None:
    assert wrong(await examine(url, keys=""), "TOKEN_KEYS").startswith("TOKEN_KEYS is not set")


@pytest.mark.postgres
async def test_a_clock_that_is_not_the_servers(url: str) -> None:
    found = await examine(url, ahead=timedelta(hours=1))
    assert re.search(r"clock is 3[56]\d\d s ahead of that of the database server\.", wrong(found, "Clock"))


def sqlite(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


def contents(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir()}


async def made(file: Path, revision: str | None = None) -> Path:
    """Make a database that is at a revision."""
    async with Store(sqlite(file), Vault([new_key()])):
        pass
    if revision is not None:
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    return file


async def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    found = await store.examine(sqlite(tmp_path / "data" / "kiroku.db"))
    assert (found.kind, found.revision, found.now, found.sealed) == ("SQLite", None, None, None)
    assert contents(tmp_path) == {}


async def test_a_file_is_looked_at_and_left_as_it_is(tmp_path: Path) -> None:
    file = await made(tmp_path / "kiroku.db")
    link = AccountLink(
        member=MemberId(1),
        user_id=UserId(7),
        user_name=UserName("alice"),
        region=JP2,
        visibility=Visibility.ANYONE,
        linked_at=datetime(2026, 11, 1, tzinfo=UTC),
    )
    async with Store(sqlite(file), Vault([new_key()])) as used:
        await used.links.save(link, "5d" * 32)
        assert (await store.examine(sqlite(file))).sealed is not None
    before = contents(tmp_path)
    found = await store.examine(sqlite(file))
    assert (found.revision, found.now) == (known_revisions()[-1], None)
    assert found.sealed is not None
    assert "5d" * 32 not in found.sealed.decode("latin-1")
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("revision", "error"), [("9999", StoreTooNew), ("copying 0001", StoreNotWhole), ("0001", None)]
)
async def test_what_this_version_cannot_run_on(
    tmp_path: Path, revision: str, error: type[Exception] | None
) -> None:
    file = await made(tmp_path / "kiroku.db", revision)
    if error is None:
        assert (await store.examine(sqlite(file))).revision == revision
        return
    with pytest.raises(error):
        await store.examine(sqlite(file))


async def test_what_is_no_database_is_said(tmp_path: Path) -> None:
    text, below = tmp_path / "notes.txt", tmp_path / "notes.txt" / "kiroku.db"
    text.write_text("no database" * 99)
    with pytest.raises(StoreUnavailable, match="is no SQLite database"):
        await store.examine(sqlite(text))
    with pytest.raises(StoreUnavailable, match="NotADirectoryError"):
        await store.examine(sqlite(below))
