"""This process among those that share a database: it lives there, and has leases."""

import asyncio
import logging
import secrets
from collections.abc import Sequence
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
_MARGIN: Final = 0.5
"""Seconds before its end from which a process does not count on its life."""
_AGAIN: Final = LIFE_SECONDS + _BEAT
"""Seconds in which all others are heard again, once the database is back."""
_LOOK: Final = 0.5
"""Seconds between looks whether a lease is free."""
_ID_BITS: Final = 62


class Presence:
    """One process, from its start to its end."""

    def __init__(self, database: Database, leases: Leases) -> None:
        self._leases = leases
        self._line = lifeline_of(database)
        self._seconds = LIFE_SECONDS if database.is_server else None
        self.me = ProcessId(0)
        """By which id the others know this process."""
        self._heard_until = self._judges_from = 0.0
        self._heard = asyncio.Event()
        """Set, and another one made, whenever the database has heard that this process lives."""
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
            await self._leases.bury([self.me])
        except CannotKeep:
            pass  # the lock tells them
        finally:
            await self._line.close()

    @property
    def is_heard(self) -> bool:
        """Whether nobody can have taken what this process has: the others know that it lives."""
        return self._seconds is None or (self._line.is_held and self.is_in_time)

    @property
    def is_in_time(self) -> bool:
        """Whether the time of this process is not over; where its connection is gone, it may be taken for dead before."""
        return self._seconds is None or asyncio.get_running_loop().time() < self._heard_until

    async def until_heard(self) -> None:
        """Wait until the others know that this process lives."""
        while not self.is_heard:
            await self._heard.wait()

    async def take(self, name: str) -> Lease | None:
        """Take a lease that nobody has who lives; None where somebody has it. Raises: CannotKeep, CannotRead."""
        lease = await self._leases.take(name, self.me)
        if lease is None and await self.bury_gone():
            lease = await self._leases.take(name, self.me)
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

    async def write(self, lease: Lease, state: State, reached: int | None = None) -> bool:
        """As Leases.write."""
        return await self._leases.write(lease, state, reached)

    async def give(self, lease: Lease, state: State, reached: int | None = None) -> bool:
        """As Leases.give."""
        return await self._leases.give(lease, state, reached)

    async def note(self, reached: Sequence[tuple[Lease, int]]) -> None:
        """As Leases.note."""
        await self._leases.note(reached)

    async def bury_gone(self) -> bool:
        """Free what the dead have; return whether there are any others.

        Whoever has only now been heard again buries nobody: while the database was away no other was heard either.
        """
        others = dict(await self._leases.fetch_processes())
        others.pop(self.me, None)
        if others and self._may_judge:
            gone = await self._line.find_gone(others)
            if gone or any(others.values()):
                await self._leases.bury(gone)
        return bool(others)

    async def _join(self) -> None:
        self.me = ProcessId(secrets.randbits(_ID_BITS))
        began = asyncio.get_running_loop().time()
        await self._line.hold(self.me)  # first, or it would be taken for gone
        await self._leases.join(self.me, seconds=self._seconds)
        self._note_heard(began)

    async def _beat(self, seconds: float) -> None:
        is_heard = True
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_BEAT):
                    await self._line.until_broken()
            began = asyncio.get_running_loop().time()
            try:
                if await self._line.hold(self.me):  # its connection had been lost
                    self._judges_from = began + _AGAIN
                if await self._leases.beat(self.me, seconds=seconds):
                    self._note_heard(began)
                else:
                    await self._die()
            except (CannotKeep, SQLAlchemyError, OSError):
                self._judges_from = began + _AGAIN
                if is_heard:
                    _log.warning(
                        "the database does not hear that this process lives; others may take its place"
                    )
                is_heard = False
                await asyncio.sleep(_BEAT)
            else:
                is_heard = True

    def _note_heard(self, began: float) -> None:
        if self._seconds is not None:
            self._heard_until = began + self._seconds - _MARGIN
        self._heard.set()
        self._heard = asyncio.Event()

    @property
    def _may_judge(self) -> bool:
        return self.is_heard and asyncio.get_running_loop().time() >= self._judges_from

    async def _die(self) -> None:
        """Join anew, having been taken for dead: by another id, and with nothing that it had."""
        _log.warning("other processes have taken the place of this one, which begins anew")
        self._heard_until = 0.0
        await self._line.close()
        await self._join()

    async def _is_held(self, name: str) -> bool:
        owner = await self._leases.find_owner(name)
        return owner is not None and not await self._line.find_gone([owner])
