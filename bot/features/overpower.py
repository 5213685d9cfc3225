"""Over power: how much of all that there is has been earned."""

import asyncio
from dataclasses import dataclass

from bot.base.worker import run_in_worker
from bot.domain.age import Age
from bot.domain.ids import MemberId, Region
from bot.domain.members import Audience
from bot.domain.overpower import Grouping, OverPowerTally, tally
from bot.domain.players import Player
from bot.features.shared.askers import Askers
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.chronicle import Chronicles


@dataclass(frozen=True, slots=True, kw_only=True)
class OverPowerReport:
    """What `/overpower` shows."""

    player: Player
    by: Grouping
    tally: OverPowerTally
    region: Region
    age: Age
    audience: Audience


class OverPowers:
    """Adds over power up."""

    def __init__(self, askers: Askers, catalogues: Catalogues, chronicle: Chronicles) -> None:
        self._askers = askers
        self._chronicle = chronicle
        self._catalogues = catalogues

    async def report(self, viewer: MemberId, by: Grouping) -> OverPowerReport:
        """Return the viewer's over power, split. Raises: NotLinked, and what the service answers."""
        asker = await self._askers.get(viewer)
        region = asker.link.region
        loaded, answer = await asyncio.gather(
            self._catalogues.get(region, asker.open_token, patience=asker.patience),
            self._chronicle.fetch(asker),
        )
        player, records = answer.value
        return OverPowerReport(
            player=player,
            by=by,
            tally=await run_in_worker(tally, loaded.catalogue.songs, records, by),
            region=region,
            age=answer.age,
            audience=asker.audience_of(player),
        )
