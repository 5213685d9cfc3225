"""Files that are made once and hold a secret."""

import os
from pathlib import Path


def write_new_file(path: Path, text: str, *, mode: int) -> None:
    """Write a file that is not there yet; where it cannot be written whole, as on a full disk, none is left.

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
