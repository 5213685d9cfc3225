"""What a network does to us, below HTTP."""

import asyncio
import gzip
import os
import ssl
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from scripted import Scripted

from bot.api import RecordApi
from bot.api.protocol import make_call
from bot.api.transport import HttpTransport, RequestNotSent
from bot.api.unpacking import unpack
from bot.domain.errors import BotError, ServiceDown, UnreadableReply
from bot.wire.endpoints import USERS_ME_V13

TOKEN = "0123456789abcdef+/secret"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.fixture(autouse=True)
def _no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.api.client._RETRY_SECONDS", 0)


@asynccontextmanager
async def raw_server(*parts: bytes, hang: bool = False) -> AsyncGenerator[str]:
    """Answer every request with these bytes, whatever they mean, and close, or never close."""
    closing = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"".join(parts))
        if hang:
            await closing.wait()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        closing.set()
        server.close()
        await server.wait_closed()


async def test_what_is_no_longer_allowed_once_the_connection_stands_is_not_sent() -> None:
    arrived: list[bytes] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrived.append(await reader.read())
        writer.close()

    server = await asyncio.start_server(take, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    async with server, HttpTransport(f"http://127.0.0.1:{port}") as transport:
        with pytest.raises(RequestNotSent):
            await transport.fetch(make_call(USERS_ME_V13, {}), TOKEN, seconds=5, may_send=lambda: False)
        while not arrived:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    assert arrived == [b""]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"", ServiceDown),
        (b"\x16\x03\x01 no HTTP at all\r\n\r\n", UnreadableReply),
        (b"HTTP/1.1 200\r\n\r\n{}", UnreadableReply),
        (b"HTTP/1.1 abc OK\r\n\r\n", UnreadableReply),
        (OK + b"X-Long: " + b"x" * 100_000 + b"\r\n\r\n", UnreadableReply),
        (OK + b"Content-Length: 50\r\n\r\n{", ServiceDown),
        (OK + b"Content-Length: -5\r\n\r\n{}", UnreadableReply),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", BotError),
        (OK + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", UnreadableReply),
        (OK + b"Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n", UnreadableReply),
        (OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"{}" * 99, mtime=0)[:-9], UnreadableReply),
        (OK + b"Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}", UnreadableReply),
        (OK + b"Content-Length: 2\r\n\r\n\xff\xfe", UnreadableReply),
        (b"HTTP/1.1 200 OK\r\nDate: never\r\nRetry-After: x\r\nContent-Length: 2\r\n\r\n{}", UnreadableReply),
    ],
)
async def test_no_bytes_bring_another_error_than_ours(answer: bytes, error: type[BotError]) -> None:
    async with raw_server(answer) as address, RecordApi(address) as api:
        with pytest.raises(error) as caught:
            await api.holder(TOKEN).v1_3.users.me()
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert "secret" not in f"{caught.value}{caught.value!r}"


@pytest.mark.parametrize("sent", [b"", OK, OK + b"Content-Length: 50\r\n\r\n{"])
async def test_patience_ends_whatever_was_sent_so_far(sent: bytes) -> None:
    async with raw_server(sent, hang=True) as address, RecordApi(address) as api:
        holder = api.holder(TOKEN, patience=0.1)
        with pytest.raises(ServiceDown, match="in time"):
            await holder.v1_3.users.me()
        assert holder.budget("1.3").remaining == 119


async def test_what_never_reached_the_service_costs_nothing() -> None:
    async with RecordApi("http://127.0.0.1:1") as api:
        holder = api.holder(TOKEN)
        with pytest.raises(ServiceDown):
            await holder.v1_3.users.me()
        assert holder.budget("1.3").remaining == 120
        assert api.counts["retried"] == 2


@pytest.mark.parametrize("bytes_unpacked", [1_000_001, 50_000_000])
async def test_a_packed_body_is_bounded_unpacked(scripted: Scripted, bytes_unpacked: int) -> None:
    packed = gzip.compress(b" " * bytes_unpacked, mtime=0)
    scripted.answers.append(lambda _: web.Response(body=packed, headers={"Content-Encoding": "gzip"}))
    async with RecordApi(scripted.url, max_body_bytes=1_000_000) as api:
        with pytest.raises(UnreadableReply, match="more than 1000000 bytes"):
            await api.holder(TOKEN).v1_3.users.me()


@pytest.mark.parametrize("friends", [0, 2_000])
async def test_a_packed_body_is_unpacked(scripted: Scripted, friends: int) -> None:
    users = [
        {"user_id": number, "user_name": f"{number * 7919:x}", "player_name": "x"}
        for number in range(friends)
    ]
    packed = gzip.compress(orjson.dumps({"users": users}))
    scripted.answers.append(lambda _: web.Response(body=packed, headers={"Content-Encoding": "gzip"}))
    async with RecordApi(scripted.url) as api:
        reply = await api.holder(TOKEN).v2_0.friends.list()
    assert len(reply.users) == friends


async def test_packed_bodies_are_unpacked_in_one_thread() -> None:
    """Each thread keeps some megabytes of what it has worked on."""
    packed = gzip.compress(os.urandom(100_000), mtime=0)
    before = {*threading.enumerate()}
    await asyncio.gather(*(unpack(packed, "gzip", limit=200_000) for _ in range(8)))
    assert len({*threading.enumerate()} - before) <= 1


async def test_cookies_are_not_kept(scripted: Scripted) -> None:
    scripted.says({"users": []}, 200, {"Set-Cookie": "session=1"})
    async with RecordApi(scripted.url) as api:
        await api.holder(TOKEN).v2_0.friends.list()
        await api.holder(TOKEN).v2_0.friends.list()
    assert "Cookie" not in scripted.requests[1].headers
    assert "gzip" in scripted.requests[1].headers["Accept-Encoding"]


async def test_one_connection_serves_many_calls() -> None:
    connections = 0
    application = web.Application()

    async def answer(_: web.Request) -> web.Response:
        return web.json_response({"users": []})

    application.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(application)
    await runner.setup()

    def count() -> asyncio.Protocol:
        nonlocal connections
        connections += 1
        assert runner.server is not None
        return runner.server()

    server = await asyncio.get_running_loop().create_server(count, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    async with RecordApi(f"http://127.0.0.1:{port}") as api:
        for _ in range(3):
            await api.holder(TOKEN).v2_0.friends.list()
    server.close()
    await server.wait_closed()
    await runner.cleanup()
    assert connections == 1


async def test_outside_of_its_context_it_says_so(scripted: Scripted) -> None:
    api = RecordApi(scripted.url)
    with pytest.raises(RuntimeError, match="async with"):
        await api.holder(TOKEN).v2_0.friends.list()


def self_signed(folder: Path) -> ssl.SSLContext:
    """Return a server's side with a certificate that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "server.pem").write_bytes(pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    return context


async def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(asyncio.Protocol, "127.0.0.1", 0, ssl=self_signed(tmp_path))
    port: int = server.sockets[0].getsockname()[1]
    async with RecordApi(f"https://localhost:{port}") as api:
        with pytest.raises(ServiceDown, match="certificate"):
            await api.holder(TOKEN).v1_3.users.me()
        assert api.counts["retried"] == 0
    server.close()
    await server.wait_closed()
