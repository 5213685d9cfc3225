"""Catalogues as the service sent them: the newest of each region, and the last different one before it."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, select, update

from bot.cluster.invalidation import CATALOGUE_TOPIC, InvalidationBus
from bot.database.engine import COURTESY_SECONDS, Database, hold
from bot.database.tables import CATALOGUES
from bot.database.upsert import upsert
from bot.domain.ids import Region

_KEPT_CATALOGUES: Final = 2
_BEFORE: Final = timedelta(microseconds=1)
"""The smallest difference between two times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCatalogue:
    """One catalogue."""

    region: Region
    digest: str
    """A digest of the content."""
    first_seen_at: datetime
    last_seen_at: datetime
    content: bytes = field(repr=False)
    """The catalogue as packed by `bot.features.shared.catalogues`."""


class KeptCatalogues:
    """The repository of catalogues."""

    def __init__(self, database: Database, bus: InvalidationBus) -> None:
        self._database = database
        self._bus = bus

    async def fetch(self, region: Region) -> list[KeptCatalogue]:
        """Return the stored catalogues of a region, at most two, the newest first."""
        query = select(CATALOGUES).where(CATALOGUES.c.region == region)
        rows = await self._database.fetch(query.order_by(CATALOGUES.c.last_seen_at.desc()))
        return [
            KeptCatalogue(
                region=Region(row.region),
                digest=row.digest,
                first_seen_at=row.first_seen_at,
                last_seen_at=row.last_seen_at,
                content=row.content,
            )
            for row in rows
        ]

    async def save(self, kept: KeptCatalogue) -> None:
        """Save a catalogue as the newest; if it was the newest already, only its last sighting is updated.

        A catalogue dated in the future, by a clock that was ahead, counts as seen just before: else it would stay the
        newest for ever.
        """
        is_of_region = CATALOGUES.c.region == kept.region
        newest = select(CATALOGUES.c.digest).where(is_of_region).order_by(CATALOGUES.c.last_seen_at.desc())
        seen_again = update(CATALOGUES).where(is_of_region, CATALOGUES.c.digest == kept.digest)
        row = {column.name: getattr(kept, column.name) for column in CATALOGUES.columns}
        async with self._database.write(seconds=COURTESY_SECONDS) as connection:
            await hold(connection, f"catalogues:{kept.region}")
            await self._bus.publish(connection, CATALOGUE_TOPIC, kept.region)
            digests = list((await connection.execute(newest)).scalars())
            for column in (CATALOGUES.c.first_seen_at, CATALOGUES.c.last_seen_at):
                ahead = update(CATALOGUES).where(is_of_region, column >= kept.last_seen_at)
                await connection.execute(ahead.values({column: kept.last_seen_at - _BEFORE}))
            if digests[:1] == [kept.digest]:
                await connection.execute(seen_again.values(last_seen_at=kept.last_seen_at))
                return
            await upsert(connection, CATALOGUES, row)
            stale = [digest for digest in digests if digest != kept.digest][_KEPT_CATALOGUES - 1 :]
            await connection.execute(delete(CATALOGUES).where(is_of_region, CATALOGUES.c.digest.in_(stale)))
