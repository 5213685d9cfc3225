"""The service beside its peers, in one run: CPU per small reply, and kept bytes beside nginx.

Prints one line of JSON per result. Needs wrk, and nginx for the second part (Debian's packages).
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Generator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from time import monotonic

from aiohttp import web

from bot.domain.ids import JP2
from service.options import ServiceOptions
from service.schema import connect, write
from service.seed import SeedReport, seed
from service.server import running

SECONDS = 2
ROUNDS = 3
RECORDS = 6_000
CONNECTIONS = 8
PATH = "/1.3/users/me.json"
CALM = ServiceOptions(limits=dict.fromkeys(("2.0", "1.3", "1.0"), 2**31), quick_seconds=0)


@dataclass(frozen=True, slots=True)
class Result:
    """What one server did under wrk."""

    per_second: float
    cpu_microseconds: float
    """Of the server, per request."""


def free_port() -> int:
    """Return a port that nobody listens on just now."""
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process and its children that still run."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(cpu_seconds(int(child)) for child in children)


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


def load(pid: int, url: str, seconds: int) -> Result:
    """Run wrk against a server."""
    before = cpu_seconds(pid)
    output = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", url], check=True, capture_output=True, text=True
    ).stdout
    spent = cpu_seconds(pid) - before
    found = re.search(r"(\d+) requests in ([\d.]+)s", output)
    if "Non-2xx" in output or "Socket errors" in output or found is None:
        raise RuntimeError(output)
    requests, elapsed = int(found[1]), float(found[2])
    return Result(requests / elapsed, spent / requests * 1e6)


def compare(servers: dict[str, tuple[int, str]]) -> dict[str, Result]:
    """Load servers in turn, several times; of each the best round, for the machine is never quiet.

    `servers` gives pid and URL by name.
    """
    for pid, url in servers.values():
        load(pid, url, 1)
    rounds = [{name: load(pid, url, SECONDS) for name, (pid, url) in servers.items()} for _ in range(ROUNDS)]
    return {
        name: Result(
            max(result[name].per_second for result in rounds),
            min(result[name].cpu_microseconds for result in rounds),
        )
        for name in servers
    }


def peer(name: str, port: int, body: bytes) -> None:
    """Be one of the servers that the service is compared with, until stopped."""
    if name == "aiohttp":

        async def handler(_request: web.Request) -> web.Response:
            return web.Response(body=body, content_type="application/json")

        application = web.Application()
        application.router.add_get(PATH, handler)
        web.run_app(application, host="127.0.0.1", port=port, access_log=None, print=None)
        return
    import uvicorn  # noqa: PLC0415 - only this child needs it
    from fastapi import FastAPI  # noqa: PLC0415 - as above

    reply: dict[str, object] = json.loads(body)
    fastapi = FastAPI()

    @fastapi.get(PATH)
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


def small_reply(database: Path, token: str, folder: Path) -> None:
    """Compare the processor time of one small reply."""
    with ExitStack() as stack:
        service, port = stack.enter_context(child("service", database))
        urls = {"service": f"http://127.0.0.1:{port}{PATH}?token={token}"}
        servers = {"service": (service, urls["service"])}
        reply = folder / "small.json"
        reply.write_bytes(fetch(urls["service"]))
        for name in ("aiohttp", "fastapi"):
            pid, port = stack.enter_context(child(name, reply))
            servers[name] = (pid, f"http://127.0.0.1:{port}{PATH}?token={token}")
        results = compare(servers)
    for name, aim in (("aiohttp", 1.4), ("fastapi", 0.6)):
        report(
            f"CPU per small reply, ratio to {name}",
            results["service"].cpu_microseconds / results[name].cpu_microseconds,
            f"at most {aim}",
            {key: round(result.cpu_microseconds, 1) for key, result in results.items()},
        )


NGINX = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log stderr crit;
events {{ worker_connections 64; }}
http {{ access_log off; sendfile on; default_type application/json; client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi; server {{ listen 127.0.0.1:{port}; root {folder}; }} }}
"""


def big_reply(database: Path, token: str, folder: Path) -> None:
    """Compare `records/showall` of many records with nginx serving the same bytes from a file."""
    with ExitStack() as stack:
        pid, port = stack.enter_context(child("service", database))
        url = f"http://127.0.0.1:{port}/2.0/records/showall.json?region=jp2&token={token}"
        body = fetch(url)
        (folder / "showall.json").write_bytes(body)
        nginx_port = free_port()
        configuration = folder / "nginx.conf"
        configuration.write_text(NGINX.format(folder=folder, port=nginx_port), encoding="utf-8")
        nginx = stack.enter_context(
            started(["nginx", "-c", str(configuration), "-p", str(folder)], nginx_port)
        )
        results = compare(
            {"service": (pid, url), "nginx": (nginx, f"http://127.0.0.1:{nginx_port}/showall.json")}
        )
    report(
        f"records/showall of {len(json.loads(body)['records'])} records, requests per second, ratio to nginx",
        results["service"].per_second / results["nginx"].per_second,
        "at least 0.8",
        {"bytes": len(body), **{name: round(result.per_second) for name, result in results.items()}},
    )


def report(what: str, ratio: float, aim: str, details: dict[str, float]) -> None:
    """Print one result."""
    line = {"bench": "service", "what": what, "ratio": round(ratio, 3), "aim": aim, **details}
    sys.stdout.write(json.dumps(line) + "\n")


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


def main() -> None:
    """Run both comparisons, or be a child of one."""
    if len(sys.argv) > 1:
        role, port, path = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
        if role == "service":
            asyncio.run(serve(path, port))
        else:
            peer(role, port, path.read_bytes())
        return
    if shutil.which("wrk") is None:
        sys.stdout.write("service: wrk is not installed (apt-get install wrk): skipped\n")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        made = filled(folder / "records.db")
        token = made.players[0].token
        small_reply(folder / "records.db", token, folder)
        if shutil.which("nginx") is None:
            sys.stdout.write("service: nginx is not installed (apt-get install nginx-light): skipped\n")
            return
        big_reply(folder / "records.db", token, folder)


if __name__ == "__main__":
    main()
