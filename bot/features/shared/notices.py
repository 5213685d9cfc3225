"""The host's current notice to everybody, from NOTICE_FILE: maintenance, or a known problem."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bot.base.config import CannotStart, read_named_file

_MAX_LENGTH: Final = 300
"""The most characters of a notice: it is shown below every failed answer."""
_CODED: Final = re.compile(r"([a-z]{2,3}(?:-[A-Z]{2})?)=(.*)")
"""The pattern of a line for readers of one language."""


def read_notice(path: Path | None) -> Mapping[str, str]:
    """Return the notice by language, with the default under an empty code; empty if there is no file.

    Raises: CannotStart.
    """
    if path is None or not path.exists():
        return {}
    texts: dict[str, str] = {}
    for line in read_named_file(path, "NOTICE_FILE").splitlines():
        found = _CODED.fullmatch(line.strip())
        code, text = found.groups() if found else ("", line)
        if text.strip():
            texts.setdefault(code, text.strip())
    if any(len(text) > _MAX_LENGTH for text in texts.values()):
        message = f"A line of {path} is longer than {_MAX_LENGTH} characters. Shorten it: NOTICE_FILE is for a sentence."
        raise CannotStart(message)
    return texts
