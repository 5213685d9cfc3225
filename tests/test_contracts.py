"""The import contracts hold, and each of them notices a planted violation."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]

VIOLATIONS = [
    ("bot/domain/ranks.py", "import bot.features.rating", "Each line of bot imports only lines below it"),
    ("bot/api/cache.py", "import bot.store", "Each line of bot imports only lines below it"),
    ("bot/unplaced.py", "", "Each line of bot imports only lines below it"),
    ("bot/program/app.py", "import cogs.rating", "bot never imports cogs"),
    ("cogs/rating.py", "import bot.api", "Cogs ask features"),
    ("cogs/rating.py", "import aiohttp", "Cogs ask features"),
    ("cogs/rating.py", "import cogs.best", "Cogs are independent of one another"),
    ("bot/features/rating.py", "import discord", "discord stays above features"),
    ("service/server.py", "import discord", "discord stays above features"),
    (
        "bot/features/rating.py",
        "import sqlalchemy",
        "sqlalchemy stays in database, cluster, store and service",
    ),
    ("bot/base/worker.py", "import sqlalchemy", "sqlalchemy stays in database, cluster, store and service"),
    (
        "bot/chat/registration.py",
        "import sqlalchemy",
        "sqlalchemy stays in database, cluster, store and service",
    ),
    ("bot/chat/app_emoji.py", "import alembic", "sqlalchemy stays in database, cluster, store and service"),
    ("bot/chat/registration.py", "import simcord", "simcord's inside is known to the demo"),
    (
        "bot/program/coaching.py",
        "import service.server",
        "Only the demo and the command line start the service",
    ),
    ("service/server.py", "import bot.chat.app_emoji", "The service knows the wire"),
    ("cogs/rating.py", "import bot.program.metrics", "Cogs ask features"),
    ("bot/api/budget/pacing.py", "import bot.api.budget.leased_ledger", "Protocol and count of the budgets"),
    ("bot/base/tally.py", "import discord", "discord stays above features"),
    ("bot/mcp/lines.py", "import discord", "discord stays above features"),
    ("bot/mcp/tools.py", "import bot.features.borders", "What assistants ask"),
    ("bot/mcp/tools.py", "import bot.chat.options", "Each line of bot imports only lines below it"),
    ("service/server.py", "import bot.base.config", "The service knows the wire"),
    ("service/server.py", "import bot.base.worker", "The service knows the wire"),
    ("bot/api/budget/pacing.py", "import bot.api.budget.budget", "Each module of the budgets"),
    ("bot/api/budget/local_ledger.py", "import bot.api.transport", "Budgets know no transport"),
    ("bot/api/budget/budget.py", "import bot.wire.endpoints", "Budgets know no transport and no replies"),
    ("bot/api/protocol.py", "import asyncio", "Protocol and count of the budgets are without I/O"),
    ("bot/api/budget/window.py", "import time", "Protocol and count of the budgets are without I/O"),
    ("bot/program/app.py", "import service.server", "Only the demo and the command line start the service"),
]


APART = {
    "Cogs ask features": {"base", "chat", "domain", "features", "ui"},
    "discord stays above features": {"__main__", "app", "chat", "demo", "program", "ui"},
    "sqlalchemy stays in database, cluster, store and service": {"cluster", "database", "store"},
    "The service knows the wire": {"base", "domain", "wire"},
    "Only the demo and the command line start the service": {"__main__", "demo"},
    "simcord's inside is known to the demo": {"demo"},
}  # fmt: skip
"""What each contract that names modules of `bot` one by one leaves out on purpose; all others have to stand in it."""


def contract(name: str) -> dict[str, Any]:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (found,) = (each for each in contracts if each["name"].startswith(name))
    return found


@pytest.mark.parametrize("name", APART)
def test_a_list_of_modules_misses_none(name: str) -> None:
    listed = contract(name)
    named = listed["source_modules" if len(listed["source_modules"]) > 1 else "forbidden_modules"]
    modules = {
        each.stem
        for each in (ROOT / "bot").iterdir()
        if each.suffix == ".py" or (each / "__init__.py").exists()
    }
    missing = modules - {"__init__"} - {each.removeprefix("bot.") for each in named}
    assert missing == APART[name]


def test_a_list_of_the_budgets_modules_misses_none() -> None:
    listed = contract("Protocol and count")
    prefix = "bot.api.budget."
    named = {
        each.removeprefix(prefix)
        for each in (*listed["source_modules"], *listed["forbidden_modules"])
        if each.startswith(prefix)
    }
    assert named == {each.stem for each in (ROOT / "bot" / "api" / "budget").glob("*.py")} - {"__init__"}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [program, "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(folder), "PATH": "", "PYTHONIOENCODING": "utf-8"},
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package in ("bot", "cogs", "service"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_contracts_hold(copy: Path) -> None:
    result = lint(copy)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(("file", "line", "contract"), VIOLATIONS)
def test_a_planted_violation_is_noticed(copy: Path, file: str, line: str, contract: str) -> None:
    target = copy / file
    target.write_text(f"{target.read_text() if target.exists() else ''}\n{line}\n", encoding="utf-8")
    result = lint(copy)
    assert result.returncode != 0
    assert any(contract in line and "BROKEN" in line for line in result.stdout.splitlines()) or (
        "unplaced" in result.stdout
    ), result.stdout
