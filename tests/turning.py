"""A version of the game that begins while a test goes on, for the bot and for the service."""

from datetime import date, datetime, timedelta

import pytest
from world import World

from bot.domain.game_versions import JAPAN, Formula, GameVersion, VersionTable
from bot.domain.ids import JP2
from service import rating_data


def begin_version(
    world: World, monkeypatch: pytest.MonkeyPatch, *, days: int = 1, name: str = "Next"
) -> GameVersion:
    """Let a version begin so many days from now, in which the songs since then are new; return it."""
    today = world.clock.now().astimezone(JAPAN).date()
    version = version_of(today + timedelta(days=days), name)
    ratings = world.bot.features.game_ratings
    ratings.versions = table = VersionTable.of([*ratings.versions.versions, version])
    monkeypatch.setattr(rating_data, "_versions", lambda: table)
    return version


def version_of(first_day: date, name: str) -> GameVersion:
    return GameVersion(
        name=name, region=JP2, first_day=first_day, formula=Formula.BEST_AND_NEW, new_since=first_day
    )


def go_to(world: World, moment: datetime) -> None:
    """Let time pass until a moment."""
    world.clock.advance((moment - world.clock.now()).total_seconds())
