"""What ops/ has for whoever hosts the bot, as far as it can be held on a machine without systemd or containers."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web
from audit import UNREACHABLE, say
from click.testing import CliRunner
from pydantic import SecretStr
from sbom import find_needs, make_bom
from serving import serving
from tools import find_tool

from bot.__main__ import main
from bot.base.config import Settings
from bot.program.questions import _SECRETS
from bot.store import find_last_copy

OPS = Path(__file__).parents[1] / "ops"
LOCK = OPS.parent / "requirements.lock"
WORST_EXPOSURE = 15
"""Tenths, of a hundred: as `systemd-analyze security` counts what an attacker inside could still do."""


@pytest.fixture(params=["kiroku.service", "kiroku-backup.service"])
def unit(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a unit, with a program that is there."""
    find_tool("systemd-analyze", "KIROKU_TEST_DEMANDS_SYSTEMD")
    text = (OPS / request.param).read_text(encoding="utf-8")
    file: Path = tmp_path / request.param
    file.write_text(text.replace("/opt/kiroku/bin/kiroku", sys.executable), encoding="utf-8")
    return file


def test_systemd_knows_when_to_copy(tmp_path: Path) -> None:
    find_tool("systemd-analyze", "KIROKU_TEST_DEMANDS_SYSTEMD")
    for name in ("kiroku-backup.service", "kiroku-backup.timer"):
        text = (OPS / name).read_text(encoding="utf-8").replace("/opt/kiroku/bin/kiroku", sys.executable)
        (tmp_path / name).write_text(text)
    found = subprocess.run(
        ["systemd-analyze", "verify", tmp_path / "kiroku-backup.timer"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert (found.stdout, found.stderr) == ("", "")


def test_a_crash_restarts_no_more_often_than_discord_allows() -> None:
    """Discord lets a bot log in a thousand times a day, and takes the token of one that does it more often."""
    (seconds,) = re.findall(
        r"^RestartSec=(\d+)$", (OPS / "kiroku.service").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert 24 * 3600 / int(seconds) < 1000


@pytest.mark.parametrize("name", ["kiroku.service", "Containerfile"])
def test_all_threads_share_one_heap(name: str) -> None:
    """As what docs/scaling.md says of memory was measured: `make soak`."""
    assert "MALLOC_ARENA_MAX=1\n" in (OPS / name).read_text(encoding="utf-8")


def test_systemd_finds_nothing_wrong_with_the_unit(unit: Path) -> None:
    found = subprocess.run(["systemd-analyze", "verify", unit], check=True, capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("", "")


def test_who_gets_into_the_bot_gets_no_further(unit: Path) -> None:
    looked = ["systemd-analyze", "security", "--offline=true", f"--threshold={WORST_EXPOSURE}", unit]
    found = subprocess.run(looked, check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


def test_whoever_ends_the_bot_waits_for_longer_than_it_takes() -> None:
    text = (OPS / "kiroku.service").read_text(encoding="utf-8")
    assert int("".join(re.findall(r"^TimeoutStopSec=(\d+)$", text, re.MULTILINE))) > 10


def test_the_container_runs_as_nobody_in_particular() -> None:
    steps = (OPS / "Containerfile").read_text(encoding="utf-8").rpartition("\nFROM ")[2]
    assert re.findall(r"^USER (\d+)$", steps, re.MULTILINE) == ["10001"]
    assert steps.index("USER") > steps.index("\nRUN")


def test_the_bill_of_materials_names_what_is_locked_and_no_tool_of_ours() -> None:
    made = make_bom()
    assert made == make_bom()
    locked = dict(re.findall(r"^(\S+)==(\S+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE))
    named = {component["name"]: component for component in made["components"]}
    assert {name: locked[name] for name in named} == {name: each["version"] for name, each in named.items()}
    assert {name for name, each in named.items() if each["scope"] == "optional"} == {"asyncpg"}
    assert {"aiohttp", "greenlet", "pycparser"} <= named.keys()  # ours, one of an extra, one of one of one
    assert not {"pytest", "simcord", "hatchling"} & named.keys()
    assert [name for name, each in named.items() if not each["licenses"]] == []


def test_where_no_advisory_can_be_had_a_sentence_says_so() -> None:
    nowhere = dict.fromkeys(("HTTPS_PROXY", "https_proxy"), "http://127.0.0.1:1")
    looked = subprocess.run(
        [sys.executable, OPS / "audit.py"],
        env=os.environ | nowhere,
        check=False,
        capture_output=True,
        text=True,
    )
    assert (looked.stdout, looked.stderr, looked.returncode) == (f"{UNREACHABLE}\n", "", 0)


def test_what_is_wrong_is_named_and_what_was_not_looked_up() -> None:
    fine: dict[str, Any] = {"name": "attrs", "version": "1", "vulns": []}
    skipped = {"name": "kiroku", "skip_reason": "not found"}
    flaws: list[dict[str, Any]] = [
        {"id": "CVE-1", "fix_versions": ["2", "3"]},
        {"id": "CVE-2", "fix_versions": []},
    ]
    wrong = {"name": "yarl", "version": "1", "vulns": flaws}
    assert say([fine]) == ("Nothing is known to be wrong with the 1 packages looked up.", 0)
    assert say([skipped]) == (UNREACHABLE, 0)
    text, status = say([fine, skipped, wrong])
    assert text.splitlines() == [
        "yarl 1: CVE-1, mended in 2, 3",
        "yarl 1: CVE-2, not mended yet",
        "Not looked up: kiroku.",
    ]
    assert status == 1


@pytest.mark.long  # it fetches every package
def test_what_runs_is_installed_and_nothing_else(tmp_path: Path) -> None:
    subprocess.run([OPS / "install", "kiroku"], cwd=tmp_path, check=True)  # there, and not beside the source
    kiroku = tmp_path / "kiroku/bin/kiroku"
    said = subprocess.run([kiroku, "db", "check"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert said.stdout == "The migrations give the tables of the code.\n"
    keys = {"DATABASE_URL": "postgresql+asyncpg://host/db", "TOKEN_KEYS": "0" * 43 + "="}
    for command, missing in (
        (["demo"], "ops/install FOLDER demo"),
        (["db", "upgrade"], "ops/install FOLDER postgres"),
    ):
        refused = subprocess.run(
            [kiroku, *command],
            cwd=tmp_path,
            env=os.environ | keys,
            check=False,
            capture_output=True,
            text=True,
        )
        assert missing in refused.stderr
        assert len(refused.stderr.splitlines()) == 1
    installed = (tmp_path / "kiroku").glob("lib/*/site-packages/*.dist-info")
    needed = {name.replace("-", "_") for name in find_needs()}
    assert {file.name.partition("-")[0].lower().replace(".", "_") for file in installed} == needed
    size = sum(file.stat().st_size for file in (tmp_path / "kiroku").rglob("*") if not file.is_symlink())
    assert size < 200_000_000


def test_what_is_installed_can_be_read_by_the_user_of_the_bot_whatever_the_umask(tmp_path: Path) -> None:
    python = tmp_path / "python3"
    python.write_text(
        '#!/bin/sh\n[ "$1" = -c ] && exit\nfor folder; do :; done\nmkdir -p "$folder/bin"\n'
        'for tool in pip uv; do echo "#!/bin/sh" >"$folder/bin/$tool"; chmod +x "$folder/bin/$tool"; done\n'
    )
    python.chmod(0o755)
    command = ["sh", "-c", 'umask 077; exec "$@"', "sh", OPS / "install", tmp_path / "kiroku"]
    subprocess.run(command, env=os.environ | {"PYTHON": str(python)}, check=True)
    made = [tmp_path / "kiroku", *(tmp_path / "kiroku").rglob("*")]
    assert {file.stat().st_mode & 0o055 for file in made} == {0o055}


@pytest.mark.parametrize(
    ("where", "is_told"), [("/home/ann/.pyenv/bin/python3.11", True), ("/usr/bin/python3.11", False)]
)
def test_a_python_that_the_user_of_the_bot_may_not_read_is_told(
    tmp_path: Path, where: str, *, is_told: bool
) -> None:
    python = tmp_path / "python3"
    python.write_text(
        f'#!/bin/sh\n[ "$1" = -c ] && echo {where} && exit\nfor folder; do :; done\nmkdir -p "$folder/bin"\n'
        'for tool in pip uv; do echo "#!/bin/sh" >"$folder/bin/$tool"; chmod +x "$folder/bin/$tool"; done\n'
    )
    python.chmod(0o755)
    command = [OPS / "install", tmp_path / "kiroku"]
    told = subprocess.run(
        command, env=os.environ | {"PYTHON": str(python)}, check=True, capture_output=True, text=True
    ).stderr
    assert (f"It runs by {where}, in a home folder" in told) == is_told


@pytest.mark.parametrize("command", [["ops/install", "folder"], ["make", "setup"], ["make", "demo"]])
def test_a_python_that_is_too_old_is_told_so_in_a_sentence(command: list[str], tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text(
        f'#!/bin/sh\n[ "$1" = -c ] || exit 9\n'
        f'exec {sys.executable} -c "import sys; sys.version_info = (3, 9, 2)\n$2"\n'
    )
    old.chmod(0o755)
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(OPS.parent / name, tmp_path)
    shutil.copytree(OPS, tmp_path / "ops")
    (tmp_path / "tests").mkdir()
    said = subprocess.run(
        [*command, f"PYTHON={old}"] if command[0] == "make" else command,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        | {"PYTHON": str(old)},
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert said.returncode != 0
    sentence = said.stderr.splitlines()[0]
    assert sentence.startswith("Kiroku needs Python 3.11 or newer: name one as in ")
    assert said.stdout == ""
    assert not (tmp_path / ".venv").exists()


def test_whoever_hosts_it_is_led_to_what_installs_what_runs_alone() -> None:
    readme = (OPS.parent / "README.md").read_text(encoding="utf-8")
    hosting = readme.partition("\n## Host it\n")[2].partition("\n## ")[0]
    japanese = readme.partition("自分のサーバーで動かす")[2].partition("\n|")[0]
    for text in (hosting, japanese):
        assert "ops/install kiroku" in text
        assert [word for word in ("init", "doctor", "run") if f"kiroku/bin/kiroku {word}" not in text] == []
        assert "make setup" not in text


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """Return what `ops/compose.yml` says."""
    loaded: dict[str, Any] = yaml.safe_load((OPS / "compose.yml").read_text(encoding="utf-8"))
    return loaded


def test_no_service_of_compose_writes_beside_its_volumes_or_runs_as_root(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["user"] not in {"", "root", "0"}, name
        assert "healthcheck" in service or name == "backup"
        assert name in {"bot", "database", "backup"} or service["profiles"] == ["watch"]
    bot = compose["services"]["bot"]
    assert bot["user"] == "10001"
    assert int(bot["stop_grace_period"].removesuffix("s")) > 10
    assert bot["restart"].startswith("on-failure")


def test_compose_hands_secrets_over_as_files_and_sets_what_there_is(compose: dict[str, Any]) -> None:
    bot = compose["services"]["bot"]
    set_as_files = {
        name.removesuffix("_FILE").lower() for name in bot["environment"] if name.endswith("_FILE")
    }
    assert set_as_files == {*compose["secrets"]} == {*bot["secrets"]} == {each.lower() for each in _SECRETS}
    others = {name.lower() for name in bot["environment"] if not name.endswith("_FILE")}
    assert others <= Settings.model_fields.keys()
    settings = Settings(
        **{name.lower(): text for name, text in bot["environment"].items() if name.lower() in others},
        database_password=SecretStr("p@ss"),
    )
    assert settings.database_url == "postgresql+asyncpg://kiroku:p%40ss@database/kiroku"
    assert compose["services"]["bot"]["healthcheck"]["test"] == ["CMD", "kiroku", "health"]


def test_what_compose_mounts_is_there(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert (OPS / source).exists() if source.startswith(".") else source in compose["volumes"]
    target = yaml.safe_load((OPS / "prometheus.yml").read_text(encoding="utf-8"))["scrape_configs"][0]
    port = compose["services"]["bot"]["environment"]["METRICS_PORT"]
    assert target["static_configs"] == [{"targets": [f"bot:{port}"]}]


def test_the_copies_of_compose_are_whole_and_only_the_last_ones_stay(tmp_path: Path) -> None:
    copies, program, calls = tmp_path / "copies", tmp_path / "bin/pg_dump", tmp_path / "calls"
    copies.mkdir()
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$PGPASSWORD" >>{calls}\ntouch {copies}/.made\n')
    program.chmod(0o755)
    (tmp_path / "password").write_text("p@ss\n")
    for hour in ("01", "02", "03"):
        (copies / f"kiroku-20261101-{hour}0000.dump").touch()
    (copies / "kiroku-mine.dump").touch()
    settings = {"PATH": f"{program.parent}:/usr/bin:/bin", "FOLDER": str(copies), "KEEP": "2"}
    copying = ["sh", OPS / "backup", "once"]
    said = subprocess.run(
        copying,
        env=settings | {"PASSWORD_FILE": str(tmp_path / "password")},
        check=True,
        capture_output=True,
        text=True,
    )
    made = Path(said.stdout.removeprefix("copied to ").strip())
    assert find_last_copy(copies) is not None
    assert {file.name for file in copies.iterdir()} == {
        made.name,
        "kiroku-20261101-030000.dump",
        "kiroku-mine.dump",
    }
    assert made.stat().st_mode & 0o777 == 0o600
    assert calls.read_text() == "p@ss\n"


async def test_health_is_whether_it_answers_however_far_an_upgrade_is() -> None:
    said = {"status": 503, "text": "the database is brought up to date: 40% done\n"}

    async def answer(_request: web.BaseRequest) -> web.Response:
        return web.Response(status=int(said["status"]), text=str(said["text"]))

    def look(port: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["health"], env={"METRICS_PORT": port})
        return done.exit_code, done.output

    async with serving(web.ServerRunner(web.Server(answer))) as address:
        port = address.rpartition(":")[2]
        assert await asyncio.to_thread(look, port) == (0, "the database is brought up to date: 40% done\n")
        said |= {"status": 200, "text": "ready\n"}
        assert await asyncio.to_thread(look, port) == (0, "ready\n")
    assert look(port) == (1, f"Error: No bot answers on port {port} of this machine.\n")
    assert look("") == (1, "Error: METRICS_PORT is not set in the environment: nobody can be asked.\n")


def test_a_container_is_given_time_to_end_and_started_again_after_a_crash() -> None:
    hosting = (OPS.parent / "docs/hosting.md").read_text(encoding="utf-8")
    run = hosting.partition("podman run")[2].partition("```")[0]
    assert int("".join(re.findall(r"--stop-timeout (\d+)", run))) > 10
    assert "--restart on-failure" in run
