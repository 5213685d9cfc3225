"""What `make release` builds: the same bits in every folder, and in the container's context all that it needs."""

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest
from release import find_context, pack

ROOT = Path(__file__).parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def test_an_archive_holds_nothing_of_the_machine_or_the_moment(tmp_path: Path) -> None:
    made: list[bytes] = []
    for number, mode in enumerate((0o644, 0o600)):
        folder = tmp_path / str(number)
        (folder / "ops").mkdir(parents=True)
        for name in ("ops/install", "b", "a") if number else ("a", "b", "ops/install"):
            (folder / name).write_text(name)
            (folder / name).chmod(mode | (0o100 if name == "ops/install" else 0))
            os.utime(folder / name, (number, number))
        pack(tmp_path / f"{number}.tar.gz", "kiroku-1", folder, ["a", "b", "ops/install"], 1_700_000_000)
        made.append((tmp_path / f"{number}.tar.gz").read_bytes())
    assert made[0] == made[1]
    with tarfile.open(tmp_path / "0.tar.gz") as packed:
        found = {each.name: (each.mode, each.mtime, each.uid, each.uname) for each in packed}
    assert found == {
        "kiroku-1/a": (0o644, 1_700_000_000, 0, ""),
        "kiroku-1/b": (0o644, 1_700_000_000, 0, ""),
        "kiroku-1/ops/install": (0o755, 1_700_000_000, 0, ""),
    }


def test_the_context_has_what_the_container_copies_and_what_a_host_reads() -> None:
    files = {*find_context(ROOT)}
    assert {
        ".env.example",
        ".gitignore",
        "bot/base/archived.txt",
        "docs/hosting.md",
        "docs/upgrading.md",
        "ops/Containerfile",
        "ops/compose.yml",
        "ops/install",
        "ops/wheel.py",
        "pyproject.toml",
        "requirements.lock",
    } <= files
    assert [file for file in files if file.startswith(("tests/", ".git/", "docs/site/pictures/"))] == []


@pytest.mark.processes
def test_the_same_commit_gives_the_same_bits_in_two_folders(tmp_path: Path) -> None:
    # A release that someone makes by hand compiles what it imports.
    by_hand = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    sums: list[str] = []
    for number, umask in enumerate((0o022, 0o077)):
        clone, into = tmp_path / f"clone{number}", tmp_path / f"dist{number}"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True, umask=umask)
        shutil.rmtree(clone / ".ci")  # what is not committed changes nothing
        building = [sys.executable, clone / "ops/release.py", into]
        subprocess.run(building, check=True, capture_output=True, umask=umask, cwd=tmp_path, env=by_hand)
        sums.append((into / "SHA256SUMS").read_text())
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], check=True, cwd=into)
    assert sums[0] == sums[1]
    assert [line.partition("  ")[2] for line in sums[0].splitlines()] == [
        f"kiroku-{VERSION}-py3-none-any.whl",
        f"kiroku-{VERSION}-site.tar.gz",
        f"kiroku-{VERSION}.cdx.json",
        f"kiroku-{VERSION}.tar.gz",
        f"kiroku_api-{VERSION}-py3-none-any.whl",
    ]
