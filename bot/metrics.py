"""Counts for the operator, as Prometheus reads them, on this machine alone."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Final, Self

from aiohttp import web

_NAME: Final = "kiroku_requests_total"
_MEANINGS: Final[Mapping[str, str]] = {
    "sent": "sent to the record service",
    "saved_by_cache": "not sent: a fresh answer was there",
    "saved_by_joining": "not sent: the same question was under way",
    "stood_in": "answered from the last known answer",
    "waited": "waited for the budget of their token",
    "refused": "not sent: the budget of their token was spent",
    "too_many": "answered with 429",
    "retried": "sent again after a brief outage",
    "lost_entries": "entries of replies that could not be read",
}


class MetricsServer:
    """Serves counts at `/metrics`."""

    def __init__(self, port: int, counts: Mapping[str, int]) -> None:
        self._port = port
        self._counts = counts
        self._stack = AsyncExitStack()
        self.address = ""
        """Once it is entered."""

    async def __aenter__(self) -> Self:
        """Open the port. Raises: OSError if it is taken."""
        async with AsyncExitStack() as stack:
            runner = web.ServerRunner(web.Server(self._answer, access_log=None))
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            await web.TCPSite(runner, "127.0.0.1", self._port).start()
            self._stack = stack.pop_all()
        self.address = f"http://127.0.0.1:{runner.addresses[0][1]}/metrics"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        if request.path != "/metrics":
            return web.Response(status=404)
        return web.Response(text=write_counts(self._counts))


def write_counts(counts: Mapping[str, int]) -> str:
    """Return counts in Prometheus's text format."""
    lines = [f"# TYPE {_NAME} counter"]
    for what, meaning in _MEANINGS.items():
        lines += [f"# {what}: {meaning}", f'{_NAME}{{what="{what}"}} {counts.get(what, 0)}']
    return "\n".join(lines) + "\n"
