"""`make bench`, with a Python in place of ours that says what it is to run."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BENCHES = sorted(f"tests/benchmarks/{file.name}" for file in ROOT.glob("tests/benchmarks/bench_*.py"))


def bench(folder: Path, missed: str) -> subprocess.CompletedProcess[str]:
    """Run all benchmarks, of which those miss whose names have `missed` in them."""
    python = folder / "bin/python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\necho "ran $1"\ncase "$1" in {missed}) exit 1;; esac\n')
    python.chmod(0o755)
    (folder / ".ready").touch()
    return subprocess.run(
        ["make", "--no-print-directory", "bench", f"VENV={folder}"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(("missed", "code"), [("none", 0), ("*search*|*bot*", 2)])
def test_every_table_is_printed_whatever_was_missed(tmp_path: Path, missed: str, code: int) -> None:
    made = bench(tmp_path, missed)
    assert [line for line in made.stdout.splitlines() if line.startswith("ran ")] == [
        f"ran {each}" for each in BENCHES
    ]
    assert made.returncode == code


def test_what_was_missed_is_named_at_the_end(tmp_path: Path) -> None:
    made = bench(tmp_path, "*search*|*bot*")
    assert (
        made.stdout.splitlines()[-1]
        == "missed: tests/benchmarks/bench_bot.py tests/benchmarks/bench_search.py"
    )
