"""What whoever hosts the bot adds to what is known of the game: files of their own, read at the start and by SIGHUP."""

from pathlib import Path

from bot.base.config import CannotStart, read_named_file
from bot.domain.game_versions import VersionTable
from bot.wire.game_versions import BadVersions, read_table


def read_game_versions(path: Path | None) -> VersionTable:
    """Return the versions that ship with the bot and those of the operator's file. Raises: CannotStart."""
    try:
        return read_table(read_named_file(path, "GAME_VERSIONS"))
    except BadVersions as error:
        message = f"GAME_VERSIONS is not right: {error} ({path}). Mend the file, or leave GAME_VERSIONS out."
        raise CannotStart(message) from None
