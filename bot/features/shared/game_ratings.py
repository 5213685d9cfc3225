"""Members' ratings, derived: both slots worked out from records, catalogue, day and version of the game."""

import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from bot.api.answer import Answer
from bot.api.cache import AnswerCache
from bot.base.clock import Clock
from bot.base.memo import Memo, RecentHashes
from bot.base.worker import run_in_worker
from bot.cluster.invalidation import MEMBER_TOPIC
from bot.domain.age import Age
from bot.domain.charts import Catalogue, SameCatalogue
from bot.domain.chronicle.effects import RatingEffects, RatingRules, effects_of, explain_state
from bot.domain.chronicle.session import RecordChange
from bot.domain.chronicle.state import RecordsState, averages_of
from bot.domain.errors import BotError, CannotKeep, CannotRead, NotLinked, ServiceDown
from bot.domain.gains import RatingSlots
from bot.domain.game_rating import Explanation, WorkedOut, explain
from bot.domain.game_versions import NO_HINTS, GameVersion, VersionHints, VersionTable, game_day
from bot.domain.ids import MemberId, Region, UserId
from bot.domain.members import AccountLink
from bot.domain.numbers import Hundredths
from bot.domain.old_slot import find_old_slot
from bot.domain.players import Player, Target
from bot.domain.rating_census import RatingCensus, RatingCheck
from bot.domain.scores import RatingData, Record, SlotName
from bot.features.shared.askers import Asker
from bot.features.shared.asking import ask_both
from bot.features.shared.catalogues import Catalogues
from bot.store import RowCache, Store

T = TypeVar("T")

_logger = logging.getLogger(__name__)

MAX_KEPT_PLACES: Final = 20_000
"""The most places in all cached slots together: enough for about 150 active members, in two versions of the game and of
all songs."""
_MAX_CACHED_PEOPLE: Final = 10_000
"""The most members and players whose last explaining version is cached."""
CENSUS_OF: Final = timedelta(days=7)
"""The time span of the census: members who were seen in it are counted."""
_PAST_AT_ONCE: Final = 40
"""The most past looks that are worked out in one batch."""
_CENSUS_SECONDS: Final = 3_600.0
"""Seconds between two counts of explained ratings."""


_KnownSlots: TypeAlias = dict[GameVersion | None, WorkedOut]
"""Both slots of the same records, by version of the game."""


def _count_places(known: _KnownSlots) -> int:
    return sum(len(found.best) + len(found.new) for found in known.values())


class RatingSources(NamedTuple):
    """The service's data about a player's rating."""

    player: Player
    data: RatingData
    records: tuple[Record, ...] | None
    """The records; None if they are unavailable now."""
    trouble: BotError | None = None
    """The reason why the records are unavailable."""


class GameRatings:
    """Works out players' ratings from their records, and remembers the game version of each."""

    def __init__(
        self,
        store: Store,
        catalogues: Catalogues,
        cache: AnswerCache,
        hashes: RecentHashes,
        clock: Clock,
        versions: VersionTable,
    ) -> None:
        self._members = store.members
        self._checks = store.rating_checks
        self._chronicle = store.chronicle
        self._catalogues = catalogues
        self._clock = clock
        self.versions = versions
        """The versions of the game, which a host may replace while the bot runs."""
        self.census = RatingCensus(0, 0, 0)
        """The last count over all members."""
        self._kept: RowCache[MemberId, Mapping[Region, RatingCheck]] = RowCache(
            _MAX_CACHED_PEOPLE, store.bus, MEMBER_TOPIC, MemberId
        )
        self._strangers: OrderedDict[tuple[UserId, Region], GameVersion] = OrderedDict()
        """The version that last explained the rating, of players who are not known members."""
        self._known = Memo[_KnownSlots](MAX_KEPT_PLACES, _count_places)
        self._hashes = hashes
        cache.on_drop(self._known.drop_all)

    async def ask(
        self, asker: Asker, target: Target, region: Region, *, profile: Coroutine[Any, Any, Answer[Player]]
    ) -> Answer[RatingSources]:
        """Return the data from which a player's rating is shown. Raises: NotLinked, and errors of the service."""
        rest = ask_both(
            profile,
            self._find_records(asker, target, region),
            is_known=asker.knows_player(target),
        )
        # The slots are requested first: if only one request is left, the records go without.
        answer = await ask_both(asker.fetch_rating_data(target, region), rest)
        data, (player, records) = answer.value
        if isinstance(records, BotError):
            return Answer(RatingSources(player, data, None, records), answer.age)
        return Answer(RatingSources(player, data, records), answer.age)

    async def find_effects(
        self,
        member: MemberId,
        before: RecordsState,
        after: RecordsState,
        plays: Sequence[RecordChange],
        earlier: Sequence[RecordChange] = (),
    ) -> RatingEffects | None:
        """Return the effects on the rating of plays between two states of a member, after `earlier` plays between them.

        None without a catalogue, which tells new songs from old. Sends no request to the service for the member.
        """
        catalogue = await self._catalogues.find_songs(after.region)
        if catalogue is None:
            return None
        rules = RatingRules(catalogue, self.versions, await self.find_hints(member, after.region))
        return await run_in_worker(effects_of, before, after, plays, earlier, rules)

    async def work_out_past(self, member: MemberId, region: Region) -> None:
        """Work out both slots' averages for each stored look that lacks them, and save them.

        Raises: CannotRead.
        """
        first = self.versions.first_line(region)
        catalogue = None if first is None else await self._catalogues.find_songs(region)
        if first is None or catalogue is None:
            return
        rules = RatingRules(catalogue, self.versions, await self.find_hints(member, region))
        after: datetime | None = None
        while states := await self._chronicle.fetch_unrated(
            member, region, since=first, after=after, most=_PAST_AT_ONCE
        ):
            after = states[-1].taken_at
            with suppress(CannotKeep):  # the next call finds the same
                averages = await run_in_worker(_averages, states, rules)
                await self._chronicle.save_averages(member, region, averages)

    async def _find_records(
        self, asker: Asker, target: Target, region: Region
    ) -> Answer[tuple[Record, ...] | BotError]:
        try:
            records = await asker.fetch_records(target, region)
        except NotLinked:
            raise
        except BotError as error:
            return Answer(error, Age(self._clock.now()))
        return Answer(records.value, records.age)

    async def find_catalogue(self, asker: Asker, region: Region) -> Catalogue | None:
        """Return the catalogue for working out ratings; None if it is unavailable now."""
        loaded = await self._catalogues.find(region, asker.open_token)
        return loaded and loaded.catalogue

    async def find_kept_catalogue(self, region: Region) -> Catalogue | None:
        """Return the catalogue for working out ratings, without a member's token; None if it is unavailable now."""
        return await self._catalogues.find_songs(region)

    async def explain(
        self, asker: Asker, sources: RatingSources, at: datetime, *, member: MemberId | None = None
    ) -> Explanation | None:
        """Return the rating that records lead to, with the profile of a moment; None without records or catalogue.

        `member` is the member asked about, if that is not the asker.
        """
        player, data, records, _ = sources
        if records is None or not (records or player.rating):
            return None
        catalogue = await self.find_catalogue(asker, asker.link.region)
        if catalogue is None:
            return None
        whose = asker.link.member if player.user_id == asker.link.user_id else member
        return await self.explain_with(catalogue, player, records, at, member=whose, data=data)

    async def find_trouble(
        self,
        asker: Asker,
        sources: RatingSources,
        told: Explanation | None,
        at: datetime,
        *,
        member: MemberId | None = None,
    ) -> BotError | None:
        """Return why slots are not worked out although the game counts new songs separately; None if nothing is missing."""
        player, data, records, trouble = sources
        if (
            told is not None
            or SlotName.NEW in data.slots
            or not (records is None or records or player.rating)
        ):
            return None
        if not await self.counts_new_songs(asker, player, at, member=member):
            return None
        return trouble or ServiceDown("no catalogue")

    async def counts_new_songs(
        self, asker: Asker, player: Player, at: datetime, *, member: MemberId | None = None
    ) -> bool:
        """Return whether the player's version of the game counts new songs separately, instead of recent plays."""
        region = asker.link.region
        whose = asker.link.member if player.user_id == asker.link.user_id else member
        hints = await self.find_hints(whose, region)
        usual = next(iter(self.versions.in_force(region, game_day(at))), None)
        version = hints.chosen or hints.last or usual
        return version is not None and version.new_since is not None

    async def explain_with(
        self,
        catalogue: Catalogue,
        player: Player,
        records: tuple[Record, ...],
        at: datetime,
        *,
        member: MemberId | None = None,
        data: RatingData | None = None,
    ) -> Explanation:
        """Return the rating that records lead to with a catalogue, compared with the rating of a profile of a moment.

        The service's own slots in `data` may prove where the line between old and new songs is.
        """
        key = player.user_id, catalogue.region
        hints = (await self.find_hints(member, catalogue.region))._replace(told_on=player.updated_on)
        if member is None:
            hints = hints._replace(last=self._strangers.get(key))

        def work(known: _KnownSlots) -> Explanation:
            slot = find_old_slot(data[SlotName.BEST].records, records, catalogue, known) if data else None
            told = hints if slot is None else hints._replace(fits=slot.fits)
            return explain(records, catalogue, game_day(at), player.rating, self.versions, told, known)

        found = await self._work(records, catalogue, work)
        version = found.worked_out.version
        if member is None and found.is_explained and version is not None:
            self._strangers[key] = version
            self._strangers.move_to_end(key)
            if len(self._strangers) > _MAX_CACHED_PEOPLE:
                self._strangers.popitem(last=False)
        return found

    async def explain_own(
        self, asker: Asker, player: Player, records: tuple[Record, ...], at: datetime
    ) -> Explanation | None:
        """Return the rating that the asker's own records lead to; None without a catalogue or records."""
        catalogue = await self.find_catalogue(asker, asker.link.region)
        if catalogue is None or not records:
            return None
        return await self.explain_with(catalogue, player, records, at, member=asker.link.member)

    async def find_slots(
        self, member: MemberId, region: Region, records: tuple[Record, ...]
    ) -> RatingSlots | None:
        """Return the slots of a member's records in the member's version, as far as it is known without a profile.

        None without a catalogue. Sends no request for the member.
        """
        catalogue = await self._catalogues.find_songs(region)
        if catalogue is None:
            return None
        hints = await self.find_hints(member, region)
        day = game_day(self._clock.now())

        def work(known: _KnownSlots) -> RatingSlots:
            return RatingSlots.of(
                explain(records, catalogue, day, None, self.versions, hints, known).worked_out
            )

        return await self._work(records, catalogue, work)

    async def _work(
        self, records: tuple[Record, ...], catalogue: Catalogue, work: Callable[[_KnownSlots], T]
    ) -> T:
        """Run `work` with the results that are cached for the same records and catalogue, and cache what it adds."""
        drops = self._known.drops
        key = await self._hashes.hash_of(records), SameCatalogue(catalogue)
        known = self._known.find(key)
        if known is None:
            known = dict[GameVersion | None, WorkedOut]()
            if drops == self._known.drops:
                self._known.put(key, known)
        # Each version of the game goes through all records, and for some members many are tried.
        found = work(known) if known else await run_in_worker(work, known)
        if self._known.find(key) is known:  # otherwise it was dropped meanwhile
            self._known.put(key, known)
        return found

    async def check(
        self,
        link: AccountLink,
        catalogue: Catalogue,
        player: Player,
        records: tuple[Record, ...],
        at: datetime,
    ) -> Explanation | None:
        """Return the rating that a member's own records lead to, and save the outcome; None without records."""
        if not records:
            return None
        found = await self.explain_with(catalogue, player, records, at, member=link.member)
        if found.is_explained is not None:
            version = found.worked_out.version if found.is_explained else None
            rating = found.worked_out.rating or Hundredths(0)
            difference = Hundredths(0 if found.is_explained else player.rating - rating)
            with suppress(CannotKeep, CannotRead):  # the next look finds the same
                await self._note(link, RatingCheck(version and version.name, difference, at))
        return found

    async def _note(self, link: AccountLink, found: RatingCheck) -> None:
        kept = (await self._find_kept(link.member)).get(link.region)
        if kept is None or not kept.stands_for(found):
            await self._checks.note(link, link.region, found)
            self._kept.drop(link.member)

    async def _find_kept(self, member: MemberId) -> Mapping[Region, RatingCheck]:
        return await self._kept.get(member, lambda: self._checks.fetch(member))

    def begun_version(self, region: Region) -> GameVersion | None:
        """Return the newest version of a region that has begun, if it has a line between old and new songs."""
        begun = next(iter(self.versions.in_force(region, game_day(self._clock.now()))), None)
        return begun if begun is not None and begun.new_since is not None else None

    def begun_at(self, region: Region) -> datetime:
        """Return when a region's newest version with new songs began: earlier ratings are not comparable."""
        begun = self.begun_version(region)
        return datetime.min.replace(tzinfo=UTC) if begun is None else begun.begins_at

    def coming_version(self, regions: Iterable[Region], *, within: timedelta) -> GameVersion | None:
        """Return the first version of these regions that begins `within` this time and turns new songs into old ones."""
        now = self._clock.now()
        found = (self.versions.next_after(region, game_day(now)) for region in regions)
        soon = [each for each in found if each and each.new_since and each.begins_at - now <= within]
        return min(soon, key=lambda version: version.begins_at, default=None)

    def begun_versions(self, region: Region) -> tuple[str, ...]:
        """Return the names of a region's begun versions with a line between old and new songs, newest first."""
        begun = self.versions.in_force(region, game_day(self._clock.now()))
        return tuple(each.name for each in begun if each.new_since is not None)

    async def find_hints(self, member: MemberId | None, region: Region) -> VersionHints:
        """Return what is known about a member's version of the game."""
        if member is None:
            return NO_HINTS
        try:
            link = (await self._members.get(member)).link
            kept = (await self._find_kept(member)).get(region)
        except CannotRead:
            return NO_HINTS
        chosen = link.game_version if link is not None and link.region == region else None
        return VersionHints(
            last=self.versions.find(region, kept and kept.version), chosen=self.versions.find(region, chosen)
        )

    async def take_census(self) -> float:
        """Count the members whose ratings are explained, and warn if most are not; return the seconds to the next count."""
        before = self.census
        self.census = await self._checks.count_since(self._clock.now() - CENSUS_OF)
        if self.census.is_outdated and not before.is_outdated:
            _logger.warning(outdated_text(self.census))
        return _CENSUS_SECONDS


def _averages(
    states: Sequence[RecordsState], rules: RatingRules
) -> Mapping[datetime, tuple[Decimal, Decimal]]:
    found = ((state.taken_at, averages_of(explain_state(state, rules).worked_out)) for state in states)
    return {taken_at: averages for taken_at, averages in found if averages is not None}


def outdated_text(census: RatingCensus) -> str:
    """Return the message to the host about ratings that differ, and what to do."""
    where = "above" if census.above > census.below else "below"
    differ, members = max(census.above, census.below), sum(census)
    return (
        f"The ratings of {differ} of {members} members seen in a week lie {where} what their records come to: a version "
        "of the game is not known. Upgrade the bot, or name the version in GAME_VERSIONS."
    )
