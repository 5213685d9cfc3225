"""The addresses of all pages but those in `song_routes`: what is needed to make a page again."""

from datetime import date
from enum import StrEnum

from bot.domain.boards import Measure
from bot.domain.charts import Difficulty
from bot.domain.climb import TargetMeasure
from bot.domain.coach.prediction import Form
from bot.domain.comparison import GapOrder
from bot.domain.entries import Order
from bot.domain.ids import MemberId, Region, SongId
from bot.domain.members import CutChoice, Theme, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.overpower import Grouping
from bot.domain.plan import PlanCharts
from bot.domain.recap import RecapPeriod
from bot.domain.scores import SlotName
from bot.ui.kit.address import Address, ListAddress, PictureAddress, SubjectAddress, route


@route("account")
class AccountAddress(Address):
    """The account that the asker has linked; with a visibility, after choosing it."""

    CHANGES = True
    visibility: Visibility | None = None


@route("pack")
class PackAddress(Address):
    """A pack of goals: to be previewed, or to be taken."""

    CHANGES = True
    code: str
    is_taken: bool = False


@route("packs")
class PacksAddress(Address):
    """The packs of goals that are pinned in the server of the page."""


@route("locked")
class LockedAddress(ListAddress):
    """The songs that the asker has not unlocked."""


@route("best")
class BestAddress(ListAddress, SubjectAddress, PictureAddress):
    """A slot of a player, or their best records that match a filter."""

    slot: SlotName
    wanted: str = ""
    """The filter as it was typed; the slot is ignored then."""


@route("board")
class BoardAddress(ListAddress):
    """The leaderboard of the members of the button's server."""

    measure: Measure
    song: str = ""
    """The song's id, or a text to search for it."""
    difficulty: Difficulty
    role: int | None = None
    """The role to which the board is limited, if any."""


@route("border")
class BorderAddress(Address):
    """The judgements that may be lost on a chart for each rank."""

    song: str
    """The song's id, or a text to search for it."""
    difficulty: Difficulty | None = None
    """The difficulty; by default the hardest."""


@route("compare")
class ComparisonAddress(ListAddress, SubjectAddress, PictureAddress):
    """The asker's scores compared with another player's."""

    wanted: str = ""
    """The filter as it was typed."""
    song: str = ""
    """The only song to compare, as its id or a text to search for it; the filter is ignored then."""
    order: GapOrder = GapOrder.WIDEST
    form: Form | None = None
    """The form of the day for which a forecast is shown, on a song."""


@route("table")
class CompletionAddress(PictureAddress):
    """All charts that match a filter, with the asker's records."""

    wanted: str
    """The filter as it was typed."""
    by_felt: bool = False
    """Whether rows are by felt difficulty."""


@route("tiers")
class TiersAddress(SubjectAddress, PictureAddress):
    """The charts that match a filter, from easy to hard for the asker, and which of them the subject has done."""

    wanted: str
    """The filter as it was typed."""
    rank: str = ""
    """The name of the rank; empty for the asker's next one."""
    of_all: bool = False
    """Whether rows are by the difficulty for all players of the asker's rating."""


@route("courses")
class CoursesAddress(ListAddress):
    """The asker's course records."""


@route("history")
class CurvesAddress(PictureAddress):
    """The history of a figure of some members, or of the asker if nobody is named."""

    measure: Measure
    members: tuple[MemberId, ...] = ()
    """The members, in the order in which they were named."""
    days: int | None = None
    """The number of days shown, up to today; if None, the days are those from `first` to `last`."""
    first: date | None = None
    last: date | None = None


@route("daily")
class JoinDailyAddress(Address):
    """Joining the server's daily post."""

    CHANGES = True
    openly: bool = False
    """Whether an asker set to "only me" becomes visible to members of shared servers."""


@route("erase")
class EraseAddress(Address):
    """Erasing all data about the asker."""

    CHANGES = True


@route("feed")
class JoinFeedAddress(Address):
    """Joining the server's feed."""

    CHANGES = True
    openly: bool = False
    """Whether an asker set to "only me" becomes visible to members of shared servers."""


@route("feeds")
class FeedsAddress(Address):
    """The feeds of the menu's server."""

    CHANGES = True
    remove: int | None = None
    """The plan to remove, if any."""


@route("friends")
class FriendsAddress(ListAddress):
    """The asker's friends."""


@route("goals")
class GoalsAddress(PictureAddress):
    """The asker's goals, with their progress."""


class HelpTopic(StrEnum):
    """The topics of `/help`; the values are part of the ids of components."""

    START = "start"
    SCORES = "scores"
    BETTER = "better"
    SONGS = "songs"
    SERVER = "server"
    FILTERS = "filters"
    ACCOUNT = "account"
    ALL = "all"
    """The topic that lists all commands."""


@route("help")
class HelpAddress(ListAddress):
    """The commands of one topic of `/help`."""

    topic: HelpTopic = HelpTopic.START


@route("overpower")
class OverPowerAddress(PictureAddress):
    """The asker's over power."""

    by: Grouping


@route("plan")
class PlanAddress(ListAddress):
    """The charts that raise the asker's rating."""

    target: Hundredths | None = None
    aim: TargetMeasure = TargetMeasure.RATING
    """The kind of the target."""
    charts: PlanCharts = PlanCharts.ALL
    level: Hundredths | None = None
    genre: str = ""


@route("session")
class SessionAddress(SubjectAddress, PictureAddress):
    """The recent plays of somebody."""

    since: str = ""
    """A day in ISO 8601."""


@route("whatif")
class WhatIfAddress(Address):
    """The effect of supposed scores on the rating."""

    song: str
    """The song's id, or a text to search for it."""
    difficulty: Difficulty
    score: int
    song2: str = ""
    """The second song, played after the first; the third comes after it."""
    difficulty2: Difficulty | None = None
    score2: int | None = None
    song3: str = ""
    difficulty3: Difficulty | None = None
    score3: int | None = None


@route("posts")
class PostPlansAddress(Address):
    """The posts of the menu's server."""

    CHANGES = True
    remove: int | None = None
    """The plan to remove, if any."""


@route("rating")
class RatingAddress(SubjectAddress, PictureAddress):
    """A player's rating."""


@route("recap")
class RecapAddress(ListAddress):
    """The asker's own recap."""

    period: RecapPeriod | None = None
    """The period; by default the usual one."""


@route("score")
class ScoreAddress(SubjectAddress):
    """A player's scores on a song."""

    song: str
    """The song's id, or a text to search for it."""
    form: Form | None = None
    """The form of the day for which a forecast is shown."""


@route("story")
class StoryAddress(ListAddress, SubjectAddress, PictureAddress):
    """The history of a member's score on a chart."""

    song: str
    """The song's id, or a text to search for it."""
    difficulty: Difficulty | None = None
    """The difficulty; by default the hardest with a record."""


@route("scores")
class ScoresAddress(ListAddress, SubjectAddress):
    """A player's scores that match a filter."""

    order: Order
    wanted: str = ""
    """The filter as it was typed."""


@route("practice")
class PracticeAddress(Address):
    """Suggestions for today."""

    key: str
    """The key under which the filter is stored."""
    seed: int
    """The seed by which charts are drawn."""
    form: Form | None = None
    """The form of the day for which a forecast is shown."""


@route("turn")
class TurnAddress(Address):
    """The game version that the asker plays, and the effect of the next one on their rating."""


@route("skill")
class SkillAddress(PictureAddress):
    """The asker's strong and weak sides."""

    form: Form = Form.USUAL


@route("settings")
class PreferencesAddress(Address):
    """The asker's settings, after choosing one of them."""

    CHANGES = True
    language: str = ""
    """The language's code, or `bot.ui.preferences.AUTOMATIC`."""
    theme: Theme | None = None
    cut: CutChoice | None = None
    slot: SlotName | None = None
    region: Region | None = None
    game_version: str = ""
    """The name of a version of the region's game, or `bot.ui.preferences.AUTOMATIC`."""
    visibility: Visibility | None = None


@route("linked")
class LinkedAddress(Address):
    """The page after `/link`, after choosing one of its settings."""

    CHANGES = True
    language: str = ""
    """The language's code, or `bot.ui.preferences.AUTOMATIC`."""
    visibility: Visibility | None = None


@route("mine")
class OwnScoresAddress(Address):
    """The asker's scores on a song."""

    song: SongId


@route("theirs")
class FriendScoresAddress(Address):
    """The scores of the asker's friends on a song."""

    song: SongId


@route("worldsend")
class WorldsEndAddress(ListAddress):
    """The asker's scores on World's End charts."""
