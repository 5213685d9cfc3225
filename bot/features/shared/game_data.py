"""The host's own game data files, read at the start and on SIGHUP."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bot.base.config import CannotStart, read_named_file
from bot.domain.game_versions import VersionTable
from bot.domain.host_constants import HostConstant
from bot.wire.constants import read_constants
from bot.wire.game_versions import read_table
from bot.wire.host_files import BadLine

T = TypeVar("T")


def read_game_versions(path: Path | None) -> VersionTable:
    """Return the versions that ship with the bot and those in the operator's file. Raises: CannotStart."""
    return _read("GAME_VERSIONS", path, read_table)


def read_host_constants(path: Path | None) -> tuple[HostConstant, ...]:
    """Return the constants in the operator's file. Raises: CannotStart."""
    return _read("CONSTANTS_FILE", path, read_constants)


def _read(setting: str, path: Path | None, read: Callable[[str], T]) -> T:
    try:
        return read(read_named_file(path, setting))
    except BadLine as error:
        message = f"{setting} is not right: {error} ({path}). Mend the file, or leave {setting} out."
        raise CannotStart(message) from None
