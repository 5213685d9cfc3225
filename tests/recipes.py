"""The recipes of docs/api-layer.md, and a program that goes through all of them."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parents[1] / "docs" / "api-layer.md"


def blocks() -> list[str]:
    """Return the Python blocks of the section "Recipes"."""
    section = DOCUMENT.read_text(encoding="utf-8").partition("\n## Recipes\n")[2].partition("\n## ")[0]
    return [part.partition("```")[0] for part in section.split("```python\n")[1:]]


def defined() -> dict[str, Any]:
    """Return what the recipes define; each block stands alone."""
    names: dict[str, Any] = {}
    for block in blocks():
        alone: dict[str, Any] = {}
        exec(compile(block, str(DOCUMENT), "exec"), alone)  # noqa: S102 - our own document
        names |= {name: value for name, value in alone.items() if callable(value)}
    return names


async def told_by_all(recipes: dict[str, Any], address: str, token: str, folder: Path) -> dict[str, Any]:
    """Return what each recipe says of a service's first invented player, with the service and without it."""
    songs = await recipes["hardest"](address, token, 3)
    kept = folder / "records.json"
    records = await recipes["my_records"](address, token, kept)
    return {
        "my_rating": await recipes["my_rating"](address, token),
        "friends_best": await recipes["friends_best"](address, token),
        "hardest": songs,
        "statistics_of": await recipes["statistics_of"](address, token, ["0" * 16]),
        "my_records": [
            len(records),
            records == await recipes["my_records"]("http://127.0.0.1:1", token, kept),
        ],
    }


if __name__ == "__main__":
    address, token, folder = sys.argv[1:]
    sys.stdout.write(json.dumps(asyncio.run(told_by_all(defined(), address, token, Path(folder)))))
