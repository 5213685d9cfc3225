"""Programs that tests use where the machine has them; whoever demands one has a failure where it would be a skip."""

import os
import shutil

import pytest


def find_tool(name: str, demanded_by: str) -> str:
    """Return where a program is; the test is skipped without it, or fails where a variable demands it."""
    found = shutil.which(name)
    if found is None and os.environ.get(demanded_by):
        pytest.fail(f"{name} is not installed")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found
