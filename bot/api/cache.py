"""Answers kept for a while: freshness, single flight, and what is at hand when the service is slow or away."""

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
"""A refresh that failed is tried again after this many seconds where an older answer is at hand."""
_MAX_WEIGHT: Final = 1_500
"""Answers kept in memory at most, a long list counting as many; the one not used for longest goes first: 35 MB of records."""
_ENTRIES_OF_ONE: Final = 100

logger = logging.getLogger(__name__)


class _Pause(NamedTuple):
    """A refresh failed, as anybody's would have: nobody tries again before the moment."""

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

        `fresh_for` is how long answers are fresh, all or by the first word of what was asked; or it says until when
        one of a moment is. `are_believed` says whether those in memory are what they are in every process.
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
        """How often anything was dropped; what was being read meanwhile is not kept in memory."""

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
        """Return a fresh answer, or the last known one if the service cannot be asked, be it for want of the token.

        One that stands `beside` the answer to another question, named by its first word, may be as old as that.
        `urgency` is that of the asker with whom `fetch` asks; `patience`, in seconds, is how long to wait for somebody
        else's request at most. What `revalidate` says to be as it was is not fetched.
        Raises: what `fetch` raises, where no earlier answer can stand in.
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
        """Return what the service last said, however old, where it is kept; asks nothing."""
        last = await self._find_last(key)
        return last.value if last is not None and isinstance(last.value, kind) else None

    def find_at_hand(self, key: Key, kind: type[T]) -> T | None:
        """As `find`, in memory alone."""
        last = self._at_hand(key)
        return last.value if last is not None and isinstance(last.value, kind) else None

    async def load_once(
        self, key: Key, read: Callable[[], Awaitable[Mapping[Key, Answer[object]]]], *, is_fresh: bool = False
    ) -> None:
        """Have an answer at hand that is kept elsewhere, if none is; read once, whoever asks meanwhile.

        `is_fresh` where it may be as fresh as one that was asked for here.
        """
        if key not in self._answers:
            async with self._load_lock:
                if key not in self._answers:
                    await self._load(read, is_fresh=is_fresh)

    async def load(self, accounts: Iterable[UserId], question: tuple[object, ...]) -> None:
        """Have what is kept of several accounts at hand by one read, where none is and memory can be believed."""
        missing = [account for account in accounts if Key(account, question) not in self._answers]
        if missing and (self._are_believed is None or await self._are_believed()):
            await self._load(partial(self._copies.fetch, missing, question))

    def tell(self, key: Key, answer: Answer[object]) -> None:
        """Have an answer at hand that somebody was given elsewhere, unless a newer one is."""
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
        """Return what is at hand, and refresh it behind the answer once it is not fresh.

        A request goes on whoever waits for it: with nothing at hand `patience` seconds from its beginning, else a
        `grace`, and after a failure not at all. What is at hand is marked with what went wrong, and stands in
        whatever that is; `is_for_all` where anybody would fail as `fetch` does. Behind an answer, `fetch` leaves
        requests to people, whatever the `priority`; who asks meanwhile hastens it.
        Raises: what `fetch` raises, and ServiceDown where it takes too long, with nothing at hand.
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
            if self._find_flight(key) is None:  # else nothing has failed, it takes its time
                trouble = error if isinstance(error, BotError) else _fault(error)
        return Answer(cast("T", last.value), Age(last.age.fetched_at, trouble))

    def on_drop(self, callback: Callable[[], None]) -> None:
        """Call this where answers are dropped, so that what was made of them is too."""
        self._drop_callbacks.append(callback)

    async def erase(self, account: UserId, is_name: Callable[[UserName], bool] | None = None) -> None:
        """Erase every answer that was given to an account or is about it, here and where answers are kept.

        With what tells its name, also what others were told who asked by that.
        """
        self.drop(account, is_name)
        await self._copies.erase(account)

    def drop(self, account: UserId, is_name: Callable[[UserName], bool] | None = None) -> None:
        """As `erase`, in memory alone: another process has erased what was kept."""
        self._drop_those(lambda key: key.concerns(account, is_name))

    def drop_all(self) -> None:
        """Have nothing in memory any more."""
        self._drop_those(lambda _key: True)

    def _drop_those(self, are_meant: Callable[[Key], bool]) -> None:
        self._drops += 1
        for callback in self._drop_callbacks:
            callback()
        for key in [key for key in self._answers if are_meant(key)]:
            self._drop(key)
        for key in [key for key in self._flights if are_meant(key)]:
            del self._flights[key]  # whoever waits for it is answered, but it will not be kept

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
        """Share the request that is under way, or begin one."""
        flight = self._find_flight(key)
        if flight is not None:
            flight.urgency.raise_to(urgency.priority)
            try:
                answer = await flight.join(patience)
            except (BudgetSpent, TokenRejected, NotLinked):
                if self._is_paused(key):  # it was anybody's
                    raise
                # That may be the other one's trouble alone, less urgent or of another token: ask with one's own.
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
        """Ask; after a failure that would have been anybody's, nobody tries again for a while."""
        name = " of ".join(map(str, key.question))
        try:
            value = await fetch()
        except NotYet:  # who is more urgent may try at once
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
        """Return what is kept elsewhere: known, but no longer fresh unless it is said to be."""
        drops = self._drops
        found = await read()
        for key, answer in found.items():
            # Meanwhile a request may have ended, or somebody's link.
            if key in self._answers or drops != self._drops:
                continue
            self._remember(key, answer, None if is_fresh else answer.age.fetched_at)
        return found

    async def _doubt(self, key: Key) -> None:
        """Let go of an answer that another process may have erased."""
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
        """Return whether `get` answers without asking."""
        return not is_no_cache() and self._fresh(key) is not None

    def _find_fresh(self, key: Key, beside: str | None) -> Answer[object] | None:
        found = self._fresh(key, beside)
        if found is not None:
            self._answers.move_to_end(key)
            self.counts["saved_by_cache"] += 1
        return found

    def _fresh(self, key: Key, beside: str | None = None) -> Answer[object] | None:
        """Return an answer that does; never one from before the clock was set back."""
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
    """Return what is told of an error that nobody is told of; its text may hold what a person said."""
    return BotError(type(error).__name__)


def _weight(answer: Answer[object]) -> int:
    return 1 + len(answer.value) // _ENTRIES_OF_ONE if isinstance(answer.value, Sized) else 1
