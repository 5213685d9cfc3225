"""The wheel: the same bits wherever it is built, with everything that the bot reads and its notices."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from wheel import CommitHook

ROOT = Path(__file__).parents[1]
COMMIT = "1b8b1e7a2c3d 2026-11-21"
"""As it is said to a container, which has no git."""
SHIPS = ("bot", "cogs", "service")
NOTICES = [
    "LICENSE",
    "bot/features/readings/LICENSE.edict",
    "bot/features/readings/LICENSE.unidic",
    "bot/ui/kit/typefaces/LICENSE.dejavu",
]


def build(project: Path, into: Path, *, seed: str, **said: str) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", into],
        cwd=project,
        env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": seed, **said},
        check=True,
        capture_output=True,
    )
    return next(into.glob("*.whl"))


def copied_into_the_container() -> list[str]:
    """Return all that the container is built from."""
    lines = (ROOT / "ops/Containerfile").read_text(encoding="utf-8").splitlines()
    return [each for line in lines if re.match(r"COPY [^-]", line) for each in line.split()[1:-1]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("here"), seed="1", KIROKU_COMMIT=COMMIT)


def test_another_folder_gives_the_same_bits(wheel: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    for each in copied_into_the_container():  # with new times, and what running leaves behind
        if (ROOT / each).is_dir():
            shutil.copytree(ROOT / each, elsewhere / each, copy_function=shutil.copyfile)
            (elsewhere / each / "left.pyc").write_bytes(b"left")
        else:
            (elsewhere / each).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / each, elsewhere / each)
    for file in elsewhere.rglob("*.py"):
        file.chmod(0o600)
    made = build(elsewhere, tmp_path / "there", seed="2", KIROKU_COMMIT=COMMIT)
    assert made.read_bytes() == wheel.read_bytes()


def test_it_says_which_commit_it_is_of(wheel: Path) -> None:
    assert ZipFile(wheel).read("bot/base/built.txt").decode() == f"{COMMIT}\n"


def test_a_checkout_says_it_by_itself_but_for_one_that_is_installed_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KIROKU_COMMIT", raising=False)
    (tmp_path / "bot/base").mkdir(parents=True)
    (tmp_path / "bot/base/build.py").write_text(f"def describe_checkout(root): return {COMMIT!r}\n")
    told: dict[str, dict[str, dict[str, str]]] = {}
    for version in ("standard", "editable"):
        told[version] = {"force_include": {}}
        hook: Any = CommitHook.__new__(CommitHook)
        hook._BuildHookInterface__root = str(tmp_path)
        hook.initialize(version, told[version])
    ((file, place),) = told["standard"]["force_include"].items()
    assert (Path(file).read_text(), place) == (f"{COMMIT}\n", "bot/base/built.txt")
    assert told["editable"]["force_include"] == {}


def test_what_the_bot_reads_comes_along(wheel: Path) -> None:
    kept = [name for name in ZipFile(wheel).namelist() if name.startswith(SHIPS)]
    read = {".xz", ".ttf", ".po", ".js", ".mako"}
    assert (
        {name for name in kept if Path(name).suffix in read}
        >= {
            file.relative_to(ROOT).as_posix()
            for folder in SHIPS
            for file in (ROOT / folder).rglob("*")
            if file.suffix in read
        }
        >= {
            "bot/features/readings/meanings.xz",
            "bot/features/readings/words.xz",
            "bot/ui/kit/typefaces/DejaVuSans.ttf",
            "bot/ui/kit/typefaces/DejaVuSans-Bold.ttf",
        }
    )


def test_notices_go_wherever_the_words_and_the_typeface_go(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    beside = {name.partition(".dist-info/licenses/")[2] for name in names}
    assert {*NOTICES} <= beside
    assert {*NOTICES[1:]} <= {*names}
