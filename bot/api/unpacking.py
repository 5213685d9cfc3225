"""Unpacks compressed bodies outside of the event loop: two megabytes take longer than everything else in a call."""

import asyncio
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from bot.domain.errors import UnreadableReply

ACCEPTED: Final = "gzip"
"""The encoding that we tell the service we accept."""

_GZIP_WINDOW: Final = 31
"""zlib's code for the largest window in a gzip frame."""
_ENCODING: Final = "content encoding"
_PIECE_BYTES: Final = 1024 * 1024
_SMALL_BYTES: Final = 16 * 1024
"""A thread costs more than it saves for smaller bodies."""
_worker: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="unpacking")
"""One thread: each thread leaves some megabytes with the process, and asyncio's own pool has four more than processors."""


async def unpack(
    body: bytes, encoding: str, *, limit: int, grow: Callable[[int], None] = lambda _size: None
) -> bytes:
    """Return a decompressed body of at most `limit` bytes.

    `grow` is called with the size of every decompressed piece, and may refuse it. Raises: UnreadableReply.
    """
    match encoding.strip().lower():
        case "" | "identity":
            return body
        case "gzip" | "x-gzip":
            inflated = (
                _inflate(body, limit, grow)
                if len(body) < _SMALL_BYTES
                else await asyncio.get_running_loop().run_in_executor(_worker, _inflate, body, limit, grow)
            )
        case _:
            raise UnreadableReply(_ENCODING)
    if inflated is None:
        raise UnreadableReply(_ENCODING)
    if len(inflated) > limit:
        raise too_large(limit)
    return inflated


def too_large(limit: int) -> UnreadableReply:
    """Return the error for a body of more than `limit` bytes."""
    return UnreadableReply(f"more than {limit} bytes")


def _inflate(body: bytes, limit: int, grow: Callable[[int], None]) -> bytes | None:
    """Return a decompressed gzip body, cut at one byte more than `limit`; None if it is not gzip."""
    if not body:
        return body
    inflater = zlib.decompressobj(_GZIP_WINDOW)
    pieces: list[bytes] = []
    left = limit + 1
    while left > 0 and not inflater.eof:
        try:
            piece = inflater.decompress(body, min(left, _PIECE_BYTES))
        except zlib.error:
            return None
        if not piece:
            break
        grow(len(piece))
        pieces.append(piece)
        left -= len(piece)
        body = inflater.unconsumed_tail
    return b"".join(pieces) if inflater.eof or left <= 0 else None
