"""What is remembered of members' records, and what differs between two moments of it: pure."""

from bot.domain.chronicle.effects import (
    RatingEffects,
    RatingRules,
    VersionTurn,
    effects_of,
    explain_state,
    records_of,
)
from bot.domain.chronicle.packing import UnreadableState, find_mark, pack, unpack
from bot.domain.chronicle.retention import Retention, superfluous
from bot.domain.chronicle.session import (
    NearMiss,
    RecordChange,
    SessionDiff,
    applied,
    by_worth,
    compare,
    nearest_miss,
    told_since,
)
from bot.domain.chronicle.state import (
    LampFlags,
    PlayerFigures,
    RecordMark,
    RecordsState,
    averages_of,
    figures_of,
    marks_of,
    may_have_moved,
    over_power_of,
    with_peaks,
    without_old_times,
)

__all__ = [
    "LampFlags",
    "NearMiss",
    "PlayerFigures",
    "RatingEffects",
    "RatingRules",
    "RecordChange",
    "RecordMark",
    "RecordsState",
    "Retention",
    "SessionDiff",
    "UnreadableState",
    "VersionTurn",
    "applied",
    "averages_of",
    "by_worth",
    "compare",
    "effects_of",
    "explain_state",
    "figures_of",
    "find_mark",
    "marks_of",
    "may_have_moved",
    "nearest_miss",
    "over_power_of",
    "pack",
    "records_of",
    "superfluous",
    "told_since",
    "unpack",
    "with_peaks",
    "without_old_times",
]
