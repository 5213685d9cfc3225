"""Demos that all begin with the same players and the same past."""

from collections.abc import Generator

import pytest
from demos import invented_once


@pytest.fixture(scope="session", autouse=True)
def invented(tmp_path_factory: pytest.TempPathFactory) -> Generator[None]:
    with invented_once(tmp_path_factory):
        yield
