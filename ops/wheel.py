"""What building a wheel writes into it: the commit that it is made from, which `kiroku --version` tells.

KIROKU_COMMIT says it where there is no git, as in a container: "1b8b1e7a2c3d 2026-11-21".
"""

import os
import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommitHook(BuildHookInterface[BuilderConfig]):
    """Adds `bot/base/built.txt` where the commit is known; a checkout that is installed as it is asks git itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # pyright: ignore[reportImplicitOverride] - hatchling alone is there
        """Write what is known into a file that the wheel takes along."""
        if version == "editable":
            return
        describe = runpy.run_path(str(Path(self.root, "bot/base/build.py")))["describe_checkout"]
        known = os.environ.get("KIROKU_COMMIT") or describe(Path(self.root))
        if known:
            note = Path(tempfile.mkdtemp(), "built.txt")
            note.write_text(f"{known}\n", encoding="utf-8")
            build_data["force_include"][str(note)] = "bot/base/built.txt"
