"""Answers kept for a while: freshness, single flight, and the last known answer when the service is away."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Generator, Hashable, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import Final, Generic, NamedTuple, Self, TypeVar, cast

from bot.api import kept
from bot.api.budget.budget import Priority
from bot.api.budget.turnstile import Urgency
from bot.api.flight import Flight
from bot.api.kept import AnswerKeeper
from bot.clock import JST, Clock
from bot.domain.age import Age, oldest
from bot.domain.errors import BudgetSpent, CannotKeep, NotLinked, ServiceDown, TokenRejected, UnreadableReply
from bot.domain.ids import UserId, UserName
from bot.domain.kept import KeptAnswer
from bot.domain.players import Target

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_accepted_age: Final[ContextVar[timedelta]] = ContextVar("accepted_age", default=timedelta(0))
_REFRESH_HOURS: Final = (12, 21)
_REFRESH_MARGIN: Final = timedelta(minutes=10)
_MOST_WEIGHT: Final = 5_000
"""Answers kept in memory at most, a long list counting as many; the one not used for longest goes first."""
_ENTRIES_OF_ONE: Final = 100

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer(Generic[T_co]):
    """What the service said, and when; the last known answer, where it could not be asked now."""

    value: T_co
    age: Age

    def beside(self, other: "Answer[T]") -> "Answer[tuple[T_co, T]]":
        """Return two answers as one, as old as the older."""
        return Answer((self.value, other.value), oldest(self.age, other.age))


@contextmanager
def accepting(age: timedelta) -> Generator[None]:
    """Be content with answers up to this old, where one is there: who turns a page goes on with what they saw."""
    before = _accepted_age.set(age)
    try:
        yield
    finally:
        _accepted_age.reset(before)


class Key(NamedTuple):
    """What was asked, and on whose behalf: nobody is answered from what another was allowed to see."""

    account: Hashable
    """The asker's account, or None for what is the same for everyone."""
    question: tuple[object, ...]


class AnswerCache:
    """Keeps answers and lets equal questions share one request."""

    def __init__(
        self,
        clock: Clock,
        *,
        fresh_for: timedelta,
        keeper: AnswerKeeper | None = None,
        counts: Counter[str] | None = None,
    ) -> None:
        self._clock = clock
        self._fresh_for = fresh_for
        self._keeper = keeper
        self.counts: Counter[str] = Counter() if counts is None else counts
        """Since the start: saved_by_cache, saved_by_joining, stood_in (last known answers)."""
        self._answers: OrderedDict[Key, tuple[Answer[object], datetime]] = OrderedDict()
        self._weight = 0
        self._flights: dict[Key, Flight[Answer[object]]] = {}
        self._saves: dict[Key, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*(flight.end() for flight in list(self._flights.values())))
        await asyncio.gather(*self._saves.values())

    async def get(
        self,
        key: Key,
        fetch: Callable[[], Awaitable[T]],
        *,
        urgency: Urgency | None = None,
        patience: float | None = None,
    ) -> Answer[T]:
        """Return a fresh answer, or the last known one if the service cannot be asked.

        `urgency` is that of the asker with whom `fetch` asks; `patience`, in seconds, is how long to wait for somebody
        else's request at most.
        Raises: what `fetch` raises, where no earlier answer can stand in.
        """
        now, found = self._clock.now(), self._answers.get(key)
        if found is not None and _is_fresh(found, now):
            self._answers.move_to_end(key)
            self.counts["saved_by_cache"] += 1
            return cast("Answer[T]", found[0])
        urgency = urgency or Urgency(Priority.PERSON)
        try:
            return cast("Answer[T]", await self._join(key, fetch, urgency, patience))
        except (ServiceDown, BudgetSpent, UnreadableReply) as trouble:
            last = await self._find_last(key)
            if last is None:
                raise
            self.counts["stood_in"] += 1
            return Answer(cast("T", last.value), Age(last.age.fetched_at, trouble))

    async def find(self, key: Key, kind: type[T]) -> T | None:
        """Return what the service last said, however old, where it is kept; asks nothing."""
        last = await self._find_last(key)
        return last.value if last is not None and isinstance(last.value, kind) else None

    async def _find_last(self, key: Key) -> Answer[object] | None:
        found = self._answers.get(key)
        last = found[0] if found is not None else await self._find_kept(key)
        return None if last is None or last.age.fetched_at < self._clock.now() - kept.KEPT_FOR else last

    async def forget(self, account: UserId, *, name: UserName | None = None) -> None:
        """Erase every answer that was given to an account or is about it, here and where answers are kept.

        With its `name`, also what others were told who asked by that.
        """
        for key in [key for key in self._answers if _concerns(key, account, name)]:
            self._drop(key)
        for key in [key for key in self._flights if _concerns(key, account, name)]:
            del self._flights[key]  # whoever waits for it is answered, but it will not be kept
        saves = [self._saves.pop(key) for key in list(self._saves) if key.account == account]
        for save in saves:
            save.cancel()
        await asyncio.gather(*saves, return_exceptions=True)
        if self._keeper is not None:
            await self._keeper.erase(account)

    async def _join(
        self,
        key: Key,
        fetch: Callable[[], Awaitable[object]],
        urgency: Urgency,
        patience: float | None,
    ) -> Answer[object]:
        """Share the request that is under way, or begin one."""
        flight = self._find_flight(key)
        if flight is not None:
            flight.urgency.hasten(urgency.priority)
            try:
                answer = await flight.join(patience)
            except (BudgetSpent, TokenRejected, NotLinked):
                # That may be the other one's trouble alone, less urgent or of another token: ask with one's own.
                flight = self._find_flight(key)
                if flight is not None:
                    return await flight.join(patience)
            else:
                self.counts["saved_by_joining"] += 1
                return answer
        flight = Flight(lambda: self._fetch(key, fetch), urgency)
        self._flights[key] = flight
        flight.when_done(lambda: self._land(key, flight))
        return await flight.join(None)

    def _find_flight(self, key: Key) -> Flight[Answer[object]] | None:
        flight = self._flights.get(key)
        return None if flight is None or flight.is_over else flight

    async def _fetch(self, key: Key, fetch: Callable[[], Awaitable[object]]) -> Answer[object]:
        flight = self._flights.get(key)
        answer = Answer(await fetch(), Age(self._clock.now()))
        if flight is not None and self._flights.get(key) is flight:
            self._keep(key, answer)
        return answer

    def _land(self, key: Key, flight: Flight[Answer[object]]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]

    def _keep(self, key: Key, answer: Answer[object]) -> None:
        self._drop(key)
        self._answers[key] = (answer, answer.age.fetched_at + self._fresh_for)
        self._weight += _weight(answer)
        while self._weight > _MOST_WEIGHT and len(self._answers) > 1:
            self._drop(next(iter(self._answers)))
        name = kept.name_of(key.question)
        if self._keeper is not None and name is not None and isinstance(key.account, int):
            before = self._saves.get(key)
            save = asyncio.create_task(self._save(UserId(key.account), name, answer, self._keeper, before))
            self._saves[key] = save
            save.add_done_callback(lambda done: self._saved(key, done))

    def _drop(self, key: Key) -> None:
        found = self._answers.pop(key, None)
        if found is not None:
            self._weight -= _weight(found[0])

    async def _save(
        self,
        account: UserId,
        name: str,
        answer: Answer[object],
        keeper: AnswerKeeper,
        before: asyncio.Task[None] | None,
    ) -> None:
        """Write an answer down; one that cannot be written costs nobody theirs."""
        if before is not None:
            await asyncio.wait({before})
        try:
            body = await asyncio.to_thread(kept.write, name, answer.value)
            written = KeptAnswer(account=account, question=name, body=body, fetched_at=answer.age.fetched_at)
            await keeper.save(written, since=self._clock.now() - kept.KEPT_FOR)
        except CannotKeep:
            logger.warning("an answer could not be kept")
        except Exception:
            logger.exception("an answer could not be kept")

    def _saved(self, key: Key, save: asyncio.Task[None]) -> None:
        if self._saves.get(key) is save:
            del self._saves[key]

    async def _find_kept(self, key: Key) -> Answer[object] | None:
        name = kept.name_of(key.question)
        if self._keeper is None or name is None or not isinstance(key.account, int):
            return None
        since = self._clock.now() - kept.KEPT_FOR
        found = await self._keeper.find(UserId(key.account), name, since=since)
        value = None if found is None else await asyncio.to_thread(kept.read, name, found.body)
        if found is None or value is None:
            return None
        answer = Answer(value, Age(found.fetched_at))
        if key not in self._answers:
            self._answers[key] = (answer, found.fetched_at)  # known, but no longer fresh
            self._weight += _weight(answer)
        return answer


def _is_fresh(found: tuple[Answer[object], datetime], now: datetime) -> bool:
    """Return whether an answer does; never where the clock was set back before it was given."""
    answer, fresh_until = found
    fetched_at = answer.age.fetched_at
    return fetched_at <= now < max(fresh_until, fetched_at + _accepted_age.get())


def _weight(answer: Answer[object]) -> int:
    return 1 + len(answer.value) // _ENTRIES_OF_ONE if isinstance(answer.value, Sized) else 1


def _concerns(key: Key, account: UserId, name: UserName | None) -> bool:
    if key.account == account:
        return True
    targets = [part for part in key.question if isinstance(part, Target)]
    return any(
        target.user_id == account
        or (target.user_name is not None and target.user_name.casefold() == (name or "").casefold())
        for target in targets
    )


def next_catalogue_refresh(now: datetime) -> datetime:
    """Return when the service's catalogue will be newer than now, with ten minutes for it to settle.

    Source: specification, rule 5 (daily at 12:00 and 21:00, UTC+9).
    """
    local = now.astimezone(JST)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    refreshes = [midnight + timedelta(hours=hour) + _REFRESH_MARGIN for hour in (*_REFRESH_HOURS, 24 + 12)]
    return next(moment for moment in refreshes if moment > local)
