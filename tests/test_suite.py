"""What `make test` runs: every test file that bears a module's name holds something of it there.

A rule that only another target holds is not noticed while somebody works on the module, and by a whole file that is
marked not even that it has any.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parent
ROOT: Final = TESTS.parent
LEFT_OUT: Final = {"browser", "heavy", "long", "postgres", "processes"}
"""Marks of what `make test` leaves out."""


def modules_of(file: Path) -> list[Path]:
    """Return the modules or packages whose name a test file bears."""
    *folders, name = file.relative_to(TESTS).with_suffix("").parts
    place = Path(*folders, name.removeprefix("test_"))
    return [
        found
        for each in (ROOT / "bot" / place, ROOT / place)
        for found in (each.with_suffix(".py"), each / "__init__.py")
        if found.exists()
    ]


def marks_of(node: ast.AST) -> set[str]:
    """Return what may be a mark in an expression, by its last name."""
    return {
        each.attr if isinstance(each, ast.Attribute) else each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute | ast.Name)
    }


def run_of(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the tests that `make test` runs, each of which stands in nothing that is left out."""
    marked = [
        each for each in body if isinstance(each, ast.Assign) and "pytestmark" in marks_of(each.targets[0])
    ]
    if any(LEFT_OUT & marks_of(each.value) for each in marked):
        return
    for each in body:
        if not isinstance(each, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        # A case of many may be left out, the test with it only by its own decorator.
        own = [one for one in each.decorator_list if "parametrize" not in marks_of(one)]
        if any(LEFT_OUT & marks_of(one) for one in own):
            continue
        if isinstance(each, ast.ClassDef):
            yield from run_of(each.body)
        elif each.name.startswith("test_"):
            yield each


BEARING: Final = [file for file in sorted(TESTS.rglob("test_*.py")) if modules_of(file)]


@pytest.mark.parametrize("file", BEARING, ids=lambda file: str(file.relative_to(TESTS)))
def test_a_file_that_bears_a_modules_name_is_not_left_out(file: Path) -> None:
    assert list(run_of(ast.parse(file.read_text(encoding="utf-8")).body))


def test_what_is_left_out_is_found() -> None:
    """Whole files, classes and single tests; the others of the same file are run."""
    assert len(BEARING) > 100
    whole = "pytestmark = [pytest.mark.shared, pytest.mark.heavy]\ndef test_a(): ..."
    single = "@pytest.mark.processes\ndef test_a(): ...\n@postgres\nasync def test_b(): ..."
    cases = "@pytest.mark.parametrize('n', [1, pytest.param(2, marks=pytest.mark.heavy)])\ndef test_c(n): ..."
    in_class = "class TestIt:\n    pytestmark = pytest.mark.long\n    def test_d(self): ..."
    assert not [*run_of(ast.parse(whole).body), *run_of(ast.parse(single).body)]
    assert not list(run_of(ast.parse(in_class).body))
    assert [each.name for each in run_of(ast.parse(f"{single}\n{cases}").body)] == ["test_c"]
