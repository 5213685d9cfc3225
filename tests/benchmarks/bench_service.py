"""The service beside its peers, in one run: processor time of the server per reply, and kept bytes beside nginx.

Small replies, and a whole book, plain and packed, which the peers are given ready to send. Told is the median of alternating
rounds. Where wrk and nginx are installed (Debian's packages), also the rate of whole books beside nginx. Exits 1 where a goal
is missed.
"""

import asyncio
import gzip
import json
import operator
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from socket import create_connection, socket
from statistics import median
from time import monotonic
from typing import Final

from aiohttp import web

from bot.domain.ids import JP2
from service.options import ServiceOptions
from service.schema import connect, write
from service.seed import SeedReport, seed
from service.server import running

ROUNDS: Final = 9
RECORDS: Final = 6_000
CONNECTIONS: Final = 8
SMALL: Final = "/1.3/users/me.json"
BIG: Final = "/2.0/records/showall.json"
SMALL_REQUESTS: Final = 800
BIG_REQUESTS: Final = 40
WRK_SECONDS: Final = 2
GOALS: Final = {"aiohttp": 1.4, "fastapi": 0.6, "plain": 1.8, "packed": 1.8}
CALM: Final = ServiceOptions(limits=dict.fromkeys(("2.0", "1.3", "1.0"), 2**31), quick_seconds=0)


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table."""

    what: str
    goal: float
    ratio: float
    details: str
    is_at_most: bool = True

    @property
    def is_met(self) -> bool:
        """Whether the goal is reached."""
        return (operator.le if self.is_at_most else operator.ge)(self.ratio, self.goal)

    def __str__(self) -> str:
        goal = f"{'at most' if self.is_at_most else 'at least'} {self.goal}"
        return f"{self.what:44} {goal:>13} {self.ratio:7.2f}   {'ok' if self.is_met else 'MISSED':6}  {self.details}"


def free_port() -> int:
    """Return a port that nobody listens on just now."""
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process, to the nanosecond."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text(encoding="ascii").split()[0]) for task in tasks) / 1e9


@contextmanager
def started(command: list[str], port: int) -> Generator[int]:
    """Run a server until the block ends; yields its pid once it answers."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = monotonic() + 20
        while True:
            with closing(socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if monotonic() > deadline or process.poll() is not None:
                message = f"{command[0]} does not answer"
                raise RuntimeError(message)
        yield process.pid
    finally:
        process.terminate()
        process.wait(10)


class Visitor:
    """Asks one server the same question again and again, over connections that stay."""

    def __init__(self, pid: int, port: int, question: str, *, packed: bool = False) -> None:
        self._pid = pid
        encoding = "gzip" if packed else "identity"
        head = f"GET {question} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: {encoding}\r\n\r\n"
        self._request = head.encode()
        self._connections = [create_connection(("127.0.0.1", port)) for _ in range(CONNECTIONS)]
        self._replies = [connection.makefile("rb") for connection in self._connections]

    def ask(self, count: int) -> float:
        """Return the server's microseconds per reply."""
        before = cpu_seconds(self._pid)
        for _ in range(count // CONNECTIONS):
            for connection in self._connections:
                connection.sendall(self._request)
            for reply in self._replies:
                status, *headers = iter(reply.readline, b"\r\n")
                assert b" 200 " in status, status
                lengths = (line for line in headers if line.lower().startswith(b"content-length:"))
                reply.read(int(next(lengths).partition(b":")[2]))
        return (cpu_seconds(self._pid) - before) / count * 1e6


def compared(ours: Visitor, peers: dict[str, Visitor], count: int) -> Iterator[tuple[str, float, str]]:
    """Yield the ratio to each peer, and the microseconds of both."""
    visitors = {"service": ours, **peers}
    for visitor in visitors.values():
        visitor.ask(count // 2)
    rounds = [{name: visitor.ask(count) for name, visitor in visitors.items()} for _ in range(ROUNDS)]
    for name in peers:
        mine, theirs = (median(each[one] for each in rounds) for one in ("service", name))
        ratio = median(each["service"] / each[name] for each in rounds)
        yield name, ratio, f"{mine:.0f} and {theirs:.0f} µs"


def peer(name: str, port: int, body: bytes) -> None:
    """Be one of the servers that the service is compared with, until stopped."""
    if name == "aiohttp":
        packed = gzip.compress(body)

        async def handler(request: web.Request) -> web.Response:
            if request.headers["Accept-Encoding"] != "gzip":
                return web.Response(body=body, content_type="application/json")
            return web.Response(
                body=packed, content_type="application/json", headers={"Content-Encoding": "gzip"}
            )

        application = web.Application()
        application.router.add_get("/{path:.*}", handler)
        web.run_app(application, host="127.0.0.1", port=port, access_log=None, print=None)
        return
    import uvicorn  # noqa: PLC0415 - only this child needs it
    from fastapi import FastAPI  # noqa: PLC0415 - as above

    reply: dict[str, object] = json.loads(body)
    fastapi = FastAPI()

    @fastapi.get(SMALL)
    async def me(token: str) -> dict[str, object]:  # pyright: ignore[reportUnusedFunction]  # the route uses it
        return reply if token else {}

    uvicorn.run(fastapi, host="127.0.0.1", port=port, access_log=False, log_level="error")


async def serve(database: Path, port: int) -> None:
    """Be the service, without limits that would stop wrk."""
    async with running(database, port=port, options=CALM):
        await asyncio.Event().wait()


@contextmanager
def child(role: str, file: Path) -> Generator[tuple[int, int]]:
    """Run this file as one of the servers; yields pid and port."""
    port = free_port()
    with started([sys.executable, __file__, role, str(port), str(file)], port) as pid:
        yield pid, port


def fetch(url: str) -> bytes:
    """Return the body of a reply."""
    with urllib.request.urlopen(url) as response:  # noqa: S310 - loopback
        body: bytes = response.read()
    return body


def replies(database: Path, token: str, folder: Path) -> Iterator[Figure]:
    """Compare the processor time of one reply: a small one, and a whole book, plain and packed."""
    small, big = f"{SMALL}?token={token}", f"{BIG}?region=jp2&token={token}"
    with ExitStack() as stack:
        service = stack.enter_context(child("service", database))

        def peer_of(name: str, question: str) -> tuple[int, int]:
            reply = folder / f"{name}-{len(question)}.json"
            reply.write_bytes(fetch(f"http://127.0.0.1:{service[1]}{question}"))
            return stack.enter_context(child(name, reply))

        light = {name: Visitor(*peer_of(name, small), small) for name in ("aiohttp", "fastapi")}
        for name, ratio, details in compared(Visitor(*service, small), light, SMALL_REQUESTS):
            yield Figure(f"a small reply, to {name}", GOALS[name], ratio, details)
        heavy = peer_of("aiohttp", big)
        for label, packed in (("plain", False), ("packed", True)):
            ours, theirs = (Visitor(*each, big, packed=packed) for each in (service, heavy))
            for name, ratio, details in compared(ours, {"aiohttp": theirs}, BIG_REQUESTS):
                yield Figure(f"{RECORDS} records, {label}, to {name}", GOALS[label], ratio, details)


NGINX = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log stderr crit;
events {{ worker_connections 64; }}
http {{ access_log off; sendfile on; default_type application/json; client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi; server {{ listen 127.0.0.1:{port}; root {folder}; }} }}
"""


def rate(url: str) -> float:
    """Return the replies per second that wrk gets."""
    output = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{WRK_SECONDS}s", url],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found = re.search(r"Requests/sec:\s+([\d.]+)", output)
    if "Non-2xx" in output or "Socket errors" in output or found is None:
        raise RuntimeError(output)
    return float(found[1])


def beside_nginx(database: Path, token: str, folder: Path) -> Iterator[Figure]:
    """Compare the rate of a whole book with that of nginx, which serves the same bytes from a file."""
    if not (shutil.which("wrk") and shutil.which("nginx")):
        return
    with ExitStack() as stack:
        _, port = stack.enter_context(child("service", database))
        url = f"http://127.0.0.1:{port}{BIG}?region=jp2&token={token}"
        (folder / "showall.json").write_bytes(fetch(url))
        nginx_port = free_port()
        configuration = folder / "nginx.conf"
        configuration.write_text(NGINX.format(folder=folder, port=nginx_port), encoding="utf-8")
        stack.enter_context(started(["nginx", "-c", str(configuration), "-p", str(folder)], nginx_port))
        theirs = f"http://127.0.0.1:{nginx_port}/showall.json"
        rounds = [(rate(url), rate(theirs)) for _ in range(ROUNDS)]
    mine, other = (median(each) for each in zip(*rounds, strict=True))
    ratio = median(one / beside for one, beside in rounds)
    yield Figure(
        f"{RECORDS} records, replies a second, to nginx",
        0.8,
        ratio,
        f"{mine:.0f} and {other:.0f}",
        is_at_most=False,
    )


def filled(database: Path) -> SeedReport:
    """Seed a database in which the first player has exactly RECORDS records, on charts made for it."""
    made = seed(database, players=1)
    with closing(connect(database)) as connection, write(connection):
        connection.execute("DELETE FROM records")
        rows = connection.execute(
            "SELECT song_id FROM songs WHERE region = ? LIMIT ?", (JP2, RECORDS)
        ).fetchall()
        for number in range(RECORDS):
            song_id = f"be{number:014x}"
            connection.execute(
                "INSERT INTO songs VALUES (?, ?, ?, ?, ?, 'ORIGINAL', 'Artist', '2026-01-01', 15000, 1)",
                (JP2, song_id, number + 10_000, number + 10_000, f"Title {rows[number % len(rows)][0]}"),
            )
            chart = connection.execute(
                "INSERT INTO charts (region, song_id, difficulty, level, constant, max_combo, is_listed)"
                " VALUES (?, ?, 'MAS', 1350, 1370, 1500, 1)",
                (JP2, song_id),
            ).lastrowid
            connection.execute(
                "INSERT INTO records VALUES (?, ?, ?, 17, 1767225600)",
                (made.players[0].user_id, chart, 990_000 + number),
            )
    return made


def main() -> int:
    """Compare, or be a child of a comparison."""
    if len(sys.argv) > 1:
        role, port, path = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
        if role == "service":
            asyncio.run(serve(path, port))
        else:
            peer(role, port, path.read_bytes())
        return 0
    are_met = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        database = folder / "records.db"
        token = filled(database).players[0].token
        print(f"{'':44} {'goal':>13} {'figure':>7}")
        for figure in chain(replies(database, token, folder), beside_nginx(database, token, folder)):
            print(figure)
            are_met = are_met and figure.is_met
    return 0 if are_met else 1


if __name__ == "__main__":
    sys.exit(main())
