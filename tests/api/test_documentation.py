"""The list of endpoints in docs/api-layer.md is the one of the table, and its worked example works."""

from pathlib import Path
from typing import Any

import pytest
from generators.endpoints import endpoints_as_markdown, with_endpoints

from service.seed import seed
from service.server import running

DOCUMENT = Path(__file__).parents[2] / "docs" / "api-layer.md"


def test_the_list_of_endpoints_is_the_tables() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_endpoints(text) == text, "run: python tests/generators/endpoints.py docs/api-layer.md"


def test_a_name_with_two_meanings_has_two_lines() -> None:
    lines = [line for line in endpoints_as_markdown().splitlines() if line.startswith("- `diff`")]
    assert lines == [
        "- `diff` (string) of `music/stat`: one-letter difficulty; one of `b`, `a`, `e`, `m`, `w`",
        "- `diff` (string) of `records/filter`: letters of b, a, e, m, joined; default `baem`",
    ]


@pytest.fixture
def example() -> dict[str, Any]:
    """Return what the document's first Python block defines."""
    code = DOCUMENT.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(compile(code, str(DOCUMENT), "exec"), names)  # noqa: S102 - our own document
    return names


async def test_the_worked_example_works(example: dict[str, Any], tmp_path: Path) -> None:
    database = tmp_path / "records.db"
    report = seed(database, players=5)
    holder = report.players[0]
    strangers = [p for p in report.players[1:] if p.is_protected and p.user_id not in holder.friends]
    async with running(database) as address:
        lines: list[str] = await example["best_of"](address, holder.token)
        assert len(lines) == 11
        assert lines[-1] == "119 of 120 requests left"
        assert await example["best_of"](address, holder.token, strangers[0].user_name) == [
            "only friends may see this player"
        ]
        assert await example["best_of"](address, "wrong") == [
            "no answer: the record service rejected the token"
        ]
