"""A member's own records, as they can be taken elsewhere."""

from dataclasses import dataclass

from bot.domain.age import Age
from bot.domain.ids import MemberId, Region
from bot.domain.players import Target
from bot.domain.scores import Record
from bot.features.askers import Askers


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordExport:
    """Every record of a member."""

    records: tuple[Record, ...]
    """Normal charts, then World's End."""
    region: Region
    age: Age


class RecordExports:
    """Gathers records."""

    def __init__(self, askers: Askers) -> None:
        self._askers = askers

    async def gather(self, member: MemberId) -> RecordExport:
        """Return all of a member's own records. Raises: NotLinked, and what the service answers."""
        asker = await self._askers.get(member)
        region = asker.link.region
        records = await asker.fetch_all_records(Target(), region)
        return RecordExport(
            records=records.value,
            region=region,
            age=records.age,
        )
