"""Every page that a button or a menu can lead to, and what is needed to make it again."""

from enum import StrEnum

from bot.domain.charts import Difficulty
from bot.domain.entries import Order
from bot.domain.ids import SongId
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.domain.overpower import Grouping
from bot.domain.scores import SlotName
from bot.features.askers import Subject
from bot.ui.address import Address, route


class Setting(StrEnum):
    """What can be chosen from a menu of `/settings`; the values stand in ids."""

    LANGUAGE = "language"
    THEME = "theme"
    SLOT = "slot"
    REGION = "region"
    VISIBILITY = "visibility"


@route("account")
class AccountAddress(Address):
    """What the asker has linked; with a visibility, after choosing it."""

    visibility: Visibility | None = None


@route("alias")
class AliasAddress(Address):
    """The other names of songs in the server where the button is."""

    number: int = 0


@route("best")
class BestAddress(Address):
    """A slot of a player."""

    subject: Subject
    slot: SlotName
    number: int = 0
    draws_card: bool = False
    """A message of its own, as one that is shared, has no picture that could stay."""


@route("compare")
class CompareAddress(Address):
    """The asker's scores beside another's."""

    subject: Subject
    wanted: str = ""
    """A filter as it was typed."""
    number: int = 0


@route("courses")
class CoursesAddress(Address):
    """The asker's course records."""

    number: int = 0


@route("daily")
class JoinDailyAddress(Address):
    """Joining the server's daily post, and letting members of shared servers look."""


@route("erase")
class EraseAddress(Address):
    """Erasing all that is kept of the asker."""


@route("friends")
class FriendsAddress(Address):
    """The asker's friends."""

    number: int = 0


@route("help")
class HelpAddress(Address):
    """All commands."""

    number: int = 0


@route("new")
class NewAddress(Address):
    """What is new in the catalogue."""

    number: int = 0


@route("overpower")
class OverPowerAddress(Address):
    """The asker's over power."""

    by: Grouping


@route("plan")
class PlanAddress(Address):
    """What raises the asker's best average."""

    target: Hundredths | None = None
    outside_only: bool = False
    """Charts in the best slot are left out."""
    number: int = 0


@route("whatif")
class WhatIfAddress(Address):
    """What a score would change."""

    song: SongId
    difficulty: Difficulty
    score: int


@route("rating")
class RatingAddress(Address):
    """A player's rating."""

    subject: Subject


@route("score")
class ScoreAddress(Address):
    """A player's scores on a song."""

    subject: Subject
    song: str
    """Its id, or a text that it is looked for by."""


@route("scores")
class ScoresAddress(Address):
    """A player's scores that a filter lets through."""

    subject: Subject
    order: Order
    wanted: str = ""
    """A filter as it was typed."""
    number: int = 0


@route("search")
class SearchAddress(Address):
    """Charts that a filter lets through."""

    key: str
    """That of the filter, as it is kept."""
    order: Order | None = None
    number: int = 0


@route("random")
class RandomAddress(Address):
    """Charts drawn by lot."""

    key: str
    """That of the filter, as it is kept."""
    count: int


@route("settings")
class SettingsAddress(Address):
    """The asker's settings, after choosing one of them."""

    setting: Setting
    value: str


@route("song")
class SongAddress(Address):
    """A song with its charts."""

    song: str
    """Its id, or a text that it is looked for by."""


@route("mine")
class OwnScoresAddress(Address):
    """The asker's scores on a song."""

    song: SongId


@route("theirs")
class FriendScoresAddress(Address):
    """The scores of the asker's friends on a song."""

    song: SongId


@route("stats")
class StatsAddress(Address):
    """How all players fare on a chart of a song."""

    song: SongId
    difficulty: Difficulty | None = None
    """The hardest, if left out."""


@route("worldsend")
class WorldsEndAddress(Address):
    """The asker's scores on World's End charts."""

    number: int = 0
