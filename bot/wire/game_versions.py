"""Files of the game's versions: lines of comma-separated values, of which one ships with the bot."""

from datetime import date
from pathlib import Path
from typing import Final

from bot.domain.game_versions import Formula, GameVersion, VersionTable
from bot.domain.ids import Region
from bot.wire.host_files import BadLine, lines_of

SHIPPED: Final = Path(__file__).with_suffix(".csv")
"""The versions that are known when the bot is released."""
REPLACE: Final = "replace"
"""A line of this word alone: what ships counts no more."""
_COLUMNS: Final = 5
_MAX_NAME_LENGTH: Final = 40


def read_versions(text: str) -> tuple[GameVersion, ...]:
    """Return the versions that a file names, in its order; empty lines and those that begin with # say nothing.

    Raises: BadLine for the first line that cannot be read or contradicts one before it.
    """
    found: list[GameVersion] = []
    for number, line in lines_of(text):
        if line != REPLACE:
            version = _read_line(number, line)
            for other in found:
                _check_beside(number, version, other)
            found.append(version)
    return tuple(found)


def read_table(extra: str = "") -> VersionTable:
    """Return the versions that ship with the bot and those of another file, which stand for shipped ones of their name or day.

    Where a line of the other file is `replace`, nothing that ships counts. Raises: BadLine where it cannot be read.
    """
    added = read_versions(extra)
    if any(line == REPLACE for _, line in lines_of(extra)):
        return VersionTable.of(added)
    shipped = read_versions(SHIPPED.read_text(encoding="utf-8"))
    names = {(each.region, each.name.casefold()) for each in added}
    kept = (each for each in shipped if (each.region, each.name.casefold()) not in names)
    return VersionTable.of((*kept, *added))


def _check_beside(number: int, version: GameVersion, other: GameVersion) -> None:
    """Check that a version does not contradict one of a line before it. Raises: BadLine."""
    if version.region != other.region:
        return
    if version.first_day == other.first_day:
        raise BadLine(number, f"two versions of {version.region} begin on {version.first_day}")
    if version.name.casefold() == other.name.casefold():
        raise BadLine(number, f"two versions of {version.region} are called {version.name}")
    earlier, later = sorted((version, other), key=lambda each: each.first_day)
    if earlier.new_since and later.new_since and later.new_since < earlier.new_since:
        raise BadLine(
            number, f"songs that {earlier.name} counts as old would be new in {later.name}, which is later"
        )


def _read_line(number: int, line: str) -> GameVersion:
    parts = [part.strip() for part in line.split(",")]
    if len(parts) not in {_COLUMNS - 1, _COLUMNS}:
        raise BadLine(number, "five values are wanted: name, region, first day, formula, new since")
    name, region, first, formula, since = (*parts, "")[:_COLUMNS]
    if not name or len(name) > _MAX_NAME_LENGTH or not name.isprintable():
        raise BadLine(number, f"a name of 1 to {_MAX_NAME_LENGTH} characters is wanted")
    if not region:
        raise BadLine(number, "a region is wanted, such as jp2")
    if formula not in set(Formula):
        raise BadLine(number, "the formula is 30+20 or 30+10")
    first_day = _read_day(number, first)
    new_since = _read_day(number, since) if since else None
    if (new_since is None) == (formula == Formula.BEST_AND_NEW):
        raise BadLine(number, "30+20 wants the day from which songs are new, and 30+10 none")
    if new_since is not None and new_since > first_day:
        raise BadLine(number, "songs cannot be new only after the version has begun")
    return GameVersion(
        name=name, region=Region(region), first_day=first_day, formula=Formula(formula), new_since=new_since
    )


def _read_day(number: int, text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadLine(number, "a day is written like 2025-12-11") from None
