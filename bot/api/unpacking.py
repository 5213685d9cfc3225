"""Packed bodies, unpacked off the event loop: two megabytes take it longer than everything else on the way."""

import asyncio
import zlib
from typing import Final

from bot.domain.errors import UnreadableReply

ACCEPTED: Final = "gzip"
"""What we tell the service that we take."""

_GZIP_WINDOW: Final = 31
"""zlib's code for the largest window in a gzip frame."""
_ENCODING: Final = "content encoding"
_SMALL_BYTES: Final = 16 * 1024
"""Below it a thread costs more than it saves."""


async def unpack(body: bytes, encoding: str, *, limit: int) -> bytes:
    """Return a body as it was before it was packed, of at most `limit` bytes. Raises: UnreadableReply."""
    match encoding.strip().lower():
        case "" | "identity":
            return body
        case "gzip" | "x-gzip":
            inflated = (
                _inflate(body, limit)
                if len(body) < _SMALL_BYTES
                else await asyncio.to_thread(_inflate, body, limit)
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


def _inflate(body: bytes, limit: int) -> bytes | None:
    """Return what gzip packed, or one byte more than `limit` of it; None if it did not pack this."""
    if not body:
        return body
    inflater = zlib.decompressobj(_GZIP_WINDOW)
    try:
        inflated = inflater.decompress(body, limit + 1)
    except zlib.error:
        return None
    return inflated if inflater.eof or len(inflated) > limit else None
