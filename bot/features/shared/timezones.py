"""The names of time zones."""

from collections.abc import Mapping
from functools import cache
from typing import Final
from zoneinfo import available_timezones

from bot.domain.errors import BadQuery, BotError

_OF_NO_PLACE: Final = frozenset({"localtime", "Factory"})
"""Names in the list that are not places: the machine's own setting, and the lack of one."""


class NoTimezone(BotError):
    """A time of day was typed without the time zone that it needs."""

    def __init__(self, clock: str) -> None:
        self.clock = clock
        super().__init__("a time of day without a zone")


@cache
def timezones() -> tuple[str, ...]:
    """Return all names, sorted; they are read from disk once."""
    return tuple(sorted(available_timezones() - _OF_NO_PLACE))


def get_timezone(typed: str) -> str:
    """Return the zone name for what was typed, in any case and with spaces or underscores. Raises: BadQuery."""
    name = _by_folded().get(_folded(typed))
    if name is None:
        raise BadQuery("timezone", "Europe/Paris, Asia/Tokyo, …")
    return name


def suggest_timezones(typed: str) -> list[str]:
    """Return the names that contain what was typed so far."""
    return [name for name in timezones() if _folded(typed) in _folded(name)]


@cache
def _by_folded() -> Mapping[str, str]:
    return {_folded(name): name for name in timezones()}


def _folded(name: str) -> str:
    return "_".join(name.casefold().split())
