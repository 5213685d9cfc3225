"""`make bench`, with a Python in place of ours that says what it is to run."""

import importlib
import subprocess
from pathlib import Path

import pytest
from harness import LogBook

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


@pytest.mark.heavy
@pytest.mark.parametrize("name", [Path(file).stem for file in BENCHES])
def test_what_each_of_them_needs_is_still_there(name: str) -> None:
    """They measure what ships by its own names, some of which no test uses."""
    assert callable(importlib.import_module(name).main)


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("bench_decode", {"ROUNDS": 1}),
        ("bench_store", {"SIZES": (3, 6), "DAYS": 2, "ROUNDS": 1, "RECORDS": 60}),
    ],
)
async def test_one_that_is_tiny_prints_its_table(
    name: str, sizes: dict[str, object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = importlib.import_module(name)
    for each, size in sizes.items():
        monkeypatch.setattr(bench, each, size)
    assert await bench.main() in {0, 1}
    told = capsys.readouterr().out
    assert "goal" in told
    assert "ok" in told or "met" in told or "MISSED" in told


@pytest.mark.heavy
async def test_posts_stand_and_nothing_is_told_in_the_log(tmp_path: Path, log: LogBook) -> None:
    bench = importlib.import_module("bench_posts")
    await bench.measure(tmp_path, servers=2, news=1)
    assert not [line for line in log.lines if line.startswith(("WARNING", "ERROR"))], log.text
