"""Access tokens: 64 hexadecimal characters, shown once and kept only as a digest."""

import hashlib
import hmac
import secrets
import sqlite3
from dataclasses import dataclass
from typing import Final

from bot.domain.ids import UserId, UserName

TOKEN_LENGTH: Final = 64
_CHARACTERS: Final = frozenset("0123456789abcdef")


def digest(token: str) -> bytes:
    """Return what is kept of a token: its SHA-256 digest."""
    return hashlib.sha256(token.encode()).digest()


def is_token(text: str) -> bool:
    """Return whether `text` looks like a token."""
    return len(text) == TOKEN_LENGTH and _CHARACTERS.issuperset(text)


def issue_token(connection: sqlite3.Connection, user_id: UserId, *, at: int) -> str:
    """Store a new token of an account and return it: nobody sees it again. `at` in Unix seconds."""
    token = secrets.token_hex(TOKEN_LENGTH // 2)
    connection.execute(
        "INSERT INTO tokens (digest, user_id, issued_at) VALUES (?, ?, ?)", (digest(token), user_id, at)
    )
    return token


def find_holder(connection: sqlite3.Connection, token_digest: bytes) -> UserId | None:
    """Return whose token that is, or None if it is unknown or revoked."""
    row = connection.execute(
        "SELECT digest, user_id FROM tokens WHERE digest = ? AND revoked_at IS NULL", (token_digest,)
    ).fetchone()
    if row is None or not hmac.compare_digest(row[0], token_digest):
        return None
    return UserId(row[1])


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """What is known about a token whose text is not kept."""

    token_id: int
    user_name: UserName
    issued_at: int
    """The time in Unix seconds."""
    is_revoked: bool


def load_tokens(connection: sqlite3.Connection) -> list[IssuedToken]:
    """Return all tokens ever issued, oldest first."""
    rows = connection.execute(
        """SELECT token_id, user_name, issued_at, revoked_at IS NOT NULL
        FROM tokens JOIN accounts USING (user_id) ORDER BY token_id"""
    )
    return [IssuedToken(token_id, name, at, bool(revoked)) for token_id, name, at, revoked in rows]


def revoke_token(connection: sqlite3.Connection, token_id: int, *, at: int) -> bool:
    """Revoke a token by its number; False if there is none or it is revoked already."""
    cursor = connection.execute(
        "UPDATE tokens SET revoked_at = ? WHERE token_id = ? AND revoked_at IS NULL", (at, token_id)
    )
    return cursor.rowcount > 0
