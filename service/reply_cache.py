"""Replies cached as bytes, plain and compressed: each is built once per change of the database."""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

_MAX_PLAIN_BYTES: Final = 1024
"""Compression and tags cost more than they save for a reply of at most this size."""
_GZIP_LEVEL: Final = 4
_OVERHEAD_BYTES: Final = 600
"""Python needs about this much memory for one cached reply beside its bytes."""


class CachedReply:
    """One reply body; its compressed form is made when first asked for."""

    __slots__ = ("_compressed", "body", "etag", "is_big")

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.is_big = len(body) > _MAX_PLAIN_BYTES
        """Compression and tags save more than they cost."""
        self.etag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"' if self.is_big else ""
        self._compressed: bytes | None = None

    @property
    def compressed_etag(self) -> str:
        """The tag of the compressed form, which has other bytes than the plain one."""
        return f'{self.etag[:-1]}-gzip"'

    def compressed(self) -> bytes:
        """Return the body as gzip."""
        if self._compressed is None:
            self._compressed = gzip.compress(self.body, _GZIP_LEVEL, mtime=0)
        return self._compressed

    @property
    def size(self) -> int:
        """The memory in bytes of both forms and of the objects that hold them."""
        return len(self.body) + len(self._compressed or b"") + _OVERHEAD_BYTES


class ReplyCache:
    """The replies asked for last, as many as fit."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._replies: OrderedDict[Hashable, CachedReply] = OrderedDict()
        self._size = 0

    def find(self, key: Hashable) -> CachedReply | None:
        """Return a cached reply, or None, and note that it was asked for."""
        cached = self._replies.get(key)
        if cached is not None:
            self._replies.move_to_end(key)
        return cached

    def put(self, key: Hashable, body: bytes) -> CachedReply:
        """Cache a reply; those that nobody has asked for longest make room."""
        cached = CachedReply(body)
        self._replies[key] = cached
        self._size += cached.size
        self._shrink()
        return cached

    def compressed(self, cached: CachedReply) -> bytes:
        """Return the compressed form, counted in the bound."""
        before = cached.size
        body = cached.compressed()
        if cached.size != before:
            self._size += cached.size - before
            self._shrink()
        return body

    def clear(self) -> None:
        """Drop all replies."""
        self._replies.clear()
        self._size = 0

    def _shrink(self) -> None:
        while self._size > self._capacity and len(self._replies) > 1:
            _, oldest = self._replies.popitem(last=False)
            self._size -= oldest.size
