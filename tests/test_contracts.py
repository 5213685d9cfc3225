"""The import contracts hold, and each of them notices a planted violation."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

VIOLATIONS = [
    ("bot/domain/ranks.py", "import bot.features.rating", "Each line of bot imports only lines below it"),
    ("bot/api/cache.py", "import bot.store", "Each line of bot imports only lines below it"),
    ("bot/unplaced.py", "", "Each line of bot imports only lines below it"),
    ("bot/app.py", "import cogs.rating", "bot never imports cogs"),
    ("cogs/rating.py", "import bot.api", "Cogs ask features"),
    ("cogs/rating.py", "import aiohttp", "Cogs ask features"),
    ("cogs/rating.py", "import cogs.best", "Cogs are independent of one another"),
    ("bot/features/rating.py", "import discord", "discord stays above features"),
    ("service/server.py", "import discord", "discord stays above features"),
    ("bot/features/rating.py", "import sqlalchemy", "sqlalchemy stays in store and service"),
    ("bot/apart.py", "import sqlalchemy", "sqlalchemy stays in store and service"),
    ("bot/tally.py", "import discord", "discord stays above features"),
    ("service/server.py", "import bot.config", "The service knows the wire"),
    ("service/server.py", "import bot.garbage", "The service knows the wire"),
    ("bot/api/budget/pace.py", "import bot.api.budget.budget", "Each module of the budgets"),
    ("bot/api/budget/ledger.py", "import bot.api.transport", "Budgets know no transport"),
    ("bot/api/budget/budget.py", "import bot.wire.endpoints", "Budgets know no transport and no replies"),
    ("bot/api/protocol.py", "import asyncio", "Protocol and count of the budgets are without I/O"),
    ("bot/api/budget/window.py", "import time", "Protocol and count of the budgets are without I/O"),
    ("bot/domain/ranks.py", "import pydantic", "pydantic, nine megabytes of memory, stays in the demo"),
    ("bot/app.py", "import service.server", "Only the demo and the command line start the service"),
]


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
