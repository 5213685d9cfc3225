"""The migrations: which there are, and that nothing of Alembic is loaded where all are applied."""

import subprocess
import sys
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

from bot.store import Store, Vault, new_key
from bot.store.migrate import _MIGRATIONS, known_revisions


def test_they_are_numbered_in_the_order_in_which_alembic_applies_them() -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    walked = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert known_revisions() == walked[::-1]


async def test_alembic_is_loaded_only_where_the_database_is_behind(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/kiroku.db"
    async with Store(url, Vault([new_key()])):
        pass
    code = (
        "import asyncio, sys\n"
        "from bot.store import Store, Vault, new_key\n"
        "async def main():\n"
        f"    async with Store({url!r}, Vault([new_key()])): pass\n"
        "asyncio.run(main())\n"
        "assert not any(name.startswith('alembic') for name in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: ASYNC221 - nothing else waits here
