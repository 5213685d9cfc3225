"""Connections: accepted one by one, given time to ask and to read, and given up where there are too many.

asyncio's own server accepts as many at once as it can, writes a traceback for each that it cannot, and knows
nothing of one whose handshake has not ended.
"""

import asyncio
import heapq
import logging
import socket
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from ssl import SSLContext
from typing import Final

from aiohttp import web
from typing_extensions import override

from bot.wire.hosts import is_loopback

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
_GREETED: Final = 2.0
"""Seconds in which a new connection may ask before it is taken for one that does not."""
_AT_ONCE: Final = 64
"""One part of so many is made room of at once."""
_BUSY: Final = 3
"""From this worth on a connection is new, or being answered."""
_KERNEL_BYTES: Final = 128 * 1024
"""What the system takes of an answer that is not read: left to itself it takes megabytes."""
_LEAST_TAKEN: Final = 16 * 1024
"""Bytes that whoever is sent something takes within the time that a request has to arrive."""
_MOST_UNREAD: Final = 64 * 1024 * 1024
"""Bytes that wait for all who do not read, together."""
_MOST_OF_ONE: Final = 128
"""Connections of one address, but for this machine, whose proxy has those of all: a client has a hundred at most."""

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
    """A connection; what comes over it may come slowly, or be no HTTP at all, and what it asks for be never read."""

    __slots__ = (
        "_arrival", "_has_asked", "_listener", "_refused", "_sending", "_socket", "_timer", "_unread", "address", "since",
    )  # fmt: skip

    def __init__(self, listener: "Listener", connected: socket.socket, address: str) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(
            listener,
            loop=loop,
            access_log=None,  # pyright: ignore[reportArgumentType]  # None is how aiohttp keeps no log
            max_line_size=_LONGEST_LINE,
            lingering_time=listener.arrival,
        )
        self._listener = listener
        self._refused = listener.refused
        self.address = address
        self._socket = connected
        self._arrival = listener.arrival
        self._timer: asyncio.TimerHandle | None = loop.call_later(self._arrival, self.drop)
        self._sending: asyncio.TimerHandle | None = None
        self._unread = 0
        self._has_asked = False
        self.since = loop.time()
        """When it was accepted, or the last request arrived."""

    @property
    def is_answered(self) -> bool:
        """Whether it has asked nothing that is not answered yet."""
        return self._waiter is not None or not self._has_asked

    @property
    def unread(self) -> int:
        """Bytes that wait for it to read."""
        return 0 if self.transport is None else self.transport.get_write_buffer_size()

    def worth(self, now: float) -> tuple[int, float]:
        """Return how much is lost with it, the least first: what does not read, asks in a heap, or rests."""
        if self.writing_paused:
            return 0, self.since
        if not self.is_answered and len(self._messages) > 1:
            return 1, self.since
        if self.is_answered and now - self.since >= _GREETED:
            return 2, self.since
        return (3 if self.is_answered else 4), self.since

    @property
    def has_more(self) -> bool:
        """Whether it has asked again before it was answered."""
        return bool(self._messages)

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
    def pause_writing(self) -> None:
        """Begin to watch whether what was sent is read."""
        super().pause_writing()
        self._note_unread(self.unread)
        self._sending = self._loop.call_later(self._arrival, self._look_whether_it_reads)
        self._listener.bound_unread()

    @override
    def resume_writing(self) -> None:
        super().resume_writing()
        self._end_sending()

    def _look_whether_it_reads(self) -> None:
        before, now = self._unread, self.unread
        self._note_unread(now)
        if before - now < _LEAST_TAKEN:
            self._listener.give_up(self, "what they ask for is not read")
        else:
            self._sending = self._loop.call_later(self._arrival, self._look_whether_it_reads)

    def _note_unread(self, size: int) -> None:
        self._listener.unread += size - self._unread
        self._unread = size

    def _end_sending(self) -> None:
        self._note_unread(0)
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    @override
    def data_received(self, data: bytes) -> None:
        """Take what has arrived; a request must be whole in time, however often a piece of it arrives."""
        before = self._request_count
        super().data_received(data)
        if self._request_count > before:
            self._rest()
            self._has_asked, self.since = True, self._loop.time()
        elif data and self._timer is None:
            self._timer = self._loop.call_later(self._arrival, self.drop)

    @override
    def connection_lost(self, exc: BaseException | None) -> None:
        self._rest()
        self._end_sending()
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
        async def answer_in_turn(request: web.BaseRequest) -> web.Response:
            response = await answer(request)
            if isinstance(request.protocol, Connection) and request.protocol.has_more:
                async with self._turn:
                    await asyncio.sleep(0)
            return response

        super().__init__(answer_in_turn)
        self.refused = refused
        self.arrival = arrival
        """Seconds within which a request, once begun, must have arrived whole, and the first one anyway."""
        self._room = _room()
        self._sockets: list[socket.socket] = []
        self._open: set[Connection] = set()
        self._greetings: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        """Of those who have asked several things at once, one goes on in a turn of the loop: others ask meanwhile."""
        self.unread = 0
        """Bytes that wait for those who do not read, as they were last looked at."""
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
            connected, (address, *_) = listening.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return  # who was there has gone
        except OSError as error:  # out of descriptors: others in this process use them too
            self._make_room(error.strerror or type(error).__name__)
            loop.remove_reader(listening)
            loop.call_later(_PAUSE, self._accept_from, listening, tls)
            return
        connected.settimeout(0)
        with suppress(OSError):
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BYTES)
        connection = Connection(self, connected, str(address))
        self._bound_one(connection.address)
        self._open.add(connection)
        greeting = loop.create_task(self._greet(connection, connected, tls))
        self._greetings.add(greeting)
        greeting.add_done_callback(self._greetings.discard)
        if len(self._open) > self._room:
            self._make_room(f"more than {self._room} are open")

    async def _greet(self, connection: Connection, connected: socket.socket, tls: SSLContext | None) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(lambda: connection, connected, ssl=tls)
        except OSError as error:
            _log.debug("a connection ended in its handshake: %s", type(error).__name__)
            self._open.discard(connection)

    def _make_room(self, reason: str) -> None:
        """Drop the connection with which the least is lost, and a few that do not read, or rest, with it.

        To look through all of them for each that comes would take longer than all else that is done for it.
        """
        now = asyncio.get_running_loop().time()
        ranked = ((each.worth(now), id(each), each) for each in self._open)
        least = heapq.nsmallest(max(1, self._room // _AT_ONCE), ranked)
        for place, ((rank, _since), _, worst) in enumerate(least):
            if rank < _BUSY or place == 0:
                self.give_up(worst, reason)
        if not least:
            self._tell(reason)

    def _worst(self, among: Iterable[Connection]) -> Connection:
        now = asyncio.get_running_loop().time()
        return min(among, key=lambda each: each.worth(now))

    def _bound_one(self, address: str) -> None:
        """Make room for one more connection of an address, among its own."""
        if is_loopback(address):
            return
        others = [each for each in self._open if each.address == address]
        if len(others) >= _MOST_OF_ONE:
            self.give_up(self._worst(others), f"more than {_MOST_OF_ONE} of one address are open")

    def bound_unread(self) -> None:
        """Give up those that do not read while too much waits for them together, the most first."""
        if self.unread <= _MOST_UNREAD:
            return
        stalled = sorted((each for each in self._open if each.writing_paused), key=lambda each: each.unread)
        waiting = sum(each.unread for each in stalled)
        while waiting > _MOST_UNREAD and stalled:
            worst = stalled.pop()
            waiting -= worst.unread
            self.give_up(worst, "too much waits for those that do not read")

    def give_up(self, connection: Connection, reason: str) -> None:
        """Drop a connection, and say so now and then."""
        self._open.discard(connection)  # now: none is given up twice while its descriptor is being freed
        connection.drop()
        self._tell(reason)

    def _tell(self, reason: str) -> None:
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
