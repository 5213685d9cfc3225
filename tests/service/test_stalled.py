"""Connections that ask and never read, and those that ask beside them. What `service/connections.py` holds."""

import asyncio
import socket
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from patience import PATIENT_SECONDS, timed

from service import connections
from service.options import ServiceOptions
from service.seed import SeedReport
from service.server import running

ARRIVAL = 0.5
BIG = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
PROBE = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
ASKED = 60
WITHIN = 2.0
RECEIVED = 16 * 1024
"""Bytes that the system takes for whoever does not read."""


@pytest.fixture
async def base(seeded: tuple[Path, SeedReport]) -> AsyncGenerator[str]:
    async with running(seeded[0], options=ServiceOptions(arrival_seconds=ARRIVAL)) as address:
        yield address


def connect(base: str, said: bytes) -> socket.socket:
    """Return a connection that has said something and is not read from."""
    url = urlsplit(base)
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED)
    made.settimeout(5)
    made.connect((url.hostname, url.port))
    made.setblocking(False)  # noqa: FBT003 - the name of the standard library
    with suppress(BlockingIOError):
        made.send(said)
    return made


async def is_dropped(connection: socket.socket, *, within: float) -> bool:
    """Return whether the other side has closed a connection, which shows where one writes."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            connection.send(b"G")
        except BlockingIOError:
            pass
        except OSError:
            return True
        await asyncio.sleep(0.05)
    return False


async def probe(base: str) -> None:
    """Ask on a connection of its own, and wait for the answer."""
    url = urlsplit(base)
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    try:
        writer.write(PROBE)
        said = await reader.read()
    finally:
        writer.close()
    assert said.startswith(b"HTTP/1.1 200 OK"), said[:60]


async def seconds_of_a_probe(base: str) -> float:
    _, seconds = await timed(probe(base))
    return seconds


def no_address_is(_address: str) -> bool:
    return False


@contextmanager
def stalled(base: str, count: int, said: bytes = BIG * ASKED) -> Generator[list[socket.socket]]:
    with ExitStack() as stack:
        yield [stack.enter_context(connect(base, said)) for _ in range(count)]


async def test_who_does_not_read_is_given_up(base: str, caplog: pytest.LogCaptureFixture) -> None:
    with stalled(base, 1) as (connection,):
        assert await is_dropped(connection, within=20)
    assert "what they ask for is not read" in caplog.text


async def test_who_reads_slowly_gets_all_of_it(base: str) -> None:
    url = urlsplit(base)
    loop = asyncio.get_running_loop()
    with stalled(base, 1, BIG * 40) as (connection,):
        begun, got = time.monotonic(), 0
        while got <= 40 * 70_000:
            async with asyncio.timeout(PATIENT_SECONDS):
                piece = await loop.sock_recv(connection, 32 * 1024)
            assert piece, f"closed after {got} bytes by {url.netloc}"
            got += len(piece)
            await asyncio.sleep(0.02)
        assert time.monotonic() - begun > 3 * ARRIVAL


async def test_all_who_do_not_read_have_a_bound_together(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_MAX_UNREAD_BYTES", 200_000)
    monkeypatch.setattr(connections, "_MIN_READ_BYTES", -1)
    with stalled(base, 5) as opened:
        dropped = [await is_dropped(each, within=1) for each in opened]
    assert 1 <= sum(dropped) < len(dropped)


async def test_one_address_has_a_bound_and_this_machine_none(
    seeded: tuple[Path, SeedReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_MAX_CONNECTIONS_PER_ADDRESS", 3)
    monkeypatch.setattr(connections, "is_loopback", no_address_is)
    async with running(seeded[0]) as base:  # which gives them ten seconds to arrive
        with stalled(base, 5, b"G") as opened:
            assert all([await is_dropped(each, within=PATIENT_SECONDS) for each in opened[:2]])
            assert not any([await is_dropped(each, within=0.05) for each in opened[2:]])
        monkeypatch.setattr(connections, "is_loopback", bool)
        with stalled(base, 5, b"") as opened:
            assert not any([await is_dropped(each, within=0.05) for each in opened])


@pytest.mark.parametrize(("readers", "halves"), [(60, 0), (0, 120), (60, 120)])
async def test_a_probe_is_answered_beside_more_than_there_is_room_for(
    seeded: tuple[Path, SeedReport], monkeypatch: pytest.MonkeyPatch, readers: int, halves: int
) -> None:
    monkeypatch.setattr(connections, "_max_connections", lambda: 40)
    async with running(seeded[0]) as base:
        with stalled(base, readers, BIG * 200), stalled(base, halves, BIG[:20]):
            for _ in range(5):
                assert await seconds_of_a_probe(base) < WITHIN
                await asyncio.sleep(0.05)


async def test_those_that_do_not_read_make_room_before_those_that_rest(
    seeded: tuple[Path, SeedReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that rest are older, and the others ask in no heap: only that they do not read tells them apart."""
    monkeypatch.setattr(connections, "_max_connections", lambda: 8)
    monkeypatch.setattr(connections, "_SEND_BUFFER_BYTES", 4096)
    monkeypatch.setattr(connections, "_FIRST_REQUEST_SECONDS", 0.0)
    async with running(seeded[0]) as base:
        with stalled(base, 4, PROBE.replace(b"Connection: close\r\n", b"")) as resting:
            for each in resting:
                await asyncio.get_running_loop().sock_recv(each, 1024)
            with stalled(base, 4, BIG * 3) as opened:
                await asyncio.sleep(0.2)
                for _ in range(4):
                    assert await seconds_of_a_probe(base) < WITHIN
                assert not any([await is_dropped(each, within=0.05) for each in resting])
                assert await is_dropped(opened[0], within=PATIENT_SECONDS)


@asynccontextmanager
async def served(database: Path, descriptors: int) -> AsyncGenerator[tuple[str, int]]:
    """Run the service as a process of its own with so many descriptors; yields its address and its id."""
    code = (
        "import resource, sys; from bot.__main__ import main;"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({descriptors}, {descriptors}));"
        "sys.argv = ['kiroku', 'service', 'serve', '--db', sys.argv[1], '--port', '0', '--no-access-log']; main()"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", code, str(database)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        line = (await process.stdout.readline()).decode()
        yield line.removeprefix("ready: ").strip(), process.pid
    finally:
        process.terminate()
        await process.wait()


@pytest.mark.processes
@pytest.mark.timeout(180)
@pytest.mark.parametrize(("readers", "halves"), [(900, 0), (0, 2_000), (900, 2_000)])
async def test_every_probe_is_answered_within_two_seconds(
    seeded: tuple[Path, SeedReport], readers: int, halves: int
) -> None:
    """Nine hundred that never read and two thousand that never end, against the usual 1,024 descriptors."""
    resource = pytest.importorskip("resource")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < readers + halves + 200:
        pytest.skip("this machine allows too few descriptors")
    took: list[float] = []
    async with served(seeded[0], 1024) as (base, pid):

        async def ask() -> None:
            while True:
                async with asyncio.timeout(PATIENT_SECONDS):
                    took.append(await seconds_of_a_probe(base))
                await asyncio.sleep(0.2)

        asking = asyncio.create_task(ask())
        with ExitStack() as stack:
            for number in range(max(readers, halves)):
                for said, count in ((BIG * ASKED, readers), (BIG[:20], halves)):
                    if number < count:
                        stack.enter_context(await asyncio.to_thread(connect, base, said))
            for _ in range(100):
                if asking.done():
                    break
                await asyncio.sleep(0.1)
            status = await asyncio.to_thread(Path(f"/proc/{pid}/status").read_text, encoding="utf-8")
            asking.cancel()
            with suppress(asyncio.CancelledError):
                await asking
    held = int(status.partition("VmHWM:")[2].split()[0]) // 1024
    sys.stdout.write(f"{len(took)} probes, the slowest {max(took):.2f} s; {held} MB at most\n")
    assert len(took) > 20
    # Other tests share the cores: one probe may come late, and none may stay without an answer.
    assert sorted(took)[len(took) * 9 // 10] < WITHIN
    assert max(took) < 5 * WITHIN
