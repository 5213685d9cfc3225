"""The cache of answers: freshness, single flight, and stale answers when the service is slow or away."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sized
from datetime import datetime, timedelta
from functools import partial
from typing import Final, NamedTuple, Self, TypeVar, cast

from bot.api import answer_store as kept
from bot.api.answer import Answer, Key, Revalidate
from bot.api.answer_store import AnswerStore
from bot.api.budget.budget import Priority
from bot.api.budget.rate_limiter import SharedPriority
from bot.api.cache_control import accepted_age, is_no_cache, is_only_if_cached, must_fetch
from bot.api.single_flight import SingleFlight
from bot.base.clock import Clock
from bot.domain.age import Age
from bot.domain.errors import (
    BotError,
    BudgetSpent,
    CannotRead,
    NotLinked,
    NotYet,
    ServiceDown,
    TokenRejected,
    UnreadableReply,
)
from bot.domain.ids import UserId, UserName

T = TypeVar("T")

_PAUSE_SECONDS: Final = 30.0
"""A failed refresh is tried again after this many seconds while an older answer is in memory."""
_MAX_WEIGHT: Final = 1_500
"""The most answers in memory, a long list counting as several: 35 MB of records. The least recently used goes first."""
_ENTRIES_OF_ONE: Final = 100

logger = logging.getLogger(__name__)


class _Pause(NamedTuple):
    """A refresh failed for a reason that concerns everybody: nobody tries again before the moment."""

    trouble: BotError
    until: float
    """The moment, by the monotonic clock."""


class AnswerCache:
    """Keeps answers and lets equal questions share one request."""

    def __init__(
        self,
        clock: Clock,
        *,
        fresh_for: timedelta | Mapping[str, timedelta] | Callable[[datetime], datetime],
        keeper: AnswerStore | None = None,
        counts: Counter[str] | None = None,
        are_believed: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        """Ask nothing yet.

        `fresh_for` is how long answers stay fresh: all, or by the first word of the question; or a function from the
        moment of an answer to when it expires. `are_believed` says whether answers in memory may be trusted: another
        process may have changed or erased them.
        """
        self._clock = clock
        self._fresh_for = fresh_for
        self._copies = kept.AnswerCopies(clock, keeper)
        self._are_believed = are_believed
        self.counts: Counter[str] = Counter() if counts is None else counts
        """Since the start: saved_by_cache, saved_by_joining, stood_in (last known answers)."""
        self._answers: OrderedDict[Key, tuple[Answer[object], datetime]] = OrderedDict()
        self._weight = 0
        self._flights: dict[Key, SingleFlight[Answer[object]]] = {}
        self._pauses: dict[Key, _Pause] = {}
        self._load_lock = asyncio.Lock()
        self._drop_callbacks: list[Callable[[], None]] = []
        self._drops = 0
        """How often anything was dropped; an answer read during a drop is not kept in memory."""

    @property
    def size(self) -> int:
        """How many answers are in memory."""
        return len(self._answers)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(flight.end() for flight in list(self._flights.values())))
        await self._copies.close()

    async def get(
        self,
        key: Key,
        fetch: Callable[[], Awaitable[T]],
        *,
        urgency: SharedPriority | None = None,
        patience: float | None = None,
        beside: str | None = None,
        revalidate: Revalidate | None = None,
    ) -> Answer[T]:
        """Return a fresh answer, or the last known one if the service cannot be asked, or the token cannot be read.

        `beside` names another question by its first word: the answer may then be as old as the answer to that.
        `urgency` is the urgency with which `fetch` asks; `patience`, in seconds, limits the wait for somebody else's
        request. An answer that `revalidate` confirms is not fetched.
        Raises: what `fetch` raises, if no earlier answer can stand in.
        """
        if self._are_believed is not None:
            await self._doubt(key)
        wants_newer = must_fetch(key)
        fresh = None if wants_newer else self._find_fresh(key, beside)
        if fresh is None and accepted_age():  # it may stand where answers are kept
            await self._find_last(key)
            fresh = self._find_fresh(key, beside)
        if fresh is not None:
            return cast("Answer[T]", fresh)
        try:
            urgency = urgency or SharedPriority(Priority.PERSON)
            revalidate = None if wants_newer else revalidate
            return await self._join(key, fetch, urgency, patience, revalidate=revalidate)
        except (ServiceDown, BudgetSpent, UnreadableReply, CannotRead) as trouble:
            last = await self._find_last(key)
            if last is None:
                raise
            self.counts["stood_in"] += 1
            return Answer(cast("T", last.value), Age(last.age.fetched_at, trouble))

    async def find(self, key: Key, kind: type[T]) -> T | None:
        """Return the last known answer, however old, from memory or the store; sends no request."""
        last = await self._find_last(key)
        return last.value if last is not None and isinstance(last.value, kind) else None

    def find_at_hand(self, key: Key, kind: type[T]) -> T | None:
        """As `find`, but only in memory."""
        last = self._at_hand(key)
        return last.value if last is not None and isinstance(last.value, kind) else None

    async def load_once(
        self, key: Key, read: Callable[[], Awaitable[Mapping[Key, Answer[object]]]], *, is_fresh: bool = False
    ) -> None:
        """Load a stored answer into memory, if none is there; concurrent callers share one read.

        `is_fresh` if it may count as fresh, like one that was fetched here.
        """
        if key not in self._answers:
            async with self._load_lock:
                if key not in self._answers:
                    await self._load(read, is_fresh=is_fresh)

    async def load(self, accounts: Iterable[UserId], question: tuple[object, ...]) -> None:
        """Load the stored answers of several accounts with one read, where memory has none and can be trusted."""
        missing = [account for account in accounts if Key(account, question) not in self._answers]
        if missing and (self._are_believed is None or await self._are_believed()):
            await self._load(partial(self._copies.fetch, missing, question))

    def tell(self, key: Key, answer: Answer[object]) -> None:
        """Put an answer that was obtained elsewhere into memory, unless a newer one is there."""
        last = self._at_hand(key)
        if last is None or last.age.fetched_at <= answer.age.fetched_at:
            self._pauses.pop(key, None)
            self._remember(key, answer)

    async def get_at_hand(
        self,
        key: Key,
        fetch: Callable[[SharedPriority], Awaitable[T]],
        *,
        priority: Priority,
        patience: float,
        grace: float,
        is_for_all: bool,
    ) -> Answer[T]:
        """Return the answer in memory, and refresh it in the background once it is stale.

        The request continues even if nobody waits for it. A caller waits `patience` seconds from its beginning if
        nothing is in memory, else `grace` seconds, and after a failure not at all. An answer in memory stands in for
        any failure, and is marked with it; `is_for_all` says that a failure of `fetch` concerns everybody. A background
        refresh leaves requests to people, whatever the `priority`; a caller who joins raises its urgency.
        Raises: what `fetch` raises, and ServiceDown if it takes too long, with nothing in memory.
        """
        fresh, last, pause = self._find_fresh(key, None), self._at_hand(key), self._pauses.get(key)
        if fresh is not None:
            return cast("Answer[T]", fresh)
        if last is not None:
            priority, patience = max(priority, Priority.REFRESH), 0 if pause else min(grace, patience)
        urgency = SharedPriority(priority)
        trouble = pause.trouble if pause else None
        try:
            if last is None or not self._is_paused(key):
                refresh = partial(self._refresh, key, lambda: fetch(urgency), is_for_all=is_for_all)
                return await self._join(key, refresh, urgency, patience, goes_on=True)
        except Exception as error:
            if last is None:
                raise
            if self._find_flight(key) is None:  # else nothing has failed: it is only slow
                trouble = error if isinstance(error, BotError) else _fault(error)
        return Answer(cast("T", last.value), Age(last.age.fetched_at, trouble))

    def on_drop(self, callback: Callable[[], None]) -> None:
        """Call this when answers are dropped, so that what was computed from them is dropped too."""
        self._drop_callbacks.append(callback)

    async def erase(self, account: UserId, is_name: Callable[[UserName], bool] | None = None) -> None:
        """Erase every answer that was given to an account or is about it, in memory and in the store.

        `is_name` recognises its name; with it, answers to others who asked by that name are erased too.
        """
        self.drop(account, is_name)
        await self._copies.erase(account)

    def drop(self, account: UserId, is_name: Callable[[UserName], bool] | None = None) -> None:
        """As `erase`, but only in memory: another process has erased the stored answers."""
        self._drop_those(lambda key: key.concerns(account, is_name))

    def drop_all(self) -> None:
        """Empty the memory."""
        self._drop_those(lambda _key: True)

    def _drop_those(self, are_meant: Callable[[Key], bool]) -> None:
        self._drops += 1
        for callback in self._drop_callbacks:
            callback()
        for key in [key for key in self._answers if are_meant(key)]:
            self._drop(key)
        for key in [key for key in self._flights if are_meant(key)]:
            del self._flights[key]  # callers who wait for it get it, but it is not cached

    async def _join(
        self,
        key: Key,
        fetch: Callable[[], Awaitable[T]],
        urgency: SharedPriority,
        patience: float | None,
        *,
        goes_on: bool = False,
        revalidate: Revalidate | None = None,
    ) -> Answer[T]:
        """Join the request under way, or begin one."""
        flight = self._find_flight(key)
        if flight is not None:
            flight.urgency.raise_to(urgency.priority)
            try:
                answer = await flight.join(patience)
            except (BudgetSpent, TokenRejected, NotLinked):
                if self._is_paused(key):  # it was anybody's
                    raise
                # The failure may concern only the other caller, who is less urgent or uses another token: ask with our own.
                flight = self._find_flight(key)
                if flight is not None:
                    return cast("Answer[T]", await flight.join(patience))
            else:
                self.counts["saved_by_joining"] += 1
                return cast("Answer[T]", answer)
        if is_only_if_cached():
            raise ServiceDown
        flight = SingleFlight(lambda: self._fetch(key, fetch, revalidate), urgency, goes_on=goes_on)
        self._flights[key] = flight
        flight.when_done(lambda: self._land(key, flight))
        return cast("Answer[T]", await flight.join(patience if goes_on else None))

    def _find_flight(self, key: Key) -> SingleFlight[Answer[object]] | None:
        flight = self._flights.get(key)
        return None if flight is None or flight.is_over else flight

    async def _fetch(
        self,
        key: Key,
        fetch: Callable[[], Awaitable[object]],
        revalidate: Revalidate | None,
    ) -> Answer[object]:
        flight = self._flights.get(key)
        last = None if revalidate is None else await self._find_last(key)
        held_at = None if last is None or revalidate is None else await revalidate(last.age)
        if last is not None and held_at is not None:
            self.counts["saved_by_revalidating"] += 1
            answer = Answer(last.value, Age(held_at, sent_at=last.age.sent_at or last.age.fetched_at))
        else:
            answer = Answer(await fetch(), Age(self._clock.now()))
        if flight is not None and self._flights.get(key) is flight:
            self._remember(key, answer)
            if held_at is None:
                self._copies.save_soon(key.account, key.question, answer.value, answer.age.fetched_at)
        return answer

    async def _refresh(self, key: Key, fetch: Callable[[], Awaitable[T]], *, is_for_all: bool) -> T:
        """Fetch; after a failure that concerns everybody, nobody tries again for a while."""
        name = " of ".join(map(str, key.question))
        try:
            value = await fetch()
        except NotYet:  # a more urgent caller may try at once
            raise
        except BotError as trouble:
            if is_for_all or isinstance(trouble, ServiceDown | UnreadableReply):
                if key not in self._pauses:
                    logger.warning("the %s cannot be refreshed: %s", name, trouble)
                self._pause(key, trouble)
            raise
        except Exception as error:
            logger.exception("the %s cannot be refreshed", name)
            self._pause(key, _fault(error))
            raise
        self._pauses.pop(key, None)
        return value

    def _land(self, key: Key, flight: SingleFlight[Answer[object]]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]

    def _fresh_until(self, word: str, fetched_at: datetime) -> datetime:
        fresh_for = self._fresh_for
        if isinstance(fresh_for, Mapping):
            fresh_for = cast("Mapping[str, timedelta]", fresh_for)[word]
        return fetched_at + fresh_for if isinstance(fresh_for, timedelta) else fresh_for(fetched_at)

    def _remember(self, key: Key, answer: Answer[object], fresh_until: datetime | None = None) -> None:
        self._drop(key)
        fresh_until = fresh_until or self._fresh_until(str(key.question[0]), answer.age.fetched_at)
        self._answers[key] = (answer, fresh_until)
        self._weight += _weight(answer)
        while self._weight > _MAX_WEIGHT and len(self._answers) > 1:
            self._drop(next(iter(self._answers)))

    def _drop(self, key: Key) -> None:
        found = self._answers.pop(key, None)
        if found is not None:
            self._weight -= _weight(found[0])

    async def _load(
        self, read: Callable[[], Awaitable[Mapping[Key, Answer[object]]]], *, is_fresh: bool = False
    ) -> Mapping[Key, Answer[object]]:
        """Read stored answers, which are stale unless `is_fresh`."""
        drops = self._drops
        found = await read()
        for key, answer in found.items():
            # Meanwhile a request may have ended, or somebody may have unlinked.
            if key in self._answers or drops != self._drops:
                continue
            self._remember(key, answer, None if is_fresh else answer.age.fetched_at)
        return found

    async def _doubt(self, key: Key) -> None:
        """Drop an answer that another process may have erased."""
        if self._are_believed is not None and not await self._are_believed():
            self._drop(key)

    async def _find_last(self, key: Key) -> Answer[object] | None:
        await self._doubt(key)
        last = self._at_hand(key)
        if last is None:
            last = (await self._load(partial(self._copies.fetch, [key.account], key.question))).get(key)
        return None if last is None or last.age.fetched_at < self._clock.now() - kept.KEPT_FOR else last

    def _at_hand(self, key: Key) -> Answer[object] | None:
        found = self._answers.get(key)
        return None if found is None else found[0]

    def has_fresh(self, key: Key) -> bool:
        """Return whether `get` would answer without a request."""
        return not is_no_cache() and self._fresh(key) is not None

    def _find_fresh(self, key: Key, beside: str | None) -> Answer[object] | None:
        found = self._fresh(key, beside)
        if found is not None:
            self._answers.move_to_end(key)
            self.counts["saved_by_cache"] += 1
        return found

    def _fresh(self, key: Key, beside: str | None = None) -> Answer[object] | None:
        """Return a fresh answer, if there is one; never one dated in the future, from before the clock was set back."""
        last, fresh_until = self._answers.get(key, (None, None))
        if last is None or fresh_until is None:
            return None
        fetched_at = last.age.fetched_at
        if beside is not None:
            fresh_until = max(fresh_until, self._fresh_until(beside, fetched_at))
        if accepted := accepted_age():
            fresh_until = max(fresh_until, fetched_at + accepted)
        return last if fetched_at <= self._clock.now() < fresh_until else None

    def _pause(self, key: Key, trouble: BotError) -> None:
        self._pauses[key] = _Pause(trouble, self._clock.monotonic() + _PAUSE_SECONDS)

    def _is_paused(self, key: Key) -> bool:
        pause = self._pauses.get(key)
        return pause is not None and self._clock.monotonic() < pause.until


def _fault(error: Exception) -> BotError:
    """Return the error to report in place of an unexpected one, whose text may contain private data."""
    return BotError(type(error).__name__)


def _weight(answer: Answer[object]) -> int:
    return 1 + len(answer.value) // _ENTRIES_OF_ONE if isinstance(answer.value, Sized) else 1
