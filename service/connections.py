"""Connections: accepted one by one, with timeouts for requests and reading, and dropped if there are too many.

asyncio's own server accepts as many at once as it can, writes a traceback for each that it cannot accept, and does not
know connections whose handshake has not ended.
"""

import asyncio
import heapq
import logging
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import IntEnum
from ssl import SSLContext
from typing import Final

from aiohttp import web
from typing_extensions import override

from bot.wire.hosts import is_loopback

_logger = logging.getLogger(__name__)

_SHUTDOWN_SECONDS: Final = 5.0
_MAX_LINE_BYTES: Final = 64 * 1024
_BACKLOG_CONNECTIONS: Final = 1024
"""The system keeps this many connections for us until they are accepted."""
_MAX_CONNECTIONS: Final = 10_000
_SECONDS_BETWEEN_WARNINGS: Final = 60.0
"""The least time between two warnings: a line for each connection could fill the disk."""
_ACCEPT_RETRY_SECONDS: Final = 0.005
_FIRST_REQUEST_SECONDS: Final = 2.0
"""A new connection without a request by then counts as idle."""
_CONNECTIONS_PER_DROP: Final = 64
"""When there are too many, one connection is dropped at once, and one more for each this many that may be open."""
_SEND_BUFFER_BYTES: Final = 128 * 1024
"""The system buffers this much of an answer that is not read; by default it takes megabytes."""
_MIN_READ_BYTES: Final = 16 * 1024
"""A client must read this much of an answer within the time that a request has to arrive."""
_MAX_UNREAD_BYTES: Final = 64 * 1024 * 1024
"""The limit on unread bytes of all clients together."""
_MAX_CONNECTIONS_PER_ADDRESS: Final = 128
"""The limit per address, except for loopback, where a proxy has everybody's connections. A client has a hundred at most."""

RefuseStatus = Callable[[int], web.Response]
"""Makes the answer with a status to something that is not an HTTP request."""


class _Value(IntEnum):
    """How much is lost when a connection is dropped; the least valuable go first."""

    STALLED = 0
    """The client does not read what it asked for."""
    PIPELINED = 1
    """Several requests wait at once."""
    IDLE = 2
    """The client has no open request."""
    NEW = 3
    """It was accepted, or answered, only just now."""
    ANSWERED = 4
    """One request is being answered."""


def _max_connections() -> int:
    """Return how many connections may be open: three quarters of the descriptors that a process may have."""
    if sys.platform != "win32":  # which has no such limit
        import resource  # noqa: PLC0415 - is not there on Windows

        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if limit != resource.RLIM_INFINITY:
            return min(_MAX_CONNECTIONS, limit * 3 // 4)
    return _MAX_CONNECTIONS


class Connection(web.RequestHandler):
    """A connection to a client that may send slowly, or no HTTP at all, and may never read its answers."""

    __slots__ = (
        "_arrival_timer", "_has_asked", "_listener", "_read_timer", "_socket", "_unread", "active_at", "address",
    )  # fmt: skip

    def __init__(self, listener: "Listener", connected: socket.socket, address: str) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(
            listener,
            loop=loop,
            access_log=None,  # pyright: ignore[reportArgumentType]  # None is how aiohttp keeps no log
            max_line_size=_MAX_LINE_BYTES,
            lingering_time=listener.arrival,
        )
        self._listener = listener
        self.address = address
        self._socket = connected
        self._arrival_timer: asyncio.TimerHandle | None = loop.call_later(listener.arrival, self.drop)
        self._read_timer: asyncio.TimerHandle | None = None
        self._unread = 0
        self._has_asked = False
        self.active_at = loop.time()
        """The loop's time when it was accepted, or its last request arrived."""

    @property
    def is_answered(self) -> bool:
        """Whether all its requests have been answered."""
        return self._waiter is not None or not self._has_asked

    @property
    def unread(self) -> int:
        """How many bytes wait for the client to read them."""
        return 0 if self.transport is None else self.transport.get_write_buffer_size()

    def drop_order(self, now: float) -> tuple[_Value, float]:
        """Return the sort key by which connections are dropped: the least valuable first, then the longest idle."""
        if self.writing_paused:
            value = _Value.STALLED
        elif not self.is_answered:
            value = _Value.PIPELINED if len(self._messages) > 1 else _Value.ANSWERED
        else:
            value = _Value.IDLE if now - self.active_at >= _FIRST_REQUEST_SECONDS else _Value.NEW
        return value, self.active_at

    @property
    def has_pipelined(self) -> bool:
        """Whether the next request came before the last one was answered."""
        return bool(self._messages)

    def drop(self) -> None:
        """Close it at once, whatever it is doing."""
        self._cancel_arrival_timer()
        if self.transport is not None:
            self.transport.abort()
        else:  # still in its handshake, which this ends
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _cancel_arrival_timer(self) -> None:
        if self._arrival_timer is not None:
            self._arrival_timer.cancel()
            self._arrival_timer = None

    @override
    def pause_writing(self) -> None:
        """Begin to check whether the client reads."""
        super().pause_writing()
        self._note_unread(self.unread)
        self._schedule_read_check()
        self._listener.limit_unread()

    @override
    def resume_writing(self) -> None:
        super().resume_writing()
        self._end_read_checks()

    def _schedule_read_check(self) -> None:
        self._read_timer = self._loop.call_later(self._listener.arrival, self._check_reading)

    def _check_reading(self) -> None:
        before, now = self._unread, self.unread
        self._note_unread(now)
        if before - now < _MIN_READ_BYTES:
            self._listener.give_up(self, "what they ask for is not read")
        else:
            self._schedule_read_check()

    def _note_unread(self, size: int) -> None:
        self._listener.unread += size - self._unread
        self._unread = size

    def _end_read_checks(self) -> None:
        self._note_unread(0)
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    @override
    def data_received(self, data: bytes) -> None:
        """Process received data; a request must be complete in time, however often a piece of it arrives."""
        before = self._request_count
        super().data_received(data)
        if self._request_count > before:
            self._cancel_arrival_timer()
            self._has_asked, self.active_at = True, self._loop.time()
        elif data and self._arrival_timer is None:
            self._arrival_timer = self._loop.call_later(self._listener.arrival, self.drop)

    @override
    def connection_lost(self, exc: BaseException | None) -> None:
        self._cancel_arrival_timer()
        self._end_read_checks()
        super().connection_lost(exc)

    @override
    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer in the error shape, and log nothing of what was sent: a broken line may hold a token."""
        del message
        if request.writer.output_size > 0:
            raise ConnectionError from exc
        _logger.info("answered %d to an invalid request", status)
        response = self._listener.refused(status)
        response.force_close()
        return response


class Listener(web.Server):
    """Accepts connections, and drops some of them if there are too many."""

    def __init__(
        self,
        answer: Callable[[web.BaseRequest], Awaitable[web.Response]],
        refused: RefuseStatus,
        *,
        arrival: float,
    ) -> None:
        async def answer_in_turn(request: web.BaseRequest) -> web.Response:
            response = await answer(request)
            if isinstance(request.protocol, Connection) and request.protocol.has_pipelined:
                async with self._pipelined_lock:
                    await asyncio.sleep(0)
            return response

        super().__init__(answer_in_turn)
        self.refused = refused
        self.arrival = arrival
        """A request, once begun, must arrive whole within this many seconds; the first one, from the connection on."""
        self._max_connections = _max_connections()
        self._sockets: list[socket.socket] = []
        self._open: set[Connection] = set()
        self._handshakes: set[asyncio.Task[None]] = set()
        self._pipelined_lock = asyncio.Lock()
        """Lets one connection with pipelined requests continue per turn of the loop, so that others are served in between."""
        self.unread = 0
        """The number of bytes that wait for clients to read them, as last measured."""
        self._dropped_since_warning = 0
        self._warned_at = float("-inf")

    async def listen(self, host: str, port: int, tls: SSLContext | None) -> int:
        """Accept connections on every address of a host, and return the port; port 0 takes a free one.

        Raises: OSError if it is taken.
        """
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, _, _, (address, _, *more) in dict.fromkeys(found):
            made = socket.create_server((address, port, *more), family=family, backlog=_BACKLOG_CONNECTIONS)
            self._sockets.append(made)
            made.settimeout(0)
            port = made.getsockname()[1]
        for listening in self._sockets:
            self._accept_from(listening, tls)
        return port

    def _accept_from(self, listening: socket.socket, tls: SSLContext | None) -> None:
        if listening in self._sockets:  # not closed meanwhile
            asyncio.get_running_loop().add_reader(listening, self._accept, listening, tls)

    def _accept(self, listening: socket.socket, tls: SSLContext | None) -> None:
        """Accept one connection; those dropped for it are closed in the next turns of the loop."""
        loop = asyncio.get_running_loop()
        try:
            connected, (address, *_) = listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # the client is already gone
        except OSError as error:  # out of descriptors: others in this process use them too
            self._drop_least_valuable(error.strerror or type(error).__name__)
            loop.remove_reader(listening)
            loop.call_later(_ACCEPT_RETRY_SECONDS, self._accept_from, listening, tls)
            return
        connected.settimeout(0)
        with suppress(OSError):
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)
        connection = Connection(self, connected, str(address))
        self._limit_address(connection.address)
        self._open.add(connection)
        handshake = loop.create_task(self._shake_hands(connection, connected, tls))
        self._handshakes.add(handshake)
        handshake.add_done_callback(self._handshakes.discard)
        if len(self._open) > self._max_connections:
            self._drop_least_valuable(f"more than {self._max_connections} are open")

    async def _shake_hands(
        self, connection: Connection, connected: socket.socket, tls: SSLContext | None
    ) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(lambda: connection, connected, ssl=tls)
        except OSError as error:
            _logger.debug("a connection ended in its handshake: %s", type(error).__name__)
            self._open.discard(connection)

    def _drop_least_valuable(self, reason: str) -> None:
        """Drop the least valuable connection, and a few more that are stalled, pipelined or idle.

        Searching all connections for each new one would take longer than everything else.
        """
        now = asyncio.get_running_loop().time()
        ordered = ((each.drop_order(now), id(each), each) for each in self._open)
        least = heapq.nsmallest(max(1, self._max_connections // _CONNECTIONS_PER_DROP), ordered)
        for place, ((value, _active_at), _, connection) in enumerate(least):
            if value < _Value.NEW or place == 0:
                self.give_up(connection, reason)
        if not least:
            self._warn(reason)

    def _limit_address(self, address: str) -> None:
        """Make room for one more connection of an address by dropping one of its own."""
        if is_loopback(address):
            return
        others = [each for each in self._open if each.address == address]
        if len(others) >= _MAX_CONNECTIONS_PER_ADDRESS:
            now = asyncio.get_running_loop().time()
            least = min(others, key=lambda each: each.drop_order(now))
            self.give_up(least, f"more than {_MAX_CONNECTIONS_PER_ADDRESS} of one address are open")

    def limit_unread(self) -> None:
        """While there are too many unread bytes, drop the connection with the most."""
        if self.unread <= _MAX_UNREAD_BYTES:
            return
        stalled = sorted((each for each in self._open if each.writing_paused), key=lambda each: each.unread)
        waiting = sum(each.unread for each in stalled)
        while waiting > _MAX_UNREAD_BYTES and stalled:
            largest = stalled.pop()
            waiting -= largest.unread
            self.give_up(largest, "too much waits for those that do not read")

    def give_up(self, connection: Connection, reason: str) -> None:
        """Drop a connection, and warn of it once in a while."""
        self._open.discard(connection)  # now: none is given up twice while its descriptor is being freed
        connection.drop()
        self._warn(reason)

    def _warn(self, reason: str) -> None:
        self._dropped_since_warning += 1
        now = asyncio.get_running_loop().time()
        if now - self._warned_at >= _SECONDS_BETWEEN_WARNINGS:
            _logger.warning("%d connections given up: %s", self._dropped_since_warning, reason)
            self._warned_at, self._dropped_since_warning = now, 0

    @override
    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        """Count a lost connection as no longer open."""
        if isinstance(handler, Connection):
            self._open.discard(handler)
        super().connection_lost(handler, exc)

    async def close(self) -> None:
        """Accept no more connections, abort handshakes, and finish the requests that are being answered."""
        while self._sockets:
            listening = self._sockets.pop()
            asyncio.get_running_loop().remove_reader(listening)
            listening.close()
        for connection in self._open:
            if connection.transport is None:
                connection.drop()
        await asyncio.gather(*self._handshakes)
        self.pre_shutdown()
        await self.shutdown(_SHUTDOWN_SECONDS)
