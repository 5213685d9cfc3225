"""What the host tells everybody just now, from NOTICE_FILE: a maintenance, or trouble that they know of."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bot.base.config import CannotStart, read_named_file

_MAX_LENGTH: Final = 300
"""Characters of a notice: it stands below every answer that fails."""
_CODED: Final = re.compile(r"([a-z]{2,3}(?:-[A-Z]{2})?)=(.*)")
"""A line for readers of one language."""


def read_notice(path: Path | None) -> Mapping[str, str]:
    """Return the notice by languages, that for all others under an empty code; nothing where there is no file.

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
