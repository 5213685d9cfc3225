"""What is wrong with a PostgreSQL, as `kiroku doctor` finds it by looking alone."""

import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from cluster import name_of, run_sql, url_of

from bot.clock import ManualClock, SystemClock
from bot.config import parse_settings
from bot.doctor import Doctor, Finding, Mark
from bot.store import new_key

pytestmark = pytest.mark.postgres


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
    assert found["Clock"].sentence == "as that of the database server."


async def test_keys_that_are_not_set(url: str) -> None:
    assert wrong(await examine(url, keys=""), "TOKEN_KEYS").startswith("TOKEN_KEYS is not set")


async def test_a_clock_that_is_not_the_servers(url: str) -> None:
    found = await examine(url, ahead=timedelta(hours=1))
    assert re.search(r"clock is 3[56]\d\d s ahead of that of the database server\.", wrong(found, "Clock"))
