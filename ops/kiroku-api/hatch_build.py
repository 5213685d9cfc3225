"""Lays the modules of `bot` that the API layer stands on into a package `kiroku_api`."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from typing_extensions import override

PACKAGE: Final = "kiroku_api"
_TREE: Final = Path(__file__).resolve().parents[2]
_FRONT: Final = Path(__file__).resolve().parent / PACKAGE / "__init__.py"
_OURS: Final = re.compile(r"\bbot(?=\.(?:api|base|domain|wire)\b)")
_DATA: Final = ("wire/game_versions.csv",)
"""What modules read, beside themselves."""


class ApiLayerHook(BuildHookInterface[BuilderConfig]):
    """Has the wheel hold what `kiroku_api` imports, and nothing else of the tree."""

    @override
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the modules anew, under the package's own name."""
        self._folder = TemporaryDirectory()
        folder = Path(self._folder.name)
        laid = build_data["force_include"]
        for source, place in sorted(_placed()):
            copy = folder / place
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text(encoding="utf-8")
            copy.write_text(_OURS.sub(PACKAGE, text) if source.suffix == ".py" else text, encoding="utf-8")
            laid[str(copy)] = f"{PACKAGE}/{place}"
        marker = folder / "py.typed"
        marker.touch()
        laid[str(marker)] = f"{PACKAGE}/py.typed"

    @override
    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Leave nothing behind."""
        self._folder.cleanup()


def _placed() -> Iterator[tuple[Path, str]]:
    """Yield each file of the tree that goes in, and its place below the package."""
    yield _FRONT, "__init__.py"
    yield _TREE / "LICENSE", "LICENSE"
    for name in _DATA:
        yield _TREE / "bot" / name, name
    for name in _modules(_FRONT, set()) - {"bot"}:
        source = _source(name)
        if source is not None:
            yield source, source.relative_to(_TREE / "bot").as_posix()


def _modules(source: Path, found: set[str]) -> set[str]:
    """Return the modules of `bot` that a file imports, those that these import, and the packages around them."""
    for name in _imported(source):
        parts = name.split(".")
        for length in range(1, len(parts) + 1):
            module = ".".join(parts[:length])
            path = _source(module)
            if path is not None and module not in found:
                found.add(module)
                _modules(path, found)
    return found


def _imported(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "bot":
            yield from (f"{node.module}.{each.name}" for each in node.names)


def _source(module: str) -> Path | None:
    """Return a module's file; None for a name that is none of a module."""
    place = _TREE.joinpath(*module.split("."))
    return next((each for each in (place / "__init__.py", place.with_suffix(".py")) if each.is_file()), None)
