"""Saved `music/showall` replies of version 2.0, for tests that go through all real songs."""

import os
from pathlib import Path
from typing import Final

import pytest

NAMED: Final = "KIROKU_TEST_CATALOGUE"
"""The variable that names one, or a folder of them."""
PLACE: Final = Path("shared") / "data"
"""Beside a checkout, or beside any folder that it is in."""
FILES: Final = "music_showall_2.0_*.json"


def saved_catalogues() -> list[Path]:
    """Return those that there are, by their names: where they are named nowhere else."""
    named = os.environ.get(NAMED) or os.environ.get("CATALOGUE")
    if named:
        place = Path(named)
        return sorted(place.glob(FILES)) if place.is_dir() else [place]
    for folder in Path(__file__).resolve().parents:
        if found := sorted((folder / PLACE).glob(FILES)):
            return found
    return []


def read_nicknames() -> list[tuple[str, str]]:
    """Return what players really call songs, with the titles."""
    rows = [
        line.split("\t")
        for folder in REAL
        for line in (folder / "nicknames.tsv").read_text(encoding="utf-8").splitlines()
    ]
    return [(name, title) for title, *names in rows for name in names if name and name != title]


REAL: Final = [
    place for folder in Path(__file__).resolve().parents if (place := folder / PLACE / "real").is_dir()
][:1]
"""The folder of real catalogues and nicknames, if there is one."""
CATALOGUES: Final = saved_catalogues()
needs_catalogue: Final = pytest.mark.skipif(
    not CATALOGUES,
    reason=f"no saved catalogue: {NAMED} names none, and {PLACE} holds none beside the checkout",
)
