"""Encryption at rest for what must never be in the database in clear."""

import os
from collections.abc import Iterable
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet


class UnknownKey(Exception):
    """A row was encrypted with a key that is not among those given."""

    def __init__(self) -> None:
        super().__init__("encrypted with a key that is not in TOKEN_KEYS or the key file")


class BadKey(Exception):
    """A key that is no Fernet key."""

    def __init__(self) -> None:
        super().__init__(
            "TOKEN_KEYS or the key file holds something that is no key; `kiroku keys new` makes one"
        )


class Vault:
    """Encrypts with the first key, decrypts with any: keys rotate by putting a new one in front."""

    def __init__(self, keys: Iterable[str]) -> None:
        try:
            self._fernet = MultiFernet([Fernet(key) for key in keys])
        except ValueError:
            raise BadKey from None

    def encrypt(self, text: str) -> bytes:
        """Return `text` encrypted with the newest key."""
        return self._fernet.encrypt(text.encode())

    def decrypt(self, data: bytes) -> str:
        """Return the text. Raises: UnknownKey."""
        try:
            return self._fernet.decrypt(data).decode()
        except InvalidToken:
            raise UnknownKey from None

    def seal(self, data: bytes) -> bytes:
        """Return `data` encrypted with the newest key."""
        return self._fernet.encrypt(data)

    def find_sealed(self, data: bytes) -> bytes | None:
        """Return what was sealed, or None if none of the keys opens it."""
        try:
            return self._fernet.decrypt(data)
        except InvalidToken:
            return None

    def rotate(self, data: bytes) -> bytes:
        """Return the same text encrypted with the newest key. Raises: UnknownKey."""
        try:
            return self._fernet.rotate(data)
        except InvalidToken:
            raise UnknownKey from None


def new_key() -> str:
    """Return a fresh key."""
    return Fernet.generate_key().decode()


def read_or_make_key(path: Path) -> str:
    """Return the key in `path`; made, readable by its owner alone, if there is no such file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    key = new_key()
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(key + "\n")
        file.flush()
        os.fsync(file.fileno())
    return key


def open_vault(keys: Iterable[str], database: Path | None) -> Vault:
    """Return a vault with the operator's keys, or else with the one in a file beside the database.

    A database that is no file takes the current folder for its key. Raises: BadKey.
    """
    given = tuple(keys)
    if given:
        return Vault(given)
    folder, stem = (database.parent, database.stem) if database else (Path(), "kiroku")
    return Vault([read_or_make_key(folder / f"{stem}.key")])
