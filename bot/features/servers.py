"""Servers that the bot joins, and those that it is in no more: what is kept about them goes."""

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
"""A server counts as joined for this long: one that is only named again was joined long ago."""
_QUIET_TIME: Final = timedelta(weeks=1)
"""A server is not greeted for this long after a greeting, and after the bot has left, and is greeted for this long after
joining unheard: so of whoever may be greeted still, it is known whether they were."""


class Servers:
    """Says whom to greet, and erases whatever is kept about a server once the bot has left it."""

    def __init__(self, store: Store, aliases: ServerAliases, clock: Clock) -> None:
        self._belongings = store.belongings
        self._greetings = store.greetings
        self._aliases = aliases
        self._clock = clock
        self._since: datetime | None = None
        """The moment from which servers that are joined are greeted; None where it was not looked up yet."""
        self._left: set[GuildId] = set()
        """Those about which something is still kept."""

    async def may_greet(self, guild: GuildId, joined_at: datetime) -> bool:
        """Return whether a server is to be greeted, by whoever asks first; never where that cannot be kept."""
        now = self._clock.now()
        try:
            if not _is_new(now, joined_at, await self._begin(now)):
                return False
            return await self._greetings.claim(guild, now, again_at=now + _QUIET_TIME)
        except CannotKeep:
            return False

    async def find_new(self, joined: Mapping[GuildId, datetime]) -> Sequence[GuildId]:
        """Return those of these servers that may have been joined unheard, by when they were."""
        now = self._clock.now()
        try:
            since = await self._begin(now)
        except CannotKeep:
            return ()
        return [guild for guild, moment in joined.items() if _is_new(now, moment, since)]

    async def _begin(self, now: datetime) -> datetime:
        """Return since when servers that are joined are greeted. Raises: CannotKeep."""
        if self._since is None:
            self._since = await self._greetings.begin(now)
        return self._since

    async def leave(self, guild: GuildId) -> None:
        """Erase what is kept about a server; where that cannot be written, `erase_left` tries again."""
        self._left.add(guild)
        await self.erase_left()

    def rejoin(self, guild: GuildId) -> None:
        """Let a server keep what has not been erased yet: the bot is in it again."""
        self._left.discard(guild)

    async def erase_left(self) -> None:
        """Erase what is kept about the servers that were left, as far as it can be written now."""
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
            _logger.info("nothing is kept any more about server %s, which the bot has left", guild)

    async def find_absent(
        self, here: AbstractSet[GuildId], *, shard: int, shards: int
    ) -> AbstractSet[GuildId]:
        """Return the servers of a shard about which something is kept although the bot is not `here` in them.

        None where those are more than half of all: the database is rather another bot's than left by so many servers.
        """
        try:
            everywhere = await self._belongings.fetch_guilds()
        except CannotRead:
            return frozenset()  # Discord names them again when it is connected to anew
        kept = {guild for guild in everywhere if shard_of(guild, shards) == shard}
        absent = kept - here
        if 2 * len(absent) <= len(kept):
            return absent
        _logger.warning(
            "%d of %d servers in the database are not this bot's: they stay", len(absent), len(kept)
        )
        return frozenset()


def _is_new(now: datetime, joined_at: datetime, since: datetime) -> bool:
    """Return whether a server was joined just now, or lately and since servers are greeted."""
    ago = now - joined_at
    return ago <= _JOINING_TIME or (ago < _QUIET_TIME and joined_at >= since)
