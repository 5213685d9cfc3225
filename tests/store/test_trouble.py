"""Why a PostgreSQL cannot be opened, as `kiroku db upgrade` says it; what needs no server is in tests/test_start.py."""

import signal
from pathlib import Path
from typing import Final

import pytest
from alembic import command
from alembic.config import Config
from click.testing import CliRunner
from cluster import Cluster, create_database, drop_database, name_of, run_sql, url_of

from bot.__main__ import main
from bot.store import new_key

pytestmark = pytest.mark.postgres

KEYS: Final = new_key()


def refused(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the sentence with which a command ends that opens the database."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["db", "upgrade"], env={"DATABASE_URL": url, "TOKEN_KEYS": KEYS})
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == 1
    assert "secret" not in result.output
    assert "kiroku@" not in result.output
    return result.stderr.splitlines()[-1]


@pytest.fixture
def weak(cluster: Path, url: str) -> str:
    """Return the address of a database as somebody sees it who may do nothing there."""
    name = name_of(url)
    run_sql(cluster, f"CREATE ROLE \"{name}\" LOGIN PASSWORD 'secret'")
    return url_of(cluster, name, user=f"{name}:secret")


def test_a_password_that_is_wrong(weak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = refused(weak.replace(":secret", ":other"), tmp_path, monkeypatch)
    assert said.startswith("The database server refuses the user or the password that DATABASE_URL names.")


def test_a_role_without_rights(weak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "ALTER DATABASE … OWNER TO" in refused(weak, tmp_path, monkeypatch)


def test_a_database_that_is_not_there(cluster: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "`createdb`" in refused(url_of(cluster, "nowhere"), tmp_path, monkeypatch)


def test_a_database_newer_than_the_code(
    cluster: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_sql(cluster, "UPDATE alembic_version SET version_num = '9999'", database=name_of(url))
    said = refused(url, tmp_path, monkeypatch)
    assert said.startswith("The database was made by a newer version of Kiroku.")


@pytest.mark.usefixtures("cluster")
def test_a_server_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Cluster() as silent:
        silent.pause(signal.SIGSTOP)
        try:
            said = refused(url_of(silent.folder, "postgres"), tmp_path, monkeypatch)
        finally:
            silent.pause(signal.SIGCONT)
    assert said.startswith("The database server does not answer.")


def test_a_connection_that_is_cut_while_the_tables_are_made(
    cluster: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(config: Config, revision: str) -> None:
        config.attributes["connection"].connection.driver_connection.terminate()
        migrate(config, revision)

    migrate = command.upgrade
    monkeypatch.setattr(command, "upgrade", cut)
    database = create_database(cluster, f"cut-{tmp_path.name}"[:60])
    said = refused(database, tmp_path, monkeypatch)
    drop_database(cluster, name_of(database))
    assert said.startswith("The database server has broken the connection off.")
