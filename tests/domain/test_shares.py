"""Sharing out shards, by processes each of which acts on what it saw some time ago."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.shares import ShardAssignment

SHARDS = st.integers(1, 24)
PROCESSES = st.sets(st.integers(1, 99), min_size=1, max_size=6)


@dataclass
class Fleet:
    """What the database knows; a lease is taken by one alone."""

    shards: int
    serving: set[int]
    owners: dict[int, int] = field(default_factory=dict[int, int])
    moves: int = 0

    def look(self) -> ShardAssignment:
        return ShardAssignment(self.shards, frozenset(self.serving), dict(self.owners))

    def act(self, process: int, seen: ShardAssignment) -> None:
        """Do as bot.chat.gateway.shards does."""
        mine = [shard for shard, owner in self.owners.items() if owner == process]
        most = seen.most(process)
        for shard in mine[: max(0, len(mine) - most)]:
            del self.owners[shard]
            self.moves += 1
        lacking = most - len(mine)
        for shard in seen.free:
            if lacking > 0 and shard not in self.owners:
                self.owners[shard] = process
                lacking -= 1

    def settle(self) -> None:
        for _ in range(3):
            for process in sorted(self.serving):
                self.act(process, self.look())

    def counts(self) -> list[int]:
        return sorted(len(self.look().of(process)) for process in self.serving)


def fair(shards: int, processes: int) -> list[int]:
    each, left = divmod(shards, processes)
    return [each] * (processes - left) + [each + 1] * left


@given(SHARDS, PROCESSES, st.data())
def test_every_shard_ends_with_one_owner_and_all_have_their_share(
    shards: int, processes: set[int], data: st.DataObject
) -> None:
    fleet = Fleet(shards, set(processes))
    everybody = st.sampled_from(sorted({*processes, 100, 101}))
    seen = {process: fleet.look() for process in (*processes, 100, 101)}
    for _ in range(data.draw(st.integers(0, 30))):
        process = data.draw(everybody)
        match data.draw(st.sampled_from(["look", "act", "come", "die"])):
            case "look":
                seen[process] = fleet.look()
            case "act" if process in fleet.serving:
                fleet.act(process, seen[process])
            case "come":
                fleet.serving.add(process)
            case "die" if len(fleet.serving) > 1:
                fleet.serving.discard(process)
                fleet.owners = {shard: each for shard, each in fleet.owners.items() if each != process}
            case _:
                pass
    fleet.settle()
    assert fleet.owners.keys() == set(range(shards))
    assert fleet.counts() == fair(shards, len(fleet.serving))
    fleet.moves = 0
    fleet.settle()
    assert fleet.moves == 0


@given(SHARDS, PROCESSES)
def test_who_joins_is_given_its_share_and_nothing_else_moves(shards: int, processes: set[int]) -> None:
    fleet = Fleet(shards, set(processes))
    fleet.settle()
    fleet.serving.add(100)
    fleet.settle()
    assert fleet.moves == len(fleet.look().of(100)) == shards // (len(processes) + 1)


@given(SHARDS, PROCESSES, st.data())
def test_nobody_gives_up_below_a_fair_share_whatever_they_saw(
    shards: int, processes: set[int], data: st.DataObject
) -> None:
    owners = data.draw(
        st.dictionaries(st.integers(0, shards - 1), st.sampled_from(sorted({*processes, 100})))
    )
    seen = ShardAssignment(shards, processes, owners)
    assert sum(seen.most(process) for process in processes) == shards
    assert {seen.most(process) for process in processes} <= set(fair(shards, len(processes)))
    assert seen.most(100) == 0
