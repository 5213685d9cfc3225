"""Weeks of simulated members against the service's own limiter; a decision beside discord.py's limiter.

The clock is simulated, the event loop jumps from one moment to the next, in place of the network stands a delay,
and in place of the database a dictionary. Everything between is what the bot runs: members ask what the features
were heard to ask, through `Askers` and `Catalogues`, and with them the cache, the API layer and its budgets; the
limiter is the service's. With what the operator, a member too, leaves of their requests, `StatisticsPrefetch` asks for the
statistics of 3,000 charts. Beside it counts a client that makes one call for each need. Pages that are turned are no
commands. Exits 1 where a goal is missed.
"""

import asyncio
import math
import selectors
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace, TracebackType
from typing import Final, Self, TypeVar, cast

import orjson
from aiohttp import ClientResponse
from discord.http import Ratelimit
from players import Arcade
from pydantic import BaseModel
from questions import Question, learn_questions
from typing_extensions import override

from bot.api import Priority, RecordApi
from bot.api.budget.accounts import BudgetRegistry, key_of_account
from bot.api.budget.budget import AccountKey, Granted, Permit
from bot.api.budget.rate_limiter import SharedPriority
from bot.api.budget.window import WINDOW_SECONDS, RateHeaders
from bot.api.cache import AnswerCache
from bot.api.cache_control import max_stale
from bot.api.protocol import ApiCall, Headers, Response, rate_headers
from bot.background.periodic import PeriodicTasks
from bot.background.statistics import StatisticsPrefetch
from bot.base.clock import JST
from bot.chat.client import PAGE_DATA_TTL
from bot.database.backlog import WriteBacklog
from bot.database.engine import Database
from bot.domain.charts import Catalogue
from bot.domain.coach.summaries import ChartSummary
from bot.domain.errors import BudgetSpent, NotYet
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, MemberId, Region, SongId, UserId, UserName
from bot.domain.members import AccountLink, Member, Preferences, Visibility
from bot.domain.numbers import Hundredths
from bot.features.shared.alias_packs import AliasPack
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.asking import FRESH_FOR, ask_statistics
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.profiles import AT_ONCE
from bot.store import InvalidationBus, KeptCatalogue, LeaderLease, Store
from bot.store.catalogues import KeptCatalogues
from bot.store.links import Links
from bot.store.members import Members
from bot.store.snapshots import Snapshots
from bot.store.statistics import KeptStatistics
from bot.wire.endpoints import USERS_ME_V13
from bot.wire.versions import Version
from service.limits import RateWindows, window_headers
from service.options import ServiceOptions

SEED: Final = 20260101
START: Final = datetime(2026, 11, 16, tzinfo=JST)
DAY: Final = 86_400.0
DAYS: Final = 7
OPERATOR: Final = UserId(10**6)
"""Whose token the bot has for itself; the first member of each mix, or the first few."""
SERVERS: Final = 1_000
IN_DAILY_POSTS: Final = 5
"""Members in each server's daily post."""
AFTER_REFRESH: Final = 0.08
"""Members who look at the new catalogue within ten minutes."""
NETWORK_SECONDS: Final = 0.12
"""Median from sending to the answer."""
LATE_SECONDS: Final = 300.0
BY_HOUR: Final = (4, 2, 1, 1, 1, 1, 2, 4, 5, 5, 5, 6, 9, 7, 6, 6, 7, 9, 12, 15, 18, 20, 16, 9)
"""When people come: noon and the evening, UTC+9."""
EVENING: Final = (*(0,) * 20, 1, 0, 0, 0)
PLAYERS: Final = 300
"""Whom people look up by name."""
GATHERED: Final = 3_000
"""Charts of whose statistics the bot wants to know by itself."""
MOST_HOURS: Final = 8.0
"""Until it does."""
SONGS: Final = 1_000
"""Of whose charts people look at the statistics: the first as often as all those from the second on."""

RATING_TOPIC: Final = {"rating": 4, "best": 4, "plan": 2, "overpower": 1, "friends": 1, "recap": 1}
SONG_TOPIC: Final = {
    "song": 5,
    "score": 3,
    "scores": 3,
    "search": 4,
    "random": 2,
    "stats": 2,
    "worldsend": 1,
    "story": 1,
}
OTHERS_TOPIC: Final = {"compare": 3, "rating": 2, "best": 2, "score": 1}
"""About somebody else."""
COACH_TOPIC: Final = {
    "plan": 4, "practice": 3, "goals": 3, "border": 2, "table": 2, "skill": 1, "duel": 1, "song": 3, "score": 3,
    "tiers": 2, "locked": 1,
}  # fmt: skip
"""What to play next: somebody who comes to be coached."""
RARE: Final = {"export": 1, "courses": 2}
TOPICS: Final = ((RATING_TOPIC, 8), (SONG_TOPIC, 8), (OTHERS_TOPIC, 2), (RARE, 1))
"""What people do, and how often each: commands of one topic follow one another."""


@dataclass(frozen=True, kw_only=True)
class Habit:
    """How somebody uses the bot."""

    visits: float
    """A day."""
    acts: float
    """In one visit on average: commands, pages turned, menus and buttons."""
    thinking: float
    """Seconds between two of them, the median, beyond one for looking."""
    turns: float = 0.4
    """Of these, how many turn a page or choose from a menu under the answer before."""
    wandering: float = 0.1
    """How often another topic follows."""


@dataclass(frozen=True, kw_only=True)
class Mix:
    """Who uses the bot, and how."""

    name: str
    members: int
    habit: Habit
    an_account: int = 1
    """Members who have linked the same one."""
    by_hour: Sequence[int] = BY_HOUR
    topics: Sequence[tuple[Mapping[str, int], int]] = TOPICS
    has_posts: bool = False
    """There are daily posts, and many look at a catalogue that has just been refreshed."""
    most_requests: float | None = None
    """A command: the goal."""
    is_scarce: bool = False
    """More is asked than the service allows: some is refused, or the mix shows nothing."""


MIXES: Final = (
    Mix(  # somebody sits with the bot for a few minutes
        # It was 0.30 before both slots were worked out from all records: without those that /rating and /best fetch it is 0.294.
        name="sessions", members=200, habit=Habit(visits=1, acts=45, thinking=3), most_requests=0.31,
    ),
    Mix(  # a dozen different things as fast as they can be typed
        name="bursts", members=500, habit=Habit(visits=0.7, acts=14, thinking=0.5, turns=0.1, wandering=0.3),
        most_requests=0.5,
    ),
    Mix(  # a look now and then, and one at what it leads to
        name="calm", members=2_000, habit=Habit(visits=1, acts=2, thinking=9), has_posts=True, most_requests=1.5,
    ),
    Mix(  # many, of whom each sits with the bot now and then, most of all to be coached
        name="10,000 members with the coach", members=10_000, habit=Habit(visits=0.05, acts=45, thinking=3),
        topics=(*TOPICS, (COACH_TOPIC, 16)), most_requests=0.35,
    ),
    Mix(  # a tournament: all at once, about everybody else
        name="20 people on one account", members=100, an_account=20, is_scarce=True, by_hour=EVENING,
        habit=Habit(visits=1, acts=80, thinking=6, wandering=0.5), topics=((OTHERS_TOPIC, 3), (RATING_TOPIC, 1)),
    ),
)  # fmt: skip

PATIENCE: Final = timedelta(seconds=10)
CATALOGUE_PATIENCE: Final = timedelta(seconds=30)
SAMPLES: Final = Path(__file__).parents[1] / "samples"

T = TypeVar("T")
Act = Callable[[], Coroutine[None, None, None]]
Learnt = Mapping[tuple[str, bool], tuple[Question, ...]]

waits: ContextVar[list[float] | None] = ContextVar("waits", default=None)


class SimulatedClock:
    """Stands still until the event loop has nothing to do."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return START.astimezone(UTC) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds


class JumpingSelector(selectors.SelectSelector):
    """Never waits: where the loop would sleep, the clock jumps."""

    def __init__(self, clock: SimulatedClock) -> None:
        super().__init__()
        self._clock = clock

    @override
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout:
            self._clock.seconds += timeout
        return []


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Runs a week in a minute."""

    def __init__(self, clock: SimulatedClock) -> None:
        super().__init__(JumpingSelector(clock))
        self._simulated = clock

    @override
    def time(self) -> float:
        return self._simulated.seconds

    @override
    def run_in_executor(
        self, executor: Executor | None, func: Callable[..., T], *args: object
    ) -> asyncio.Future[T]:
        """Run it at once: no simulated time passes in a thread."""
        done: asyncio.Future[T] = self.create_future()
        done.set_result(func(*args))
        return done


class EverybodyLinked(Members):
    """Everybody is linked."""

    def __init__(self, an_account: int) -> None:
        self._an_account = an_account

    @override
    async def get(self, member: MemberId) -> Member:
        account = UserId(member // self._an_account)
        link = AccountLink(
            member=member, user_id=account or OPERATOR, user_name=UserName(f"player{member}"),
            region=JP2, visibility=Visibility.ANYONE, linked_at=START,
        )  # fmt: skip
        return Member(link=link, preferences=Preferences())


class AccountIdTokens(Links):
    """Has account ids for tokens."""

    def __init__(self) -> None:
        pass

    @override
    async def open_token(self, link: AccountLink) -> str:
        return str(link.user_id)

    @override
    async def set_protected(self, link: AccountLink, *, is_protected: bool) -> None:
        """Note nothing: the sample's player is anybody's."""


class NewestCatalogue(KeptCatalogues):
    """Keeps the newest catalogue."""

    def __init__(self) -> None:
        self.kept: list[KeptCatalogue] = []

    @override
    async def fetch(self, region: Region) -> list[KeptCatalogue]:
        return self.kept

    @override
    async def save(self, kept: KeptCatalogue) -> None:
        self.kept = [kept]


class AskedStatistics(KeptStatistics):
    """Notes of which charts the statistics are there, and when they first all were."""

    def __init__(self, clock: SimulatedClock) -> None:
        self._clock = clock
        self._asked: dict[ChartKey, datetime] = {}
        self.complete_after = math.inf
        """Seconds."""

    @override
    async def save(self, chart: ChartKey, summary: ChartSummary | None, at: datetime) -> None:
        self._asked[chart] = at
        if len(self._asked) == GATHERED:
            self.complete_after = min(self.complete_after, self._clock.seconds)

    @override
    async def fetch_settled(self, since: datetime) -> set[ChartKey]:
        return {chart for chart, at in self._asked.items() if at >= since}

    @override
    async def is_settled(self, chart: ChartKey, since: datetime) -> bool:
        return chart in await self.fetch_settled(since)


class NoSnapshots(Snapshots):
    """Knows nobody's rating."""

    def __init__(self) -> None:
        pass

    @override
    async def fetch_ratings(self) -> set[Hundredths]:
        return set()


class SimulatedService:
    """The real limiter behind a delay; tokens are account ids."""

    def __init__(self, windows: RateWindows, clock: SimulatedClock, chance: Random) -> None:
        self._windows = windows
        self._clock = clock
        self._chance = chance
        self._bodies: dict[str, bytes] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    async def fetch(
        self,
        call: ApiCall[BaseModel],
        token: str,
        *,
        seconds: float,
        may_send: Callable[[], bool],
        hear: Callable[[int, Headers], None],
        **_others: object,
    ) -> Response:
        assert may_send()
        delay = min(seconds, NETWORK_SECONDS * self._chance.lognormvariate(0, 0.5)) / 2
        await asyncio.sleep(delay)
        window = self._windows.spend(call.endpoint.version, UserId(int(token)))
        fields = {**window_headers(window), "Date": format_datetime(self._clock.now(), usegmt=True)}
        await asyncio.sleep(delay)
        status = 429 if window.is_refused else 200
        hear(status, fields)
        return Response(status, fields, self._body(call, token))

    def _body(self, call: ApiCall[BaseModel], token: str) -> bytes:
        path = call.endpoint.path
        if path not in self._bodies:
            self._bodies[path] = (SAMPLES / path.removeprefix("/")).read_bytes()
        if call.endpoint is not USERS_ME_V13:
            return self._bodies[path]
        reply = orjson.loads(self._bodies[path])
        reply["account"]["user_id"] = int(token)
        return orjson.dumps(reply)


@dataclass
class Week:
    """What happened."""

    commands: int = 0
    turns: int = 0
    needs: int = 0
    asked: int = 0
    """Requests that people's commands and pages sent."""
    naive: Counter[str] = field(default_factory=Counter[str])
    refused: int = 0
    refused_in_spite: int = 0
    """Told that all is spent while more was left than others were about to send; who is told to try again is not among
    them, and counted below."""
    too_quick: int = 0
    """People told to try again in a moment: requests were left, but more waited than could be let through in time."""
    waited: list[float] = field(default_factory=list[float])
    posts: int = 0
    late: int = 0
    slowest_post: float = 0.0


class Simulation:
    """Members, servers and what they do."""

    def __init__(self, folder: Path, mix: Mix, learnt: Learnt) -> None:
        self.mix = mix
        self._learnt = learnt
        self.clock = SimulatedClock()
        self.week = Week()
        self._chance = Random(SEED)
        self._windows = RateWindows(folder / "windows", ServiceOptions(), self.clock)
        self._naive = RateWindows(folder / "naive", ServiceOptions(), self.clock)
        self.api = RecordApi("http://localhost", clock=self.clock)
        network = SimulatedService(self._windows, self.clock, Random(SEED))
        self.api._transport = network  # pyright: ignore[reportAttributeAccessIssue]  # the network is simulated
        self._enter = self.api._limiter.acquire
        self.api._limiter.acquire = self._measured_enter
        self.cache = AnswerCache(self.clock, fresh_for=FRESH_FOR, counts=self.api.counts)
        self.statistics = AskedStatistics(self.clock)
        store = cast(
            "Store",
            SimpleNamespace(
                members=EverybodyLinked(mix.an_account),
                links=AccountIdTokens(),
                statistics=self.statistics,
                backlog=WriteBacklog(),
                snapshots=NoSnapshots(),
                catalogues=NewestCatalogue(),
                bus=InvalidationBus(Database("sqlite+aiosqlite://")),
                is_shared=False,
            ),
        )
        self.askers = Askers(store, self.api, self.cache, self.clock, patience=PATIENCE)
        self.catalogues = Catalogues(
            self.api,
            store,
            self.clock,
            LeaderLease(None, is_alone=True),
            operator_token=str(OPERATOR),
            patience=CATALOGUE_PATIENCE,
            aliases=AliasPack(),
        )
        gatherer = self.api.holder(str(OPERATOR), priority=Priority.PREFETCH)
        self._gathering = StatisticsPrefetch(
            store,
            find_catalogue,
            partial(ask_statistics, gatherer),
            LeaderLease(None, is_alone=True),
            self.clock,
            lambda _region: START - timedelta(days=365),
        )

    async def run(self) -> None:
        background = PeriodicTasks()
        async with self.api, self.cache, self.catalogues:
            background.start("refreshing", partial(self.catalogues.keep_fresh, JP2), delay=1.0)
            background.start("gathering", self._gathering.run_once)
            async with asyncio.TaskGroup() as group:
                for start, act in sorted(self._plan(), key=lambda each: each[0]):
                    await asyncio.sleep(start - self.clock.seconds)
                    group.create_task(act())
            await background.stop()

    def _plan(self) -> list[tuple[float, Act]]:
        """Return when each visit, rush and daily post begins."""
        chance, mix = self._chance, self.mix
        plan: list[tuple[float, Act]] = []
        for day in range(DAYS):
            for member in range(mix.members):
                for _ in range(poisson(chance, mix.habit.visits)):
                    hour = chance.choices(range(24), mix.by_hour)[0]
                    start = day * DAY + (hour + chance.random()) * 3600
                    acts = 1 + poisson(chance, mix.habit.acts - 1)
                    plan.append((start, lambda m=member, n=acts: self._visit(m, n)))
            if not mix.has_posts:
                continue
            for hour in (12, 21):
                refresh = day * DAY + hour * 3600 + 600
                for member in chance.sample(range(mix.members), int(mix.members * AFTER_REFRESH)):
                    start = refresh + chance.random() * 600
                    plan.append((start, lambda m=member: self._visit(m, 3, SONG_TOPIC)))
            plan.append((day * DAY + 21 * 3600, self._daily_posts))
        return plan

    async def _visit(self, member: int, acts: int, topic: Mapping[str, int] | None = None) -> None:
        """Do a few things in a row about one topic, now and then about another."""
        chance, habit = self._chance, self.mix.habit
        use: Act | None = None
        other = self._somebody()
        for number in range(acts):
            if use is not None and chance.random() < habit.turns:
                self.week.turns += 1
                with max_stale(PAGE_DATA_TTL):
                    await use()
            else:
                if topic is None or chance.random() < habit.wandering:
                    topic, other = self._topic(), self._somebody()
                use = self._command(member, topic, other)
                self.week.commands += 1
                await use()
            if number + 1 < acts:
                await asyncio.sleep(1 + habit.thinking * chance.lognormvariate(0, 0.6))

    def _topic(self) -> Mapping[str, int]:
        topics, weights = zip(*self.mix.topics, strict=True)
        return self._chance.choices(topics, weights)[0]

    def _somebody(self) -> UserId:
        return UserId(OPERATOR + 1 + self._chance.randrange(PLAYERS))

    def _command(self, member: int, topic: Mapping[str, int], other: UserId) -> Act:
        """Return one use of a command of some topic, which a page that is turned repeats."""
        chance = self._chance
        name = chance.choices(list(topic), list(topic.values()))[0]
        questions = self._learnt[name, topic is OTHERS_TOPIC]
        song = SongId(f"{min(SONGS, int(chance.paretovariate(1))):016x}")

        async def use() -> None:
            waited: list[float] = []
            waits.set(waited)
            asker = await self.askers.get(MemberId(member))
            await asyncio.gather(*(self._ask(asker, each, other, song) for each in questions))
            self.week.waited.append(sum(waited))

        return use

    async def _ask(self, asker: Asker, question: Question, other: UserId, song: SongId) -> None:
        self.week.needs += 1
        self._ask_naively(asker.link.user_id, question.version)
        with suppress(BudgetSpent):
            await question.ask(asker, self.catalogues, other, song)

    def _ask_naively(self, member: UserId, version: Version) -> None:
        refused = self._naive.spend(version, member).is_refused
        self.week.naive["too_many" if refused else "answered"] += 1

    async def _measured_enter(
        self,
        token: str,
        version: Version,
        urgency: SharedPriority,
        deadline: float,
        *,
        user_id: UserId | None = None,
    ) -> Permit:
        start = self.clock.seconds
        try:
            ticket = await self._enter(token, version, urgency, deadline, user_id=user_id)
        except BudgetSpent as refusal:
            self.week.refused += 1
            self.week.too_quick += urgency.priority is Priority.PERSON and isinstance(refusal, NotYet)
            self.week.refused_in_spite += (
                urgency.priority is Priority.PERSON
                and not isinstance(refusal, NotYet)
                and self._windows.peek(version, UserId(int(token))).remaining > self._due(token, version)
            )
            raise
        else:
            self.week.asked += urgency.priority is Priority.PERSON
            return ticket
        finally:
            waited = waits.get()
            if waited is not None:
                waited.append(self.clock.seconds - start)

    def _due(self, token: str, version: Version) -> int:
        """Return how many requests are under way, or will be sent before another one."""
        budget = self.api._ledger._budgets.get(
            key_of_account(UserId(int(token))), version, self.clock.seconds
        )
        return budget.window.in_flight + len(budget._queue)

    async def _daily_posts(self) -> None:
        """Every server posts at the same minute."""
        start = self.clock.seconds
        door = asyncio.Semaphore(AT_ONCE)
        chance = Random(SEED)
        joined = [chance.sample(range(self.mix.members), IN_DAILY_POSTS) for _ in range(SERVERS)]

        async def entry(member: int) -> None:
            async with door:
                asker = await self.askers.get(MemberId(member), priority=Priority.DAILY)
                await self._ask(asker, Question("player"), UserId(OPERATOR), SongId(""))

        async def post(members: Sequence[int]) -> None:
            await asyncio.gather(*map(entry, members))
            seconds = self.clock.seconds - start
            self.week.posts += 1
            self.week.late += seconds > LATE_SECONDS
            self.week.slowest_post = max(self.week.slowest_post, seconds)

        await asyncio.gather(*map(post, joined))


async def find_catalogue(_region: Region) -> Catalogue:
    return Arcade(SEED, songs=GATHERED // 4).catalogue


def poisson(chance: Random, mean: float) -> int:
    """Return a random whole number."""
    limit, product, number = math.exp(-mean), chance.random(), 0
    while product > limit:
        product *= chance.random()
        number += 1
    return number


def simulate(mix: Mix, learnt: Learnt) -> Simulation:
    with tempfile.TemporaryDirectory() as folder:
        simulation = Simulation(Path(folder), mix, learnt)
        loop = SimulatedLoop(simulation.clock)
        try:
            loop.run_until_complete(simulation.run())
        finally:
            loop.close()
    return simulation


async def measure_decision() -> tuple[float, float]:
    """Return the medians of asking leave, reading a reply's headers and counting it: discord.py's limiter, ours.

    In microseconds, one after the other in the same loop. discord.py's reads how long its window lasts as a
    number; ours reads a moment and the date of the reply, as its service writes them, and keeps the count of every
    account apart.
    """
    theirs: dict[AccountKey, Ratelimit] = {AccountKey("account:1"): Ratelimit(None)}
    ours, name, now = BudgetRegistry(), AccountKey("account:1"), 0.0
    reset, taken = now, (list[int](), list[int]())
    for number in range(20_000):
        now += 3
        if number % 100 == 0:
            reset = now + WINDOW_SECONDS
        date, left = START.astimezone(UTC) + timedelta(seconds=now), str(119 - number % 100)
        reply = cast("ClientResponse", SimpleNamespace(headers={
            "X-Ratelimit-Limit": "120", "X-Ratelimit-Remaining": left, "X-Ratelimit-Reset-After": str(reset - now),
        }))  # fmt: skip
        fields = {
            "X-Rate-Limit-Limit": "120", "X-Rate-Limit-Remaining": left,
            "X-Rate-Limit-Reset": f"{START.timestamp() + reset:.0f}",
            "Date": format_datetime(date, usegmt=True),
        }  # fmt: skip
        start = time.perf_counter_ns()
        async with theirs[name] as limiter:
            limiter.update(reply)
        taken[0].append(time.perf_counter_ns() - start)
        start = time.perf_counter_ns()
        decision = ours.get(name, "2.0", now).reserve(now, Priority.PERSON, 10.0)
        ours.get(name, "2.0", now).record_reply(
            cast("Granted", decision).permit, now, rate_headers(fields, date)
        )
        taken[1].append(time.perf_counter_ns() - start)
    return statistics.median(taken[0]) / 1000, statistics.median(taken[1]) / 1000


def measure_memory(accounts: int = 100_000) -> tuple[float, int]:
    """Return the bytes per account, all of them active, and how many are left an hour later."""
    tracemalloc.start()
    budgets, now = BudgetRegistry(), 0.0
    before = tracemalloc.get_traced_memory()[0]
    for number in range(accounts):
        now += 0.001
        budget = budgets.get(AccountKey(f"account:{number}"), "2.0", now)
        decision = budget.reserve(now, Priority.PERSON, 10.0)
        reply = RateHeaders(limit=120, remaining=119, reset_at=now + WINDOW_SECONDS, ends_in=WINDOW_SECONDS)
        budget.record_reply(cast("Granted", decision).permit, now, reply)
    used = (tracemalloc.get_traced_memory()[0] - before) / accounts
    tracemalloc.stop()
    now += 3600
    for number in range(accounts):
        go = budgets.get(AccountKey(f"account:{number + accounts}"), "2.0", now)
        go.reserve(now, Priority.PERSON, 10.0)
    return used, len(budgets) - accounts


Goal = tuple[str, str, bool, str]
"""A name, the goal in words, whether it is met, and the figure."""


def judge(simulation: Simulation) -> list[Goal]:
    """Print what happened in a mix; return how it stands to its goals."""
    mix, week, counts = simulation.mix, simulation.week, simulation.api.counts
    waited = sorted(week.waited)
    p50, p99 = waited[len(waited) // 2], waited[len(waited) * 99 // 100]
    per_command = week.asked / week.commands
    print(
        f"{mix.name}: {mix.members} members, {DAYS} days, {week.commands} commands and {week.turns} pages turned;"
    )
    print(
        f"    {week.asked} requests for them, {counts['sent'] - week.asked} for posts and the catalogue;",
        end=" ",
    )
    print(f"{counts['saved_by_cache']} saved by the cache, {counts['saved_by_joining']} by joining")
    goals: list[Goal] = [
        ("429", "0", not counts["too_many"],
         f"{counts['too_many']} (one call per need: {week.naive['too_many']})"),
        ("refused although some was left", "0", not week.refused_in_spite,
         f"{week.refused_in_spite} of {week.refused}"),
        ("told to try again in a moment", "0", not week.too_quick, str(week.too_quick)),
    ]  # fmt: skip
    if mix.most_requests is not None:
        goals.append(
            ("requests a command", f"at most {mix.most_requests:.2f}", per_command <= mix.most_requests,
             f"{per_command:.2f} (one call per need: {week.needs / week.commands:.2f})")
        )  # fmt: skip
        goals.append(("wait, p50 of commands and pages", "0 s", p50 == 0, f"{p50:.2f} s"))
        goals.append(("wait, p99", "below 2 s", p99 < 2, f"{p99:.2f} s (longest {waited[-1]:.2f} s)"))
    hours = simulation.statistics.complete_after / 3600
    goals.append(
        (f"hours until the statistics of {GATHERED} charts are there", f"at most {MOST_HOURS:.0f}",
         hours <= MOST_HOURS, f"{hours:.1f}")
    )  # fmt: skip
    if mix.is_scarce:
        goals.append(("refused, so that something is scarce", "some", week.refused > 0, str(week.refused)))
    if mix.has_posts:
        goals.append(
            ("daily posts late", "0", not week.late,
             f"{week.late} of {week.posts} (slowest {week.slowest_post:.0f} s)")
        )  # fmt: skip
    return goals


def measure() -> list[Goal]:
    """Return how a decision and the memory of an account stand to their goals."""
    (theirs, ours), (memory, left) = asyncio.run(measure_decision()), measure_memory()
    return [
        ("reserve and settle beside discord.py's Ratelimit, median", "at most 6.5 times", ours <= 6.5 * theirs,
         f"{ours / theirs:.1f} times ({ours:.1f} µs and {theirs:.1f} µs)"),
        ("memory per active account", "below 1000 bytes", memory < 1000,
         f"{memory:.0f} bytes, {left} idle ones kept"),
    ]  # fmt: skip


def main() -> int:
    """Print everything; return the exit status."""
    learnt, are_met = asyncio.run(learn_questions()), True
    for mix in MIXES:
        are_met = tell(judge(simulate(mix, learnt))) and are_met
    return 0 if tell(measure()) and are_met else 1


def tell(goals: Sequence[Goal]) -> bool:
    """Print how things stand; return whether every goal is met."""
    for name, goal, is_met, figure in goals:
        print(f"{'met   ' if is_met else 'MISSED'}  {name}: {figure}; goal: {goal}")
    return all(is_met for _, _, is_met, _ in goals)


if __name__ == "__main__":
    sys.exit(main())
