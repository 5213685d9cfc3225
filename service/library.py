"""Everything held, read when first asked for and forgotten when the database changes."""

import sqlite3
from pathlib import Path
from typing import Self

from bot.domain.ids import Region, UserId
from service import store
from service.keep import Keep
from service.model import Account, Catalogue, Record
from service.options import ServiceOptions
from service.schema import connect
from service.tokens import digest, find_holder, is_token

_TOKENS_REMEMBERED = 100_000


class Library:
    """One connection, and what was read through it since the last change."""

    def __init__(self, database: Path, options: ServiceOptions) -> None:
        self.connection: sqlite3.Connection = connect(database)
        self.regions = options.regions
        self.default_region = options.default_region
        self.keep = Keep(options.kept_bytes)
        self._catalogues: dict[Region, Catalogue] = {}
        self._holders: dict[str, UserId] = {}
        self._seen = self._data_version()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def _data_version(self) -> int:
        """Return a number that moves when another connection commits."""
        (version,) = self.connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    def refresh(self) -> None:
        """Forget what was read if the database changed since."""
        version = self._data_version()
        if version != self._seen:
            self._seen = version
            self._catalogues.clear()
            self._holders.clear()
            self.keep.clear()

    def find_holder(self, token: str) -> UserId | None:
        """Return whose token that is, or None: malformed, nobody's or revoked.

        Tokens that were right are remembered by their digest, never in clear.
        """
        if not is_token(token):
            return None
        token_digest = digest(token)
        key = token_digest.hex()
        holder = self._holders.get(key)
        if holder is None:
            holder = find_holder(self.connection, token_digest)
            if holder is not None and len(self._holders) < _TOKENS_REMEMBERED:
                self._holders[key] = holder
        return holder

    def account(self, user_id: UserId) -> Account:
        """Return an account that is known to exist. Raises: KeyError."""
        account = store.find_account(self.connection, user_id)
        if account is None:
            raise KeyError(user_id)
        return account

    def catalogue(self, region: Region) -> Catalogue:
        """Return the songs of a region."""
        catalogue = self._catalogues.get(region)
        if catalogue is None:
            catalogue = self._catalogues[region] = store.load_catalogue(self.connection, region)
        return catalogue

    def records(self, user_id: UserId, region: Region) -> list[Record]:
        """Return a player's records in a region, World's End among them."""
        return store.records(self.connection, self.catalogue(region), user_id)
