"""schemathesis over the service's own OpenAPI, all checks, with a valid token and without one.

A bounded run here; FUZZ_EXAMPLES=200 (`make fuzz`) makes it a long one.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.wire.endpoints import ENDPOINTS
from tests.contract.conftest import Outsider

pytestmark = pytest.mark.processes

EXAMPLES = os.environ.get("FUZZ_EXAMPLES", "3")
CONFIGURATION = """
[auth.openapi.token]
api_key = "${RECORD_TOKEN}"
"""


@pytest.mark.timeout(0)
@pytest.mark.parametrize("configuration", [CONFIGURATION, ""], ids=["token", "no-token"])
def test_all_checks(outsider: Outsider, tmp_path: Path, configuration: str) -> None:
    (tmp_path / "schemathesis.toml").write_text(configuration, encoding="utf-8")
    result = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            *("run", f"{outsider.base}/openapi.json", "--checks", "all", "--continue-on-failure"),
            *("--max-examples", EXAMPLES, "--generation-database", "none", "--no-color"),
        ],
        cwd=tmp_path,
        env={**os.environ, "RECORD_TOKEN": outsider.players[0]["token"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-6000:]
    assert f"{len(ENDPOINTS)} selected" in result.stdout
