"""The lease of the leader: the one process that does periodic work for all that share a database."""

from contextlib import suppress
from typing import Final

from bot.cluster.leases import Lease, State
from bot.cluster.member import ClusterMember
from bot.domain.errors import CannotKeep, CannotRead

_NAME: Final = "duty"


class LeaderLease:
    """Makes this process the leader where no living process is, and keeps the progress of its periodic work for the next one."""

    def __init__(self, member: ClusterMember | None, *, is_alone: bool) -> None:
        """Where this process `is_alone`, with no other that could serve, it is the leader even if the database takes no lease."""
        self._member = member
        self._is_alone = is_alone
        self._lease: Lease | None = None
        self.state: State = {}
        """The progress that the former leader has saved, or this one."""

    @property
    def is_held(self) -> bool:
        """Whether this process is the leader, as far as is known without asking the database."""
        return self._is_alone or (self._has_lease and self._member is not None and self._member.is_alive)

    async def acquire(self) -> bool:
        """Become the leader where no living process is; return whether this process is the leader, now or already."""
        if self._member is not None and not self._has_lease:
            with suppress(CannotKeep, CannotRead):
                self._lease = await self._member.acquire(_NAME)
                self.state = {} if self._lease is None else self._lease.state
        return self.is_held

    async def save_progress(self, state: State) -> None:
        """Save the progress of the periodic work, for this leader and the next one. Raises: CannotKeep."""
        self.state = state
        if self._member is not None and self._lease is not None:
            await self._member.write(self._lease, state)

    @property
    def _has_lease(self) -> bool:
        # A process that was taken for dead continues under another id.
        return self._lease is not None and self._member is not None and self._lease.owner == self._member.me
