"""How the shards are shared out among the processes that serve side by side."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShardAssignment:
    """Who has which shards, as one process has seen it: the others may have done something since."""

    shards: int
    """How many there are."""
    serving: Collection[int]
    """The processes that want some: those that are up, and were not told to end."""
    owners: Mapping[int, int]
    """Who has each shard that somebody has, by its number; also those who want none any more."""

    @property
    def free(self) -> list[int]:
        """Those that nobody has."""
        return [shard for shard in range(self.shards) if shard not in self.owners]

    def of(self, process: int) -> list[int]:
        """Return those of one process."""
        return [shard for shard, owner in self.owners.items() if owner == process]

    def most(self, process: int) -> int:
        """Return how many a process may have; none where it does not serve.

        All may have the same number, but for those who may have one more, so that none is left over: whoever has most
        already, so that no shard is moved for nothing.
        """
        if process not in self.serving:
            return 0
        each, left = divmod(self.shards, len(self.serving))
        ranked = sorted(self.serving, key=lambda one: (-len(self.of(one)), one))
        return each + (ranked.index(process) < left)
