"""Runs the service as a process: where it listens, what it prints, and the signals that it obeys."""

import asyncio
import errno
import logging
import signal
import ssl
import sys
from dataclasses import dataclass
from pathlib import Path

from bot.wire.hosts import is_loopback
from service.options import ServiceOptions
from service.server import running


class CannotServe(Exception):
    """The service does not start like this; the text says what to change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenOptions:
    """Where and how to listen."""

    host: str = "127.0.0.1"
    port: int = 0
    tls_cert: Path | None = None
    tls_key: Path | None = None
    is_behind_proxy: bool = False

    def context(self) -> ssl.SSLContext | None:
        """Return what HTTPS needs, or None for plain HTTP. Raises: CannotServe, OSError."""
        if self.tls_cert is None:
            if self.tls_key is not None:
                message = "--tls-key needs --tls-cert"
                raise CannotServe(message)
            if not self.is_behind_proxy and not is_loopback(self.host):
                message = (
                    f"{self.host} is not a loopback address: give --tls-cert and --tls-key,"
                    " or --behind-proxy where a proxy does HTTPS"
                )
                raise CannotServe(message)
            return None
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(self.tls_cert, self.tls_key)
        except ssl.SSLError as error:
            files = " and ".join(file.name for file in (self.tls_cert, self.tls_key) if file)
            reason = f" ({error.reason})" if error.reason else ""
            message = f"{files}: no certificate with its key in PEM form{reason}"
            raise CannotServe(message) from error
        return context


def serve(database: Path, transport: ListenOptions, options: ServiceOptions) -> None:
    """Serve until told to stop. Raises: CannotServe, OSError, ValueError."""
    context = transport.context()
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    try:
        asyncio.run(_serve(database, transport, context, options))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        message = (
            f"port {transport.port} of {transport.host} is taken: give another --port, or 0 for a free one"
        )
        raise CannotServe(message) from error


async def _serve(
    database: Path, transport: ListenOptions, context: ssl.SSLContext | None, options: ServiceOptions
) -> None:
    stopped, refresh = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    loop.add_signal_handler(signal.SIGHUP, refresh.set)
    async with running(
        database, host=transport.host, port=transport.port, options=options, tls=context, refresh=refresh
    ) as address:
        sys.stdout.write(f"ready: {address}\n")
        sys.stdout.flush()
        await stopped.wait()
