"""Which build runs, as `kiroku --version`, /about, the log and metrics say it: `bot.base.build`."""

import subprocess
from datetime import date
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.base import build
from bot.base.build import Build, describe_checkout, find_build, parse_build

ROOT = Path(__file__).parents[1]
COMMIT = "1b8b1e7a2c3d"


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Ask what runs anew, with notes of one's own beside the code."""
    find_build.cache_clear()
    monkeypatch.setattr(build, "_NOTES", (tmp_path / "built.txt", tmp_path / "archived.txt"))
    monkeypatch.setattr(build, "_ROOT", tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def forget() -> None:
    find_build.cache_clear()


def run_git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    said = subprocess.run(["git", "-C", folder, *who, *words], check=True, capture_output=True, text=True)
    return said.stdout.strip()


@pytest.mark.parametrize("file", ["built.txt", "archived.txt"])
def test_what_a_wheel_or_an_archive_says_counts(anew: Path, file: str) -> None:
    (anew / file).write_text(f"{COMMIT} 2026-11-21\n")
    assert find_build() == Build(version("kiroku"), COMMIT, date(2026, 11, 21))
    said = CliRunner().invoke(main, ["--version"])
    assert (said.exit_code, said.output) == (
        0,
        f"kiroku {version('kiroku')} (commit {COMMIT} of 2026-11-21)\n",
    )


def test_where_nobody_knows_the_commit_the_version_stands_alone(anew: Path) -> None:
    (anew / "archived.txt").write_text("$Format:%H %cs$\n")
    assert CliRunner().invoke(main, ["--version"]).output == f"kiroku {version('kiroku')}\n"
    for odd in ("", COMMIT, "one two three", f"{COMMIT} yesterday"):
        assert parse_build("1.0.0", odd) == Build("1.0.0")


def test_a_checkout_is_asked_and_says_whether_files_were_changed(anew: Path) -> None:
    run_git(anew, "init", "--quiet")
    assert describe_checkout(anew) == ""  # nothing is committed yet
    (anew / "file").write_text("one")
    run_git(anew, "add", "file")
    run_git(anew, "commit", "--quiet", "--message", "first")
    commit, day = run_git(anew, "log", "-1", "--format=%H %cs").split()
    assert describe_checkout(anew) == f"{commit[:12]} {day}"
    (anew / "file").write_text("two")
    assert find_build().commit == f"{commit[:12]}+"
    (anew / "folder").mkdir()
    assert describe_checkout(anew / "folder") == ""  # it would be another project's commit


def test_an_archive_of_a_commit_says_which_it_is() -> None:
    attributes = (ROOT / ".gitattributes").read_text(encoding="utf-8")
    assert "bot/base/archived.txt export-subst" in attributes
    assert (ROOT / "bot/base/archived.txt").read_text(encoding="utf-8") == "$Format:%H %cs$\n"
