"""How many bytes replies may hold that are under way, all together: a service that sends too much costs the bot no more.

Each has a share, which grows as it arrives and as it is unpacked, until somebody has read it. Where all together would
be too many, the largest gives its share up: of many replies those of a usual size are read, whatever the others are.
"""

import threading
from typing import Final, Self

from bot.domain.errors import UnreadableReply

MAX_TOTAL_BYTES: Final = 64 * 1024 * 1024
"""All replies under way take no more together; the largest known one is under three megabytes, unpacked."""


class ReplyMemory:
    """What all replies under way hold."""

    def __init__(self, max_bytes: int = MAX_TOTAL_BYTES) -> None:
        self.max_bytes = max_bytes
        self.held = 0
        """Bytes, now."""
        self._shares: set[ReplyShare] = set()
        self._lock = threading.Lock()
        """Large bodies are unpacked beside the event loop."""

    def share(self) -> "ReplyShare":
        """Return a share for one reply, to be left when it has been read."""
        share = ReplyShare(self)
        with self._lock:
            self._shares.add(share)
        return share

    def begin_anew(self, share: "ReplyShare") -> None:
        """Free what a reply holds, for another one in its place."""
        with self._lock:
            self.held -= share.empty()

    def leave(self, share: "ReplyShare") -> None:
        """Free what a reply holds."""
        with self._lock:
            self._shares.discard(share)
            self.held -= share.empty()

    def grow(self, share: "ReplyShare", size: int) -> None:
        """Let a reply hold this many bytes more. Raises: UnreadableReply if it has to give way, or had to."""
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
    """What one reply holds; as a context manager, for as long as it does."""

    __slots__ = ("_room", "body", "size")

    def __init__(self, room: ReplyMemory) -> None:
        self._room = room
        self.body = bytearray()
        """What has arrived of it; empty once it gave way."""
        self.size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._room.leave(self)

    def begin_anew(self) -> None:
        """Hold nothing any more: what arrived is of no use, and another reply takes its place."""
        self._room.begin_anew(self)

    def grow(self, size: int) -> None:
        """Hold this many bytes more. Raises: UnreadableReply if that is too much for all together."""
        self._room.grow(self, size)

    def empty(self) -> int:
        """Drop the body; return how many bytes that was counted with."""
        size, self.size = self.size, 0
        self.body = bytearray()
        return size
