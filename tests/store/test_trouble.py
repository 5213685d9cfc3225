"""Why a database cannot be opened: each refusal by its sentence, and a real PostgreSQL by `kiroku db upgrade`."""

import errno
import sqlite3
from pathlib import Path
from socket import gaierror
from types import SimpleNamespace
from typing import Final

import pytest
from alembic import command
from alembic.config import Config
from click.testing import CliRunner
from cluster import Cluster, create_database, drop_database, name_of, run_sql, url_of
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_dbapi
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InvalidRequestError,
    NoSuchModuleError,
    OperationalError,
)

from bot.__main__ import main
from bot.database.engine import Database
from bot.database.trouble import StoreTooNew, StoreUnavailable, told
from bot.domain.errors import CannotKeep
from bot.store import new_key

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


@pytest.mark.postgres
def test_a_password_that_is_wrong(weak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = refused(weak.replace(":secret", ":other"), tmp_path, monkeypatch)
    assert said.startswith("The database server refuses the user or the password that DATABASE_URL names.")


@pytest.mark.postgres
def test_a_role_without_rights(weak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "ALTER DATABASE … OWNER TO" in refused(weak, tmp_path, monkeypatch)


@pytest.mark.postgres
def test_a_database_that_is_not_there(cluster: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "`createdb`" in refused(url_of(cluster, "nowhere"), tmp_path, monkeypatch)


@pytest.mark.postgres
def test_a_database_newer_than_the_code(
    cluster: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_sql(cluster, "UPDATE alembic_version SET version_num = '9999'", database=name_of(url))
    said = refused(url, tmp_path, monkeypatch)
    assert said.startswith("The database was made by a newer version of Kiroku.")


@pytest.mark.postgres
@pytest.mark.usefixtures("cluster")
def test_a_server_that_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Cluster() as silent, silent.paused():
        said = refused(url_of(silent.folder, "postgres"), tmp_path, monkeypatch)
    assert said.startswith("The database server does not answer.")


@pytest.mark.postgres
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


def of_server(state: str) -> DBAPIError:
    """Return what asyncpg says with an SQLSTATE, as SQLAlchemy hands it on."""
    said = AsyncAdapt_asyncpg_dbapi.Error("secret", SimpleNamespace(sqlstate=state))
    return OperationalError("SELECT 'secret'", {}, said)


def of_file(code: str) -> DBAPIError:
    said = sqlite3.OperationalError("secret")
    said.sqlite_errorname = code
    return OperationalError("SELECT 'secret'", {}, said)


REFUSALS: Final[list[tuple[Exception, str]]] = [
    (of_file("SQLITE_BUSY"), "Another program holds the database"),
    (of_file("SQLITE_CANTOPEN"), "HERE names cannot be opened. Check whose its file and its folder are"),
    (of_file("SQLITE_CORRUPT"), "is damaged. `kiroku db restore`"),
    (of_file("SQLITE_FULL"), "The disk of the database that HERE names is full"),
    (of_file("SQLITE_NOTADB"), "HERE names is no SQLite database"),
    (of_file("SQLITE_READONLY"), "HERE names cannot be written"),
    (of_file("SQLITE_ERROR"), "cannot be opened (OperationalError). Check HERE"),
    (of_server("08006"), "has broken the connection off"),
    (of_server("25006"), "HERE names takes nothing, as a copy"),
    (of_server("28P01"), "refuses the user or the password that HERE names"),
    (of_server("3D000"), "`createdb`"),
    (of_server("42501"), "The user that HERE names may not make tables"),
    (of_server("53100"), "The disk of the database that HERE names is full"),
    (of_server("53300"), "takes no more connections"),
    (of_server("55P03"), "Another program holds the database"),
    (of_server("57P03"), "is starting or ending just now"),
    (of_server("42P01"), "cannot be opened (OperationalError). Check HERE"),
    (NoSuchModuleError("secret"), "a kind of database or a driver that is not known"),
    (ArgumentError("secret"), "HERE is no address of a database"),
    (InvalidRequestError("secret"), "names a driver that Kiroku cannot use"),
    (TypeError("secret"), "behind its question mark"),
    (gaierror("secret"), "does not answer. Check HERE"),
    (ConnectionRefusedError("secret"), "does not answer. Check HERE"),
    (TimeoutError("secret"), "does not answer. Check HERE"),
    (ConnectionError('server at "secret" rejected SSL upgrade'), "HERE asks for encryption"),
    (ImportError("secret", name="asyncpg"), "not installed (asyncpg). Install it with"),
    (ImportError("secret", name="psycopg"), "not installed (psycopg). Begin it with"),
    (
        PermissionError(errno.EACCES, "secret"),
        "HERE names cannot be opened. Check whose its file and its folder",
    ),
    (OSError(errno.EROFS, "secret"), "HERE names is mounted read-only"),
    (OSError(errno.ENOSPC, "secret"), "The disk of the database that HERE names is full"),
    (KeyError("secret"), "cannot be opened (KeyError). Check HERE"),
]


@pytest.mark.parametrize(
    ("error", "sentence"), REFUSALS, ids=lambda each: str(each)[:30].replace("secret", "…")
)
def test_each_refusal_has_its_sentence(error: Exception, sentence: str) -> None:
    with pytest.raises(StoreUnavailable) as refused, told(named="HERE"):
        raise error
    assert sentence in str(refused.value)
    assert "secret" not in str(refused.value)
    assert refused.value.__suppress_context__


@pytest.mark.sqlite
@pytest.mark.parametrize("command", [["db", "upgrade"], ["status"], ["aliases", "suggest"]])
def test_a_folder_in_place_of_the_file_is_told_and_left_as_it_is(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o755)
    result = CliRunner().invoke(
        main, command, env={"DATABASE_URL": f"sqlite+aiosqlite:///{folder}", "TOKEN_KEYS": KEYS}
    )
    assert result.exit_code == 1
    assert "DATABASE_URL names a folder. Name a file in it." in result.stderr.splitlines()[-1]
    assert folder.stat().st_mode & 0o777 == 0o755


@pytest.mark.sqlite
def test_a_folder_is_not_closed_to_others(tmp_path: Path) -> None:
    """It holds what is somebody else's, who could then read nothing of it."""
    tmp_path.chmod(0o755)
    with pytest.raises(IsADirectoryError):
        Database(f"sqlite+aiosqlite:///{tmp_path}").make_file()
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_what_the_driver_said_is_told_of_a_database_that_takes_nothing() -> None:
    with pytest.raises(StoreUnavailable, match="disk") as refused, told():
        raise CannotKeep from of_file("SQLITE_FULL")
    assert "DATABASE_URL" in str(refused.value)


def test_a_refusal_that_has_its_sentence_keeps_it_and_other_errors_stay() -> None:
    with pytest.raises(StoreTooNew), told():
        raise StoreTooNew
    with pytest.raises(KeyError), told(OSError):
        raise KeyError
