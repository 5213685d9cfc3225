"""The limit on the bytes of all replies in flight together, however much a service sends.

Each reply has a share, which grows as the reply arrives and is unpacked, until it has been parsed. When the total would
be exceeded, the largest reply gives way: so replies of usual size are read, whatever the others are.
"""

import threading
from typing import Final, Self

from bot.domain.errors import UnreadableReply

MAX_TOTAL_BYTES: Final = 64 * 1024 * 1024
"""All replies in flight together hold at most this much; the largest known one is under three megabytes, unpacked."""


class ReplyMemory:
    """The bytes that all replies in flight hold."""

    def __init__(self, max_bytes: int = MAX_TOTAL_BYTES) -> None:
        self.max_bytes = max_bytes
        self.held = 0
        """The number of bytes held now."""
        self._shares: set[ReplyShare] = set()
        self._lock = threading.Lock()
        """Needed because large bodies are unpacked outside of the event loop."""

    def share(self) -> "ReplyShare":
        """Return a share for one reply, to be freed when it has been read."""
        share = ReplyShare(self)
        with self._lock:
            self._shares.add(share)
        return share

    def begin_anew(self, share: "ReplyShare") -> None:
        """Free the bytes of a reply, for a new one with the same share."""
        with self._lock:
            self.held -= share.empty()

    def leave(self, share: "ReplyShare") -> None:
        """Free the bytes of a reply."""
        with self._lock:
            self._shares.discard(share)
            self.held -= share.empty()

    def grow(self, share: "ReplyShare", size: int) -> None:
        """Let a reply hold this many bytes more. Raises: UnreadableReply if it has to give way, or has done so."""
        with self._lock:
            if share in self._shares:
                share.size += size
                self.held += size
                while self.held > self.max_bytes:
                    largest = max(self._shares, key=lambda each: each.size)
                    self._shares.discard(largest)
                    self.held -= largest.empty()
            if share not in self._shares:
                reason = f"all replies under way were more than {self.max_bytes} bytes"
                raise UnreadableReply(reason)


class ReplyShare:
    """The bytes of one reply; a context manager that frees them."""

    __slots__ = ("_room", "body", "size")

    def __init__(self, room: ReplyMemory) -> None:
        self._room = room
        self.body = bytearray()
        """What has arrived so far; empty once it gave way."""
        self.size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._room.leave(self)

    def begin_anew(self) -> None:
        """Discard what arrived, for another reply in its place."""
        self._room.begin_anew(self)

    def grow(self, size: int) -> None:
        """Hold this many bytes more. Raises: UnreadableReply if the total of all replies gets too large."""
        self._room.grow(self, size)

    def empty(self) -> int:
        """Drop the body; return the number of bytes that it was counted with."""
        size, self.size = self.size, 0
        self.body = bytearray()
        return size
