"""How members' ratings come about: both slots, worked out from records, catalogue and day."""

from collections import Counter, OrderedDict
from collections.abc import Coroutine, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from bot.api.answer import Answer
from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.age import Age
from bot.domain.charts import Catalogue
from bot.domain.chronicle import RatingEffects, RatingRules, RecordChange, RecordsState, effects_of
from bot.domain.errors import BotError, NotLinked
from bot.domain.game_rating import Explanation, explain
from bot.domain.game_versions import GameVersion, VersionTable, game_day
from bot.domain.ids import Region, UserId
from bot.domain.players import Player, Target
from bot.domain.scores import RatingData, Record
from bot.features.shared.askers import Asker, ask_both
from bot.features.shared.catalogues import Catalogues

MAX_RECORDS_ON_LOOP: Final = 6_000
"""Records that are worked out in the turn of the event loop: of more it would stand still for longer than 3 ms."""
MAX_REMEMBERED_VERSIONS: Final = 10_000
"""Players of whom it is known which version explained their rating last."""


class RatingSources(NamedTuple):
    """What the service says of a player's rating."""

    player: Player
    data: RatingData
    records: tuple[Record, ...] | None
    """None where they cannot be had now."""


class GameRatings:
    """Works out what players' records come to, and remembers which version of the game each of them plays."""

    def __init__(self, catalogues: Catalogues, clock: Clock, versions: VersionTable) -> None:
        self._catalogues = catalogues
        self._clock = clock
        self.versions = versions
        """Which a host may replace while the bot runs."""
        self.counts: Counter[str] = Counter()
        """Since the start: players whose rating was explained, was above or was below what was worked out."""
        self._played: OrderedDict[tuple[UserId, Region], GameVersion] = OrderedDict()
        """The version that explained a player's rating last: editions abroad lag behind Japan's by months."""

    async def ask(
        self, asker: Asker, target: Target, region: Region, *, profile: Coroutine[Any, Any, Answer[Player]]
    ) -> Answer[RatingSources]:
        """Return what a player's rating is shown from. Raises: NotLinked, and what the service answers."""
        rest = ask_both(
            profile,
            self._find_records(asker, target, region),
            is_known=asker.knows_player(target),
        )
        # The slots are asked for first: where one request is left, it is not the records that get it.
        answer = await ask_both(asker.fetch_rating_data(target, region), rest)
        data, (player, records) = answer.value
        return Answer(RatingSources(player, data, records), answer.age)

    async def find_effects(
        self,
        account: UserId,
        before: RecordsState,
        after: RecordsState,
        plays: Sequence[RecordChange],
        earlier: Sequence[RecordChange] = (),
    ) -> RatingEffects | None:
        """Return what plays between two states of an account did to its rating, after `earlier` ones between them.

        None where there is no catalogue now: without it nobody knows which songs are new. Asks nothing of the service.
        """
        catalogue = await self._catalogues.find_songs(after.region)
        if catalogue is None:
            return None
        rules = RatingRules(catalogue, self.versions, self._played.get((account, after.region)))
        return await run_in_worker(effects_of, before, after, plays, earlier, rules)

    async def _find_records(
        self, asker: Asker, target: Target, region: Region
    ) -> Answer[tuple[Record, ...] | None]:
        try:
            records = await asker.fetch_records(target, region)
        except NotLinked:
            raise
        except BotError:
            return Answer(None, Age(self._clock.now()))
        return Answer(records.value, records.age)

    async def find_catalogue(self, asker: Asker, region: Region) -> Catalogue | None:
        """Return the catalogue that ratings are worked out with; None where it cannot be had now."""
        loaded = await self._catalogues.find(region, asker.open_token)
        return loaded and loaded.catalogue

    async def explain(
        self, asker: Asker, player: Player, records: tuple[Record, ...] | None, at: datetime
    ) -> Explanation | None:
        """Return what records come to, beside the rating of a profile of a moment; None where either is not known."""
        catalogue = records is not None and await self.find_catalogue(asker, asker.link.region)
        if not records or not catalogue:
            return None
        return await self.explain_with(catalogue, player, records, at)

    async def explain_with(
        self, catalogue: Catalogue, player: Player, records: tuple[Record, ...], at: datetime
    ) -> Explanation:
        """Return what records come to with a catalogue, beside the rating of a profile of a moment."""
        key = player.user_id, catalogue.region
        given = records, catalogue, game_day(at), player.rating, self.versions, self._played.get(key)
        is_much = len(records) > MAX_RECORDS_ON_LOOP
        found = await run_in_worker(explain, *given) if is_much else explain(*given)
        self._note(key, found, player)
        return found

    def _note(self, key: tuple[UserId, Region], found: Explanation, player: Player) -> None:
        version = found.worked_out.version
        if found.is_explained and version is not None:
            self._played[key] = version
            self._played.move_to_end(key)
            if len(self._played) > MAX_REMEMBERED_VERSIONS:
                self._played.popitem(last=False)
        if found.is_explained is not None:
            is_above = player.rating > (found.worked_out.rating or 0)
            self.counts["explained" if found.is_explained else "above" if is_above else "below"] += 1
