"""One module per feature: no Discord, no SQL, no HTTP."""

from datetime import timedelta
from functools import partial
from random import SystemRandom
from typing import Final

from bot.api import Priority, RecordApi
from bot.api.cache import AnswerCache
from bot.background.refresh import BackgroundRefresh
from bot.background.retention import RetentionSweep
from bot.background.statistics import StatisticsPrefetch
from bot.base.clock import Clock
from bot.base.config import Settings
from bot.base.memo import RecentHashes
from bot.domain.game_versions import VersionTable
from bot.domain.host_constants import HostConstant
from bot.domain.ids import ChannelId, Region
from bot.features.about import About
from bot.features.accounts import Accounts, token_place_of
from bot.features.aliases import AliasKeeping
from bot.features.best import Best
from bot.features.boards import Boards
from bot.features.borders import Borders
from bot.features.calculator import Calculator
from bot.features.changes import Changes
from bot.features.comparison import Comparisons
from bot.features.completion import Completions
from bot.features.courses import Courses
from bot.features.curves import Curves
from bot.features.daily import Daily
from bot.features.exports import RecordExports
from bot.features.feed import Feeds
from bot.features.feedback import Feedback
from bot.features.friends import FriendLists
from bot.features.goals import Goals, GoalWatch
from bot.features.hosting import Hosting
from bot.features.locked import LockedSongs
from bot.features.overpower import OverPowers
from bot.features.packs import GoalPacks
from bot.features.plan import Plans
from bot.features.posts import PostOutbox
from bot.features.practice import Practice
from bot.features.preferences import MemberPreferences
from bot.features.privacy import Privacy
from bot.features.rating import Ratings
from bot.features.recap import Recaps
from bot.features.scores import Scores
from bot.features.searches import Searches
from bot.features.servers import Servers
from bot.features.setup import ServerSetup
from bot.features.shared.alias_packs import AliasPack
from bot.features.shared.aliases import ServerAliases
from bot.features.shared.askers import Askers
from bot.features.shared.asking import ask_statistics
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.feats import MemberFeats
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.history import History
from bot.features.shared.host_constants import HostConstants
from bot.features.shared.library import SongLibrary, WantedAliases
from bot.features.shared.mixes import Mixes
from bot.features.shared.paces import Paces
from bot.features.shared.player_models import PlayerModels
from bot.features.shared.studies import Studies
from bot.features.skill import Skills
from bot.features.songs import SongLinks, SongPages
from bot.features.statistics import Statistics
from bot.features.story import Stories
from bot.features.tiers import Tiers
from bot.features.trial import Trial
from bot.features.turnover import Turnovers
from bot.features.whatif import WhatIfs
from bot.store import LeaderLease, Store

_CATALOGUE_PATIENCE: Final = timedelta(seconds=30)
"""The longest wait for the catalogue: it is large and the same for everyone, and nobody waits for it if an older one is
available."""


class Features:
    """All features that cogs may use."""

    def __init__(  # noqa: PLR0913, PLR0917 - each is a separate dependency
        self,
        settings: Settings,
        clock: Clock,
        store: Store,
        api: RecordApi,
        cache: AnswerCache,
        leader: LeaderLease,
        song_names: AliasPack,
        versions: VersionTable,
        constants: tuple[HostConstant, ...] = (),
    ) -> None:
        """Create all features; `song_names` and `constants` are the operator's, `versions` those of the game."""
        self.clock = clock
        """The clock by which looks are stored; it also determines the current day."""
        region, token = Region(settings.default_region), settings.record_token.get_secret_value()
        hosts = HostConstants(constants)
        patience = timedelta(seconds=settings.patience_seconds)
        askers = Askers(store, api, cache, clock, patience=patience, constants=hosts)
        self.aliases = ServerAliases(store)
        self.catalogues = Catalogues(
            api,
            store,
            clock,
            leader,
            operator_token=token,
            patience=_CATALOGUE_PATIENCE,
            aliases=song_names,
            constants=hosts,
        )
        wanted = WantedAliases(store.hosting, clock)
        self.library = SongLibrary(askers, self.catalogues, self.aliases, wanted, default_region=region)
        self._hashes = RecentHashes()
        cache.on_drop(self._hashes.drop_all)
        self.game_ratings = GameRatings(store, self.catalogues, cache, self._hashes, clock, versions)
        self._build_memory(settings, store, askers, clock)
        self.player_models = PlayerModels(store, cache, self._hashes, clock, self.game_ratings.begun_at)
        self._build_background(store, api, leader, clock, token)
        self._build_members(settings, store, askers, clock)
        studies = Studies(askers, self.library, self.chronicle, self.player_models, self.game_ratings)
        self._build_posts(store, cache, askers, clock, studies)
        self.hosting = Hosting(store, api, self.posts, self.game_ratings, clock, settings=settings)
        self._build_players(store, cache, askers, studies, clock)
        self._build_songs(settings, store, askers, clock)

    def _build_memory(self, settings: Settings, store: Store, askers: Askers, clock: Clock) -> None:
        """Create what stores members' records."""
        watch = GoalWatch(store, self.catalogues)
        pause = timedelta(minutes=settings.feed_minutes)
        self.chronicle = Chronicles(
            store,
            askers,
            self.library,
            self.game_ratings,
            self._hashes,
            clock,
            pause=pause,
            when_moved=watch.note_reached,
        )

    def _build_players(
        self, store: Store, cache: AnswerCache, askers: Askers, studies: Studies, clock: Clock
    ) -> None:
        """Create the features about players."""
        mixes, history = Mixes(cache, self._hashes), History(store)
        self.best = Best(
            askers,
            self.catalogues,
            history,
            self.game_ratings,
            self.chronicle,
            self.library,
            self.player_models,
        )
        self.borders = Borders(self.library, mixes, self.game_ratings)
        self.comparison = Comparisons(
            askers, self.library, self.chronicle, self.player_models, self.game_ratings
        )
        self.completion = Completions(studies)
        self.courses = Courses(askers)
        self.exports = RecordExports(askers, self.library, self.game_ratings)
        self.locked = LockedSongs(store, askers, self.library, self.chronicle)
        self.overpower = OverPowers(askers, self.catalogues, self.chronicle, cache, self._hashes)
        self.plan = Plans(studies, Paces(store, clock), mixes, cache, clock)
        self.practice = Practice(studies, cache)
        self.rating = Ratings(askers, history, self.game_ratings, self.chronicle)
        self.recap = Recaps(store, askers, self.library, self.game_ratings, self.boards, clock)
        self.scores = Scores(askers, self.library, self.chronicle, self.player_models, self.game_ratings)
        self.skill = Skills(studies)
        self.story = Stories(store, askers, self.library, self.game_ratings)
        self.tiers = Tiers(studies)
        self.turnovers = Turnovers(askers, self.library, self.chronicle, self.game_ratings, clock)
        self.whatif = WhatIfs(askers, self.library, self.chronicle, self.game_ratings)

    def _build_songs(self, settings: Settings, store: Store, askers: Askers, clock: Clock) -> None:
        """Create the features about songs, and calculations for anybody."""
        self.calculator = Calculator(askers, default_region=Region(settings.default_region))
        self.changes = Changes(self.library, self.player_models)
        self.searches = Searches(self.library, self.player_models, store, clock, SystemRandom())
        links = SongLinks(settings.chart_url, settings.video_url)
        self.songs = SongPages(askers, self.library, self.player_models, self.game_ratings, links)
        self.statistics = Statistics(askers, self.library, self.chronicle)
        self.trial = Trial(self.library, clock)

    def _build_background(
        self, store: Store, api: RecordApi, leader: LeaderLease, clock: Clock, token: str
    ) -> None:
        """Create the periodic background work."""
        ask = partial(ask_statistics, api.holder(token, priority=Priority.PREFETCH))
        self.statistics_prefetch = StatisticsPrefetch(
            store, self.catalogues.find_songs, ask, leader, clock, self.game_ratings.begun_at
        )
        self.old_days = RetentionSweep(store, leader, clock)
        self.refresh = BackgroundRefresh(store, self.chronicle.look_at, leader, clock, api.counts)

    def _build_members(self, settings: Settings, store: Store, askers: Askers, clock: Clock) -> None:
        """Create members' settings, what they see of one another, and feedback to the host."""
        region = Region(settings.default_region)
        place = token_place_of(settings.token_url, settings.record_api_url)
        self.about = About(store, self.catalogues, region, settings=settings)
        self.accounts = Accounts(store, askers, clock, default_region=region, token_place=place)
        self.boards = Boards(store, askers, self.library, self.game_ratings, clock)
        self.curves = Curves(store, askers, self.chronicle, self.game_ratings)
        self.feedback = Feedback(clock, channel=_channel_of(settings))
        self.friends = FriendLists(askers)
        self.preferences = MemberPreferences(store, self.game_ratings)
        self.privacy = Privacy(store, askers, self.preferences, clock, policy_url=settings.privacy_url)

    def _build_posts(
        self, store: Store, cache: AnswerCache, askers: Askers, clock: Clock, studies: Studies
    ) -> None:
        """Create the features of servers, and their posts."""
        self.goals = Goals(store, askers, self.catalogues, self.chronicle, studies, clock)
        self.packs = GoalPacks(store, self.goals, clock)
        self.posts = PostOutbox(store, clock)
        feats = MemberFeats(store, self.catalogues, self.game_ratings, cache)
        self.daily = Daily(
            store, askers, self.catalogues, self.chronicle, self.goals, self.game_ratings, feats, clock
        )
        self.feed = Feeds(store, self.catalogues, self.game_ratings, clock)
        self.alias_keeping = AliasKeeping(store, self.aliases, self.library, clock)
        self.servers = Servers(store, self.aliases, clock)
        self.setup = ServerSetup(self.daily, self.feed)


def _channel_of(settings: Settings) -> ChannelId | None:
    """Return the channel for feedback to the host."""
    return None if settings.feedback_channel is None else ChannelId(settings.feedback_channel)
