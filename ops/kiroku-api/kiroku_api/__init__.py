"""The player record service's client, and what a rating is made of.

async with RecordApi("https://records.example") as api:
    reply = await api.holder(token).v2_0.records.rating_data(region="jp2")
    reply.to_domain()

What stands in `__all__` is public and stays; the modules below are Kiroku's own and may move.
"""

from bot.api import BudgetLeft, Holder, Priority, RecordApi
from bot.domain.charts import Catalogue, Chart, Difficulty, Song, difficulty_name
from bot.domain.errors import (
    BadQuery,
    BotError,
    BudgetSpent,
    NotFound,
    NotYet,
    PlayerProtected,
    ServiceDown,
    TokenRejected,
    UnreadableReply,
)
from bot.domain.game_rating import Explanation, Reason, SlotEntry, WorkedOut, explain
from bot.domain.game_versions import Formula, GameVersion, VersionTable, game_day
from bot.domain.ids import JP, JP2, Region, SongId, UserId, UserName
from bot.domain.numbers import Hundredths, format_hundredths, format_level, to_hundredths
from bot.domain.players import Friend, Player
from bot.domain.ranks import MAX_SCORE, Rank, rank_of
from bot.domain.rating import song_rating
from bot.domain.scores import CourseRecord, Lamps, RatingData, Record, Slot, SlotName
from bot.wire.game_versions import read_table
from bot.wire.players import FriendsV13, FriendsV20, User, UserV10
from bot.wire.rating_data import RatingDataReply
from bot.wire.records import CourseRecords, RecordsV10, RecordsV13, RecordsV20
from bot.wire.songs import SearchHits, SearchReplyV10, SongEntry, SongEntryV10, SongsReply
from bot.wire.statistics import StatV10, StatV13

__all__ = [
    "JP",
    "JP2",
    "MAX_SCORE",
    "BadQuery",
    "BotError",
    "BudgetLeft",
    "BudgetSpent",
    "Catalogue",
    "Chart",
    "CourseRecord",
    "CourseRecords",
    "Difficulty",
    "Explanation",
    "Formula",
    "Friend",
    "FriendsV13",
    "FriendsV20",
    "GameVersion",
    "Holder",
    "Hundredths",
    "Lamps",
    "NotFound",
    "NotYet",
    "Player",
    "PlayerProtected",
    "Priority",
    "Rank",
    "RatingData",
    "RatingDataReply",
    "Reason",
    "Record",
    "RecordApi",
    "RecordsV10",
    "RecordsV13",
    "RecordsV20",
    "Region",
    "SearchHits",
    "SearchReplyV10",
    "ServiceDown",
    "Slot",
    "SlotEntry",
    "SlotName",
    "Song",
    "SongEntry",
    "SongEntryV10",
    "SongId",
    "SongsReply",
    "StatV10",
    "StatV13",
    "TokenRejected",
    "UnreadableReply",
    "User",
    "UserId",
    "UserName",
    "UserV10",
    "VersionTable",
    "WorkedOut",
    "difficulty_name",
    "explain",
    "format_hundredths",
    "format_level",
    "game_day",
    "rank_of",
    "read_table",
    "song_rating",
    "to_hundredths",
]
