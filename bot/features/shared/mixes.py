"""The usual mix of members' lost points, learnt from their records once and cached."""

from typing import Final, NamedTuple

from bot.api.cache import AnswerCache
from bot.base.memo import Memo, RecentHashes
from bot.base.worker import run_in_worker
from bot.domain.borders import Mix, learn_mix
from bot.domain.charts import Catalogue
from bot.domain.ids import Region
from bot.domain.scores import Record

MAX_KEPT_MIXES: Final = 5_000
"""The most cached mixes, two numbers each."""


class _Learnt(NamedTuple):
    """The result of learning, which may be None."""

    mix: Mix | None


class Mixes:
    """Learns the mix of judgements by which each member loses points."""

    def __init__(self, cache: AnswerCache, hashes: RecentHashes) -> None:
        self._hashes = hashes
        self._learnt = Memo[_Learnt](MAX_KEPT_MIXES, lambda _: 1)
        self._catalogues: dict[Region, Catalogue] = {}
        """The catalogues used for learning, by region."""
        cache.on_drop(self._learnt.drop_all)

    async def learn(self, records: tuple[Record, ...], catalogue: Catalogue) -> Mix | None:
        """Return the usual mix of a player's lost points; None if too few records show it."""
        if self._catalogues.get(catalogue.region) is not catalogue:
            self._catalogues[catalogue.region] = catalogue
            self._learnt.drop_all()

        async def learn() -> _Learnt:
            # The search for the likeliest mix goes through all records many times.
            return _Learnt(await run_in_worker(learn_mix, records, catalogue))

        drops = self._learnt.drops
        key = catalogue.region, await self._hashes.hash_of(records)
        return (await self._learnt.get(key, learn, drops=drops)).mix
