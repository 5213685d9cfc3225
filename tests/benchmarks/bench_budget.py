"""A simulated week of 10,000 members against the service's own limiter; a decision beside discord.py's limiter.

The clock is simulated, the event loop jumps from one moment to the next, in place of the network stands a delay,
and in place of the database a dictionary. Everything between is what the bot runs: members ask as the features do,
through `Askers` and `Catalogues`, and with them the cache, the API layer and its budgets; the limiter is the
service's. Beside it counts a client that makes one call for each need. Exits 1 where a goal is missed.
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
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from random import Random
from types import SimpleNamespace, TracebackType
from typing import Final, Self, TypeVar, cast

import orjson
from aiohttp import ClientResponse
from discord.http import Ratelimit
from pydantic import BaseModel
from typing_extensions import override

from bot.api import Priority, RecordApi
from bot.api.budget.accounts import Budgets
from bot.api.budget.budget import AccountKey, Go, Ticket
from bot.api.budget.turnstile import Urgency
from bot.api.budget.window import LENGTH, RateHeaders
from bot.api.cache import AnswerCache, accepting
from bot.api.protocol import Call, Response, rate_headers
from bot.client import PAGES_HOLD
from bot.clock import JST
from bot.domain.errors import BotError, BudgetSpent
from bot.domain.ids import JP2, MemberId, Region, UserId, UserName
from bot.domain.members import Link, Member, Preferences, Visibility
from bot.domain.players import Target
from bot.features.askers import Asker, Askers
from bot.features.catalogues import Catalogues
from bot.features.daily import AT_ONCE
from bot.store import KeptCatalogue, Store
from bot.wire.endpoints import USERS_ME_V13
from bot.wire.versions import Version
from service.limits import Window, Windows, headers
from service.options import ServiceOptions

SEED: Final = 20260101
START: Final = datetime(2026, 11, 16, tzinfo=JST)
DAY: Final = 86_400.0
DAYS: Final = 7
MEMBERS: Final = 10_000
HEAVY: Final = 500
OPERATOR: Final = MEMBERS
SERVERS: Final = 1_000
IN_DAILY_POSTS: Final = 5
"""Members in each server's daily post."""
SESSIONS_A_DAY: Final = {False: 0.2, True: 1.5}
"""By whether the member is a heavy user."""
ACTS: Final = {False: 8, True: 45}
"""What people do in one session on average: commands, pages turned, menus and buttons."""
PAGES: Final = 0.4
"""Of these, how many turn a page or choose from a menu under the answer before."""
THINKING_SECONDS: Final = {False: 9.0, True: 3.0}
"""Median between two of them, beyond one second for looking."""
AFTER_REFRESH: Final = 0.08
"""Members who look at the new catalogue within ten minutes."""
NETWORK_SECONDS: Final = 0.12
"""Median from sending to the answer."""
LATE_SECONDS: Final = 300.0
BY_HOUR: Final = (4, 2, 1, 1, 1, 1, 2, 4, 5, 5, 5, 6, 9, 7, 6, 6, 7, 9, 12, 15, 18, 20, 16, 9)
"""When sessions begin: noon and the evening, UTC+9."""

PATIENCE: Final = timedelta(seconds=10)
CATALOGUE_PATIENCE: Final = timedelta(seconds=30)
SAMPLES: Final = Path(__file__).parents[1] / "samples"

T = TypeVar("T")
Act = Callable[[], Coroutine[None, None, None]]


OWN: Final = Target()


@dataclass(frozen=True)
class Need:
    """What a command wants to know, and how the features ask a member's account or the catalogue for it."""

    version: Version
    ask: Callable[[Asker, Catalogues], Awaitable[object]]


PLAYER: Final = Need("1.3", lambda asker, _: asker.fetch_player(OWN))
RATING: Final = Need("2.0", lambda asker, _: asker.fetch_rating_data(OWN, JP2))
RECORDS: Final = Need("2.0", lambda asker, _: asker.fetch_records(OWN, JP2))
FRIENDS: Final = Need("2.0", lambda asker, _: asker.fetch_friends())
CATALOGUE: Final = Need("2.0", lambda asker, songs: songs.get(JP2, asker.open_token, patience=asker.patience))

RATING_TOPIC: Final = (*((PLAYER, RATING),) * 6, *((RATING, CATALOGUE),) * 2, (FRIENDS,))
"""`/rating`, `/best` and its pages and slots, `/plan`, `/friends`."""
SONG_TOPIC: Final = (*((CATALOGUE, RECORDS),) * 5, *((CATALOGUE,),) * 5)
"""`/song`, `/score`, `/scores` and its pages; `/search`, `/random`, `/calc`."""

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


class Links:
    """Everybody is linked; tokens are account ids."""

    async def get(self, member: MemberId) -> Member:
        link = Link(
            member=member, user_id=UserId(member), user_name=UserName(f"player{member}"),
            region=JP2, visibility=Visibility.ANYONE, linked_at=START,
        )  # fmt: skip
        return Member(link=link, preferences=Preferences())

    async def open_token(self, link: Link) -> str:
        return str(link.member)


class Shelf:
    """Keeps the newest catalogue."""

    def __init__(self) -> None:
        self.kept: list[KeptCatalogue] = []

    async def fetch(self, _region: Region) -> list[KeptCatalogue]:
        return self.kept

    async def put(self, kept: KeptCatalogue) -> None:
        self.kept = [kept]


class SimulatedService:
    """The real limiter behind a delay; tokens are account ids."""

    def __init__(self, windows: Windows, clock: SimulatedClock, chance: Random) -> None:
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

    async def fetch(self, call: Call[BaseModel], token: str, *, seconds: float) -> Response:
        delay = min(seconds, NETWORK_SECONDS * self._chance.lognormvariate(0, 0.5)) / 2
        await asyncio.sleep(delay)
        window = self._windows.spend(call.endpoint.version, UserId(int(token)))
        fields = {**headers(window), "Date": format_datetime(self._clock.now(), usegmt=True)}
        await asyncio.sleep(delay)
        return Response(429 if window.is_refused else 200, fields, self._body(call, token))

    def _body(self, call: Call[BaseModel], token: str) -> bytes:
        path = call.endpoint.path
        if path not in self._bodies:
            self._bodies[path] = (SAMPLES / path.removeprefix("/")).read_bytes()
        if call.endpoint is not USERS_ME_V13:
            return self._bodies[path]
        return orjson.dumps(orjson.loads(self._bodies[path]) | {"user_id": int(token)})


@dataclass
class Week:
    """What happened."""

    commands: int = 0
    needs: int = 0
    naive: Counter[str] = field(default_factory=Counter[str])
    refused: int = 0
    refused_in_spite: int = 0
    waited: list[float] = field(default_factory=list[float])
    posts: int = 0
    late: int = 0
    slowest_post: float = 0.0


class Simulation:
    """Members, servers and what they do."""

    def __init__(self, folder: Path) -> None:
        self.clock = SimulatedClock()
        self.week = Week()
        self._chance = Random(SEED)
        self._windows = Windows(folder / "windows", ServiceOptions(), self.clock)
        self._naive = Windows(folder / "naive", ServiceOptions(), self.clock)
        self.api = RecordApi("http://localhost", clock=self.clock)
        network = SimulatedService(self._windows, self.clock, Random(SEED))
        self.api._transport = network  # pyright: ignore[reportAttributeAccessIssue]  # the network is simulated
        self._enter = self.api._turnstile.enter
        self.api._turnstile.enter = self._measured_enter
        self.cache = AnswerCache(self.clock, fresh_for=timedelta(seconds=60), counts=self.api.counts)
        links = Links()
        store = cast("Store", SimpleNamespace(members=links, links=links, catalogues=Shelf()))
        self.askers = Askers(store, self.api, self.cache, self.clock, patience=PATIENCE)
        self.catalogues = Catalogues(
            self.api, store, self.clock, operator_token=str(OPERATOR), patience=CATALOGUE_PATIENCE, aliases={}
        )

    async def run(self) -> None:
        async with self.api, self.cache, self.catalogues.keeping_fresh(JP2), asyncio.TaskGroup() as group:
            for start, act in sorted(self._plan(), key=lambda each: each[0]):
                await asyncio.sleep(start - self.clock.seconds)
                group.create_task(act())

    def _plan(self) -> list[tuple[float, Act]]:
        """Return when each session, rush and daily post begins."""
        chance = self._chance
        plan: list[tuple[float, Act]] = []
        for day in range(DAYS):
            for member in range(MEMBERS):
                is_heavy = member < HEAVY
                for _ in range(poisson(chance, SESSIONS_A_DAY[is_heavy])):
                    hour = chance.choices(range(24), BY_HOUR)[0]
                    start = day * DAY + (hour + chance.random()) * 3600
                    acts = 1 + poisson(chance, ACTS[is_heavy] - 1)
                    plan.append((start, lambda m=member, n=acts: self._session(m, n)))
            for hour in (12, 21):
                refresh = day * DAY + hour * 3600 + 600
                for member in chance.sample(range(MEMBERS), int(MEMBERS * AFTER_REFRESH)):
                    start = refresh + chance.random() * 600
                    plan.append((start, lambda m=member: self._session(m, 3, SONG_TOPIC)))
            plan.append((day * DAY + 21 * 3600, self._daily_posts))
        return plan

    async def _session(self, member: int, acts: int, topic: Sequence[tuple[Need, ...]] | None = None) -> None:
        """Do a few things in a row about one topic, now and then about another."""
        chance = self._chance
        needs: tuple[Need, ...] = ()
        for number in range(acts):
            if needs and chance.random() < PAGES:
                with accepting(PAGES_HOLD):
                    await self._command(member, needs)
            else:
                if topic is None or chance.random() < 0.1:
                    topic = chance.choice((RATING_TOPIC, SONG_TOPIC))
                needs = chance.choice(topic)
                await self._command(member, needs)
            if number + 1 < acts:
                await asyncio.sleep(1 + THINKING_SECONDS[member < HEAVY] * chance.lognormvariate(0, 0.6))

    async def _command(self, member: int, needs: tuple[Need, ...]) -> None:
        waited: list[float] = []
        waits.set(waited)
        self.week.commands += 1
        asker = await self.askers.get(MemberId(member))
        await asyncio.gather(*(self._need(asker, need) for need in needs))
        self.week.waited.append(sum(waited))

    async def _need(self, asker: Asker, need: Need) -> None:
        self.week.needs += 1
        self._ask_naively(asker.link.user_id, need.version)
        with suppress(BotError):
            await need.ask(asker, self.catalogues)

    def _ask_naively(self, member: UserId, version: Version) -> None:
        refused = self._naive.spend(version, member).is_refused
        self.week.naive["too_many" if refused else "answered"] += 1

    async def _measured_enter(
        self, token: str, version: Version, urgency: Urgency, deadline: float
    ) -> Ticket:
        start = self.clock.seconds
        try:
            return await self._enter(token, version, urgency, deadline)
        except BudgetSpent:
            self.week.refused += 1
            left: Window = self._windows.peek(version, UserId(int(token)))
            self.week.refused_in_spite += urgency.priority is Priority.PERSON and left.remaining > 0
            raise
        finally:
            waited = waits.get()
            if waited is not None:
                waited.append(self.clock.seconds - start)

    async def _daily_posts(self) -> None:
        """Every server posts at the same minute."""
        start = self.clock.seconds
        door = asyncio.Semaphore(AT_ONCE)
        chance = Random(SEED)
        joined = [chance.sample(range(MEMBERS), IN_DAILY_POSTS) for _ in range(SERVERS)]

        async def entry(member: int) -> None:
            async with door:
                await self._need(await self.askers.get(MemberId(member), priority=Priority.DAILY), PLAYER)

        async def post(members: Sequence[int]) -> None:
            await asyncio.gather(*map(entry, members))
            seconds = self.clock.seconds - start
            self.week.posts += 1
            self.week.late += seconds > LATE_SECONDS
            self.week.slowest_post = max(self.week.slowest_post, seconds)

        await asyncio.gather(*map(post, joined))


def poisson(chance: Random, mean: float) -> int:
    """Return a random whole number."""
    limit, product, number = math.exp(-mean), chance.random(), 0
    while product > limit:
        product *= chance.random()
        number += 1
    return number


def simulate() -> Simulation:
    with tempfile.TemporaryDirectory() as folder:
        simulation = Simulation(Path(folder))
        loop = SimulatedLoop(simulation.clock)
        try:
            loop.run_until_complete(simulation.run())
        finally:
            loop.close()
    return simulation


async def measure_decision() -> tuple[float, float]:
    """Return the medians of asking leave, reading a reply's headers and counting it: discord.py's limiter, ours.

    In microseconds, one after the other in the same loop. discord.py's reads how long its window lasts as a
    number; ours reads a moment and the date of the reply, as its service writes them, and keeps the count of every account apart.
    """
    theirs: dict[AccountKey, Ratelimit] = {AccountKey("account:1"): Ratelimit(None)}
    ours, name, now = Budgets(), AccountKey("account:1"), 0.0
    reset, taken = now, (list[int](), list[int]())
    for number in range(20_000):
        now += 3
        if number % 100 == 0:
            reset = now + LENGTH
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
        ours.get(name, "2.0", now).settle(cast("Go", decision).ticket, now, rate_headers(fields, date))
        taken[1].append(time.perf_counter_ns() - start)
    return statistics.median(taken[0]) / 1000, statistics.median(taken[1]) / 1000


def measure_memory(accounts: int = 100_000) -> tuple[float, int]:
    """Return the bytes per account, all of them active, and how many are left an hour later."""
    tracemalloc.start()
    budgets, now = Budgets(), 0.0
    before = tracemalloc.get_traced_memory()[0]
    for number in range(accounts):
        now += 0.001
        budget = budgets.get(AccountKey(f"account:{number}"), "2.0", now)
        decision = budget.reserve(now, Priority.PERSON, 10.0)
        reply = RateHeaders(limit=120, remaining=119, reset_at=now + LENGTH, ends_in=LENGTH)
        budget.settle(cast("Go", decision).ticket, now, reply)
    used = (tracemalloc.get_traced_memory()[0] - before) / accounts
    tracemalloc.stop()
    now += 3600
    for number in range(accounts):
        go = budgets.get(AccountKey(f"account:{number + accounts}"), "2.0", now)
        go.reserve(now, Priority.PERSON, 10.0)
    return used, len(budgets) - accounts


def main() -> int:
    """Print everything; return the exit status."""
    start = time.perf_counter()
    simulation = simulate()
    week, counts = simulation.week, simulation.api.counts
    waited = sorted(week.waited)
    p50, p99 = waited[len(waited) // 2], waited[len(waited) * 99 // 100]
    per_command = counts["sent"] / week.commands
    (theirs, ours), (memory, left) = asyncio.run(measure_decision()), measure_memory()
    goals = (
        ("requests per command", "at most 0.35", per_command <= 0.35,
         f"{per_command:.2f} (one call per need: {week.needs / week.commands:.2f})"),
        ("429", "0", not counts["too_many"],
         f"{counts['too_many']} (one call per need: {week.naive['too_many']})"),
        ("refused although some was left", "0", not week.refused_in_spite,
         f"{week.refused_in_spite} of {week.refused}"),
        ("wait of a command, p50", "0 s", p50 == 0, f"{p50:.2f} s"),
        ("wait of a command, p99", "below 2 s", p99 < 2, f"{p99:.2f} s (longest {waited[-1]:.2f} s)"),
        ("daily posts late", "0", not week.late,
         f"{week.late} of {week.posts} (slowest {week.slowest_post:.0f} s)"),
        ("reserve and settle beside discord.py's Ratelimit, median", "at most 6.5 times", ours <= 6.5 * theirs,
         f"{ours / theirs:.1f} times ({ours:.1f} µs and {theirs:.1f} µs)"),
        ("memory per active account", "below 1000 bytes", memory < 1000,
         f"{memory:.0f} bytes, {left} idle ones kept"),
    )  # fmt: skip
    print(f"{MEMBERS} members, {DAYS} days, {week.commands} commands, {counts['sent']} requests;", end=" ")
    print(f"{counts['saved_by_cache']} saved by the cache, {counts['saved_by_joining']} by joining;", end=" ")
    print(f"{time.perf_counter() - start:.0f} s")
    for name, goal, is_met, figure in goals:
        print(f"{'met   ' if is_met else 'MISSED'}  {name}: {figure}; goal: {goal}")
    return 0 if all(is_met for _, _, is_met, _ in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
