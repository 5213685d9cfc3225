"""Which build of Kiroku this is: its version, and the commit that it was made from.

Nothing but the standard library is imported, for `ops/wheel.py` runs this where nothing is installed yet.
"""

import subprocess
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__)
_ROOT: Final = _HERE.parents[2]
_NOTES: Final = (_HERE.with_name("built.txt"), _HERE.with_name("archived.txt"))
"""What building a wheel leaves in it, and what `git archive` fills in."""
_SHORT_DIGITS: Final = 12
"""Digits of a commit that tell it from all others of a project."""
_SECONDS: Final = 5.0
"""How long git may take."""


@dataclass(frozen=True, slots=True)
class Build:
    """What runs."""

    version: str
    commit: str = ""
    """Its first digits, with a + behind them where files differ from it; empty where it is not known."""
    day: date | None = None
    """When that was committed."""

    def in_words(self) -> str:
        """Return it as the command line and the log say it."""
        return f"{self.version} (commit {self.commit} of {self.day})" if self.commit else self.version


@cache
def find_build() -> Build:
    """Return what runs. The first call may ask git, and so takes milliseconds."""
    notes = (each.read_text(encoding="utf-8") for each in _NOTES if each.is_file())
    said = next((note for note in notes if "$" not in note), None) or describe_checkout(_ROOT)
    return parse_build(version("kiroku"), said)


def parse_build(number: str, said: str) -> Build:
    """Return the build of a version by what is said of its commit; by the version alone where that cannot be read."""
    try:
        whole, day = said.split()
        commit, sign, _ = whole.partition("+")
        return Build(number, commit[:_SHORT_DIGITS] + sign, date.fromisoformat(day))
    except ValueError:
        return Build(number)


def describe_checkout(root: Path) -> str:
    """Return the commit of a checkout and its day, as in "1b8b1e7a2c3d 2026-11-21"; nothing where git does not say."""
    if not (root / ".git").exists():  # it may stand in somebody else's
        return ""

    def ask(*words: str) -> str:
        said = subprocess.run(  # noqa: S603 - words of ours
            ["git", "-C", root, *words],  # noqa: S607 - git stands on the path, or the commit is not known
            check=True, capture_output=True, text=True, timeout=_SECONDS,
        )  # fmt: skip
        return said.stdout.strip()

    try:
        commit, day = ask("log", "-1", "--format=%H %cs").split()
        is_changed = ask("status", "--porcelain", "--untracked-files=no")
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return f"{commit[:_SHORT_DIGITS]}{'+' if is_changed else ''} {day}"
