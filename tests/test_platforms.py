"""Systems on which the bot runs, and what is said on others: `bot.base.platforms`, `ops/install`."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.base.config import CannotStart
from bot.base.platforms import check_platform

ROOT = Path(__file__).parents[1]
NARROW = "for 32-bit ones some of its packages are not to be had. Install a 64-bit system."


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_it_runs_on_64_bits(platform: str) -> None:
    check_platform(platform, 2**63 - 1)
    with pytest.raises(CannotStart, match=NARROW):
        check_platform(platform, 2**31 - 1)


def test_on_windows_a_sentence_says_where_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_platform, "__defaults__", ("win32", 2**63 - 1))
    refused = CliRunner().invoke(
        main, ["run"], env={"DISCORD_TOKEN": "x", "RECORD_API_URL": "https://records.example"}
    )
    assert refused.exit_code == 1
    assert refused.stderr.startswith("The bot runs on Linux, and on Windows in a container or in WSL")
    assert len(refused.stderr.splitlines()) == 1


def test_a_python_of_32_bits_is_told_so_before_anything_is_fetched(tmp_path: Path) -> None:
    narrow = tmp_path / "python3"
    narrow.write_text(f'#!/bin/sh\nexec {sys.executable} -c "import sys; sys.maxsize = 2**31 - 1\n$2"\n')
    narrow.chmod(0o755)
    said = subprocess.run(
        [ROOT / "ops/install", tmp_path / "kiroku"],
        env={"PATH": "/usr/bin:/bin", "PYTHON": str(narrow)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert (said.returncode, said.stderr) == (1, f"Kiroku needs a 64-bit Python: {NARROW}\n")
    assert not (tmp_path / "kiroku").exists()
