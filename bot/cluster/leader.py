"""What one process at a time does for all that share a database, when nobody asks: whoever has its lease."""

from contextlib import suppress
from typing import Final

from bot.cluster.leases import Lease, State
from bot.cluster.member import ClusterMember
from bot.domain.errors import CannotKeep, CannotRead

_NAME: Final = "duty"


class LeaderLease:
    """Says whether it is this process's, and what whoever had it before has left to go on from."""

    def __init__(self, presence: ClusterMember | None, *, is_alone: bool) -> None:
        """`is_alone` where no other process can serve: then it is ours whatever the database takes."""
        self._presence = presence
        self._is_alone = is_alone
        self._lease: Lease | None = None
        self.state: State = {}
        """The word that was left."""

    @property
    def is_held(self) -> bool:
        """Whether it is this process's, as far as is known without asking."""
        return self._is_alone or (self._has_lease and self._presence is not None and self._presence.is_alive)

    async def acquire_or_renew(self) -> bool:
        """Return whether it is this process's, which takes it where nobody has it who lives."""
        if self._presence is not None and not self._has_lease:
            with suppress(CannotKeep, CannotRead):
                self._lease = await self._presence.acquire(_NAME)
                self.state = {} if self._lease is None else self._lease.state
        return self.is_held

    async def save_progress(self, state: State) -> None:
        """Leave word for whoever does it next. Raises: CannotKeep."""
        self.state = state
        if self._presence is not None and self._lease is not None:
            await self._presence.write(self._lease, state)

    @property
    def _has_lease(self) -> bool:
        # A process that was taken for dead goes on by another id.
        return (
            self._lease is not None and self._presence is not None and self._lease.owner == self._presence.me
        )
