"""Holds `bot/store/dumps.py`."""

import asyncio
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.store import CopyFailed, Store, Vault, dump, dump_in_turn, new_key

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
URL = "postgresql+asyncpg://kiroku:p%40ss@database:5433/name"


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have a pg_dump that writes down how it was called, and return where."""
    program, said = tmp_path / "bin" / "pg_dump", tmp_path / "said"
    program.parent.mkdir()
    program.write_text(
        f"""#!/bin/sh
echo "$@" "$PGPASSWORD" >>{said}
for each; do case $each in --file=*) echo copied >"${{each#--file=}}";; esac; done
"""
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/bin:/usr/bin")
    return said


def test_it_is_copied_by_the_servers_own_program(said: Path, tmp_path: Path) -> None:
    copy = dump_in_turn(URL, tmp_path / "copies", 1, NOW)
    assert copy.name == "kiroku-20261101-120000.dump"
    assert copy.read_text() == "copied\n"
    assert copy.stat().st_mode & 0o777 == 0o600
    options, _, password = said.read_text().strip().rpartition(" ")
    assert password == "p@ss"
    assert password not in options
    assert {"--host=database", "--port=5433", "--username=kiroku", "name"} <= {*options.split()}
    with pytest.raises(CopyFailed, match="is there already"):
        dump(URL, copy)


def test_what_it_says_is_told_and_nothing_is_left(said: Path, tmp_path: Path) -> None:
    (tmp_path / "bin/pg_dump").write_text(
        "#!/bin/sh\necho 'pg_dump: error: connection refused' >&2\nexit 1\n"
    )
    with pytest.raises(CopyFailed, match=r"^pg_dump could not copy the database: connection refused$"):
        dump_in_turn(URL, tmp_path / "copies", 1, NOW)
    assert [*(tmp_path / "copies").iterdir()] == []
    assert not said.exists()


def test_where_there_is_none_a_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    settings = {"DATABASE_URL": URL, "BACKUP_FOLDER": str(tmp_path / "copies")}
    done = CliRunner().invoke(main, ["db", "backup", "--keep", "2"], env=settings)
    assert done.stderr == (
        "pg_dump is not installed here. Install the clients of PostgreSQL, at the server's version.\n"
    )


@pytest.mark.postgres
@pytest.mark.usefixtures("cluster")
async def test_the_copy_of_a_real_server_can_be_put_back(url: str, tmp_path: Path) -> None:
    if shutil.which("pg_dump") is None:
        pytest.skip("there is no pg_dump")
    async with Store(url, Vault([new_key()])):
        pass
    copy = dump_in_turn(url, tmp_path / "copies", 1, NOW)
    listing = ["pg_restore", "--list", copy]
    listed = await asyncio.to_thread(subprocess.run, listing, check=True, capture_output=True, text=True)
    assert "TABLE DATA public links" in listed.stdout
    assert "COMMENT public TABLE alembic_version" in listed.stdout  # which version may serve with it


def test_what_is_no_address_is_told_as_such(
    said: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["db", "backup", "copy"], env={"DATABASE_URL": "kiroku.db"})
    assert (result.exit_code, isinstance(result.exception, SystemExit)) == (1, True)
    assert "DATABASE_URL is no address of a database" in result.stderr
    assert not said.exists()
