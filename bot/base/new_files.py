"""Creates files with secrets."""

import os
from pathlib import Path


def write_new_file(path: Path, text: str, *, mode: int) -> None:
    """Create a new file; if it cannot be written completely, as on a full disk, no file is left.

    Raises: FileExistsError, and another OSError.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink()
        raise
