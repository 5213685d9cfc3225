"""Which build of Kiroku this is: its version, and the commit that it was made from.

Only the standard library is imported, because `ops/wheel.py` runs this where nothing is installed yet.
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
"""The files with the commit: one is written into a wheel, the other is filled in by `git archive`."""
_SHORT_DIGITS: Final = 12
"""Digits of a commit that identify it within a project."""
_SECONDS: Final = 5.0
"""The timeout for git."""


@dataclass(frozen=True, slots=True)
class Build:
    """A build of Kiroku."""

    version: str
    commit: str = ""
    """The first digits of the commit, followed by + if files differ from it; empty if unknown."""
    day: date | None = None
    """The day of the commit."""

    def in_words(self) -> str:
        """Return the build in words, for the command line and the log."""
        return f"{self.version} (commit {self.commit} of {self.day})" if self.commit else self.version


@cache
def find_build() -> Build:
    """Return the running build. The first call may run git, which takes milliseconds."""
    notes = (each.read_text(encoding="utf-8") for each in _NOTES if each.is_file())
    said = next((note for note in notes if "$" not in note), None) or describe_checkout(_ROOT)
    return parse_build(version("kiroku"), said)


def parse_build(number: str, said: str) -> Build:
    """Return the build of a version and a description of its commit, which is ignored if it cannot be parsed."""
    try:
        whole, day = said.split()
        commit, sign, _ = whole.partition("+")
        return Build(number, commit[:_SHORT_DIGITS] + sign, date.fromisoformat(day))
    except ValueError:
        return Build(number)


def describe_checkout(root: Path) -> str:
    """Return the commit of a checkout and its day, as in "1b8b1e7a2c3d 2026-11-21"; empty if git cannot tell."""
    if not (root / ".git").exists():  # it may be inside somebody else's checkout
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
