"""One name, one meaning: no public class of the program bears the name of another one."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_no_public_class_name_stands_twice() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for folder in ("bot", "cogs", "service"):
        for file in ROOT.glob(f"{folder}/**/*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].add(file.relative_to(ROOT).as_posix())
    assert len(places) > 500
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
