"""This process as a member of the cluster: all processes that share a database, and that may take leases there."""

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
"""A process counts as dead after this many seconds without a heartbeat, as its machine may be lost. Its liveness lock shows all
other deaths at once."""
_HEARTBEAT_SECONDS: Final = 1.0
_TTL_MARGIN_SECONDS: Final = 0.5
"""A process stops counting on its leases this many seconds before others may take them."""
_REJOIN_SECONDS: Final = MEMBER_TTL_SECONDS + _HEARTBEAT_SECONDS
"""Once the database is back, all other processes send a heartbeat within this many seconds."""
_LEASE_POLL_SECONDS: Final = 0.5
"""How often a process that waits for a lease looks whether it is free."""
_ID_BITS: Final = 62


class ClusterMember:
    """This process in the cluster: it sends heartbeats, takes leases, and reaps processes that are dead."""

    def __init__(self, database: Database, leases: Leases) -> None:
        self._leases = leases
        self._liveness_lock = liveness_lock_of(database)
        self._seconds = MEMBER_TTL_SECONDS if database.is_server else None
        self.me = ProcessId(0)
        """The id of this process in the cluster; another one after it was reaped."""
        self._heard_until = self._may_reap_from = 0.0
        self._heard = asyncio.Event()
        """Set at each heartbeat that the database has stored; another event takes its place then."""
        self._heartbeats: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Join the cluster. Raises: CannotKeep where a file takes nothing, StoreUnavailable where a server does not."""
        try:
            with nullcontext() if self._seconds is None else told():
                await self._join()
        except BaseException:
            await self._liveness_lock.close()
            raise
        if self._seconds is not None:
            self._heartbeats = asyncio.create_task(self._heartbeat(self._seconds))
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave the cluster: all leases of this process are free at once."""
        if self._heartbeats is not None:
            self._heartbeats.cancel()
            await asyncio.wait({self._heartbeats})
        try:
            await self._leases.reap([self.me])
        except CannotKeep:
            pass  # the released lock tells them
        finally:
            await self._liveness_lock.close()

    @property
    def is_alive(self) -> bool:
        """Whether the others know that this process lives, so that nobody can have taken its leases."""
        return self._seconds is None or (self._liveness_lock.is_held and self.is_within_ttl)

    @property
    def is_within_ttl(self) -> bool:
        """Whether the last heartbeat is recent enough; a process whose liveness lock is lost may be reaped all the same."""
        return self._seconds is None or asyncio.get_running_loop().time() < self._heard_until

    async def until_alive(self) -> None:
        """Wait until the others know that this process lives."""
        while not self.is_alive:
            await self._heard.wait()

    async def acquire(self, name: str) -> Lease | None:
        """Take a lease; return None where a living process has it. Raises: CannotKeep, CannotRead."""
        lease = await self._leases.acquire(name, self.me)
        if lease is None and await self.reap_dead():
            lease = await self._leases.acquire(name, self.me)
        return lease

    async def wait_to_acquire(self, name: str, *, why: str) -> Lease:
        """Wait until a lease is free and take it; log once `why` that takes a while.

        While a database server is away, its owner may have it still. Raises: CannotKeep, CannotRead for a file that cannot
        be written, as nobody else can write it either.
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
        """Store the state that the next owner of a lease continues from; return whether the lease is still held."""
        return await self._leases.write_state(lease, state, reached)

    async def release(self, lease: Lease, state: State, reached: int | None = None) -> bool:
        """Give a lease back with the state that the next owner continues from; return whether it was still held."""
        return await self._leases.release(lease, state, reached)

    async def note_progress(self, reached: Sequence[tuple[Lease, int]]) -> None:
        """Store how far the owner of each lease has come beyond its state, where the lease is still held."""
        await self._leases.note_progress(reached)

    async def reap_dead(self) -> bool:
        """Free the leases of dead processes; return whether there were any other processes, the dead included.

        Right after the database was away nobody is reaped: no other process could send a heartbeat either.
        """
        others = dict(await self._leases.fetch_processes())
        others.pop(self.me, None)
        if others and self._may_reap:
            gone = await self._liveness_lock.find_dead(others)
            if gone or any(others.values()):
                await self._leases.reap(gone)
        return bool(others)

    async def _join(self) -> None:
        self.me = ProcessId(secrets.randbits(_ID_BITS))
        began = asyncio.get_running_loop().time()
        await self._liveness_lock.acquire(self.me)  # first, or it would count as dead
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
                    self._may_reap_from = began + _REJOIN_SECONDS
                if await self._leases.heartbeat(self.me, seconds=seconds):
                    self._note_heard(began)
                else:
                    await self._rejoin()
            except (CannotKeep, SQLAlchemyError, OSError):
                self._may_reap_from = began + _REJOIN_SECONDS
                if is_heard:
                    _logger.warning("the database was not told that this process lives; others may take over")
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
    def _may_reap(self) -> bool:
        return self.is_alive and asyncio.get_running_loop().time() >= self._may_reap_from

    async def _rejoin(self) -> None:
        """Join anew under another id and without leases, for this process was reaped."""
        _logger.warning("other processes have taken over from this one, which starts again")
        self._heard_until = 0.0
        await self._liveness_lock.close()
        await self._join()

    async def _is_held(self, name: str) -> bool:
        owner = await self._leases.find_owner(name)
        return owner is not None and not await self._liveness_lock.find_dead([owner])
