"""Servers that the bot joins, and those that it has left, whose data is erased."""

import logging
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.base.clock import Clock
from bot.domain.errors import CannotKeep, CannotRead
from bot.domain.ids import GuildId, shard_of
from bot.features.shared.aliases import ServerAliases
from bot.store import Store

_logger = logging.getLogger(__name__)

_JOINING_TIME: Final = timedelta(hours=1)
"""How long a server counts as newly joined: one that Discord only names again was joined long ago."""
_QUIET_TIME: Final = timedelta(weeks=1)
"""How long a server is not greeted again after a greeting, or after the bot has left; and how long after an unnoticed
joining it is still greeted. So for every server that may still be greeted, it is known whether it was."""


class Servers:
    """Decides which servers to greet, and erases a server's data once the bot has left it."""

    def __init__(self, store: Store, aliases: ServerAliases, clock: Clock) -> None:
        self._belongings = store.belongings
        self._greetings = store.greetings
        self._aliases = aliases
        self._clock = clock
        self._since: datetime | None = None
        """The moment from which joined servers are greeted; None if it is not loaded yet."""
        self._left: set[GuildId] = set()
        """Servers that the bot has left and whose data is not erased yet."""

    async def may_greet(self, guild: GuildId, joined_at: datetime) -> bool:
        """Return whether to greet a server: True for the first caller only, and never if that cannot be stored."""
        now = self._clock.now()
        try:
            if not _is_new(now, joined_at, await self._begin(now)):
                return False
            return await self._greetings.claim(guild, now, again_at=now + _QUIET_TIME)
        except CannotKeep:
            return False

    async def find_new(self, joined: Mapping[GuildId, datetime]) -> Sequence[GuildId]:
        """Return those of these servers, given with their times of joining, that may have been joined unnoticed."""
        now = self._clock.now()
        try:
            since = await self._begin(now)
        except CannotKeep:
            return ()
        return [guild for guild, moment in joined.items() if _is_new(now, moment, since)]

    async def _begin(self, now: datetime) -> datetime:
        """Return the moment from which joined servers are greeted. Raises: CannotKeep."""
        if self._since is None:
            self._since = await self._greetings.begin(now)
        return self._since

    async def leave(self, guild: GuildId) -> None:
        """Erase a server's data; if that cannot be written, `erase_left` tries again."""
        self._left.add(guild)
        await self.erase_left()

    def rejoin(self, guild: GuildId) -> None:
        """Stop erasing a server's data: the bot is in it again."""
        self._left.discard(guild)

    async def erase_left(self) -> None:
        """Erase the data of servers that were left, as far as it can be written now."""
        for guild in tuple(self._left):
            try:
                if not await self._belongings.erase_guild(
                    guild, is_left=partial(self._left.__contains__, guild)
                ):
                    continue
                await self._greetings.put_off(guild, self._clock.now() + _QUIET_TIME)
            except CannotKeep:
                return
            self._aliases.drop(guild)
            self._left.discard(guild)
            _logger.info("everything about server %s is erased: the bot has left it", guild)

    async def find_absent(
        self, here: AbstractSet[GuildId], *, shard: int, shards: int
    ) -> AbstractSet[GuildId]:
        """Return the servers of a shard that have data although the bot is not in them; `here` are those that it is in.

        Empty if they are more than half of all: then the database is probably another bot's.
        """
        try:
            everywhere = await self._belongings.fetch_guilds()
        except CannotRead:
            return frozenset()  # Discord names them again at the next connection
        kept = {guild for guild in everywhere if shard_of(guild, shards) == shard}
        absent = kept - here
        if 2 * len(absent) <= len(kept):
            return absent
        _logger.warning(
            "%d of %d servers in the database are not this bot's: they stay", len(absent), len(kept)
        )
        return frozenset()


def _is_new(now: datetime, joined_at: datetime, since: datetime) -> bool:
    """Return whether a server was joined just now, or lately and since greetings began."""
    ago = now - joined_at
    return ago <= _JOINING_TIME or (ago < _QUIET_TIME and joined_at >= since)
