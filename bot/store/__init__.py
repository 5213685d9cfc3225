"""The store: one repository per aggregate, over the database of `bot.database`."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final, Self, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from bot.base.clock import SystemClock
from bot.cluster.budget_leases import SharedBudgetLeases
from bot.cluster.fleet import ShardFleet
from bot.cluster.invalidation import InvalidationBus
from bot.cluster.leader import LeaderLease
from bot.cluster.leases import Leases
from bot.cluster.member import ClusterMember
from bot.cluster.schema_guard import SchemaGuard
from bot.database.backlog import WriteBacklog
from bot.database.engine import Database
from bot.database.free_space import TRIAL_BYTES, FreeSpace, in_words
from bot.database.migrate import find_applied, is_current, known_revisions, try_writing
from bot.database.pooler import check_sessions
from bot.database.refusals import WHYS, why_refused
from bot.database.reserve import DiskReserve
from bot.database.trouble import StoreTooNew, StoreUnavailable, told
from bot.domain.chronicle.retention import Retention
from bot.domain.errors import CannotKeep, CannotRead
from bot.store.aliases import Alias, Aliases
from bot.store.backup import (
    KEPT_AFTER_UPGRADE,
    CopyFailed,
    compact,
    delete_copies_of_upgrades,
    find_last_copy,
    restore_copy,
    save_before_upgrade,
    save_copy,
    save_in_turn,
)
from bot.store.belongings import Belongings
from bot.store.boards import BoardFigures, Whose
from bot.store.catalogues import KeptCatalogue, KeptCatalogues
from bot.store.chronicle import Chronicle, LookOutcome
from bot.store.daily import DailyMembers
from bot.store.dumps import dump, dump_in_turn
from bot.store.examine import check_whose, examine, examine_ratings, examine_room, examine_wanted
from bot.store.feed import FeedMembers
from bot.store.goal_packs import KeptGoalPacks, NewGoal
from bot.store.goals import KeptGoals
from bot.store.greetings import Greetings
from bot.store.hosting import HostAffairs
from bot.store.joined import Joined
from bot.store.kept_answers import KeptAnswers
from bot.store.kept_windows import KeptWindows
from bot.store.links import Links
from bot.store.looks import Look
from bot.store.members import Members
from bot.store.post_plans import PostPlans
from bot.store.post_reading import PostReader
from bot.store.posts import Posts
from bot.store.questions import Questions, key_of
from bot.store.rating_checks import RatingChecks
from bot.store.refresh_schedule import DueLook, RefreshSchedule
from bot.store.row_cache import RowCache
from bot.store.sightings import Sightings
from bot.store.snapshots import Snapshots
from bot.store.statistics import KeptStatistics, StatisticsExtent
from bot.store.suggestions import KeptSuggestions, Suggestion
from bot.store.transfer import copy_database
from bot.store.vault import BadKey, UnknownKey, Vault, new_key, open_vault

__all__ = [
    "WHYS",
    "Alias",
    "BadKey",
    "ClusterMember",
    "CopyFailed",
    "DueLook",
    "FreeSpace",
    "HostAffairs",
    "InvalidationBus",
    "Joined",
    "KeptCatalogue",
    "LeaderLease",
    "Look",
    "LookOutcome",
    "NewGoal",
    "RowCache",
    "ShardFleet",
    "SharedBudgetLeases",
    "StatisticsExtent",
    "Store",
    "StoreTooNew",
    "StoreUnavailable",
    "Suggestion",
    "UnknownKey",
    "Vault",
    "Whose",
    "WriteBacklog",
    "compact",
    "copy_database",
    "dump",
    "dump_in_turn",
    "examine",
    "examine_ratings",
    "examine_room",
    "examine_wanted",
    "find_last_copy",
    "in_words",
    "key_of",
    "new_key",
    "open_vault",
    "restore_copy",
    "save_copy",
    "save_in_turn",
]


T = TypeVar("T")

_logger = logging.getLogger(__name__)

_LOOK_SECONDS: Final = 60.0
"""Seconds between two checks of the database file, and of the space reserved beside it."""
_NO_ROOM: Final = frozenset({"full", "disk"})
"""The reasons for a full disk or an exhausted quota."""


class Store:
    """All repositories of one database; entering it upgrades the database."""

    def __init__(
        self,
        url: str,
        vault: Vault,
        *,
        serves: bool = False,
        keeping: Retention | None = None,
        copies_before_upgrade: bool = True,
    ) -> None:
        """Prepare the engine; nothing is opened yet. Raises: StoreUnavailable.

        A store that `serves` guards the schema, and waits if the database is newer, or an older version still serves.
        """
        self._copies_before_upgrade = copies_before_upgrade
        with told():
            self._database = Database(url)
        self._vault = vault
        self._serves = serves
        file = self._database.file
        self._reserve = DiskReserve(file) if serves and file is not None else None
        self._watching: asyncio.Task[None] | None = None
        self.backlog = WriteBacklog()
        self.bus = InvalidationBus(self._database)
        self._shape = SchemaGuard(self._database, self.bus, before_upgrade=self._copy_before_upgrade)
        self.snapshots = Snapshots(self._database, self.bus, keeping or Retention())
        self.chronicle = Chronicle(self._database, self.snapshots)
        self.boards = BoardFigures(self._database, self.snapshots)
        self.members = Members(self._database, self.snapshots, self.bus)
        self.links = Links(self._database, vault, self.members, self.bus)
        self.suggestions = KeptSuggestions(self._database)
        self.sightings = Sightings(self._database, self.members)
        self.daily = DailyMembers(self._database, self.members)
        self.feed = FeedMembers(self._database, self.members)
        reader = PostReader(self._database)
        self.plans = PostPlans(self._database, reader)
        self.posts = Posts(self._database, reader)
        self.answers = KeptAnswers(self._database, vault, self.backlog)
        self.windows = KeptWindows(self._database)
        self.aliases = Aliases(self._database, self.bus)
        self.catalogues = KeptCatalogues(self._database, self.bus)
        self.statistics = KeptStatistics(self._database)
        self.goals = KeptGoals(self._database)
        self.goal_packs = KeptGoalPacks(self._database)
        self.greetings = Greetings(self._database)
        self.hosting = HostAffairs(self._database)
        self.questions = Questions(self._database)
        self.refresh_schedule = RefreshSchedule(self._database)
        self.rating_checks = RatingChecks(self._database)
        self.leases = Leases(self._database)
        self.belongings = Belongings(self._database, self.members, self.bus)

    async def __aenter__(self) -> Self:
        """Upgrade the database. Raises: StoreUnavailable, LostKey, BadKey."""
        try:
            await self._open()
            await self.bus.__aenter__()
        except BaseException:
            await self._shape.close()
            await self._database.close()
            raise
        return self

    async def _open(self) -> None:
        with told():
            try:
                await self._connect()
            except SQLAlchemyError as error:
                # SQLite creates files beside the database even to read it.
                if not self._release_reserve(error):
                    raise
                _logger.warning(
                    "the disk is full: the room kept for erasing is given up to open the database"
                )
                await self._connect()
        with told((SQLAlchemyError, CannotKeep, CannotRead, OSError)):
            await self._shape.upgrade_or_refuse(serves=self._serves)
        await self._database.purge_deleted()  # a bot that was killed may have left something
        self._vault.keep_key(is_needed=await self.links.are_kept())
        if self._reserve is not None:
            self._reserve.fill()
            self._watching = asyncio.create_task(self._watch())

    async def _connect(self) -> None:
        await check_whose(self._database)
        self._database.make_file()
        await self._database.connect()
        await check_sessions(self._database)

    def _release_reserve(self, error: BaseException | None) -> bool:
        """Release the reserved space if an error says that the disk is full; return whether there was any."""
        why = why_refused(error) if isinstance(error, Exception) else ""
        return self._reserve is not None and why in _NO_ROOM and self._reserve.release()

    async def __aexit__(self, *_: object) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait({self._watching})
        await self.backlog.__aexit__()
        await self.bus.__aexit__()
        await self._shape.close()
        await self._database.close()

    async def _copy_before_upgrade(self, revision: str) -> None:
        file = self._database.file
        if file is None:
            _logger.info("no copy is made of a database server before an upgrade")
        elif self._copies_before_upgrade:
            copy = await asyncio.to_thread(save_before_upgrade, file, revision, SystemClock().now())
            days = KEPT_AFTER_UPGRADE.days
            _logger.info("the database as it was is copied to %s, which is kept for %d days", copy, days)

    def give_up(self) -> None:
        """Stop waiting for a database server."""
        self._database.give_up()

    async def until_outdated(self) -> None:
        """Wait until a newer version wants to upgrade the database: this process then has to release it."""
        await self._shape.until_outdated()

    def member(self) -> ClusterMember:
        """Return this process's membership in the cluster: a context manager."""
        return ClusterMember(self._database, self.leases)

    def fleet(self, member: ClusterMember) -> ShardFleet:
        """Return the fleet of serving processes, as seen by this one."""
        return ShardFleet(self._database, member, self.bus)

    def leader_lease(self, member: ClusterMember | None) -> LeaderLease:
        """Return the lease of the leader; `member` is None if this process could not join the cluster."""
        return LeaderLease(member, is_alone=not self.is_shared)

    @property
    def is_shared(self) -> bool:
        """Whether several processes may serve with this database at the same time."""
        return self._database.is_server

    def budgets(self, member: ClusterMember) -> SharedBudgetLeases | None:
        """Return the budgets shared with other processes; None if there cannot be any."""
        return SharedBudgetLeases(self._database, member, self.bus) if self.is_shared else None

    async def purge_deleted(self) -> bool:
        """Remove deleted data from the disk too; return whether it is gone, else it follows later."""
        return await self._database.purge_deleted()

    @property
    def kind(self) -> str:
        """The name of the database product, as its makers spell it."""
        return self._database.kind

    @property
    def refused(self) -> Collection[str]:
        """What cannot be done with the database now: "read", "written", or both."""
        return self._database.refused

    @property
    def refusals(self) -> Mapping[tuple[str, str], int]:
        """How often the database could not be "read" or "written" since the start, by that and one of WHYS."""
        return self._database.refusals.counts

    async def find_room(self) -> FreeSpace | None:
        """Return the space on the disk of an SQLite database; None for a server, or if it cannot be found out."""
        try:
            return await self._database.find_room()
        except OSError:
            return None

    async def find_revision(self) -> str | None:
        """Return the newest applied migration. Raises: CannotRead."""
        async with self._database.read() as connection:
            return await connection.run_sync(find_applied)

    async def making_room(self, step: Callable[[], Awaitable[T]]) -> T:
        """Run a step that has to succeed even on a full disk, using the reserved space. Raises: CannotKeep."""
        try:
            return await step()
        except CannotKeep as error:
            if not self._release_reserve(error.__cause__):
                raise
            _logger.warning("the disk is full: something is erased with the room that was kept for that")
        done = await step()
        await self._database.purge_deleted()
        if self._reserve is not None:
            self._reserve.fill()
        return done

    @property
    def upgrading(self) -> str | None:
        """The progress of an upgrade in words; None if none is running."""
        return None if self._shape.progress is None else str(self._shape.progress)

    @property
    def is_displaced(self) -> bool:
        """Whether the database file was deleted or replaced, as of the last check, which runs every minute."""
        return self._database.place.is_displaced

    async def _watch(self) -> None:
        """Check the database file and the reserved space again and again."""
        file = self._database.file
        while True:
            if file is not None:
                await asyncio.to_thread(delete_copies_of_upgrades, file, SystemClock().now())
            await asyncio.sleep(_LOOK_SECONDS)
            self._database.place.look()
            await try_writing(self._database)
            if self._reserve is not None and not self.is_displaced:
                await asyncio.to_thread(self._reserve.fill)

    async def find_trouble(self) -> str | None:
        """Return why the database cannot be relied on now; None if it can."""
        if self.is_displaced:
            return "the file of the database was deleted or replaced"
        try:
            revision, known = await self.find_revision(), known_revisions()[-1]
            if revision != known and not await self._shape.may_serve_with(revision):
                return f"the database is at revision {revision}, this version at {known}"
        except CannotRead:
            return "the database cannot be read"
        room = await self.find_room()
        if self._database.refusals.is_full or (
            room is not None and room.free is not None and room.free < TRIAL_BYTES
        ):
            return "the disk of the database is full"
        return None

    async def is_current(self) -> bool:
        """Return whether the migrations give exactly the tables of the code."""
        return await is_current(self._database)
