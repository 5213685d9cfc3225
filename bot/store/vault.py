"""Encryption at rest for what must never be in the database unencrypted."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from bot.base.config import CannotStart
from bot.base.new_files import write_new_file
from bot.database.engine import OWNER_ALONE, Database
from bot.database.trouble import told


class UnknownKey(Exception):
    """A row was encrypted with a key that is not among the given ones."""

    def __init__(self) -> None:
        super().__init__("encrypted with a key that is not in TOKEN_KEYS or the key file")


class BadKey(CannotStart):
    """A key is invalid, or its file cannot be read or created."""

    def __init__(
        self, sentence: str = "TOKEN_KEYS holds something that is no key; `kiroku keys new` makes one."
    ) -> None:
        super().__init__(sentence)


class NoKey(CannotStart):
    """Keys have to be set, because there is no database file beside which one could be created."""

    def __init__(self) -> None:
        super().__init__(
            "TOKEN_KEYS is not set, and a key is made by itself beside an SQLite file alone, which DATABASE_URL "
            "does not name. Put what `kiroku keys new` prints into .env, the same for each process."
        )


class LostKey(CannotStart):
    """The key file is missing, and there are tokens that only its key can read."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"The key file {file} is missing, and the tokens in the database cannot be read without it. "
            "Put it back from your backup; if it is lost for good, set TOKEN_KEYS to what `kiroku keys new` prints, "
            "and members will be asked to link again."
        )


class Vault:
    """Encrypts with the first key, decrypts with any: keys rotate by putting a new one in front."""

    def __init__(self, keys: Iterable[str]) -> None:
        """Take the keys, newest first. Raises: BadKey."""
        self._fernet = _fernet(keys)
        self._unkept: tuple[Path, str] | None = None

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """Return a vault with the key in `path`, or with a new one that `keep_key` writes there. Raises: BadKey."""
        try:
            return cls([path.read_text(encoding="ascii").strip()])
        except FileNotFoundError:
            key = new_key()
        except OSError as error:
            message = f"The key file {path} cannot be read ({error.strerror}). Check whose file it is."
            raise BadKey(message) from None
        except (BadKey, UnicodeError):
            message = f"The key file {path} holds something that is no key. Put it back from your backup."
            raise BadKey(message) from None
        vault = cls([key])
        vault._unkept = path, key
        return vault

    def keep_key(self, *, is_needed: bool) -> None:
        """Write a new key into its file, for its owner alone.

        Raises: LostKey if tokens are there, for which the former key `is_needed`; BadKey if it cannot be written.
        """
        if self._unkept is None:
            return
        path, key = self._unkept
        if is_needed:
            raise LostKey(path)
        try:
            self._fernet = _fernet([_write_or_read(path, key)])
        except OSError as error:
            message = (
                f"The key file {path} cannot be made ({error.strerror}). Check the folder, or set TOKEN_KEYS."
            )
            raise BadKey(message) from None
        self._unkept = None

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
        """Return `data` encrypted with the newest key, in three quarters of the bytes that Fernet writes as text."""
        return urlsafe_b64decode(self._fernet.encrypt(data))

    def find_sealed(self, data: bytes) -> bytes | None:
        """Return the decrypted data, or None if none of the keys decrypts it."""
        try:
            return self._fernet.decrypt(urlsafe_b64encode(data))
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


def open_vault(keys: Iterable[str], database: Path | None, *, url: str = "") -> Vault:
    """Return a vault with the operator's keys, or else with the one in a file beside the database.

    Raises: BadKey; NoKey if there is neither key nor file; StoreUnavailable if `url`, the database's address, is invalid.
    """
    given = tuple(keys)
    if given:
        return Vault(given)
    if database is None:
        if url:  # report an invalid address as such, not as one that names no file
            with told():
                Database(url)
        raise NoKey
    return Vault.of_file(database.with_suffix(".key"))


def _fernet(keys: Iterable[str]) -> MultiFernet:
    try:
        return MultiFernet([Fernet(key) for key in keys])
    except ValueError:
        raise BadKey from None


def _write_or_read(path: Path, key: str) -> str:
    """Write a new file with `key`, or return the key that another process has written meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        write_new_file(path, f"{key}\n", mode=OWNER_ALONE)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    return key
