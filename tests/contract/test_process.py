"""The service as a process: HTTPS, signals, and what it writes down."""

import os
import resource
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Generator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from patience import PATIENT_SECONDS

from service.seed import seed
from tests.contract.conftest import SERVICE, Outsider, Server, seeded

pytestmark = pytest.mark.processes


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "records")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = tmp_path / "cert.pem", tmp_path / "key.pem"
    cert_file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return cert_file, key_file


def test_https(tmp_path: Path, certificate: tuple[Path, Path]) -> None:
    players, _ = seeded(tmp_path / "records.db")
    server = Server(
        tmp_path / "records.db", "--tls-cert", str(certificate[0]), "--tls-key", str(certificate[1])
    )
    assert server.base.startswith("https://")
    context = ssl.create_default_context(cafile=str(certificate[0]))
    connection = HTTPSConnection(urlsplit(server.base).netloc, context=context, timeout=PATIENT_SECONDS)
    connection.request("GET", f"/1.3/users/me.json?token={players[0]['token']}")
    assert connection.getresponse().status == 200
    connection.close()
    assert server.stop() == 0


def test_sighup_reads_the_catalogue_and_the_log_keeps_no_query(tmp_path: Path) -> None:
    players, songs = seeded(tmp_path / "records.db")
    source, log = tmp_path / "jp2.json", tmp_path / "log"
    server = Server(tmp_path / "records.db", "--limit-2-0", "100000")
    source.write_bytes(
        Outsider(server.base, players, songs).get("/2.0/music/showall.json", region="jp2").text
    )
    assert server.stop() == 0

    whole = source.read_bytes()
    source.write_bytes(b"[]")
    server = Server(tmp_path / "records.db", "--limit-2-0", "100000", "--catalogue", str(source), log=log)
    outsider = Outsider(server.base, players, songs)

    def titles() -> list[str]:
        return [song["meta"]["title"] for song in outsider.get("/2.0/music/showall.json", region="jp2").json]

    while "stays as it is" not in log.read_text(encoding="utf-8"):
        assert len(titles()) == songs
    source.write_bytes(whole.replace(b'"title":"', b'"title":"New '))
    os.kill(server.pid, signal.SIGHUP)
    while not titles()[0].startswith("New "):
        pass
    assert all(title.startswith("New ") for title in titles())
    assert server.stop() == 0
    written = log.read_text(encoding="utf-8")
    assert "GET /2.0/music/showall.json 200" in written
    assert all(player["token"] not in written for player in players)
    assert "?" not in written


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    seeded(tmp_path / "records.db", "--players", "1")
    server = Server(tmp_path / "records.db")
    port = str(urlsplit(server.base).port)
    second = subprocess.run(
        [*SERVICE, "serve", "--db", tmp_path / "records.db", "--port", port],
        capture_output=True,
        text=True,
        check=False,
    )
    server.stop()
    assert second.returncode == 1
    assert second.stderr.startswith("Error: ")
    assert "Traceback" not in second.stderr


LIMITED = """
import os, resource, sys
limit, held, *command = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_NOFILE, (int(limit), int(limit)))
for _ in range(int(held)):
    os.set_inheritable(os.open(os.devnull, os.O_RDONLY), True)
os.execv(command[0], command)
"""
"""Runs a command with a limit of descriptors, some of which are taken."""


@pytest.fixture
def many_descriptors() -> Generator[None]:
    """Let this process have more connections than the service can."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_descriptors")
@pytest.mark.parametrize("descriptors", [64, 1024])
@pytest.mark.parametrize(
    ("is_encrypted", "sent", "held", "reason"),
    [
        (False, b"GET /1.3/users/me.json HTTP/1.1\r\nX-Slow: ", 0, "more than"),
        (False, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 0, "more than"),
        (False, b"", 30, "Too many open files"),
        (True, b"", 0, "more than"),
    ],
)
def test_more_connections_than_descriptors_keep_nobody_waiting(  # noqa: PLR0917 - columns
    tmp_path: Path,
    certificate: tuple[Path, Path],
    is_encrypted: bool,  # noqa: FBT001 - a column
    sent: bytes,
    held: int,
    reason: str,
    descriptors: int,
) -> None:
    (player,) = seed(tmp_path / "records.db", players=1).players
    cert, key = map(str, certificate)
    server = Server(
        tmp_path / "records.db",
        *(("--tls-cert", cert, "--tls-key", key) if is_encrypted else ()),
        *("--arrival", "600"),  # too long to be what saves anybody
        log=tmp_path / "log",
        wrapper=(sys.executable, "-c", LIMITED, str(descriptors), str(held * descriptors // 64)),
    )
    address = urlsplit(server.base)
    context = ssl.create_default_context(cafile=cert)
    with ExitStack() as stack:
        for _ in range(descriptors * 1140 // 1024):
            slow = stack.enter_context(socket.create_connection((address.hostname, address.port), 20))
            slow.sendall(sent)
        for _ in range(5):
            connection = HTTPConnection(address.netloc, timeout=PATIENT_SECONDS)
            if is_encrypted:
                connection = HTTPSConnection(address.netloc, timeout=PATIENT_SECONDS, context=context)
            connection.request("GET", f"/1.3/users/me.json?token={player.token}")
            assert connection.getresponse().status == 200
            stack.callback(connection.close)
    assert server.stop() == 0
    written = (tmp_path / "log").read_text(encoding="utf-8")
    assert "Traceback" not in written
    told = [line for line in written.splitlines() if "service.access" not in line]
    assert len(told) < 10
    assert any(f"connections given up: {reason}" in line for line in told)
