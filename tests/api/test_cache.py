import asyncio
import zlib
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import careers
import pytest

from bot.api.answer import Answer, Key
from bot.api.answer_store import KEPT_FOR
from bot.api.budget.budget import Priority
from bot.api.budget.rate_limiter import SharedPriority
from bot.api.cache import AnswerCache
from bot.api.cache_control import max_stale, no_cache
from bot.base.clock import ManualClock
from bot.domain.age import Age
from bot.domain.errors import (
    BotError,
    BudgetSpent,
    CannotKeep,
    NotFound,
    ServiceDown,
    TokenRejected,
    UnreadableReply,
)
from bot.domain.ids import JP2, SongId, UserId, UserName
from bot.domain.kept import KeptAnswer
from bot.domain.numbers import Hundredths
from bot.domain.players import Player, Target
from bot.domain.scores import Record

NOW = datetime(2026, 11, 21, 3, tzinfo=UTC)
ALICE, BOB = UserId(1), UserId(2)
KEY = Key(ALICE, ("rating",))
HOUR = timedelta(hours=1)


class Service:
    """Answers with a number that grows, when it is let."""

    def __init__(self) -> None:
        self.asked = 0
        self.was_asked = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: Exception | None = None

    async def ask(self) -> int:
        self.asked += 1
        self.was_asked.set()
        await self.gate.wait()
        if self.error:
            raise self.error
        return self.asked


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


@pytest.fixture
def cache(clock: ManualClock) -> AnswerCache:
    return AnswerCache(clock, fresh_for=timedelta(seconds=60))


@pytest.fixture
def service() -> Service:
    return Service()


async def test_an_answer_is_kept_while_it_is_fresh(
    cache: AnswerCache, clock: ManualClock, service: Service
) -> None:
    assert (await cache.get(KEY, service.ask)).value == 1
    clock.advance(59)
    assert (await cache.get(KEY, service.ask)).value == 1
    clock.advance(1)
    answer = await cache.get(KEY, service.ask)
    assert (answer.value, answer.age.is_stale) == (2, False)


async def test_what_is_known_to_stand_is_not_fetched(
    cache: AnswerCache, clock: ManualClock, service: Service
) -> None:
    asked_of, stands = list[Age](), True

    async def revalidate(age: Age) -> datetime | None:
        asked_of.append(age)
        return clock.now() if stands else None

    await cache.get(KEY, service.ask, revalidate=revalidate)
    assert not asked_of, "nothing was there that could stand"
    for hours in (1, 2):
        clock.advance(3600)
        again = await cache.get(KEY, service.ask, revalidate=revalidate)
        assert (again.value, again.age) == (1, Age(NOW + hours * HOUR, sent_at=NOW))
        assert (await cache.get(KEY, service.ask, revalidate=revalidate)) is again, "fresh again"
    assert len(asked_of) == cache.counts["saved_by_revalidating"] == 2
    with no_cache():
        assert (await cache.get(KEY, service.ask, revalidate=revalidate)).value == 2, (
            "somebody wants it newer"
        )
    clock.advance(3600)
    stands = False
    assert (await cache.get(KEY, service.ask, revalidate=revalidate)).age == Age(clock.now())


async def test_how_long_is_said_by_what_was_asked(clock: ManualClock, service: Service) -> None:
    fresh_for = {"player": timedelta(seconds=60), "records": timedelta(seconds=180)}
    async with AnswerCache(clock, fresh_for=fresh_for) as cache:
        profile, records = (Key(ALICE, (word, Target())) for word in fresh_for)
        for seconds, asked in ((0, 2), (59, 2), (1, 3), (59, 3), (1, 4), (59, 4), (1, 6)):
            clock.advance(seconds)
            await cache.get(profile, service.ask)
            await cache.get(records, service.ask)
            assert service.asked == asked, clock.monotonic()


async def test_who_asks_anew_is_content_with_nothing_from_before(
    cache: AnswerCache, service: Service
) -> None:
    await cache.get(KEY, service.ask)
    with no_cache():
        for _ in range(2):
            assert (await cache.get(KEY, service.ask)).value == 2
        assert await asyncio.gather(*(cache.get(KEY, service.ask) for _ in range(2)))
    assert service.asked == 2
    with no_cache():
        service.error = ServiceDown()
        assert (await cache.get(KEY, service.ask)).age.trouble is service.error


async def test_what_answers_without_asking_is_told(
    cache: AnswerCache, clock: ManualClock, service: Service
) -> None:
    assert not cache.has_fresh(KEY)
    await cache.get(KEY, service.ask)
    assert cache.has_fresh(KEY)
    with no_cache():
        assert not cache.has_fresh(KEY)
    clock.advance(60)
    assert not cache.has_fresh(KEY)


async def test_what_is_made_of_an_answer_is_kept_with_it(
    cache: AnswerCache, clock: ManualClock, service: Service
) -> None:
    made: list[int] = []

    def double(value: int) -> int:
        made.append(value)
        return 2 * value

    for seconds in (0, 59, 1):
        clock.advance(seconds)
        assert (await cache.get(KEY, service.ask)).made_by(double) == 2 * service.asked
    assert made == [1, 2]


async def test_whoever_made_something_of_answers_hears_that_some_are_forgotten(
    cache: AnswerCache, service: Service
) -> None:
    heard: list[int] = []
    cache.on_drop(lambda: heard.append(service.asked))
    await cache.get(KEY, service.ask)
    await cache.erase(UserId(1))
    cache.drop(UserId(2))
    cache.drop_all()
    assert heard == [1, 1, 1]


async def test_a_clock_that_is_set_back_makes_nothing_fresh_for_longer(
    cache: AnswerCache, clock: ManualClock, service: Service
) -> None:
    await cache.get(KEY, service.ask)
    clock.set_back(3600)
    assert (await cache.get(KEY, service.ask)).value == 2


async def test_who_turns_a_page_goes_on_with_what_they_saw(
    cache: AnswerCache, clock: ManualClock, service: Service
) -> None:
    await cache.get(KEY, service.ask)
    clock.advance(599)
    with max_stale(timedelta(minutes=10)):
        assert (await cache.get(KEY, service.ask)).value == 1
        clock.advance(1)
        assert (await cache.get(KEY, service.ask)).value == 2
    clock.advance(599)
    assert (await cache.get(KEY, service.ask)).value == 3


async def test_equal_questions_share_one_request(cache: AnswerCache, service: Service) -> None:
    answers = await asyncio.gather(*(cache.get(KEY, service.ask) for _ in range(5)))
    assert {answer.value for answer in answers} == {1}
    assert service.asked == 1


async def test_accounts_do_not_share(cache: AnswerCache, service: Service) -> None:
    await cache.get(KEY, service.ask)
    assert (await cache.get(Key(BOB, ("rating",)), service.ask)).value == 2


async def test_cancelling_one_caller_leaves_the_others(cache: AnswerCache, service: Service) -> None:
    service.gate.clear()
    first = asyncio.create_task(cache.get(KEY, service.ask))
    second = asyncio.create_task(cache.get(KEY, service.ask))
    await service.was_asked.wait()
    first.cancel()
    service.gate.set()
    assert (await second).value == 1
    with pytest.raises(asyncio.CancelledError):
        await first


@pytest.mark.parametrize("trouble", [ServiceDown(), BudgetSpent(NOW), UnreadableReply()])
async def test_the_last_known_answer_stands_in(
    cache: AnswerCache, clock: ManualClock, service: Service, trouble: BotError
) -> None:
    await cache.get(KEY, service.ask)
    clock.advance(3600)
    service.error = trouble
    answer = await cache.get(KEY, service.ask)
    assert (answer.value, answer.age) == (1, Age(NOW, trouble))


async def test_a_no_of_the_service_is_no_reason_for_an_old_answer(
    cache: AnswerCache, clock: ManualClock, service: Service
) -> None:
    await cache.get(KEY, service.ask)
    clock.advance(3600)
    service.error = NotFound()
    with pytest.raises(NotFound):
        await cache.get(KEY, service.ask)


async def test_errors_are_not_kept(cache: AnswerCache, service: Service) -> None:
    service.error = ServiceDown()
    with pytest.raises(ServiceDown):
        await cache.get(KEY, service.ask)
    service.error = None
    assert (await cache.get(KEY, service.ask)).value == 2


async def test_what_is_forgotten_is_asked_anew(cache: AnswerCache, service: Service) -> None:
    await cache.get(KEY, service.ask)
    await cache.erase(ALICE)
    assert (await cache.get(KEY, service.ask)).value == 2


async def test_closing_ends_what_is_under_way(clock: ManualClock, service: Service) -> None:
    service.gate.clear()
    async with AnswerCache(clock, fresh_for=timedelta(0)) as cache:
        caller = asyncio.create_task(cache.get(KEY, service.ask))
        await service.was_asked.wait()
    with pytest.raises(asyncio.CancelledError):
        await caller


async def test_what_everybody_has_left_is_given_up(cache: AnswerCache, service: Service) -> None:
    service.gate.clear()
    callers = [asyncio.create_task(cache.get(KEY, service.ask)) for _ in range(2)]
    await service.was_asked.wait()
    for caller in callers:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    service.gate.set()
    assert (await cache.get(KEY, service.ask)).value == 2


async def test_a_person_who_joins_makes_it_urgent(cache: AnswerCache, service: Service) -> None:
    service.gate.clear()
    background = SharedPriority(Priority.PREFETCH)
    first = asyncio.create_task(cache.get(KEY, service.ask, urgency=background))
    await service.was_asked.wait()
    second = asyncio.create_task(cache.get(KEY, service.ask, urgency=SharedPriority(Priority.PERSON)))
    await asyncio.sleep(0)
    assert background.priority is Priority.PERSON
    service.gate.set()
    assert (await first).value == (await second).value == 1
    assert cache.counts["saved_by_joining"] == 1


async def test_a_person_who_joins_waits_no_longer_than_they_would(
    cache: AnswerCache, service: Service
) -> None:
    service.gate.clear()
    first = asyncio.create_task(cache.get(KEY, service.ask))
    await service.was_asked.wait()
    with pytest.raises(ServiceDown):
        await cache.get(KEY, service.ask, patience=0.01)
    service.gate.set()
    assert (await first).value == 1


@pytest.mark.parametrize("error", [BudgetSpent(NOW), TokenRejected()])
async def test_the_first_callers_trouble_is_not_that_of_who_joined(
    cache: AnswerCache, service: Service, error: BotError
) -> None:
    gate = asyncio.Event()

    async def fail() -> int:
        await gate.wait()
        raise error

    first = asyncio.create_task(cache.get(KEY, fail))
    await asyncio.sleep(0)
    others = [asyncio.create_task(cache.get(KEY, service.ask)) for _ in range(3)]
    await asyncio.sleep(0)
    gate.set()
    with pytest.raises(type(error)):
        await first
    assert {(await other).value for other in others} == {1}


async def test_an_answer_that_is_forgotten_on_its_way_is_given_but_not_kept(
    cache: AnswerCache, service: Service
) -> None:
    service.gate.clear()
    caller = asyncio.create_task(cache.get(KEY, service.ask))
    await service.was_asked.wait()
    await cache.erase(ALICE)
    service.gate.set()
    assert (await caller).value == 1
    assert (await cache.get(KEY, service.ask)).value == 2


async def test_forgetting_takes_along_what_others_were_shown(cache: AnswerCache, service: Service) -> None:
    about_alice = Key(BOB, ("player", Target(user_id=ALICE)))
    await cache.get(about_alice, service.ask)
    await cache.erase(ALICE)
    assert (await cache.get(about_alice, service.ask)).value == 2


async def test_what_cannot_be_believed_does_not_answer(clock: ManualClock, service: Service) -> None:
    verdicts = iter((True, True, False, False))

    async def are_believed() -> bool:
        return next(verdicts)

    async with AnswerCache(clock, fresh_for=HOUR, are_believed=are_believed) as cache:
        assert [(await cache.get(KEY, service.ask)).value for _ in range(3)] == [1, 1, 2]
        assert await cache.find(KEY, int) is None


async def test_with_all_that_is_dropped_goes_what_is_under_way(cache: AnswerCache, service: Service) -> None:
    other = Key(BOB, ("rating",))
    await cache.get(other, service.ask)
    service.gate.clear()
    service.was_asked.clear()
    caller = asyncio.create_task(cache.get(KEY, service.ask))
    await service.was_asked.wait()
    cache.drop_all()
    service.gate.set()
    assert (await caller).value == 2
    assert (await cache.get(KEY, service.ask)).value == 3
    assert (await cache.get(other, service.ask)).value == 4


@pytest.mark.parametrize("typed", ["alice", "ALICE", "aLiCe"])
async def test_forgetting_by_name_takes_along_what_was_asked_by_it_whatever_the_case(
    cache: AnswerCache, service: Service, typed: str
) -> None:
    about_alice = Key(BOB, ("player", Target(user_name=UserName(typed))))
    about_another = Key(BOB, ("player", Target(user_name=UserName("alice2"))))
    await cache.get(about_alice, service.ask)
    await cache.get(about_another, service.ask)
    await cache.erase(ALICE, lambda name: name.casefold() == "alice")
    assert (await cache.get(about_another, service.ask)).value == 2
    assert (await cache.get(about_alice, service.ask)).value == 3


async def test_long_lists_leave_memory_first(cache: AnswerCache) -> None:
    asked: list[int] = []

    async def ask_long(number: int) -> tuple[int, ...]:
        asked.append(number)
        return (number,) * 3_000

    for number in [*range(200), 0, 199]:
        await cache.get(Key(UserId(number), ("long",)), lambda number=number: ask_long(number))
    assert asked == [*range(200), 0]


class Keeper:
    """Keeps answers in a dictionary."""

    def __init__(self) -> None:
        self.kept: dict[tuple[UserId, str], KeptAnswer] = {}
        self.titles: dict[SongId, str] = {}
        self.takes_titles = True
        self.titles_read = 0
        self.asked_of = list[list[UserId]]()
        self.was_asked = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()

    async def fetch(
        self, accounts: Collection[UserId], question: str, *, since: datetime
    ) -> Sequence[KeptAnswer]:
        self.asked_of.append([*accounts])
        found = [self.kept[each, question] for each in accounts if (each, question) in self.kept]
        self.was_asked.set()
        await self.gate.wait()
        return [each for each in found if each.fetched_at >= since]

    async def save(self, answer: KeptAnswer, *, since: datetime) -> None:
        assert since < answer.fetched_at
        self.kept[answer.account, answer.question] = answer

    async def fetch_titles(self) -> Mapping[SongId, str]:
        self.titles_read += 1
        return {**self.titles}

    async def add_titles(self, titles: Mapping[SongId, str]) -> None:
        if not self.takes_titles:
            raise CannotKeep
        self.titles = {**titles, **self.titles}

    async def erase(self, account: UserId) -> None:
        for key in [key for key in self.kept if key[0] == account]:
            del self.kept[key]


PLAYER = Player(
    user_id=ALICE,
    user_name=UserName("alice"),
    is_protected=True,
    player_name="ＡＬＩＣＥ",
    honor="",
    honor_type=None,
    level=3,
    rating=Hundredths(1650),
    rating_max=Hundredths(1651),
    class_emblem=0,
    updated_on=NOW.date(),
)
OWN = Key(ALICE, ("player", Target()))


SONG, OTHER_SONG = SongId("00ff00ff00ff00ff"), SongId("ff00ff00ff00ff00")
RECORDS = (replace(careers.record(SONG, 1400, 1_000_000), title="A title"),)
RECORDS_KEY = Key(ALICE, ("records", JP2, Target()))


async def records() -> tuple[Record, ...]:
    return RECORDS


async def more_records() -> tuple[Record, ...]:
    return (*RECORDS, *(replace(each, song_id=OTHER_SONG, title="Yet another") for each in RECORDS))


class TestKept:
    """What outlives a restart."""

    @pytest.fixture
    def keeper(self) -> Keeper:
        return Keeper()

    def cache(self, clock: ManualClock, keeper: Keeper) -> AnswerCache:
        return AnswerCache(clock, fresh_for=timedelta(seconds=60), keeper=keeper)

    async def fetch(self) -> Player:
        return PLAYER

    async def fail(self) -> Player:
        raise ServiceDown

    async def test_the_last_answer_stands_in_after_a_restart(
        self, clock: ManualClock, keeper: Keeper
    ) -> None:
        async with self.cache(clock, keeper) as before:
            await before.get(OWN, self.fetch)
        clock.advance((KEPT_FOR - timedelta(days=1)).total_seconds())
        async with self.cache(clock, keeper) as after:
            for _ in range(2):
                answer = await after.get(OWN, self.fail)
                assert (answer.value, answer.age.fetched_at, answer.age.is_stale) == (PLAYER, NOW, True)
        assert after.counts["stood_in"] == 2

    @pytest.mark.parametrize("takes_titles", [True, False])
    async def test_records_have_their_titles_after_a_restart(
        self, clock: ManualClock, keeper: Keeper, *, takes_titles: bool
    ) -> None:
        """Titles are kept once for all accounts, or where that fails with the records."""
        keeper.takes_titles = takes_titles
        async with self.cache(clock, keeper) as before:
            await before.get(RECORDS_KEY, records)
        assert keeper.titles == ({SONG: "A title"} if takes_titles else {})
        written = zlib.decompress(keeper.kept[ALICE, "records/jp2"].body)
        assert (b"A title" in written) is not takes_titles
        async with self.cache(clock, keeper) as after:
            assert (await after.get(RECORDS_KEY, self.fail)).value == RECORDS
            # Another process keeps them with a title that was not there yet, and the service's is another meanwhile.
            keeper.takes_titles, keeper.titles = True, keeper.titles | {OTHER_SONG: "Another"}
            async with self.cache(clock, keeper) as elsewhere:
                await elsewhere.get(Key(BOB, RECORDS_KEY.question), more_records)
            found = await after.get(Key(BOB, RECORDS_KEY.question), self.fail)
            assert found.value == await more_records()
        assert keeper.titles[OTHER_SONG] == "Another"

    async def test_of_many_answers_at_once_one_keeps_their_titles(
        self, clock: ManualClock, keeper: Keeper
    ) -> None:
        async with self.cache(clock, keeper) as cache:
            await asyncio.gather(
                *(cache.get(Key(UserId(account), RECORDS_KEY.question), records) for account in range(1, 9))
            )
        assert (len(keeper.kept), keeper.titles) == (8, {SONG: "A title"})
        assert keeper.titles_read == 2

    async def test_an_answer_whose_titles_are_gone_is_asked_for_anew(
        self, clock: ManualClock, keeper: Keeper
    ) -> None:
        async with self.cache(clock, keeper) as before:
            await before.get(RECORDS_KEY, records)
        keeper.titles = {}
        async with self.cache(clock, keeper) as after:
            with pytest.raises(ServiceDown):
                await after.get(RECORDS_KEY, self.fail)
            assert (await after.get(RECORDS_KEY, records)).value == RECORDS

    async def test_what_stands_is_not_written_down_again(self, clock: ManualClock, keeper: Keeper) -> None:
        async def stands(_: Age) -> datetime:
            return clock.now()

        async with self.cache(clock, keeper) as before:
            await before.get(OWN, self.fetch)
            clock.advance(3600)
            await before.get(OWN, self.fail, revalidate=stands)
        async with self.cache(clock, keeper) as after:
            again = await after.get(OWN, self.fail, revalidate=stands)
        assert (again.value, again.age) == (PLAYER, Age(NOW + HOUR, sent_at=NOW))

    async def test_after_that_it_does_not(self, clock: ManualClock, keeper: Keeper) -> None:
        async with self.cache(clock, keeper) as before:
            await before.get(OWN, self.fetch)
            clock.advance((KEPT_FOR + timedelta(seconds=1)).total_seconds())
            with pytest.raises(ServiceDown):
                await before.get(OWN, self.fail)
        async with self.cache(clock, keeper) as after:
            with pytest.raises(ServiceDown):
                await after.get(OWN, self.fail)

    async def test_what_is_forgotten_is_erased(self, clock: ManualClock, keeper: Keeper) -> None:
        async with self.cache(clock, keeper) as cache:
            await cache.get(OWN, self.fetch)
            await cache.erase(ALICE)
        assert not keeper.kept

    async def test_what_is_forgotten_while_it_is_read_does_not_come_back(
        self, clock: ManualClock, keeper: Keeper
    ) -> None:
        async with self.cache(clock, keeper) as before:
            await before.get(OWN, self.fetch)
        async with self.cache(clock, keeper) as cache:
            keeper.gate.clear()
            caller = asyncio.create_task(cache.get(OWN, self.fail))
            await keeper.was_asked.wait()
            await cache.erase(ALICE)
            keeper.gate.set()
            await asyncio.wait({caller})
            with pytest.raises(ServiceDown):
                await cache.get(OWN, self.fail)

    async def test_what_is_kept_of_several_is_read_together(self, clock: ManualClock, keeper: Keeper) -> None:
        both = [Key(account, OWN.question) for account in (ALICE, BOB)]
        async with self.cache(clock, keeper) as before:
            for key in both:
                await before.get(key, self.fetch)
        clock.advance(3600)
        async with self.cache(clock, keeper) as cache:
            for more in ([BOB], [UserId(3)], []):
                await cache.load([ALICE, *more], OWN.question)
            with max_stale(2 * HOUR):
                answers = [await cache.get(key, self.fail) for key in both]
            assert answers == [Answer(PLAYER, Age(NOW))] * 2
            assert keeper.asked_of == [[ALICE, BOB], [UserId(3)]]
            with pytest.raises(ServiceDown):
                await cache.get(Key(UserId(3), OWN.question), self.fail)

    async def test_what_is_forgotten_while_several_are_read_does_not_come_back(
        self, clock: ManualClock, keeper: Keeper
    ) -> None:
        async with self.cache(clock, keeper) as before:
            await before.get(OWN, self.fetch)
        async with self.cache(clock, keeper) as cache:
            keeper.gate.clear()
            loading = asyncio.create_task(cache.load([ALICE, BOB], OWN.question))
            await keeper.was_asked.wait()
            await cache.erase(ALICE)
            keeper.gate.set()
            await loading
            assert cache.size == 0

    @pytest.mark.parametrize("is_current", [True, False])
    async def test_several_are_read_while_memory_can_be_believed_and_only_then(
        self, clock: ManualClock, keeper: Keeper, *, is_current: bool
    ) -> None:
        async def are_believed() -> bool:
            return is_current

        async with AnswerCache(clock, fresh_for=HOUR, keeper=keeper, are_believed=are_believed) as cache:
            await cache.load([ALICE, BOB], OWN.question)
        assert bool(keeper.asked_of) is is_current

    async def test_what_one_saw_of_others_stays_in_memory(self, clock: ManualClock, keeper: Keeper) -> None:
        async with self.cache(clock, keeper) as cache:
            await cache.get(Key(BOB, ("player", Target(user_id=ALICE))), self.fetch)
            await cache.get(Key(None, ("catalogue", JP2)), self.fetch)
        assert not keeper.kept

    async def test_another_shape_is_as_good_as_nothing(self, clock: ManualClock, keeper: Keeper) -> None:
        old = KeptAnswer(account=ALICE, question="player", body=b"{}", fetched_at=NOW)
        await keeper.save(old, since=NOW - KEPT_FOR)
        async with self.cache(clock, keeper) as cache:
            with pytest.raises(ServiceDown):
                await cache.get(OWN, self.fail)


class TestAtHand:
    """What is the same for everybody: an older answer is returned at once, and refreshed behind it."""

    KEY = Key(None, ("catalogue", JP2))
    urgency: SharedPriority

    @pytest.fixture
    def clock(self) -> ManualClock:
        return ManualClock(NOW)

    @pytest.fixture
    async def cache(self, clock: ManualClock) -> AsyncGenerator[AnswerCache]:
        async with AnswerCache(clock, fresh_for=lambda at: at.replace(minute=0) + HOUR) as cache:
            yield cache

    async def ask(
        self,
        cache: AnswerCache,
        service: Service,
        *,
        priority: Priority = Priority.PERSON,
        patience: float = 5,
        grace: float = 5,
        is_for_all: bool = False,
    ) -> Answer[int]:
        async def fetch(urgency: SharedPriority) -> int:
            self.urgency = urgency
            return await service.ask()

        return await cache.get_at_hand(
            self.KEY, fetch, priority=priority, patience=patience, grace=grace, is_for_all=is_for_all
        )

    async def test_it_is_fresh_until_the_moment_that_is_said(
        self, cache: AnswerCache, clock: ManualClock, service: Service
    ) -> None:
        clock.advance(1200)
        assert (await self.ask(cache, service)).value == 1
        clock.advance(2399)
        assert (await self.ask(cache, service)).value == 1
        clock.advance(1)
        assert (await self.ask(cache, service)).value == 2

    async def test_a_clock_that_was_ahead_makes_nothing_fresh_for_longer(
        self, cache: AnswerCache, clock: ManualClock, service: Service
    ) -> None:
        clock.advance(86_400)
        await self.ask(cache, service)
        clock.set_back(86_400)
        assert (await self.ask(cache, service)).value == 2

    async def test_a_refresh_goes_on_behind_the_answer(
        self, cache: AnswerCache, clock: ManualClock, service: Service
    ) -> None:
        await self.ask(cache, service)
        clock.advance(3600)
        service.gate.clear()
        for _ in range(2):
            answer = await self.ask(cache, service, grace=0.01)
            assert (answer.value, answer.age) == (1, Age(NOW))
        service.gate.set()
        assert (await self.ask(cache, service)).value == 2
        assert service.asked == 2

    async def test_behind_an_answer_it_leaves_requests_to_people(
        self, cache: AnswerCache, clock: ManualClock, service: Service
    ) -> None:
        await self.ask(cache, service)
        assert self.urgency.priority is Priority.PERSON
        clock.advance(3600)
        service.gate.clear()
        await self.ask(cache, service, grace=0, priority=Priority.PREFETCH)
        await service.was_asked.wait()
        behind = self.urgency
        assert behind.priority is Priority.PREFETCH
        await self.ask(cache, service, grace=0)
        assert behind.priority is Priority.REFRESH

    async def test_with_nothing_at_hand_one_request_is_waited_for_and_goes_on(
        self, cache: AnswerCache, service: Service
    ) -> None:
        service.gate.clear()
        for _ in range(2):
            with pytest.raises(ServiceDown):
                await self.ask(cache, service, patience=0.01)
        service.gate.set()
        assert (await self.ask(cache, service)).value == service.asked == 1

    @pytest.mark.parametrize("trouble", [ServiceDown(), UnreadableReply(), TokenRejected()])
    async def test_after_a_failure_nobody_tries_again_for_thirty_seconds(
        self, cache: AnswerCache, clock: ManualClock, service: Service, trouble: BotError
    ) -> None:
        await self.ask(cache, service)
        clock.advance(3600)
        service.error = trouble
        for seconds in (0, 10, 19.9):
            clock.advance(seconds)
            answer = await self.ask(cache, service, is_for_all=True)
            assert (answer.value, answer.age, service.asked) == (1, Age(NOW, trouble), 2)
        clock.advance(0.1)
        service.error = None
        service.was_asked.clear()
        service.gate.clear()
        assert (await self.ask(cache, service, is_for_all=True)).age == Age(NOW, trouble)  # waits for nothing
        await service.was_asked.wait()
        service.gate.set()
        assert (await self.ask(cache, service)).value == 3

    async def test_a_fault_of_ours_is_a_failure_too(
        self, cache: AnswerCache, clock: ManualClock, service: Service
    ) -> None:
        await self.ask(cache, service)
        clock.advance(3600)
        service.error = ValueError("it cannot be written down")
        for _ in range(2):
            answer = await self.ask(cache, service)
            assert (answer.value, answer.age.is_stale, service.asked) == (1, True, 2)

    async def test_a_clock_that_was_ahead_lengthens_no_pause(
        self, cache: AnswerCache, clock: ManualClock, service: Service
    ) -> None:
        await self.ask(cache, service)
        clock.advance(3600)
        service.error = ServiceDown()
        await self.ask(cache, service)
        clock.set_back(3590)
        clock.advance(3599)
        await self.ask(cache, service)
        await asyncio.sleep(0)
        assert service.asked == 3

    async def test_anothers_token_is_no_reason_to_wait(
        self, cache: AnswerCache, clock: ManualClock, service: Service
    ) -> None:
        await self.ask(cache, service)
        clock.advance(3600)
        other = Service()
        other.gate.clear()
        other.error = TokenRejected()
        first = asyncio.create_task(self.ask(cache, other))
        await other.was_asked.wait()
        second = asyncio.create_task(self.ask(cache, service))
        await asyncio.sleep(0)
        other.gate.set()
        assert (await first).age.trouble is other.error
        assert (await second).value == 2

    async def test_what_would_fail_for_all_is_asked_once(self, cache: AnswerCache, service: Service) -> None:
        service.error = TokenRejected()
        asked = [self.ask(cache, service, is_for_all=True) for _ in range(3)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert answers == [service.error] * 3
        assert service.asked == 1

    async def test_what_is_kept_elsewhere_is_read_once_and_refreshed(
        self, cache: AnswerCache, service: Service
    ) -> None:
        read: list[int] = []

        async def recall() -> Mapping[Key, Answer[int]]:
            read.append(1)
            await asyncio.sleep(0)
            return {self.KEY: Answer(7, Age(NOW))}

        await asyncio.gather(*(cache.load_once(self.KEY, recall) for _ in range(3)))
        assert read == [1]
        service.gate.clear()
        assert (await self.ask(cache, service, grace=0)).value == 7
        service.gate.set()
        assert (await self.ask(cache, service)).value == 1

    async def test_closing_ends_a_refresh_that_nobody_waits_for(
        self, clock: ManualClock, service: Service
    ) -> None:
        service.gate.clear()
        async with AnswerCache(clock, fresh_for=HOUR) as cache:
            with pytest.raises(ServiceDown):
                await self.ask(cache, service, patience=0)
            await service.was_asked.wait()
        service.gate.set()
        await asyncio.sleep(0)
        assert not cache._flights
        assert not cache._answers
