"""A player's rating at a glance."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from bot.domain.ids import MemberId, Region
from bot.domain.players import Player
from bot.domain.scores import SlotName
from bot.features.askers import Askers, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingPage:
    """What `/rating` shows."""

    player: Player
    best_average: Decimal | None
    recent_average: Decimal | None
    region: Region
    fetched_at: datetime
    is_stale: bool


class Ratings:
    """Looks ratings up."""

    def __init__(self, askers: Askers) -> None:
        self._askers = askers

    async def page(self, viewer: MemberId, subject: Subject) -> RatingPage:
        """Return a player's profile and the averages of its slots.

        Raises: NotLinked, and what the service answers to the viewer's token.
        """
        asker = await self._askers.get(viewer)
        target = await self._askers.get_target(asker, subject)
        region = asker.link.region
        player = await asker.fetch_player(target)
        slots = await asker.fetch_rating_data(target, region)
        return RatingPage(
            player=player.value,
            best_average=slots.value[SlotName.BEST].average,
            recent_average=slots.value[SlotName.RECENT].average,
            region=region,
            fetched_at=min(player.fetched_at, slots.fetched_at),
            is_stale=player.is_stale or slots.is_stale,
        )
