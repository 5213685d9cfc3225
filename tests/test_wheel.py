"""The wheel: the same bits wherever it is built, with everything that the bot reads and its notices."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
SHIPS = ("bot", "cogs", "service")
NOTICES = ["LICENSE", "bot/features/readings/LICENSE.unidic", "bot/ui/typefaces/LICENSE.dejavu"]


def build(project: Path, into: Path, *, seed: str) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", into],
        cwd=project,
        env={"PATH": os.environ["PATH"], "PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
    )
    return next(into.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("here"), seed="1")


def test_another_folder_gives_the_same_bits(wheel: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    for folder in SHIPS:  # with new times, and what running leaves behind
        shutil.copytree(ROOT / folder, elsewhere / folder, copy_function=shutil.copyfile)
        (elsewhere / folder / "left.pyc").write_bytes(b"left")
    for file in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copyfile(ROOT / file, elsewhere / file)
    for file in elsewhere.rglob("*.py"):
        file.chmod(0o600)
    assert build(elsewhere, tmp_path / "there", seed="2").read_bytes() == wheel.read_bytes()


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
            "bot/features/readings/words.xz",
            "bot/ui/typefaces/DejaVuSans.ttf",
            "bot/ui/typefaces/DejaVuSans-Bold.ttf",
        }
    )


def test_notices_go_wherever_the_words_and_the_typeface_go(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    beside = {name.partition(".dist-info/licenses/")[2] for name in names}
    assert {*NOTICES} <= beside
    assert {*NOTICES[1:]} <= {*names}
