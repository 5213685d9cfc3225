"""Connections that ask slowly, or never, and those that ask beside them."""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.options import ServiceOptions
from service.seed import SeedReport
from service.server import running

ARRIVAL = 0.5
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
async def base(seeded: tuple[Path, SeedReport]) -> AsyncGenerator[str]:
    async with running(seeded[0], options=ServiceOptions(arrival_seconds=ARRIVAL)) as address:
        yield address


@asynccontextmanager
async def connected(base: str) -> AsyncGenerator[Streams]:
    address = urlsplit(base)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def answered(streams: Streams) -> bytes:
    """Ask on an open connection; return the status line."""
    reader, writer = streams
    writer.write(WHOLE)
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    await reader.readexactly(length)
    return head.partition(b"\r\n")[0]


async def seconds_until_closed(streams: Streams, dribble: bytes) -> float:
    """Send one byte after another, as slowly as keeps a server waiting; return when it had enough."""
    reader, writer = streams
    loop = asyncio.get_running_loop()
    begun = loop.time()

    async def send() -> None:
        for byte in dribble:
            writer.write(bytes([byte]))
            await asyncio.sleep(ARRIVAL / 5)

    sending = asyncio.create_task(send())
    try:
        async with asyncio.timeout(60):
            assert await reader.read() == b""
    except ConnectionResetError:
        pass  # how an abort is seen where bytes were on their way
    sending.cancel()
    return loop.time() - begun


@pytest.mark.parametrize("dribble", [b"", b"G", b"GET /healthz HTTP/1.1\r\nX-Slow: " + b"x" * 500])
async def test_a_request_that_does_not_arrive_is_given_up(base: str, dribble: bytes) -> None:
    async with connected(base) as streams:
        assert await seconds_until_closed(streams, dribble) >= ARRIVAL * 0.9


async def test_a_connection_that_has_asked_may_rest_but_not_dribble(base: str) -> None:
    async with connected(base) as streams:
        assert await answered(streams) == b"HTTP/1.1 200 OK"
        await asyncio.sleep(ARRIVAL * 2)
        assert await answered(streams) == b"HTTP/1.1 200 OK"
        assert await seconds_until_closed(streams, b"GET /" + b"x" * 500) >= ARRIVAL * 0.9


async def test_a_body_that_does_not_arrive_is_not_waited_for(base: str) -> None:
    async with connected(base) as (reader, writer):
        writer.write(WHOLE.replace(b"\r\n\r\n", b"\r\nContent-Length: 9\r\n\r\n"))
        async with asyncio.timeout(60):
            assert (await reader.read()).startswith(b"HTTP/1.1 200 OK")


async def test_a_slow_answer_is_not_taken_for_a_slow_request(seeded: tuple[Path, SeedReport]) -> None:
    options = ServiceOptions(arrival_seconds=ARRIVAL, delay_seconds=ARRIVAL * 2)
    async with running(seeded[0], options=options) as base, connected(base) as streams:
        assert await answered(streams) == b"HTTP/1.1 200 OK"


async def test_a_handshake_that_does_not_end_is_given_up(seeded: tuple[Path, SeedReport]) -> None:
    tls, options = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ServiceOptions(arrival_seconds=ARRIVAL)
    async with running(seeded[0], options=options, tls=tls) as base, connected(base) as streams:
        assert await seconds_until_closed(streams, b"") >= ARRIVAL * 0.9


async def test_the_service_stops_at_once_beside_handshakes_that_do_not_end(
    seeded: tuple[Path, SeedReport],
) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    async with asyncio.timeout(60), running(seeded[0], tls=tls) as base, connected(base) as (reader, _):
        await asyncio.sleep(0.1)
        waiting = asyncio.create_task(reader.read())
    assert not waiting.cancelled()


async def test_localhost_is_served_on_one_port(seeded: tuple[Path, SeedReport]) -> None:
    async with running(seeded[0], host="localhost") as base, connected(base) as streams:
        assert await answered(streams) == b"HTTP/1.1 200 OK"
