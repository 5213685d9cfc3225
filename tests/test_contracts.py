"""The import contracts hold, and each of them notices a planted violation."""

import shutil
import subprocess
import sys
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from grimp import ImportGraph, build_graph
from importlinter import configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract

ROOT = Path(__file__).parents[1]
SETTINGS: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
KINDS: Final = {
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
}

VIOLATIONS: Final = [
    ("bot.domain.ranks", "bot.features.rating", "Each line of bot imports only lines below it"),
    ("bot.api.cache", "bot.store", "Each line of bot imports only lines below it"),
    ("bot.unplaced", "", "Each line of bot imports only lines below it"),
    ("bot.program.app", "cogs.rating", "bot never imports cogs"),
    ("cogs.rating", "bot.api", "Cogs ask features"),
    ("cogs.rating", "aiohttp", "Cogs ask features"),
    ("cogs.rating", "cogs.best", "Cogs are independent of one another"),
    ("bot.features.rating", "discord", "discord stays above features"),
    ("service.server", "discord", "discord stays above features"),
    ("bot.features.rating", "sqlalchemy", "sqlalchemy stays in database, cluster, store and service"),
    ("bot.base.worker", "sqlalchemy", "sqlalchemy stays in database, cluster, store and service"),
    ("bot.chat.registration", "sqlalchemy", "sqlalchemy stays in database, cluster, store and service"),
    ("bot.chat.app_emoji", "alembic", "sqlalchemy stays in database, cluster, store and service"),
    ("bot.chat.registration", "simcord", "simcord's inside is known to the demo"),
    ("bot.program.coaching", "service.server", "Only the demo and the command line start the service"),
    ("service.server", "bot.chat.app_emoji", "The service knows the wire"),
    ("cogs.rating", "bot.program.metrics", "Cogs ask features"),
    ("bot.api.budget.pacing", "bot.api.budget.leased_ledger", "Protocol and count of the budgets"),
    ("bot.base.tally", "discord", "discord stays above features"),
    ("bot.mcp.lines", "discord", "discord stays above features"),
    ("bot.mcp.tools", "bot.features.borders", "What assistants ask"),
    ("bot.mcp.tools", "bot.chat.options", "Each line of bot imports only lines below it"),
    ("service.server", "bot.base.config", "The service knows the wire"),
    ("service.server", "bot.base.worker", "The service knows the wire"),
    ("bot.api.budget.pacing", "bot.api.budget.budget", "Each module of the budgets"),
    ("bot.api.budget.local_ledger", "bot.api.transport", "Budgets know no transport"),
    ("bot.api.budget.budget", "bot.wire.endpoints", "Budgets know no transport and no replies"),
    ("bot.api.protocol", "asyncio", "Protocol and count of the budgets are without I/O"),
    ("bot.api.budget.window", "time", "Protocol and count of the budgets are without I/O"),
    ("bot.program.app", "service.server", "Only the demo and the command line start the service"),
]
"""A module, what it imports, and the contract that says it must not; a module that imports nothing has no place."""


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
    (found,) = (each for each in SETTINGS["contracts"] if each["name"].startswith(name))
    return found


def as_texts(options: dict[str, Any]) -> dict[str, Any]:
    """Return options as the program reads them, to which what is true is a text."""
    return {key: str(value) if isinstance(value, bool) else value for key, value in options.items()}


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


def test_the_contracts_hold_and_the_program_notices_a_planted_line(copy: Path) -> None:
    result = lint(copy)
    assert result.returncode == 0, result.stdout
    with (copy / "cogs" / "rating.py").open("a", encoding="utf-8") as file:
        file.write("import bot.api\n")
    result = lint(copy)
    assert result.returncode != 0
    (broken,) = (line for line in result.stdout.splitlines() if "BROKEN" in line)
    assert "Cogs ask features" in broken


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    """Return who imports whom, as the program reads it."""
    configuration.configure()
    return build_graph(*SETTINGS["root_packages"], include_external_packages=True)


@pytest.mark.parametrize(("module", "imported", "name"), VIOLATIONS)
def test_a_planted_violation_is_noticed(graph: ImportGraph, module: str, imported: str, name: str) -> None:
    options = as_texts(contract(name))
    checked = KINDS[options["type"]](options["name"], as_texts(SETTINGS), options)
    assert checked.check(deepcopy(graph), verbose=False).kept
    planted = deepcopy(graph)
    if imported:
        planted.add_import(importer=module, imported=imported)
    else:
        planted.add_module(module)
    assert not checked.check(planted, verbose=False).kept
