"""The wheel `kiroku-api`: the API layer's modules alone, and all that it needs in an environment that has nothing else."""

import ast
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any
from venv import EnvBuilder
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from recipes import defined, told_by_all

from bot.wire.endpoints import ENDPOINTS
from service.options import ServiceOptions
from service.seed import seed
from service.server import running

ROOT = Path(__file__).parents[1]
PROJECT = "ops/kiroku-api"
MOST_PACKAGES = 14
"""aiohttp is nine with what it needs, and pydantic five."""
MODULES = {"aiohttp", "pydantic", "pydantic_core", "typing_extensions", "yarl"}
"""What may be imported; pydantic brings its own core at its own version."""


def build(tree: Path, into: Path, *, seed: str) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", into],
        cwd=tree / PROJECT,
        env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
    )
    return next(into.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("here"), seed="1")


def project_of(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def imported(source: bytes) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


def test_it_holds_what_it_imports_under_one_name_and_is_typed(wheel: Path) -> None:
    with ZipFile(wheel) as packed:
        sources = {name: packed.read(name) for name in packed.namelist() if name.endswith(".py")}
        others = {name for name in packed.namelist() if ".dist-info/" not in name} - {*sources}
    assert {name.partition("/")[0] for name in (*sources, *others)} == {"kiroku_api"}
    assert others == {"kiroku_api/LICENSE", "kiroku_api/py.typed", "kiroku_api/wire/game_versions.csv"}
    used = {module for source in sources.values() for module in imported(source)}
    assert used - sys.stdlib_module_names == MODULES | {"kiroku_api"}
    assert [
        name for name, source in sources.items() if re.search(rb"\bbot\.(api|base|domain|wire)\b", source)
    ] == []


def test_every_reply_is_public() -> None:
    source = (ROOT / PROJECT / "kiroku_api" / "__init__.py").read_text(encoding="utf-8")
    public = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    missing = {endpoint.reply.__name__ for endpoint in ENDPOINTS} - public
    assert not missing, f"import {missing} in {PROJECT}/kiroku_api/__init__.py, and name them in its __all__"


def test_it_asks_for_what_it_imports_as_kiroku_does() -> None:
    asked = {Requirement(each).name: each for each in project_of(ROOT / PROJECT)["dependencies"]}
    assert {name.replace("-", "_") for name in asked} == MODULES - {"pydantic_core"}
    assert {*asked.values()} <= {*project_of(ROOT)["dependencies"]}


def test_it_has_kirokus_version(wheel: Path) -> None:
    assert wheel.name == f"kiroku_api-{project_of(ROOT)['version']}-py3-none-any.whl"


def test_another_folder_gives_the_same_bits(wheel: Path, tmp_path: Path) -> None:
    for each in ("bot", PROJECT):  # with new times
        shutil.copytree(ROOT / each, tmp_path / each, copy_function=shutil.copyfile)
    for each in ("LICENSE", "pyproject.toml"):
        shutil.copyfile(ROOT / each, tmp_path / each)
    assert build(tmp_path, tmp_path / "there", seed="2").read_bytes() == wheel.read_bytes()


def needed_by(requirements: list[str]) -> dict[str, metadata.Distribution]:
    """Return what an installer would bring for these on this machine, as it is installed here."""
    found: dict[str, metadata.Distribution] = {}
    while requirements:
        each = Requirement(requirements.pop())
        if (each.marker is None or each.marker.evaluate({"extra": ""})) and each.name.lower() not in found:
            distribution = metadata.distribution(each.name)
            assert each.specifier.contains(distribution.version), each
            found[each.name.lower()] = distribution
            requirements += distribution.requires or []
    return found


@pytest.fixture(scope="module")
def alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment with the wheel and what it asks for: copied from here, for tests have no network."""
    folder = tmp_path_factory.mktemp("alone")
    EnvBuilder(with_pip=False, symlinks=True).create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    needed = needed_by([*project_of(ROOT / PROJECT)["dependencies"]])
    assert len({each.metadata["Name"] for each in needed.values()}) <= MOST_PACKAGES
    for distribution in needed.values():
        for file in distribution.files or []:
            if ".." not in file.parts and file.suffix != ".pyc":
                (packages / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(file.locate()), packages / file)
    with ZipFile(wheel) as packed:
        packed.extractall(packages)
    return folder


@pytest.mark.processes
async def test_the_recipes_need_nothing_else(alone: Path, tmp_path: Path) -> None:
    first = seed(tmp_path / "records.db", players=5).players[0]
    async with running(tmp_path / "records.db", options=ServiceOptions(quick_seconds=0)) as address:
        command = [
            str(alone / "bin/python"),
            "-I",
            str(ROOT / "tests/recipes.py"),
            address,
            first.token,
            str(tmp_path),
        ]
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        said, _ = await process.communicate()
        here = await told_by_all(defined(), address, first.token, tmp_path)
    assert json.loads(said) == json.loads(json.dumps(here))
    assert len(here) == 5


@pytest.mark.processes
def test_a_type_checker_sees_through_it(alone: Path, tmp_path: Path) -> None:
    readme = (ROOT / PROJECT / "README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    (tmp_path / "program.py").write_text(program + "reveal_type(RecordApi.holder)\n", encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    checked = subprocess.run(
        [Path(sys.executable).with_name("basedpyright"), "--pythonpath", alone / "bin/python", "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "-> Holder" in checked.stdout
    assert "0 errors, 0 warnings" in checked.stdout, checked.stdout


@pytest.mark.processes
def test_nothing_of_the_bot_is_there(alone: Path) -> None:
    code = "import kiroku_api, sys; from importlib.util import find_spec as find; print([name for name in sys.argv if find(name)])"
    wanted = ["bot", "cogs", "service", "discord", "sqlalchemy", "PIL", "stamina", "orjson"]
    said = subprocess.run(
        [alone / "bin/python", "-I", "-c", code, *wanted], capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[]"
