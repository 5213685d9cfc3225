"""`kiroku`, with its Discord at the address that comes first: `python tests/redirected.py http://127.0.0.1:1 run`."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from pathlib import Path

from yarl import URL

from bot.__main__ import main
from bot.demo.redirected import redirected


async def start_program(discord: str, command: str, folder: Path, settings: Mapping[str, str]) -> Process:
    """Start `kiroku COMMAND` in `folder`, with these settings alone."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        __file__,
        discord,
        *command.split(),
        stderr=PIPE,
        cwd=folder,
        env={"PATH": os.environ["PATH"], **settings},
    )


if __name__ == "__main__":
    with redirected(URL(sys.argv[1])):
        main(sys.argv[2:])
