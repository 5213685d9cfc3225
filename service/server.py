"""The service on the network: one handler below aiohttp's application layer, for speed."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from ssl import SSLContext
from typing import Final, TypeAlias

import orjson
from aiohttp import web

from bot.base.clock import Clock, SystemClock
from bot.domain.ids import UserId
from bot.wire.versions import Version
from service.answers import ROUTES, EndpointRoute, RequestContext, check_region, find_subject
from service.connections import Listener
from service.fixed_replies import fixed_replies
from service.limits import LimitWindow, RateWindows, window_headers, windows_path
from service.negotiation import accepts_gzip, names_tag
from service.options import VERSIONS, ServiceOptions
from service.parameters import parse_query, read_arguments
from service.refresh import keep_fresh
from service.refusal import MESSAGES, Refusal
from service.reply_cache import CachedReply
from service.snapshot import SnapshotReader

_logger = logging.getLogger(__name__)
_access = logging.getLogger("service.access")

_JSON: Final = "application/json; charset=utf-8"
_READING: Final = ("GET", "HEAD")
"""Methods that are answered; HEAD counts, and gets the same as GET without the body. Source: RFC 9110, 9.3.2."""
DEFAULT_OPTIONS: Final = ServiceOptions()
Watch: TypeAlias = Callable[[web.BaseRequest, web.Response], None]
"""A function that gets every request with its answer, which it does not change."""


class Service:
    """Answers requests over HTTP: checks the token, counts the request, and builds or finds its reply."""

    def __init__(
        self,
        reader: SnapshotReader,
        windows: RateWindows,
        options: ServiceOptions,
        watch: Watch | None = None,
    ) -> None:
        self._reader = reader
        self._windows = windows
        self._options = options
        self._watch = watch
        self._fixed_replies = fixed_replies(options)

    async def __call__(self, request: web.BaseRequest) -> web.Response:
        """Answer one request; failures too are answered in the service's own shape."""
        if self._options.delay_seconds:
            await asyncio.sleep(self._options.delay_seconds)
        try:
            response = self._answer(request)
        except Exception:  # whatever fails, the client gets the error shape
            _logger.exception("a request to %s failed", self._loggable(request))
            response = self.refused(500)
        if self._options.access_log:
            size = response.content_length or 0
            _access.info("%s %s %d %d", request.method, self._loggable(request), response.status, size)
        if self._watch is not None:
            self._watch(request, response)
        return response

    def _loggable(self, request: web.BaseRequest) -> str:
        """Return the path if the service has it: another might contain anything, even a token."""
        path = request.rel_url.raw_path
        return path if path in ROUTES or path in self._fixed_replies else "an unknown path"

    def refused(self, status: int) -> web.Response:
        """Return an error for a client whose token is not known."""
        refusal = Refusal(status if status in MESSAGES else 400)
        return _refused(refusal, self._windows.peek(VERSIONS[0], None))

    def _answer(self, request: web.BaseRequest) -> web.Response:
        self._reader.refresh()
        url = request.rel_url
        path = url.raw_path
        query = parse_query(url.raw_query_string)
        tokens = query.get("token", [])
        holder = self._reader.find_holder(tokens[0]) if len(tokens) == 1 else None
        route = ROUTES.get(path)
        if route is None or request.method not in _READING:
            return self._answer_other(request, self._windows.peek(_version(path), holder))
        version = route.endpoint.version
        if holder is None:
            reason = "the token is not valid." if tokens else "the token is missing."
            return _refused(Refusal(401, reason), self._windows.peek(version, None))
        window = self._windows.spend(version, holder)
        if window.is_refused:
            return _refused(Refusal(429), window)
        try:
            cached = self._reply(route, holder, query)
        except Refusal as refusal:
            return _refused(refusal, window)
        except Exception:  # as in __call__, but here the window's owner is known
            _logger.exception("a request to %s failed", path)
            return _refused(Refusal(500), window)
        return self._response(cached, request, window)

    def _answer_other(self, request: web.BaseRequest, window: LimitWindow) -> web.Response:
        """Answer a request to a path that is no endpoint's, or with a method that does not read."""
        path = request.rel_url.raw_path
        fixed = self._fixed_replies.get(path)
        if fixed is None and path not in ROUTES:
            return _refused(Refusal(404), window)
        if fixed is None or request.method not in _READING:
            return _refused(Refusal(405), window)
        fields = window_headers(window)
        fields["Content-Type"] = fixed.content_type
        return web.Response(body=fixed.body, headers=fields)

    def _reply(self, route: EndpointRoute, holder: UserId, query: Mapping[str, list[str]]) -> CachedReply:
        reader = self._reader
        arguments = read_arguments(route.endpoint, query)
        check_region(reader, arguments)
        subject = find_subject(reader, route, holder, arguments)
        key = (route.endpoint.path, subject, *arguments.without_target)
        cached = reader.replies.find(key)
        if cached is None:
            with reader.snapshot():
                reply = route.build(RequestContext(reader, subject, arguments))
            cached = reader.replies.put(key, orjson.dumps(reply))
        return cached

    def _response(self, cached: CachedReply, request: web.BaseRequest, window: LimitWindow) -> web.Response:
        fields = window_headers(window)
        if not cached.is_big:
            fields["Content-Type"] = _JSON
            return web.Response(body=cached.body, headers=fields)
        is_compressed = accepts_gzip(_header(request, "Accept-Encoding"))
        fields["Vary"] = "Accept-Encoding"
        fields["ETag"] = etag = cached.compressed_etag if is_compressed else cached.etag
        if names_tag(_header(request, "If-None-Match"), etag):
            return web.Response(status=304, headers=fields)
        fields["Content-Type"] = _JSON
        if is_compressed:
            fields["Content-Encoding"] = "gzip"
            return web.Response(body=self._reader.replies.compressed(cached), headers=fields)
        return web.Response(body=cached.body, headers=fields)


def _header(request: web.BaseRequest, name: str) -> str:
    """Return a header whose value is a list, joined from all its lines."""
    return ",".join(request.headers.getall(name, ()))


def _version(path: str) -> Version:
    """Return the version whose rate window a path belongs to; the newest one outside all versions."""
    for version in VERSIONS:
        if path.startswith(f"/{version}/"):
            return version
    return VERSIONS[0]


def _refused(refusal: Refusal, window: LimitWindow) -> web.Response:
    fields = window_headers(window)
    fields["Content-Type"] = _JSON
    if refusal.status == web.HTTPMethodNotAllowed.status_code:
        fields["Allow"] = ", ".join(_READING)
    return web.Response(status=refusal.status, body=refusal.body(), headers=fields)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@asynccontextmanager
async def running(  # noqa: PLR0913 - each may be replaced by a caller
    database: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    options: ServiceOptions = DEFAULT_OPTIONS,
    clock: Clock | None = None,
    tls: SSLContext | None = None,
    refresh: asyncio.Event | None = None,
    watch: Watch | None = None,
) -> AsyncGenerator[str]:
    """Serve a database for a block; yields the base address. Port 0 takes a free one.

    If `refresh` is set, the catalogue is read again from its source.

    Raises: ValueError if the file is not a database of the service, OSError if the port is taken.
    """
    async with AsyncExitStack() as stack:
        clock = clock or SystemClock()
        reader = stack.enter_context(SnapshotReader(database, options))
        windows = stack.enter_context(RateWindows(windows_path(database), options, clock))
        keeper = asyncio.create_task(keep_fresh(database, options, clock, refresh or asyncio.Event()))
        stack.push_async_callback(_cancel, keeper)
        service = Service(reader, windows, options, watch)
        listener = Listener(service, service.refused, arrival=options.arrival_seconds)
        stack.push_async_callback(listener.close)
        bound = await listener.listen(host, port, tls)
        yield f"{'https' if tls else 'http'}://{f'[{host}]' if ':' in host else host}:{bound}"
