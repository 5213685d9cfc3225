"""The slots that make up a rating, page by page."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.domain.ids import MemberId, Region
from bot.domain.players import Player
from bot.domain.scores import Slot, SlotName
from bot.features.askers import Askers, Subject
from bot.features.paging import Part, part_of

PAGE_SIZE: Final = 10
"""Records on one page: what a phone shows without much scrolling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestPage:
    """What `/best` shows."""

    player: Player
    name: SlotName
    slot: Slot
    part: Part
    """Which of the slot's filled places are on this page."""
    region: Region
    fetched_at: datetime
    is_stale: bool


class Best:
    """Looks slots up."""

    def __init__(self, askers: Askers) -> None:
        self._askers = askers

    async def page(self, viewer: MemberId, subject: Subject, name: SlotName, number: int = 0) -> BestPage:
        """Return one page of a slot; a number past the end gives the last page.

        Raises: NotLinked, and what the service answers to the viewer's token.
        """
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        region = asker.link.region
        player = await asker.fetch_player(target)
        data = await asker.fetch_rating_data(target, region)
        slot = data.value[name]
        return BestPage(
            player=player.value,
            name=name,
            slot=slot,
            part=part_of(len(slot.records), PAGE_SIZE, number),
            region=region,
            fetched_at=min(player.fetched_at, data.fetched_at),
            is_stale=player.is_stale or data.is_stale,
        )
