"""Replies kept as bytes: built once per change, plain and compressed, within a bound of memory."""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

_BIG: Final = 1024
"""Bytes."""
_LEVEL: Final = 4
_OVERHEAD: Final = 600


class Kept:
    """One reply body; its compressed form is made when first asked for."""

    __slots__ = ("_compressed", "body", "etag", "is_big")

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.is_big = len(body) > _BIG
        """Whether compression and tags save more than they cost."""
        self.etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"' if self.is_big else ""
        self._compressed: bytes | None = None

    @property
    def compressed_etag(self) -> str:
        """The tag of the compressed form: other bytes, another tag."""
        return f'{self.etag[:-1]}-gzip"'

    def compressed(self) -> bytes:
        """Return the body as gzip."""
        if self._compressed is None:
            self._compressed = gzip.compress(self.body, _LEVEL, mtime=0)
        return self._compressed

    @property
    def size(self) -> int:
        """Bytes of memory, both forms and what Python needs to hold them."""
        return len(self.body) + len(self._compressed or b"") + _OVERHEAD


class Keep:
    """The replies asked for last, as many as fit."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._replies: OrderedDict[Hashable, Kept] = OrderedDict()
        self._size = 0

    def find(self, key: Hashable) -> Kept | None:
        """Return a kept reply, or None."""
        kept = self._replies.get(key)
        if kept is not None:
            self._replies.move_to_end(key)
        return kept

    def put(self, key: Hashable, body: bytes) -> Kept:
        """Keep a reply; those not asked for longest make room."""
        kept = Kept(body)
        self._replies[key] = kept
        self._size += kept.size
        self._shrink()
        return kept

    def compressed(self, kept: Kept) -> bytes:
        """Return the compressed form, counted in the bound."""
        before = kept.size
        body = kept.compressed()
        if kept.size != before:
            self._size += kept.size - before
            self._shrink()
        return body

    def clear(self) -> None:
        """Forget everything."""
        self._replies.clear()
        self._size = 0

    def _shrink(self) -> None:
        while self._size > self._capacity and len(self._replies) > 1:
            _, oldest = self._replies.popitem(last=False)
            self._size -= oldest.size
