"""Copies of an SQLite database: made while it is in use, checked, and restored."""

import contextlib
import filecmp
import glob
import os
import re
import sqlite3
import tempfile
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bot.base.config import CannotStart
from bot.database.engine import beside
from bot.database.migrate import known_revisions
from bot.database.trouble import StoreTooNew

_PATIENCE_SECONDS: Final = 5.0
"""Seconds that a copy waits for a writer."""
KEPT_AFTER_UPGRADE: Final = timedelta(days=30)
"""The copy made before an upgrade is kept for this long: it still holds what members have erased since."""
_COPY: Final = re.compile(r"kiroku-(\d{8}-\d{6})\.(?:db|dump)")
"""The names of regular copies, with their time in UTC."""
_ABANDONED_AFTER: Final = timedelta(days=1)
"""A partial copy older than this is abandoned: the process that made it was killed."""
_BEGUN: Final = re.compile(r"\.[a-z0-9_]{8}(?:-journal|-wal|-shm)?")
"""The end of a partial copy's name, after its future name; also of SQLite's files beside it."""
_BEFORE: Final = ".at-"
"""The text between the database's name and its former revision, in the name of a copy made before an upgrade."""


class CopyFailed(CannotStart):
    """A copy cannot be made or restored; the text is the sentence that says why."""


def save_copy(database: Path, copy: Path) -> None:
    """Copy a database, in use or not, with everything committed so far, to a new file that only its owner can read.

    Raises: CopyFailed; then there is no such file.
    """
    _check_there(database)
    _check_free(copy)
    with _copied(database, copy) as made:
        _check_free(copy)  # another process may have created it
        made.rename(copy)
        _flush_folder(copy)


def save_in_turn(database: Path, folder: Path, keep: int, now: datetime) -> Path:
    """Copy a database into a folder, and delete all copies there but the last few; return the new one. Raises: CopyFailed."""
    copy = make_place(folder, "db", now)
    save_copy(database, copy)
    delete_all_but_last(folder, keep, now)
    return copy


def make_place(folder: Path, kind: str, now: datetime) -> Path:
    """Return the path for the copy of a moment, in a folder that only its owner can read. Raises: CopyFailed."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = f"The folder {folder} cannot be made ({error.strerror}). Set BACKUP_FOLDER to one of yours."
        raise CopyFailed(message) from None
    return folder / f"kiroku-{now:%Y%m%d-%H%M%S}.{kind}"


def delete_all_but_last(folder: Path, keep: int, now: datetime) -> None:
    """Delete all but the last few copies in a folder; files with other names are left alone."""
    for each in _copies_in(folder)[:-keep]:
        each.unlink(missing_ok=True)
    _delete_abandoned(folder, _COPY.pattern, now)


def find_last_copy(folder: Path) -> datetime | None:
    """Return when the last copy of a folder was made; None where there is none."""
    copies = _copies_in(folder)
    found = _COPY.fullmatch(copies[-1].name) if copies else None
    return found and datetime.strptime(found[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)


def _copies_in(folder: Path) -> Sequence[Path]:
    try:
        return sorted(each for each in folder.iterdir() if _COPY.fullmatch(each.name))
    except OSError:
        return ()


def save_before_upgrade(database: Path, revision: str, now: datetime) -> Path:
    """Copy a database beside itself before an upgrade; return the path of the copy. Raises: CopyFailed."""
    copy = database.with_name(f"{database.name}{_BEFORE}{revision}-{now:%Y%m%d-%H%M%S}")
    try:
        save_copy(database, copy)
    except CopyFailed as error:
        message = (
            f"No copy could be made before the upgrade, and nothing was changed. {error} "
            "Or make a copy elsewhere, and let `kiroku db upgrade --no-copy` do without."
        )
        raise CopyFailed(message) from None
    _delete_same(copy, database.parent.glob(f"{glob.escape(database.name)}{_BEFORE}{revision}-*"))
    return copy


def _delete_same(copy: Path, others: Iterable[Path]) -> None:
    """Delete copies with the same content: an upgrade that is killed and restarted must not fill the disk."""
    for each in others:
        with contextlib.suppress(OSError):
            if each != copy and filecmp.cmp(each, copy, shallow=False):
                each.unlink()


def delete_copies_of_upgrades(database: Path, now: datetime) -> None:
    """Delete old copies made before upgrades, and partial copies of killed processes."""
    for each in database.parent.glob(f"{glob.escape(database.name)}{_BEFORE}*"):
        _delete_older(each, now - KEPT_AFTER_UPGRADE)
    name = re.escape(database.name)
    _delete_abandoned(database.parent, rf"{name}(?:{re.escape(_BEFORE)}\w+-\d{{8}}-\d{{6}})?", now)


def _delete_abandoned(folder: Path, names: str, now: datetime) -> None:
    """Delete partial copies with such names: they still hold what members have erased since."""
    for each in folder.glob(".*"):
        if re.fullmatch(rf"\.(?:{names}){_BEGUN.pattern}", each.name):
            _delete_older(each, now - _ABANDONED_AFTER)


def _delete_older(file: Path, moment: datetime) -> None:
    with contextlib.suppress(OSError):
        if file.stat().st_mtime < moment.timestamp():
            file.unlink()


def restore_copy(copy: Path, database: Path, now: datetime) -> Path | None:
    """Replace a database that no program uses by a copy.

    Returns the new path of the former database, or None if there was none.
    Raises: CopyFailed, StoreTooNew; then the former database is where it was.
    """
    _check_there(copy)
    if database.exists() and copy.samefile(database):
        message = f"{copy} is the database itself, not a copy of it. Name the file that a copy was made to."
        raise CopyFailed(message)
    database.parent.mkdir(parents=True, exist_ok=True)
    with _copied(copy, database) as made:
        _check_known(made)
        former = _put_aside(database, f"{now:%Y%m%d-%H%M%S}") if database.exists() else None
        made.replace(database)
        _flush_folder(database)
    return former


def compact(database: Path) -> tuple[int, int]:
    """Rewrite a database that no program uses without free pages; return its bytes before and after.

    Meanwhile it needs as much space again. Raises: CopyFailed; then it is as it was.
    """
    _check_there(database)
    _check_unused(database)
    before = database.stat().st_size
    try:
        with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as connection:
            _check_ours(connection, database)
            connection.execute("VACUUM")
    except sqlite3.Error as error:
        message = f"{database} cannot be compacted ({error}). While that is done it takes its size again on the disk."
        raise CopyFailed(message) from None
    return before, database.stat().st_size


@contextmanager
def _copied(source: Path, target: Path) -> Generator[Path]:
    """Copy a database to a temporary file beside `target`, checked and on the disk; gone again unless moved."""
    made: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")  # its owner's alone
        os.close(handle)
        made = Path(name)
        _copy(source, made)
        yield made
    except OSError as error:
        message = f"{target} cannot be written ({error.strerror}). Check its folder and the disk."
        raise CopyFailed(message) from None
    except sqlite3.Error as error:
        message = f"{source} cannot be copied: {error}."
        raise CopyFailed(message) from None
    finally:
        if made is not None:
            made.unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    with (
        closing(
            sqlite3.connect(_address_of(source), uri=True, timeout=_PATIENCE_SECONDS, isolation_level=None)
        ) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        _check_ours(old, source)
        old.execute("VACUUM INTO ?", [str(target)])  # without the free pages of upgrades and erasures
        new.execute("PRAGMA journal_mode = DELETE")  # one file, complete in itself
        found = new.execute("PRAGMA integrity_check(1)").fetchall()
        if found != [("ok",)]:
            message = f"{source} is damaged, and not copied."
            raise CopyFailed(message)
    with target.open("rb+") as file:
        os.fsync(file.fileno())


def _address_of(source: Path) -> str:
    """Return the SQLite URI for an existing database, also on a failing disk that is mounted read-only."""
    path = quote(str(source))
    if not os.statvfs(source).f_flag & os.ST_RDONLY:
        return f"file:{path}?mode=rw"  # does not create a missing file
    # SQLite would create files beside a database at rest; beside a database in use they exist already.
    is_at_rest = not any(each.exists() for each in beside(source))
    return f"file:{path}?mode=ro{'&immutable=1' * is_at_rest}"


def _check_there(path: Path) -> None:
    if not path.is_file():
        message = f"There is no database at {path}."
        raise CopyFailed(message)


def _check_free(path: Path) -> None:
    if os.path.lexists(path):
        message = f"{path} is there already, and nothing is written over. Name another file."
        raise CopyFailed(message)


def _check_ours(connection: sqlite3.Connection, path: Path) -> None:
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"alembic_version", "links"} <= tables:
        message = f"{path} is no database of Kiroku."
        raise CopyFailed(message)


def _check_known(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection:
        revisions = {name for (name,) in connection.execute("SELECT version_num FROM alembic_version")}
    if not revisions.issubset(known_revisions()):
        raise StoreTooNew


def _put_aside(database: Path, mark: str) -> Path:
    """Give a database that no program uses a second name, so that it can be replaced atomically."""
    _check_unused(database)
    aside = database.with_name(f"{database.name}.before-{mark}")
    try:
        aside.hardlink_to(database)
    except OSError:  # some file systems have no hard links
        database.rename(aside)
    # The log of a damaged database would be taken for the log of the restored one.
    for left, kept in zip(beside(database), beside(aside), strict=True):
        with contextlib.suppress(FileNotFoundError):
            left.rename(kept)
    return aside


def _check_unused(database: Path) -> None:
    """Raise CopyFailed if another program has the database open; put its write-ahead log into it if none has."""
    try:
        with closing(sqlite3.connect(database, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # only possible if nobody else has it open
    except sqlite3.OperationalError as error:
        busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
        what = "is in use. End the bot" if busy else f"cannot be moved aside ({error}). Check its folder"
        message = f"{database} {what}, and try again."
        raise CopyFailed(message) from None
    except sqlite3.DatabaseError:
        return  # damaged, which may be why a copy is restored


def _flush_folder(file: Path) -> None:
    """Let the name of a file survive a power cut."""
    if os.name != "posix":
        return
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
