"""What this Discord is like, what it has counted, and how to hear that something happened."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from rig.guilds import Json, guild
from yarl import URL

ACKNOWLEDGE_SECONDS: Final = 3.0
"""Source: Discord's documentation, receiving and responding to interactions."""


@dataclass
class World:
    """Set by whoever tests; the rest of the rig reads it."""

    address: URL
    guilds: int = 3
    channels: int = 1
    """In each server."""
    roles: int = 1
    """In each server."""
    shards: int = 1
    """How many Discord recommends."""
    concurrency: int = 16
    """Buckets of shards in each of which one may IDENTIFY in five seconds."""
    late: float = 0.0
    """Seconds from READY until the servers are told of."""
    is_silent: bool = False
    """Whether nobody who connects is told anything yet."""
    forgets: bool = False
    """Whether every RESUME is refused."""
    patience: float = ACKNOWLEDGE_SECONDS
    """Seconds for which people wait for a first answer. What they ask is dated so that Discord's three seem to be over
    when these are: for tests that are not about time."""
    hold: float = 0.0
    """Seconds from when a message is posted until its reply."""
    loses: int = 0
    """Of so many posted messages one has its reply lost; 0: none."""
    fails: int = 0
    """Of so many messages one is not made, and answered with 503; 0: none."""
    refuses: dict[str, int] = field(default_factory=dict[str, int])
    """With which status messages are refused, by the number of the server."""
    poster: str = ""
    """The process that has posted last."""
    away: set[int] = field(default_factory=set[int])
    """Servers, by number, that have an outage."""
    left: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Servers, by number, and people who are no members of them."""
    keeps: bool = False
    """Whether requests are kept, for whoever judges them."""
    sent: list[Json] = field(default_factory=list[Json])
    """The requests that were kept: method, path and body."""
    counts: Counter[str] = field(default_factory=Counter[str])
    version: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def gateway(self) -> str:
        """Where sessions are gone on with, whoever began them."""
        return str(self.address.with_scheme("ws") / "again/gateway/")

    def guild(self, number: int) -> Json:
        """Return all that Discord says about a server."""
        return guild(number, self.channels, self.roles)

    def note(self, *what: str) -> None:
        """Count what has happened, and wake whoever waits for it."""
        self.counts.update(what)
        self.version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def until_told(self) -> None:
        """Wait while this Discord is silent."""
        while self.is_silent:
            await self._changed.wait()

    async def past(self, version: int) -> None:
        """Wait until something has happened since."""
        while self.version <= version:
            await self._changed.wait()
