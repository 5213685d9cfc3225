"""What the host sees and is alerted to, and the servers that they block."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.api import RecordApi
from bot.base.build import Build, find_build
from bot.base.clock import Clock
from bot.base.config import Settings
from bot.base.worker import run_in_worker
from bot.domain.errors import BotError, CannotKeep
from bot.domain.ids import GuildId, MemberId
from bot.features.posts import PostOutbox
from bot.features.shared.game_ratings import GameRatings
from bot.store import FreeSpace, Store, find_last_copy

_LATE_AFTER: Final = timedelta(minutes=30)
"""Posts that wait for this long are late, as in the alert KirokuPostsLate."""
_MIN_ROOM_BYTES: Final = 256 * 1024 * 1024
"""The free space that the disk of an SQLite database needs, or the database's own size if that is more, as in the alert
KirokuDiskNearlyFull."""
_PAUSE: Final = timedelta(days=1)
"""The time between two messages about one cause."""
LOOK_SECONDS: Final = 600.0
"""Seconds between two checks for problems."""


class HostCause(StrEnum):
    """The causes of messages to the host; the values are stored in the database."""

    POSTS_LATE = "posts late"
    DISK_NEARLY_FULL = "disk nearly full"
    VERSIONS_OUTDATED = "versions outdated"


class NotTheHost(BotError):
    """The asker is not the bot's host."""

    def __init__(self) -> None:
        super().__init__("this is for the bot's host alone")


class NotBlocked(BotError):
    """A server to be unblocked is not blocked."""

    def __init__(self) -> None:
        super().__init__("this server is not blocked")


class NoServerId(BotError):
    """The typed text is not a server id."""

    def __init__(self) -> None:
        super().__init__("this is no id of a server")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostReport:
    """The state of the bot."""

    build: Build
    database: str
    servers: int
    """The servers of this process; several processes may share the servers."""
    blocked: int
    members: int
    """The number of linked members."""
    budgets: int
    """The number of accounts that sent requests to the record service lately."""
    least_left: float
    """The smallest remaining share of requests among these accounts, from 0 to 1."""
    posts_waiting: int
    """The number of posts that are due and could not be made."""
    posts_late: bool
    """Whether some have waited for half an hour."""
    room: FreeSpace | None
    """The space on the disk; None for a database server, which does not tell."""
    last_copy: datetime | None


class Hosting:
    """Knows who hosts the bot, and reports its state."""

    def __init__(
        self,
        store: Store,
        api: RecordApi,
        posts: PostOutbox,
        ratings: GameRatings,
        clock: Clock,
        *,
        settings: Settings,
    ) -> None:
        self._store = store
        self._affairs = store.hosting
        self._api = api
        self._posts = posts
        self._ratings = ratings
        self._clock = clock
        self._backup_folder = settings.backup_folder
        self.owners = tuple(map(MemberId, settings.owner_ids))
        """The members who get messages to the host; empty if not configured."""
        self._waiting_since: datetime | None = None
        """The moment since which posts have waited without a break, as far as checked."""
        self._told: dict[HostCause, datetime] = {}
        """When this process last reported each cause, for when the database cannot be written."""

    def check(self, member: MemberId) -> None:
        """Raise NotTheHost if a member does not host the bot."""
        if member not in self.owners:
            raise NotTheHost

    async def report(self, *, servers: int) -> HostReport:
        """Return the state of the bot, with the number of servers according to Discord. Raises: CannotRead."""
        left = [share for _, share in self._api.fractions_left()]
        self._notice_waiting()
        return HostReport(
            build=await run_in_worker(find_build),
            database=f"{self._store.kind} {await self._store.find_revision() or ''}".strip(),
            servers=servers,
            blocked=len(await self._affairs.fetch_blocked()),
            members=await self._affairs.count_members(),
            budgets=len(left),
            least_left=min(left, default=1.0),
            posts_waiting=self._posts.waiting,
            posts_late=self._are_posts_late(),
            room=await self._store.find_room(),
            last_copy=await run_in_worker(find_last_copy, self._backup_folder),
        )

    async def find_alerts(self) -> list[HostCause]:
        """Return the causes to alert the host to now: each at most once a day, over all processes."""
        self._notice_waiting()
        wrong = {
            HostCause.POSTS_LATE: self._are_posts_late(),
            HostCause.DISK_NEARLY_FULL: is_nearly_full(await self._store.find_room()),
            HostCause.VERSIONS_OUTDATED: self._ratings.census.is_outdated,
        }
        return [cause for cause, is_so in wrong.items() if is_so and await self._claim(cause)]

    async def _claim(self, cause: HostCause) -> bool:
        now = self._clock.now()
        if now - self._told.get(cause, datetime.min.replace(tzinfo=now.tzinfo)) < _PAUSE:
            return False
        try:
            is_first = await self._affairs.claim_alert(cause, now, unless_since=now - _PAUSE)
        except CannotKeep:  # as on a full disk, which the host has to hear of
            is_first = True
        self._told[cause] = now
        return is_first

    def _notice_waiting(self) -> None:
        if not self._posts.waiting:
            self._waiting_since = None
        elif self._waiting_since is None:
            self._waiting_since = self._clock.now()

    def _are_posts_late(self) -> bool:
        return self._waiting_since is not None and self._clock.now() - self._waiting_since >= _LATE_AFTER

    async def block(self, guild: GuildId) -> None:
        """Block a server: the bot stays out of it. Raises: CannotKeep."""
        await self._affairs.block(guild, self._clock.now())

    async def unblock(self, guild: GuildId) -> None:
        """Unblock a server. Raises: NotBlocked, CannotKeep."""
        if not await self._affairs.unblock(guild):
            raise NotBlocked

    async def is_blocked(self, guild: GuildId) -> bool:
        """Return whether the host has blocked a server. Raises: CannotRead."""
        return guild in await self._affairs.fetch_blocked()


def is_nearly_full(room: FreeSpace | None) -> bool:
    """Return whether a disk has less free space than the database may soon need."""
    return room is not None and room.free is not None and room.free < max(_MIN_ROOM_BYTES, room.used)


def parse_server(text: str) -> GuildId:
    """Return the server with a typed id. Raises: NoServerId."""
    typed = text.strip()
    if not (typed.isascii() and typed.isdecimal() and 0 < int(typed) < 2**63):
        raise NoServerId
    return GuildId(int(typed))
