"""Reads the database, and caches what was read until the database changes."""

import mmap
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from bot.domain.ids import Region, UserId
from service import store
from service.model import StoredAccount, StoredCatalogue, StoredRecord
from service.options import ServiceOptions
from service.reply_cache import ReplyCache
from service.schema import connect
from service.tokens import digest, find_holder, is_token

_MAX_REMEMBERED_TOKENS: Final = 100_000
_INDEX_HEADER_BYTES: Final = 48
"""Source: SQLite, "WAL-mode File Format", the WAL-index header."""


def _map_index(database: Path) -> mmap.mmap:
    """Map the index of the write-ahead log, which SQLite keeps while a connection is open."""
    with database.with_name(f"{database.name}-shm").open("rb") as file:
        return mmap.mmap(file.fileno(), _INDEX_HEADER_BYTES, access=mmap.ACCESS_READ)


class SnapshotReader:
    """One connection to the database, with a cache of what was read since the last change."""

    def __init__(self, database: Path, options: ServiceOptions) -> None:
        self.connection: sqlite3.Connection = connect(database)
        self.regions = options.regions
        self.default_region = options.default_region
        self.replies = ReplyCache(options.kept_bytes)
        self._catalogues: dict[Region, StoredCatalogue] = {}
        self._holders: dict[bytes, UserId] = {}
        self._index = _map_index(database)
        self._seen_header = self._index[:_INDEX_HEADER_BYTES]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._index.close()
        self.connection.close()

    def refresh(self) -> None:
        """Drop what was read if the database changed since.

        Every commit of any process changes the header of the write-ahead log's index, which is shared memory: reading it
        costs no system call, while `PRAGMA data_version` costs several.
        """
        header = self._index[:_INDEX_HEADER_BYTES]
        if header != self._seen_header:
            self._seen_header = header
            self._catalogues.clear()
            self._holders.clear()
            self.replies.clear()

    @contextmanager
    def snapshot(self) -> Generator[None]:
        """Hold one state of the database for a block; what was remembered before belongs to the same state."""
        while True:
            self.refresh()
            self.connection.execute("BEGIN")
            self.connection.execute(
                "SELECT 1 FROM sqlite_schema"
            ).fetchone()  # the first read fixes the state
            if self._index[:_INDEX_HEADER_BYTES] == self._seen_header:
                break
            self.connection.execute("COMMIT")  # a commit came between
        try:
            yield
        finally:
            self.connection.execute("COMMIT")

    def find_holder(self, token: str) -> UserId | None:
        """Return whose token that is, or None if it is malformed, unknown or revoked.

        Valid tokens are remembered by their digest, never in clear.
        """
        token_digest = digest(token)
        holder = self._holders.get(token_digest)
        if holder is None and is_token(token):
            holder = find_holder(self.connection, token_digest)
            if holder is not None and len(self._holders) < _MAX_REMEMBERED_TOKENS:
                self._holders[token_digest] = holder
        return holder

    def account(self, user_id: UserId) -> StoredAccount:
        """Return an account that is known to exist. Raises: KeyError."""
        account = store.find_account(self.connection, user_id)
        if account is None:
            raise KeyError(user_id)
        return account

    def catalogue(self, region: Region) -> StoredCatalogue:
        """Return the songs of a region."""
        catalogue = self._catalogues.get(region)
        if catalogue is None:
            catalogue = self._catalogues[region] = store.load_catalogue(self.connection, region)
        return catalogue

    def records(self, user_id: UserId, region: Region) -> list[StoredRecord]:
        """Return a player's records in a region, World's End among them."""
        return store.load_records(self.connection, self.catalogue(region), user_id)
