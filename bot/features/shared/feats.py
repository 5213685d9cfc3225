"""Members' feats between two moments, for posts; computed once for all posts about the same time span."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.api.cache import AnswerCache
from bot.base.memo import Memo
from bot.base.worker import run_in_worker
from bot.domain.charts import SameCatalogue
from bot.domain.ids import MemberId, Region
from bot.domain.numbers import Hundredths
from bot.domain.standings import Feats, feats_of, played_since
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.game_ratings import GameRatings
from bot.store import Store

_MAX_FEATS: Final = 2_000
"""The most cached feats, one or two kilobytes each: many servers post about the same members at the same minute."""


class MemberFeats:
    """Computes feats from members' stored history."""

    def __init__(
        self, store: Store, catalogues: Catalogues, ratings: GameRatings, cache: AnswerCache
    ) -> None:
        self._chronicle = store.chronicle
        self._catalogues = catalogues
        self._ratings = ratings
        self._weighed = Memo[tuple[Feats | None]](_MAX_FEATS, lambda _: 1)
        cache.on_drop(self._weighed.drop_all)

    async def find(
        self, member: MemberId, region: Region, rating: Hundredths, *, since: datetime, until: datetime
    ) -> Feats | None:
        """Return the feats of a member with this rating, as far as their history is stored; asks the service nothing.

        Raises: CannotRead.
        """
        catalogue = await self._catalogues.find_songs(region)
        hints = await self._ratings.find_hints(member, region)
        rules = (hints, catalogue and SameCatalogue(catalogue))

        async def weigh() -> tuple[Feats | None]:
            return (await self._weigh(member, region, rating, since, until),)

        (feats,) = await self._weighed.get((member, region, rating, since, until, rules), weigh)
        return feats

    async def _weigh(
        self, member: MemberId, region: Region, rating: Hundredths, since: datetime, until: datetime
    ) -> Feats | None:
        whose = member, region
        now = await self._chronicle.find(*whose, until=until)  # anything found later belongs to the next post
        before = await self._chronicle.find(*whose, until=since)
        then = await self._chronicle.find_next(*whose, after=None if before is None else since)
        before = before or then  # for a new member, everything since their first look
        if now is None or before is None or now.taken_at <= max(since, before.taken_at):
            return None

        played = await run_in_worker(played_since, since, now, before, then)
        effects = None
        if played or rating < before.figures.rating:
            effects = await self._ratings.find_effects(member, before, now, played)

        def told() -> Feats:
            feats = feats_of(played, region, rating, effects)
            is_lowered = before.is_lowered or now.is_lowered if effects is None else effects.is_lowered
            return replace(feats, is_lowered=is_lowered)

        return await run_in_worker(told)
