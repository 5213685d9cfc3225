"""Connections: accepted one by one, given time to ask, and given up where there are more than descriptors.

asyncio's own server accepts as many at once as it can, writes a traceback for each that it cannot, and knows
nothing of one whose handshake has not ended.
"""

import asyncio
import logging
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from ssl import SSLContext
from typing import Final

from aiohttp import web
from typing_extensions import override

_log = logging.getLogger(__name__)

_SHUTDOWN_SECONDS: Final = 5.0
_LONGEST_LINE: Final = 64 * 1024
_QUEUE: Final = 1024
"""Connections that the system keeps for us until they are accepted."""
_MOST: Final = 10_000
_TOLD_EVERY: Final = 60.0
"""Seconds; who can make us write a line for each connection can fill the disk."""
_PAUSE: Final = 0.005
"""Seconds, after a connection could not be accepted."""

Refused = Callable[[int], web.Response]
"""Makes the answer to what is no request, of its status."""


def _room() -> int:
    """Return how many connections may be open: three quarters of the descriptors that a process may have."""
    if sys.platform != "win32":  # which has no such limit
        import resource  # noqa: PLC0415 - is not there on Windows

        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if limit != resource.RLIM_INFINITY:
            return min(_MOST, limit * 3 // 4)
    return _MOST


class Connection(web.RequestHandler):
    """A connection; what comes over it may come slowly, or be no HTTP at all."""

    __slots__ = ("_arrival", "_has_asked", "_refused", "_socket", "_timer", "since")

    def __init__(self, listener: "Listener", connected: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(
            listener,
            loop=loop,
            access_log=None,  # pyright: ignore[reportArgumentType]  # None is how aiohttp keeps no log
            max_line_size=_LONGEST_LINE,
            lingering_time=listener.arrival,
        )
        self._refused = listener.refused
        self._socket = connected
        self._arrival = listener.arrival
        self._timer: asyncio.TimerHandle | None = loop.call_later(self._arrival, self.drop)
        self._has_asked = False
        self.since = loop.time()
        """When it was accepted, or the last request arrived."""

    @property
    def is_answered(self) -> bool:
        """Whether it has asked nothing that is not answered yet."""
        return self._waiter is not None or not self._has_asked

    def drop(self) -> None:
        """Close it at once, whatever it is about."""
        self._rest()
        if self.transport is not None:
            self.transport.abort()
        else:  # in its handshake, which ends with what it reads
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @override
    def data_received(self, data: bytes) -> None:
        """Take what has arrived; a request must be whole in time, however often a piece of it arrives."""
        before = self._request_count
        super().data_received(data)
        if self._request_count > before:
            self._rest()
            self._has_asked, self.since = True, self._loop.time()
        elif self._timer is None:
            self._timer = self._loop.call_later(self._arrival, self.drop)

    @override
    def connection_lost(self, exc: BaseException | None) -> None:
        self._rest()
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
        _log.info("answered %d to what is no request", status)
        response = self._refused(status)
        response.force_close()
        return response


class Listener(web.Server):
    """What accepts connections, and makes room among them."""

    def __init__(
        self,
        answer: Callable[[web.BaseRequest], Awaitable[web.Response]],
        refused: Refused,
        *,
        arrival: float,
    ) -> None:
        super().__init__(answer)
        self.refused = refused
        self.arrival = arrival
        """Seconds within which a request, once begun, must have arrived whole, and the first one anyway."""
        self._room = _room()
        self._sockets: list[socket.socket] = []
        self._open: set[Connection] = set()
        self._greetings: set[asyncio.Task[None]] = set()
        self._given_up = 0
        self._told_at = float("-inf")

    async def listen(self, host: str, port: int, tls: SSLContext | None) -> int:
        """Accept connections on every address of a host; return the port, of which 0 takes a free one.

        Raises: OSError if it is taken.
        """
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, _, _, (address, _, *more) in dict.fromkeys(found):
            made = socket.create_server((address, port, *more), family=family, backlog=_QUEUE)
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
        """Accept one connection: what is given up for it is closed in the next turns of the loop."""
        loop = asyncio.get_running_loop()
        try:
            connected, _ = listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # who was there has gone
        except OSError as error:  # out of descriptors: others in this process use them too
            self._give_one_up(error.strerror or type(error).__name__)
            loop.remove_reader(listening)
            loop.call_later(_PAUSE, self._accept_from, listening, tls)
            return
        connected.settimeout(0)
        connection = Connection(self, connected)
        self._open.add(connection)
        greeting = loop.create_task(self._greet(connection, connected, tls))
        self._greetings.add(greeting)
        greeting.add_done_callback(self._greetings.discard)
        if len(self._open) > self._room:
            self._give_one_up(f"more than {self._room} are open")

    async def _greet(self, connection: Connection, connected: socket.socket, tls: SSLContext | None) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(lambda: connection, connected, ssl=tls)
        except OSError as error:
            _log.debug("a connection ended in its handshake: %s", type(error).__name__)
            self._open.discard(connection)

    def _give_one_up(self, reason: str) -> None:
        """Drop the connection that has asked nothing for longest, and say so now and then."""
        if self._open:
            worst = min(self._open, key=lambda each: (not each.is_answered, each.since))
            self._open.discard(worst)  # now: none is given up twice while its descriptor is being freed
            worst.drop()
        self._given_up += 1
        now = asyncio.get_running_loop().time()
        if now - self._told_at >= _TOLD_EVERY:
            _log.warning("%d connections given up: %s", self._given_up, reason)
            self._told_at, self._given_up = now, 0

    @override
    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        """Forget a connection."""
        if isinstance(handler, Connection):
            self._open.discard(handler)
        super().connection_lost(handler, exc)

    async def close(self) -> None:
        """Accept no more, end what is in its handshake, and finish what is being answered."""
        while self._sockets:
            listening = self._sockets.pop()
            asyncio.get_running_loop().remove_reader(listening)
            listening.close()
        for connection in self._open:
            if connection.transport is None:
                connection.drop()
        await asyncio.gather(*self._greetings)
        self.pre_shutdown()
        await self.shutdown(_SHUTDOWN_SECONDS)
