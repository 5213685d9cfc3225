"""How shards are divided among the processes that share a database."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShardAssignment:
    """The owners of shards, as one process has read them: other processes may have changed them since."""

    shards: int
    """The number of shards."""
    serving: Collection[int]
    """The processes that take shards: those that are up and were not told to stop."""
    owners: Mapping[int, int]
    """The owner of each owned shard, by shard number; includes processes that take no shards any more."""

    @property
    def free(self) -> list[int]:
        """The shards without an owner."""
        return [shard for shard in range(self.shards) if shard not in self.owners]

    def of(self, process: int) -> list[int]:
        """Return the shards of one process."""
        return [shard for shard, owner in self.owners.items() if owner == process]

    def most(self, process: int) -> int:
        """Return how many shards a process may have; 0 if it takes none.

        All may have the same number; if there is a remainder, some may have one more: those that have most already, so
        that no shard is moved without need.
        """
        if process not in self.serving:
            return 0
        each, left = divmod(self.shards, len(self.serving))
        ranked = sorted(self.serving, key=lambda one: (-len(self.of(one)), one))
        return each + (ranked.index(process) < left)
