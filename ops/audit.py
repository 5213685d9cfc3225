"""Look up what is known to be wrong with the packages of requirements.lock, as `make audit` does.

Where the advisories cannot be had, a sentence says so: that is no fault of the packages.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
UNREACHABLE: Final = "The advisories cannot be reached: nothing was looked up."


def fetch_report() -> Sequence[Mapping[str, Any]] | None:
    """Return what pip-audit found of each package, or None where it cannot ask. Raises: RuntimeError."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        options = ["--require-hashes", "--disable-pip", "--progress-spinner=off", "--format=json"]
        asked = subprocess.run(
            [sys.executable, "-m", "pip_audit", *options, "-o", report, "-r", ROOT / "requirements.lock"],
            check=False,
            capture_output=True,
            text=True,
        )
        if report.exists():
            found: Sequence[Mapping[str, Any]] = json.loads(report.read_text(encoding="utf-8"))[
                "dependencies"
            ]
            return found
    if "requests.exceptions." in asked.stderr or "your network may be blocking" in asked.stderr:
        return None
    raise RuntimeError(asked.stderr)


def say(found: Sequence[Mapping[str, Any]] | None) -> tuple[str, int]:
    """Return what is to be said of a report, and how the program ends."""
    looked_up = [package for package in found or () if "vulns" in package]
    if not found or not looked_up:
        return UNREACHABLE, 0
    wrong = [
        f"{package['name']} {package['version']}: {flaw['id']}, "
        f"{'mended in ' + ', '.join(flaw['fix_versions']) if flaw['fix_versions'] else 'not mended yet'}"
        for package in looked_up
        for flaw in package["vulns"]
    ]
    skipped = ", ".join(package["name"] for package in found if "vulns" not in package)
    lines = wrong or [f"Nothing is known to be wrong with the {len(looked_up)} packages looked up."]
    return "\n".join([*lines, *([f"Not looked up: {skipped}."] if skipped else [])]), int(bool(wrong))


if __name__ == "__main__":
    sentence, status = say(fetch_report())
    print(sentence)
    sys.exit(status)
