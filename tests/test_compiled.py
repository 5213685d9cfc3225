"""Of tests/compiled.py: pytest takes what it leaves, and only as long as it is true."""

from pathlib import Path

import compiled
import pytest
from _pytest.assertion import rewrite


@pytest.mark.parametrize("name", ["test_some.py", "conftest.py"])
def test_pytest_takes_what_was_compiled(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text("def test_one() -> None:\n    assert 1 == 2\n")
    compiled.compile_file(file)
    (left,) = rewrite.get_cache_dir(file).iterdir()
    assert left.name == file.stem + rewrite.PYC_TAIL
    assert rewrite._read_pyc(file, left) is not None
    file.write_text("def test_one() -> None:\n    assert 1 == 3\n")
    assert rewrite._read_pyc(file, left) is None


def test_what_tests_stand_on_is_compiled_as_python_does(tmp_path: Path) -> None:
    file = tmp_path / "world.py"
    file.write_text("one = 1\n")
    compiled.compile_file(file)
    (left,) = (tmp_path / "__pycache__").iterdir()
    assert "pytest" not in left.name
