"""Requests to the record service on behalf of a member, always with the member's own token."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any, Final, TypeVar

from bot.api import BudgetLeft, Holder, Priority, RecordApi
from bot.api.answer import Answer, Key, Revalidate
from bot.api.cache import AnswerCache
from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.cluster.invalidation import ACCOUNT_TOPIC
from bot.domain.age import Age
from bot.domain.charts import WORLDS_END
from bot.domain.chronicle.state import may_have_uploaded
from bot.domain.coach.summaries import ChartSummary
from bot.domain.errors import BotError, CannotKeep, NotFound, NotLinked, PastProtected
from bot.domain.history import ChartKey
from bot.domain.ids import MemberId, Region, SongId, UserId, UserName
from bot.domain.members import AccountLink, Audience, Visibility
from bot.domain.players import Friend, Player, Target
from bot.domain.scores import CourseRecord, RatingData, Record
from bot.domain.statistics import ChartStatistics
from bot.features.shared.asking import ask_statistics, told_of_members
from bot.features.shared.host_constants import HostConstants
from bot.features.shared.subjects import Subject
from bot.store import Store, key_of
from bot.wire.versions import Version

T = TypeVar("T")

_OWN_PROFILE: Final = ("player", Target())
_PROFILE_SECONDS: Final = 1.5
"""Seconds to wait for a profile that may show that records are unchanged; after that the records are requested."""
_JUST_NOW: Final = timedelta(seconds=10)
"""The greatest age of a profile that proves records unchanged: a member who has just uploaded wants to see it."""
_MIN_SECONDS: Final = 0.1
"""The least seconds for a request after the time for the answer is over: cached data may still be shown."""


class Asker:
    """A linked member, who can ask the service for what their own token may see."""

    def __init__(
        self,
        link: AccountLink,
        speaker: Holder,
        store: Store,
        cache: AnswerCache,
        clock: Clock,
        constants: HostConstants,
    ) -> None:
        self.link = link
        self.locked: frozenset[SongId] = frozenset()
        """The songs that the member marked as not unlocked."""
        self._constants = constants
        self._speaker = speaker
        """The API holder without the token, which is decrypted only when a request is sent."""
        self._members = store.members
        self._links = store.links
        self._statistics = store.statistics
        self._backlog = store.backlog
        self._cache = cache
        self._clock = clock
        self._began_at = clock.monotonic()
        self._subjects: list[tuple[AccountLink, bool]] = []
        """Links of other members who are asked about, and whether they share a server with the asker."""

    def ask_about(self, link: AccountLink, *, shares_server: bool) -> None:
        """From now on, check before each answer that another member lets the asker see their data."""
        self._subjects.append((link, shares_server))

    @property
    def is_only_me(self) -> bool:
        """Whether the member keeps their data to themselves."""
        return self.link.visibility is Visibility.ONLY_ME

    def audience_of(self, player: Player) -> Audience:
        """Return who may see what this member is shown about a player."""
        if player.user_id == self.link.user_id:
            return Audience.ASKER if self.is_only_me else Audience.ANYONE
        return Audience.ASKER_ALONE if player.is_protected else Audience.ANYONE

    @property
    def patience(self) -> float:
        """Seconds left for the whole answer, over all its requests; the API layer's own limit if nobody waits."""
        if self._speaker.priority is not Priority.PERSON:
            return self._speaker.patience
        return max(_MIN_SECONDS, self._began_at + self._speaker.patience - self._clock.monotonic())

    def budget(self, version: Version) -> BudgetLeft:
        """Return the known budget of this member's account, without a request."""
        return self._speaker.budget(version)

    async def open_token(self) -> str:
        """Return the member's token for a request. Raises: NotLinked, also if the link ended meanwhile."""
        token = await self._links.open_token(self.link)
        if token is None:
            raise NotLinked
        return token

    async def _holder(self) -> Holder:
        return replace(self._speaker, token=await self.open_token(), patience=self.patience)

    def knows_player(self, target: Target) -> bool:
        """Return whether a player's profile is cached and fresh enough."""
        return self._cache.has_fresh(Key(self.link.user_id, ("player", target)))

    async def fetch_player(self, target: Target, *, beside: str | None = None) -> Answer[Player]:
        """Return a player's profile; `beside` another question, it may be as old as the answer to that."""

        async def ask() -> Player:
            users = (await self._holder()).v1_3.users
            if target.is_holder:
                return await self._noted((await users.me()).to_domain())
            return (await users.show(user_id=target.user_id, user_name=target.user_name)).to_domain()

        return await self._get(("player", target), ask, beside=beside)

    def fetch_owner(self, target: Target) -> Coroutine[Any, Any, Answer[Player]]:
        """Return the profile of the player whose records are shown; it may be as old as those."""
        return self.fetch_player(target, beside="records")

    async def _noted(self, player: Player) -> Player:
        """Store whether the service shows this member's account to friends only, if that has changed."""
        if player.is_protected != self.link.is_protected:
            with suppress(CannotKeep):
                await self._links.set_protected(self.link, is_protected=player.is_protected)
        return player

    async def fetch_rating_data(self, target: Target, region: Region) -> Answer[RatingData]:
        """Return the slots that make up a player's rating."""

        async def ask() -> RatingData:
            reply = await (await self._holder()).v2_0.records.rating_data(
                region=region, user_id=target.user_id, user_name=target.user_name
            )
            return reply.to_domain()

        answer = await self._get(("rating_data", region, target), ask)
        return self._constants.in_slots(answer, region)

    def find_player(self) -> Player | None:
        """Return the asker's own profile as last received, if it is in memory."""
        return self._cache.find_at_hand(Key(self.link.user_id, _OWN_PROFILE), Player)

    async def find_rating_data(self, region: Region) -> RatingData | None:
        """Return the asker's own slots as last received, if they are stored; sends no request."""
        return await self._cache.find(Key(self.link.user_id, ("rating_data", region, Target())), RatingData)

    def count_plays(self, region: Region) -> Mapping[SongId, int]:
        """Return how often the asker's songs appear in their slots, as far as these are in memory."""
        known = self._cache.find_at_hand(
            Key(self.link.user_id, ("rating_data", region, Target())), RatingData
        )
        return known.plays if known else {}

    async def fetch_records(self, target: Target, region: Region) -> Answer[tuple[Record, ...]]:
        """Return all records of a player on normal charts."""

        async def ask() -> tuple[Record, ...]:
            reply = await (await self._holder()).v2_0.records.showall(
                region=region, user_id=target.user_id, user_name=target.user_name
            )
            return await run_in_worker(reply.to_domain)

        answer = await self._get_records("records", region, target, ask)
        return self._constants.in_records(answer, region)

    async def fetch_worlds_end(self, target: Target, region: Region) -> Answer[tuple[Record, ...]]:
        """Return all records of a player on World's End charts."""

        async def ask() -> tuple[Record, ...]:
            reply = await (await self._holder()).v2_0.records.worldsend(
                region=region, user_id=target.user_id, user_name=target.user_name
            )
            return await run_in_worker(reply.to_domain)

        return await self._get_records("worlds_end", region, target, ask)

    async def fetch_all_records(self, target: Target, region: Region) -> Answer[tuple[Record, ...]]:
        """Return all records of a player, those on World's End charts last."""
        normal = await self.fetch_records(target, region)
        both = normal.beside(await self.fetch_worlds_end(target, region))
        return Answer(tuple(chain(*both.value)), both.age)

    async def fetch_courses(self, target: Target, region: Region) -> Answer[tuple[CourseRecord, ...]]:
        """Return all records of a player on courses."""

        async def ask() -> tuple[CourseRecord, ...]:
            reply = await (await self._holder()).v2_0.records.course(
                region=region, user_id=target.user_id, user_name=target.user_name
            )
            return reply.to_domain()

        return await self._get_records("courses", region, target, ask)

    async def fetch_statistics(self, chart: ChartKey) -> Answer[ChartStatistics]:
        """Return the statistics of all players on one chart, for every asker and the population model."""

        async def ask() -> ChartStatistics:
            found = await ask_statistics(await self._holder(), chart)
            if chart[1] != WORLDS_END:
                summary, now = ChartSummary.of(found), self._clock.now()
                try:
                    await self._statistics.save(chart, summary, now)
                except CannotKeep:
                    self._backlog.add(
                        ("statistics", *map(str, chart)), lambda: self._statistics.save(chart, summary, now)
                    )
            return found

        return await self._find(Key(None, ("statistics", *chart)), ask)

    async def fetch_friends(self) -> Answer[tuple[Friend, ...]]:
        """Return the asker's friend list."""

        async def ask() -> tuple[Friend, ...]:
            return (await (await self._holder()).v2_0.friends.list()).to_domain()

        return await self._get(("friends",), ask)

    def _get_records(
        self, word: str, region: Region, target: Target, ask: Callable[[], Awaitable[T]]
    ) -> Coroutine[Any, Any, Answer[T]]:
        """Return cached records if the profile shows that nothing was uploaded since; otherwise request them."""

        async def revalidate(age: Age) -> datetime | None:
            since = self._constants.unchanged_since(region)
            if since is None or (age.sent_at or age.fetched_at) < since:  # constants may have changed
                return None
            try:
                async with asyncio.timeout(_PROFILE_SECONDS):
                    profile = await self.fetch_player(target)
            except (BotError, TimeoutError):
                return None
            told_at, earliest = profile.age.fetched_at, max(age.fetched_at, self._clock.now() - _JUST_NOW)
            is_of_now = not profile.age.is_stale and told_at > earliest
            return told_at if is_of_now and not may_have_uploaded(profile.value, age.fetched_at) else None

        return self._find(Key(self.link.user_id, (word, region, target)), ask, revalidate=revalidate)

    def _get(
        self, question: tuple[object, ...], ask: Callable[[], Awaitable[T]], *, beside: str | None = None
    ) -> Coroutine[Any, Any, Answer[T]]:
        return self._find(Key(self.link.user_id, question), ask, beside=beside)

    async def _find(
        self,
        key: Key,
        ask: Callable[[], Awaitable[T]],
        *,
        beside: str | None = None,
        revalidate: Revalidate | None = None,
    ) -> Answer[T]:
        """Return a cached answer, or request it. Raises: NotLinked if the link is gone, also by the time of the answer."""
        urgency, patience = self._speaker.urgency, self.patience
        try:
            answer = await self._cache.get(
                key, ask, urgency=urgency, patience=patience, beside=beside, revalidate=revalidate
            )
        except NotFound as error:
            raise told_of_members(error, [link for link, _ in self._subjects]) from None
        await self._check()
        return answer

    async def _check(self) -> None:
        """Check again that an answer may be shown: members may erase their link while a request runs."""
        if not self.link.is_of_account_of((await self._members.get(self.link.member)).link):
            raise NotLinked
        for link, shares_server in self._subjects:
            now = (await self._members.get(link.member)).link
            if (
                now is None
                or not link.is_of_account_of(now)
                or not now.is_open_to(self.link.member, shares_server=shares_server)
            ):
                raise NotLinked(link.member)


class Askers:
    """Finds the linked member who asks, and the player they ask about."""

    def __init__(
        self,
        store: Store,
        api: RecordApi,
        cache: AnswerCache,
        clock: Clock,
        *,
        patience: timedelta,
        constants: HostConstants | None = None,
    ) -> None:
        self._constants = constants or HostConstants()
        self._store = store
        self._members = store.members
        self._links = store.links
        self._clock = clock
        self._api = api
        self._cache = cache
        self._patience = patience
        store.bus.subscribe(ACCOUNT_TOPIC, self._drop_told)
        store.bus.on_gap(cache.drop_all)

    async def find_region(self, member: MemberId) -> Region | None:
        """Return the region of a member's commands; None if they are not linked."""
        link = (await self._members.get(member)).link
        return link and link.region

    async def load(self, members: Collection[MemberId]) -> None:
        """Load members and their stored profiles into memory, with one read of each table. Raises: CannotRead."""
        await self._members.load(members)
        links = [(await self._members.get(each)).link for each in members]
        await self._cache.load([link.user_id for link in links if link is not None], _OWN_PROFILE)

    async def get(self, member: MemberId, *, priority: Priority = Priority.PERSON) -> Asker:
        """Return a member as an asker. Raises: NotLinked."""
        known = await self._members.get(member)
        link = known.link
        if link is None:
            raise NotLinked
        speaker = self.holder("", priority=priority, user_id=link.user_id)
        asker = Asker(link, speaker, self._store, self._cache, self._clock, self._constants)
        asker.locked = known.locked
        return asker

    def holder(
        self, token: str, *, priority: Priority = Priority.PERSON, user_id: UserId | None = None
    ) -> Holder:
        """Return the API holder of a token; all tokens of the account `user_id` share its budget."""
        # If nobody waits, the API layer's own, longer patience applies.
        patience = self._patience.total_seconds() if priority is Priority.PERSON else None
        return self._api.holder(token, patience=patience, priority=priority, user_id=user_id)

    async def know_player(self, link: AccountLink, player: Player) -> None:
        """Cache a member's own profile, which was requested to create their link, as an answer to them."""
        key = Key(link.user_id, _OWN_PROFILE)
        with suppress(BotError):  # another member with this account may be asking: linking does not wait
            await self._cache.get(key, partial(asyncio.sleep, 0, player), patience=0)

    async def erase_answers(self, link: AccountLink) -> None:
        """Erase every answer to a linked account or about it, and what is known of its requests.

        Call this after the link is removed from the store. If somebody else has linked the same account, its data is
        theirs and stays.
        """
        if await self._links.is_linked(link.user_id):
            return
        await self._cache.erase(link.user_id, _names(key_of(link.user_name.casefold())))
        await self._api.forget(link.user_id)

    def _drop_told(self, text: str) -> None:
        """Drop every answer about an account that another process has erased, on its notification."""
        account, digest = text.split()
        self._cache.drop(UserId(int(account)), _names(digest))

    async def get_target(self, asker: Asker, subject: Subject) -> Target:
        """Return the target of requests to the service.

        Raises: NotLinked with the member, both if they are not linked and if they are not open to the asker;
        MembershipUnknown.
        """
        if subject.member is None:
            return Target(user_name=subject.player)
        if subject.member == asker.link.member:
            return Target()
        link = (await self._members.get(subject.member)).link
        if link is None or not link.is_open_to(asker.link.member, shares_server=subject.shares_server):
            raise NotLinked(subject.member)
        # Checked only if nothing but a shared server grants access: it is a request to Discord.
        is_open_anyway = link.is_open_to(asker.link.member, shares_server=False)
        if not is_open_anyway and subject.is_still_here is not None and not await subject.is_still_here():
            raise NotLinked(subject.member)
        asker.ask_about(link, shares_server=subject.shares_server)
        return Target(user_id=link.user_id)

    async def get_remembered(self, asker: Asker, subject: Subject) -> MemberId | None:
        """Return the member whose stored history the asker may see; None for a player who is no known member.

        Raises: as `get_target`; PastProtected, also for friends on the service.
        """
        target = await self.get_target(asker, subject)
        member = asker.link.member if target.is_holder else subject.member
        if member is None:
            return None
        link = (await self._members.get(member)).link
        if link is None or (not target.is_holder and link.is_protected):
            raise NotLinked(member) if link is None else PastProtected
        return member


def _names(digest: str) -> Callable[[UserName], bool]:
    """Return a function that recognises a name by its digest."""
    return lambda name: key_of(name.casefold()) == digest
