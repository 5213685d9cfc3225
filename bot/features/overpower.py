"""Over power: how much of the possible total has been earned."""

import asyncio
from dataclasses import dataclass
from typing import Final

from bot.api.cache import AnswerCache
from bot.base.memo import Memo, RecentHashes
from bot.base.worker import run_in_worker
from bot.domain.charts import Catalogue, SameCatalogue
from bot.domain.entries import still_locked
from bot.domain.ids import MemberId, SongId
from bot.domain.overpower import Grouping, OverPowerTally, tally
from bot.domain.scores import Record
from bot.features.shared.askers import Askers
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.reports import PlayerReport

_MAX_TALLIES: Final = 1_000
"""The most cached tallies, of some twenty groups each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverPowerReport(PlayerReport):
    """The content of `/overpower`."""

    by: Grouping
    tally: OverPowerTally


def _tally(
    catalogue: Catalogue, records: tuple[Record, ...], by: Grouping, locked: frozenset[SongId]
) -> OverPowerTally:
    still = still_locked(locked, records)
    return tally((song for song in catalogue.songs if song.id not in still), records, by)


class OverPowers:
    """Adds up over power, once for the same records."""

    def __init__(
        self,
        askers: Askers,
        catalogues: Catalogues,
        chronicle: Chronicles,
        cache: AnswerCache,
        hashes: RecentHashes,
    ) -> None:
        self._tallies = Memo[OverPowerTally](_MAX_TALLIES, lambda _: 1)
        self._hashes = hashes
        cache.on_drop(self._tallies.drop_all)
        self._askers = askers
        self._chronicle = chronicle
        self._catalogues = catalogues

    async def report(self, viewer: MemberId, by: Grouping) -> OverPowerReport:
        """Return the viewer's over power by group. Raises: NotLinked, and errors of the service."""
        asker = await self._askers.get(viewer)
        region = asker.link.region
        loaded, answer = await asyncio.gather(
            self._catalogues.get(region, asker.open_token, patience=asker.patience),
            self._chronicle.fetch(asker),
        )
        player, records = answer.value
        catalogue = loaded.catalogue
        drops = self._tallies.drops
        key = await self._hashes.hash_of(records), SameCatalogue(catalogue), by, asker.locked
        found = await self._tallies.get(
            key, lambda: run_in_worker(_tally, catalogue, records, by, asker.locked), drops=drops
        )
        return OverPowerReport(
            player=player,
            by=by,
            tally=found,
            region=region,
            age=answer.age,
            audience=asker.audience_of(player),
        )
