"""This process among those that share a database: it lives there, and has leases."""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from typing import Final, Self

from sqlalchemy.exc import SQLAlchemyError

from bot.cluster.leases import Lease, Leases, ProcessId, State
from bot.cluster.liveness import liveness_lock_of
from bot.database.engine import Database
from bot.database.trouble import told
from bot.domain.errors import CannotKeep, CannotRead

_logger = logging.getLogger(__name__)

MEMBER_TTL_SECONDS: Final = 5.0
"""After so long without a word a process counts as dead where its machine may be lost. Its lock tells all other deaths."""
_HEARTBEAT_SECONDS: Final = 1.0
_TTL_MARGIN_SECONDS: Final = 0.5
"""Seconds before its end from which a process does not count on its life."""
_REJOIN_SECONDS: Final = MEMBER_TTL_SECONDS + _HEARTBEAT_SECONDS
"""Seconds in which all others are heard again, once the database is back."""
_LEASE_POLL_SECONDS: Final = 0.5
"""Seconds between looks whether a lease is free."""
_ID_BITS: Final = 62


class ClusterMember:
    """One process, from its start to its end."""

    def __init__(self, database: Database, leases: Leases) -> None:
        self._leases = leases
        self._liveness_lock = liveness_lock_of(database)
        self._seconds = MEMBER_TTL_SECONDS if database.is_server else None
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
            await self._liveness_lock.close()
            raise
        if self._seconds is not None:
            self._beating = asyncio.create_task(self._heartbeat(self._seconds))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave: what this process has is free at once."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.wait({self._beating})
        try:
            await self._leases.reap([self.me])
        except CannotKeep:
            pass  # the lock tells them
        finally:
            await self._liveness_lock.close()

    @property
    def is_alive(self) -> bool:
        """Whether nobody can have taken what this process has: the others know that it lives."""
        return self._seconds is None or (self._liveness_lock.is_held and self.is_within_ttl)

    @property
    def is_within_ttl(self) -> bool:
        """Whether the time of this process is not over; where its connection is gone, it may be taken for dead before."""
        return self._seconds is None or asyncio.get_running_loop().time() < self._heard_until

    async def until_alive(self) -> None:
        """Wait until the others know that this process lives."""
        while not self.is_alive:
            await self._heard.wait()

    async def acquire(self, name: str) -> Lease | None:
        """Take a lease that nobody has who lives; None where somebody has it. Raises: CannotKeep, CannotRead."""
        lease = await self._leases.acquire(name, self.me)
        if lease is None and await self.reap_dead():
            lease = await self._leases.acquire(name, self.me)
        return lease

    async def wait_to_acquire(self, name: str, *, why: str) -> Lease:
        """Take a lease as soon as nobody has it any more; say once why that takes a while.

        While the database is away, whoever has it may have it still. Raises: CannotKeep, CannotRead, where a file says so
        at once: nobody else can write it either.
        """
        lease = None
        try:
            lease = await self.acquire(name)
        except (CannotKeep, CannotRead):
            if self._seconds is None:
                raise
        if lease is None:
            _logger.info(why)
        while lease is None:
            await asyncio.sleep(_LEASE_POLL_SECONDS)
            with suppress(CannotKeep, CannotRead):
                if not await self._is_held(name):
                    lease = await self.acquire(name)
        return lease

    async def write(self, lease: Lease, state: State, reached: int | None = None) -> bool:
        """As Leases.write."""
        return await self._leases.write_state(lease, state, reached)

    async def release(self, lease: Lease, state: State, reached: int | None = None) -> bool:
        """As Leases.give."""
        return await self._leases.release(lease, state, reached)

    async def note_progress(self, reached: Sequence[tuple[Lease, int]]) -> None:
        """As Leases.note."""
        await self._leases.note_progress(reached)

    async def reap_dead(self) -> bool:
        """Free what the dead have; return whether there are any others.

        Whoever has only now been heard again buries nobody: while the database was away no other was heard either.
        """
        others = dict(await self._leases.fetch_processes())
        others.pop(self.me, None)
        if others and self._may_judge:
            gone = await self._liveness_lock.find_dead(others)
            if gone or any(others.values()):
                await self._leases.reap(gone)
        return bool(others)

    async def _join(self) -> None:
        self.me = ProcessId(secrets.randbits(_ID_BITS))
        began = asyncio.get_running_loop().time()
        await self._liveness_lock.acquire(self.me)  # first, or it would be taken for gone
        await self._leases.join(self.me, seconds=self._seconds)
        self._note_heard(began)

    async def _heartbeat(self, seconds: float) -> None:
        is_heard = True
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_HEARTBEAT_SECONDS):
                    await self._liveness_lock.until_broken()
            began = asyncio.get_running_loop().time()
            try:
                if await self._liveness_lock.acquire(self.me):  # its connection had been lost
                    self._judges_from = began + _REJOIN_SECONDS
                if await self._leases.heartbeat(self.me, seconds=seconds):
                    self._note_heard(began)
                else:
                    await self._die()
            except (CannotKeep, SQLAlchemyError, OSError):
                self._judges_from = began + _REJOIN_SECONDS
                if is_heard:
                    _logger.warning(
                        "the database does not hear that this process lives; others may take its place"
                    )
                is_heard = False
                await asyncio.sleep(_HEARTBEAT_SECONDS)
            else:
                is_heard = True

    def _note_heard(self, began: float) -> None:
        if self._seconds is not None:
            self._heard_until = began + self._seconds - _TTL_MARGIN_SECONDS
        self._heard.set()
        self._heard = asyncio.Event()

    @property
    def _may_judge(self) -> bool:
        return self.is_alive and asyncio.get_running_loop().time() >= self._judges_from

    async def _die(self) -> None:
        """Join anew, having been taken for dead: by another id, and with nothing that it had."""
        _logger.warning("other processes have taken the place of this one, which begins anew")
        self._heard_until = 0.0
        await self._liveness_lock.close()
        await self._join()

    async def _is_held(self, name: str) -> bool:
        owner = await self._leases.find_owner(name)
        return owner is not None and not await self._liveness_lock.find_dead([owner])
