"""Files of constants that a host knows of charts of which the service knows none: a chart a line."""

import re
from typing import Final

from bot.domain.charts import DIFFICULTIES, WORLDS_END, Difficulty
from bot.domain.host_constants import HostConstant
from bot.domain.numbers import to_hundredths
from bot.wire.host_files import BadLine, lines_of

_CONSTANT: Final = re.compile(r"1?\d(\.\d)?")


def read_constants(text: str) -> tuple[HostConstant, ...]:
    """Return what a file says, in its order. Raises: BadLine for the first line that is wrong or contradicts another."""
    found: dict[tuple[str, Difficulty], HostConstant] = {}
    for number, line in lines_of(text):
        # A title may have commas of its own.
        song, difficulty, constant = ("", "", *(part.strip() for part in line.rsplit(",", 2)))[-3:]
        code = Difficulty(difficulty.upper())
        if not song or code not in DIFFICULTIES or code == WORLDS_END or not _CONSTANT.fullmatch(constant):
            raise BadLine(number, "a line is written like Title or id, MAS, 14.9")
        if (song.casefold(), code) in found:
            raise BadLine(number, f"two lines for {song} {code}")
        found[song.casefold(), code] = HostConstant(number, song, code, to_hundredths(constant))
    return tuple(found.values())
