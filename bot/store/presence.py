"""This process among those that share a database: it lives there, and has leases."""

import asyncio
import logging
import secrets
from contextlib import nullcontext, suppress
from types import TracebackType
from typing import Final, Self

from sqlalchemy.exc import SQLAlchemyError

from bot.domain.errors import CannotKeep, CannotRead
from bot.store.engine import Database
from bot.store.leases import Lease, Leases, ProcessId, State
from bot.store.lifelines import lifeline_of
from bot.store.trouble import told

_log = logging.getLogger(__name__)

LIFE_SECONDS: Final = 5.0
"""After so long without a word a process counts as dead where its machine may be lost. Its lock tells all other deaths."""
_BEAT: Final = 1.0
_LOOK: Final = 0.5
"""Seconds between looks whether a lease is free."""
_ID_BITS: Final = 62


class Presence:
    """One process, from its start to its end."""

    def __init__(self, database: Database, leases: Leases) -> None:
        self._leases = leases
        self._line = lifeline_of(database)
        self._seconds = LIFE_SECONDS if database.is_server else None
        self._me = ProcessId(0)
        self._has_any = False
        """Whether it has had any lease."""
        self._ended = asyncio.Event()
        self._beating: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Join the others. Raises: CannotKeep where a file takes nothing, StoreUnavailable where a server does not."""
        try:
            with nullcontext() if self._seconds is None else told():
                await self._join()
        except BaseException:
            await self._line.close()
            raise
        if self._seconds is not None:
            self._beating = asyncio.create_task(self._beat(self._seconds))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave: what this process has is free at once."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.wait({self._beating})
        try:
            await self._leases.bury([self._me])
        except CannotKeep:
            pass  # the lock tells them
        finally:
            await self._line.close()

    async def until_ended(self) -> None:
        """Wait until the others have taken this process for dead, and what it had for themselves."""
        await self._ended.wait()

    async def take(self, name: str) -> Lease | None:
        """Take a lease that nobody has who lives; None where somebody has it. Raises: CannotKeep, CannotRead."""
        lease = await self._leases.take(name, self._me)
        if lease is None and await self._bury_gone():
            lease = await self._leases.take(name, self._me)
        self._has_any |= lease is not None
        return lease

    async def wait_for(self, name: str, *, why: str) -> Lease:
        """Take a lease as soon as nobody has it any more; say once why that takes a while.

        While the database is away, whoever has it may have it still. Raises: CannotKeep, CannotRead, where a file says so
        at once: nobody else can write it either.
        """
        lease = None
        try:
            lease = await self.take(name)
        except (CannotKeep, CannotRead):
            if self._seconds is None:
                raise
        if lease is None:
            _log.info(why)
        while lease is None:
            await asyncio.sleep(_LOOK)
            with suppress(CannotKeep, CannotRead):
                if not await self._is_held(name):
                    lease = await self.take(name)
        return lease

    async def write(self, lease: Lease, state: State) -> bool:
        """As Leases.write."""
        return await self._leases.write(lease, state)

    async def give(self, lease: Lease, state: State) -> bool:
        """As Leases.give."""
        return await self._leases.give(lease, state)

    async def _join(self) -> None:
        self._me = ProcessId(secrets.randbits(_ID_BITS))
        await self._line.hold(self._me)  # first, or it would be taken for gone
        await self._leases.join(self._me, seconds=self._seconds)

    async def _beat(self, seconds: float) -> None:
        is_heard = True
        while not self._ended.is_set():
            await asyncio.sleep(_BEAT)
            try:
                await self._line.hold(self._me)  # its connection may have been lost
                if not await self._leases.beat(self._me, seconds=seconds):
                    await self._die()
            except (CannotKeep, SQLAlchemyError, OSError):
                if is_heard:
                    _log.warning(
                        "the database does not hear that this process lives; others may take its place"
                    )
                is_heard = False
            else:
                is_heard = True

    async def _die(self) -> None:
        """End, having been taken for dead; whoever has nothing yet loses nothing, and joins under another id."""
        if self._has_any:
            self._ended.set()
        else:
            await self._line.close()
            await self._join()

    async def _is_held(self, name: str) -> bool:
        owner = await self._leases.find_owner(name)
        return owner is not None and not await self._line.find_gone([owner])

    async def _bury_gone(self) -> bool:
        others = await self._leases.fetch_processes() - {self._me}
        gone = await self._line.find_gone(others)
        if gone or self._seconds is not None:
            await self._leases.bury(gone)
        return bool(others)
