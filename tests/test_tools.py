"""Of tests/tools.py: in CI nothing is skipped that could be installed."""

import pytest
from tools import find_tool

DEMANDED = "KIROKU_TEST_DEMANDS_ANYTHING"


def test_a_program_that_is_there_is_found() -> None:
    assert find_tool("env", DEMANDED).endswith("/env")


def test_one_that_is_missing_is_skipped_unless_it_is_demanded(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(pytest.skip.Exception):
        find_tool("no-such-program", DEMANDED)
    monkeypatch.setenv(DEMANDED, "1")
    with pytest.raises(pytest.fail.Exception):
        find_tool("no-such-program", DEMANDED)
