"""A service of its own process, started and asked as an outsider would."""

import json
import os
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from patience import PATIENT_SECONDS

SERVICE = [
    sys.executable,
    "-c",
    "from service.command import service_command; service_command(prog_name='kiroku service')",
]
"""`kiroku service`, without loading the bot each time."""


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Outsider:
    """Knows an address and tokens, nothing else."""

    def __init__(self, base: str, players: list[dict[str, Any]], songs: int) -> None:
        self.base = base
        self.players = players
        self.songs = songs

    def get(self, path: str, player: int = 0, /, **query: str | int) -> Reply:
        return self.send("GET", path, {**query, "token": self.players[player]["token"]})

    def send(
        self, method: str, path: str, query: dict[str, str | int], headers: dict[str, str] | None = None
    ) -> Reply:
        connection = HTTPConnection(urlsplit(self.base).netloc, timeout=PATIENT_SECONDS)
        try:
            connection.request(method, f"{path}?{urlencode(query)}", headers=headers or {})
            response = connection.getresponse()
            return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()


def seeded(database: Path, *arguments: str) -> tuple[list[dict[str, Any]], int]:
    output = subprocess.run(
        [*SERVICE, "seed", "--db", database, "--json", *arguments], check=True, capture_output=True
    ).stdout
    report = json.loads(output)
    return report["players"], report["songs"]


class Server:
    """A serving process that can be killed and started again."""

    def __init__(
        self, database: Path, *arguments: str, log: Path = Path(os.devnull), wrapper: tuple[str, ...] = ()
    ) -> None:
        self._log = log
        self._command = [*wrapper, *SERVICE, "serve", "--db", str(database), "--port", "0", *arguments]
        self.base = ""
        self.start()

    def start(self) -> None:
        with self._log.open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        assert first.startswith("ready: ")
        self.base = first.removeprefix("ready: ").strip()

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self, *, kill: bool = False) -> int:
        if kill:
            self._process.kill()
        else:
            self._process.terminate()
        code = self._process.wait(20)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code


@pytest.fixture(scope="session")
def outsider(tmp_path_factory: pytest.TempPathFactory) -> Generator[Outsider]:
    database = tmp_path_factory.mktemp("contract") / "records.db"
    players, songs = seeded(database, "--players", "9")
    many = [f"--limit-{version}=1000000" for version in ("2-0", "1-3", "1-0")]
    server = Server(database, *many, "--quick", "0")
    yield Outsider(server.base, players, songs)
    assert server.stop() == 0
