"""One module per feature: no Discord, no SQL, no HTTP."""

from dataclasses import dataclass

from bot.features.about import About
from bot.features.accounts import Accounts
from bot.features.aliases import ServerAliases
from bot.features.best import Best
from bot.features.calculator import Calculator
from bot.features.catalogues import Catalogues
from bot.features.comparison import Comparisons
from bot.features.courses import Courses
from bot.features.daily import Daily
from bot.features.exports import RecordExports
from bot.features.friends import Friends
from bot.features.library import Library
from bot.features.overpower import OverPowers
from bot.features.plan import Plans
from bot.features.preferences import MemberPreferences
from bot.features.privacy import Privacy
from bot.features.rating import Ratings
from bot.features.scores import Scores
from bot.features.searches import Searches
from bot.features.songs import Songs
from bot.features.statistics import Statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Everything that a cog may ask."""

    about: About
    accounts: Accounts
    aliases: ServerAliases
    best: Best
    calculator: Calculator
    catalogues: Catalogues
    comparisons: Comparisons
    courses: Courses
    daily: Daily
    exports: RecordExports
    friends: Friends
    library: Library
    over_powers: OverPowers
    plans: Plans
    preferences: MemberPreferences
    privacy: Privacy
    ratings: Ratings
    scores: Scores
    searches: Searches
    songs: Songs
    statistics: Statistics
