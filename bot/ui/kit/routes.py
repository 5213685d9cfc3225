"""Every page that a button or a menu can lead to, and what is needed to make it again."""

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
    """What the asker has linked; with a visibility, after choosing it."""

    CHANGES = True
    visibility: Visibility | None = None


@route("pack")
class PackAddress(Address):
    """A pack of goals, before somebody takes it or as they do."""

    CHANGES = True
    code: str
    is_taken: bool = False


@route("packs")
class PacksAddress(Address):
    """The packs of goals that are pinned in the server where the page is."""


@route("locked")
class LockedAddress(ListAddress):
    """The songs that the asker has not unlocked."""


@route("best")
class BestAddress(ListAddress, SubjectAddress, PictureAddress):
    """A slot of a player, or the best that a filter lets through."""

    slot: SlotName
    wanted: str = ""
    """It is a filter as it was typed; the slot says nothing then."""


@route("board")
class BoardAddress(ListAddress):
    """The members of the server where the button is, by what is remembered of them."""

    measure: Measure
    song: str = ""
    """It is the song's id, or a text to look for it by."""
    difficulty: Difficulty
    role: int | None = None
    """Only members with this role are on the board."""


@route("border")
class BorderAddress(Address):
    """What may be lost on a chart for each rank."""

    song: str
    """It is the song's id, or a text to look for it by."""
    difficulty: Difficulty | None = None
    """It is the hardest, if left out."""


@route("compare")
class ComparisonAddress(ListAddress, SubjectAddress, PictureAddress):
    """The asker's scores beside another's."""

    wanted: str = ""
    """It is a filter as it was typed."""
    song: str = ""
    """The page is about this song alone, its id or a text to look for it by; the filter says nothing then."""
    order: GapOrder = GapOrder.WIDEST
    form: Form | None = None
    """It is told what to expect on a song on such a day."""


@route("table")
class CompletionAddress(PictureAddress):
    """All charts that a filter lets through, with the asker's records."""

    wanted: str
    """It is a filter as it was typed."""
    by_felt: bool = False
    """Rows are by how hard charts feel."""


@route("tiers")
class TiersAddress(SubjectAddress, PictureAddress):
    """The charts that a filter lets through, from easy to hard for the asker, and what the subject has done of them."""

    wanted: str
    """It is a filter as it was typed."""
    rank: str = ""
    """It is a rank's name; empty for the asker's next one."""
    of_all: bool = False
    """Rows are for all players of the asker's rating."""


@route("courses")
class CoursesAddress(ListAddress):
    """The asker's course records."""


@route("history")
class CurvesAddress(PictureAddress):
    """How a figure of some members went; the asker's own where nobody is named."""

    measure: Measure
    members: tuple[MemberId, ...] = ()
    """They stand in the order in which they were named."""
    days: int | None = None
    """The last this many are shown, up to today; where it is None, those from `first` to `last`."""
    first: date | None = None
    last: date | None = None


@route("daily")
class JoinDailyAddress(Address):
    """Joining the server's daily post."""

    CHANGES = True
    openly: bool = False
    """Members of shared servers may look from then on, where nobody may."""


@route("erase")
class EraseAddress(Address):
    """Erasing all that is kept of the asker."""

    CHANGES = True


@route("feed")
class JoinFeedAddress(Address):
    """Joining the server's feed."""

    CHANGES = True
    openly: bool = False
    """Members of shared servers may look from then on, where nobody may."""


@route("feeds")
class FeedsAddress(Address):
    """The feeds of the server where the menu is."""

    CHANGES = True
    remove: int | None = None
    """This one is to be removed."""


@route("friends")
class FriendsAddress(ListAddress):
    """The asker's friends."""


@route("goals")
class GoalsAddress(PictureAddress):
    """What the asker has set themselves, and how far they are."""


class HelpTopic(StrEnum):
    """What somebody may want to do; the values are kept in the ids of components."""

    START = "start"
    SCORES = "scores"
    BETTER = "better"
    SONGS = "songs"
    SERVER = "server"
    FILTERS = "filters"
    ACCOUNT = "account"
    ALL = "all"
    """It lists all commands."""


@route("help")
class HelpAddress(ListAddress):
    """What helps with one thing."""

    topic: HelpTopic = HelpTopic.START


@route("overpower")
class OverPowerAddress(PictureAddress):
    """The asker's over power."""

    by: Grouping


@route("plan")
class PlanAddress(ListAddress):
    """What raises the asker's rating."""

    target: Hundredths | None = None
    aim: TargetMeasure = TargetMeasure.RATING
    """The target is one of this."""
    charts: PlanCharts = PlanCharts.ALL
    level: Hundredths | None = None
    genre: str = ""


@route("session")
class SessionAddress(SubjectAddress, PictureAddress):
    """What somebody has played lately."""

    since: str = ""
    """It is a day, as ISO 8601 writes it."""


@route("whatif")
class WhatIfAddress(Address):
    """What scores would change."""

    song: str
    """It is the song's id, or a text to look for it by."""
    difficulty: Difficulty
    score: int
    song2: str = ""
    """It is played after the first one; so is the third."""
    difficulty2: Difficulty | None = None
    score2: int | None = None
    song3: str = ""
    difficulty3: Difficulty | None = None
    score3: int | None = None


@route("posts")
class PostPlansAddress(Address):
    """The posts of the server where the menu is."""

    CHANGES = True
    remove: int | None = None
    """This one is to be removed."""


@route("rating")
class RatingAddress(SubjectAddress, PictureAddress):
    """A player's rating."""


@route("recap")
class RecapAddress(ListAddress):
    """The asker's own recap."""

    period: RecapPeriod | None = None
    """It is what is usual, if left out."""


@route("score")
class ScoreAddress(SubjectAddress):
    """A player's scores on a song."""

    song: str
    """It is the song's id, or a text to look for it by."""
    form: Form | None = None
    """It is told what to expect on such a day."""


@route("story")
class StoryAddress(ListAddress, SubjectAddress, PictureAddress):
    """How a member's score on a chart went."""

    song: str
    """It is the song's id, or a text to look for it by."""
    difficulty: Difficulty | None = None
    """It is the hardest with a record, if left out."""


@route("scores")
class ScoresAddress(ListAddress, SubjectAddress):
    """A player's scores that a filter lets through."""

    order: Order
    wanted: str = ""
    """It is a filter as it was typed."""


@route("practice")
class PracticeAddress(Address):
    """What to play today."""

    key: str
    """The filter is kept under this key."""
    seed: int
    """Charts are drawn by it."""
    form: Form | None = None
    """It is told what to expect on such a day."""


@route("turn")
class TurnAddress(Address):
    """Which version of the game the asker plays, and what the next one does to their rating."""


@route("skill")
class SkillAddress(PictureAddress):
    """What the asker is strong and weak at."""

    form: Form = Form.USUAL


@route("settings")
class PreferencesAddress(Address):
    """The asker's settings, after choosing one of them."""

    CHANGES = True
    language: str = ""
    """It is the language's code, or `bot.ui.preferences.AUTOMATIC`."""
    theme: Theme | None = None
    cut: CutChoice | None = None
    slot: SlotName | None = None
    region: Region | None = None
    game_version: str = ""
    """It is the name of a version of that region's game, or `bot.ui.preferences.AUTOMATIC`."""
    visibility: Visibility | None = None


@route("linked")
class LinkedAddress(Address):
    """What whoever has just linked is asked, after choosing one of it."""

    CHANGES = True
    language: str = ""
    """It is the language's code, or `bot.ui.preferences.AUTOMATIC`."""
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
