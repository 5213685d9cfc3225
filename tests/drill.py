"""Restarts, deaths and a database that goes away, under load: `make drill`, or `python tests/drill.py --restarts 50`.

Real `kiroku run` processes side by side on a PostgreSQL of their own, against the rig, which judges.
"""

import asyncio
import json
import logging
import random
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import click
from cluster import Cluster, create_database
from rig.guilds import Json
from rigged import SOMEBODY, Rig, State, running_rig, started
from typing_extensions import override

from bot.api.budget.unwritten import MAX_UNWRITTEN_REQUESTS
from bot.api.budget.window import ASSUMED_QUICK_REQUEST_COST
from bot.domain.ids import JP2, MemberId, UserId
from bot.domain.members import AccountLink, Visibility
from bot.store import Store, Vault, new_key
from bot.wire.versions import Version
from service.limits import LimitWindow, RateWindows
from service.options import ServiceOptions
from service.seed import seed
from service.server import running

SHARDS = 8
GUILDS = 1000
PLAYERS = 48
LIMIT = 60
"""Requests that each player has in a window: more than are sent, and few enough for what deaths cost to be felt."""
REFUSED = "used up"
"""Said to whom the record service is not asked for, and beside the last known answer."""
WRONGLY = "refused with budget left"
RATING_OF = 4
"""Of so many commands one asks the record service."""
MOST_SAID = 5
"""Of what was logged, the most frequent."""
SERVERS_OF = 3
"""In which each player uses commands, of as many shards."""
QUIET_SECONDS = 3.5
"""Longer than a command may go unanswered."""
AGAIN_SECONDS = 0.5
OLD = "this is what it said"
"""What an answer says that stands in for a newer one."""
DEATH_SECONDS = 2.0
"""Before and after the death of a shard's process, in which a command may be lost; by then its shards are served again."""
PATIENT_SECONDS = 3.0
"""For which Discord takes a first answer: what was asked so long before a death is told to the next process as well."""
BACK_SECONDS = 10.0
"""After which everybody is answered by what is new, once the database is back."""


@dataclass
class Fleet:
    """Processes, each of which has another name."""

    rig: Rig
    folder: Path
    settings: Mapping[str, str]
    stack: AsyncExitStack
    running: dict[str, Process] = field(default_factory=dict[str, Process])
    """The oldest first."""
    dead: dict[str, float] = field(default_factory=dict[str, float])
    """When each was killed."""
    said: Counter[str] = field(default_factory=Counter[str])
    """What they have logged."""
    left: Mapping[int, int] = field(default_factory=dict[int, int])
    """The least that the record service had left for each player, in any version."""
    gaps: list[float] = field(default_factory=list[float])
    """For how long some shard was not served, or by one who was to end."""

    async def start(self) -> str:
        name = f"p{len(self.running) + len(self.dead)}-{random.randrange(16**6):06x}"  # noqa: S311 - a name
        process = await self.stack.enter_async_context(started(self.rig, name, self.folder, **self.settings))
        self.stack.callback(asyncio.create_task(self._hear(process)).cancel)
        self.running[name] = process
        return name

    async def _hear(self, process: Process) -> None:
        """Count what a process says; one that nobody reads stands still once the pipe is full."""
        assert process.stderr is not None
        async for line in process.stderr:
            self.said[json.loads(line)["message"] if line.startswith(b"{") else line.decode().strip()] += 1

    def is_served(self, state: State) -> bool:
        """Return whether each shard is served by one process, all of them by those that run."""
        return len(state.shards) == SHARDS and all(
            len(processes) == 1 and processes[0] in self.running for processes in state.shards.values()
        )

    async def until_all_serve(self) -> None:
        await self.rig.until(
            lambda state: (
                self.is_served(state) and {name for (name,) in state.shards.values()} == self.running.keys()
            )
        )

    async def end_oldest(self, *, kill: bool) -> None:
        """Let the oldest end, and wait until its shards are served again."""
        name = next(iter(self.running))
        process = self.running.pop(name)
        began = time.monotonic()
        if kill:
            self.dead[name] = began
            process.kill()
        else:
            process.terminate()
        await self.rig.until(self.is_served)
        self.gaps.append(time.monotonic() - began)
        await process.wait()

    def judge(self, report: Json) -> str:
        """Return what became of a command, in a word."""
        by = {each["process"] for each in report["tries"] if each["status"] < 300}
        if len(by) > 1:
            return "answered by several"
        if report["answered"]:
            is_refused = REFUSED in json.dumps(report["messages"])
            is_removed = self.left.get(report["guild"] // SERVERS_OF, LIMIT) >= ASSUMED_QUICK_REQUEST_COST
            return "answered" if not is_refused else WRONGLY if is_removed else "refused, with all spent"
        if report["acknowledged"]:
            return "deferred in a process that was killed" if by & self.dead.keys() else "never finished"
        near = [abs(report["at"] - self.dead[each]) for each in report["told"] if each in self.dead]
        return "lost beside a death" if near and min(near) <= DEATH_SECONDS else "unanswered"

    def count_doubled(self, report: Json) -> int:
        """Return how often a command was answered that had been, but where a killed process had answered it.

        What was asked right before a death is told to the next process too, which cannot know: Discord tells it.
        """
        first = [each for each in report["tries"] if "callback" in each["said"]]
        lives = [self.dead.get(each["process"], 0.0) - report["at"] for each in first if each["status"] < 300]
        is_told_again = any(0 <= seconds <= PATIENT_SECONDS for seconds in lives)
        return 0 if is_told_again else max(0, len(first) - 1)

    @property
    def ended(self) -> int:
        """How many processes have ended whom nobody had told to."""
        return sum(each.returncode is not None for each in self.running.values())


@asynccontextmanager
async def fleet(
    processes: int, folder: Path, settings: Mapping[str, str], **world: Any
) -> AsyncGenerator[Fleet]:
    """Run some processes, until each of them serves."""
    async with AsyncExitStack() as stack:
        rig = await stack.enter_async_context(running_rig(shards=SHARDS, guilds=GUILDS, **world))
        serving = Fleet(rig, folder, settings, stack)
        for _ in range(processes):
            await serving.start()
        await serving.until_all_serve()
        yield serving


class Replies(logging.Handler):
    """Counts what the record service has replied, by status."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = Counter[int]()

    @override
    def emit(self, record: logging.LogRecord) -> None:
        _method, _path, status, _size = cast("tuple[str, str, int, int]", record.args)
        self.counts[status] += 1


@asynccontextmanager
async def service(
    folder: Path, settings: Mapping[str, str], left: dict[int, int] | None = None
) -> AsyncGenerator[tuple[str, Counter[int]]]:
    """Run a record service of whose players each is linked by somebody; yields its address and what it replied.

    Noted in `left` is the least that it had left for each player.
    """
    players = seed(folder / "service.db", players=PLAYERS).players
    async with Store(settings["DATABASE_URL"], Vault([settings["TOKEN_KEYS"]])) as store:
        for number, each in enumerate(players):
            link = AccountLink(
                member=MemberId(SOMEBODY + number),
                user_id=each.user_id,
                user_name=each.user_name,
                region=JP2,
                visibility=Visibility.ANYONE,
                linked_at=datetime.now(UTC),
            )
            await store.links.save(link, each.token)
    access = logging.getLogger("service.access")
    access.setLevel(logging.INFO)
    access.addHandler(replies := Replies())
    numbers = {each.user_id: number for number, each in enumerate(players)}
    least = {} if left is None else left
    spend = RateWindows.spend

    def spend_and_note(self: RateWindows, version: Version, user_id: UserId) -> LimitWindow:
        window, number = spend(self, version, user_id), numbers[user_id]
        least[number] = min(least.get(number, LIMIT), window.remaining)
        return window

    RateWindows.spend = spend_and_note
    try:
        options = ServiceOptions(access_log=True, limits=dict.fromkeys(("2.0", "1.3", "1.0"), LIMIT))
        async with running(folder / "service.db", options=options) as url:
            yield url, replies.counts
    finally:
        RateWindows.spend = spend
        access.removeHandler(replies)


@asynccontextmanager
async def asking(rig: Rig, rate: float, players: int = 0) -> AsyncGenerator[None]:
    """Use commands of any server, so many a second, whatever becomes of them; some ask the record service about players."""

    async def ask_all() -> None:
        asked: set[asyncio.Task[object]] = set()
        began = time.perf_counter()
        for number in range(10**9):
            await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
            if players and number % RATING_OF == 0:
                player = number // RATING_OF % players
                guild = player * SERVERS_OF + random.randrange(SERVERS_OF)  # noqa: S311 - load, no secret
                asking = rig.ask("rating", guild=guild, user=SOMEBODY + player, seconds=0)
            else:
                guild = random.randrange(GUILDS)  # noqa: S311 - as above
                asking = rig.ask("calc", constant="13.7", guild=guild, user=SOMEBODY + players, seconds=0)
            asked.add(task := asyncio.create_task(asking))
            task.add_done_callback(asked.discard)

    task = asyncio.create_task(ask_all())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


@dataclass
class Course:
    """One run: how many processes, how they end, and how often."""

    name: str
    processes: int
    ends: int
    rate: float
    kill: bool
    every: float = 0.0
    """Seconds before each kill."""
    forgets: bool = False
    """Whether Discord refuses to go on with any session."""
    away: float = 0.0
    """Seconds for which the database goes away, each time."""
    is_silent: bool = False
    """Whether it stands still then, and refuses nobody."""


@dataclass
class Outcome:
    """What became of a run."""

    became: Counter[str]
    """Commands."""
    counts: Mapping[str, int]
    """Discord's."""
    replies: Counter[int]
    """The record service's."""
    gaps: list[float]
    said: Counter[str]
    """By the processes."""
    doubled: int
    ended: int
    """Processes that nobody had told to end."""


async def go_through(course: Course, serving: Fleet, cluster: Cluster) -> None:
    """Do to the processes what a run is about."""
    for _ in range(course.ends):
        if course.away:
            await lose_database(course, serving, cluster)
        elif course.kill:
            await asyncio.sleep(course.every)
            await serving.end_oldest(kill=True)
            await serving.start()  # as whatever looks after it would
        else:
            await serving.start()
            await serving.until_all_serve()
            await serving.end_oldest(kill=False)


async def lose_database(course: Course, serving: Fleet, cluster: Cluster) -> None:
    """Have the database away for a while, and wait until everybody is served by what is new again."""
    await asyncio.sleep(QUIET_SECONDS)
    with cluster.paused() if course.is_silent else cluster.stopped():
        await asyncio.sleep(course.away)
    began = time.monotonic()
    await serving.rig.until(serving.is_served)
    await asyncio.gather(*(until_new(serving.rig, number) for number in range(PLAYERS)))
    serving.gaps.append(time.monotonic() - began)


async def until_new(rig: Rig, player: int) -> None:
    """Wait until a player is told what the record service says now."""
    while True:
        told = await rig.ask(
            "rating", guild=player * SERVERS_OF, user=SOMEBODY + player, seconds=QUIET_SECONDS
        )
        for message in told.report["messages"]:
            if message["embeds"] and OLD not in json.dumps(message["embeds"]):
                return
        await asyncio.sleep(AGAIN_SECONDS)


async def run(course: Course) -> Outcome:
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        cluster = stack.enter_context(Cluster())
        settings = {"DATABASE_URL": create_database(cluster.folder, "drill"), "TOKEN_KEYS": new_key()}
        left = dict[int, int]()
        url, replies = await stack.enter_async_context(service(folder, settings, left))
        settings |= {"RECORD_API_URL": url, "FRESH_SECONDS": "0"}
        serving = await stack.enter_async_context(fleet(course.processes, folder, settings))
        serving.left = left
        await serving.rig.do("set", forgets=course.forgets)
        async with asking(serving.rig, course.rate, PLAYERS):
            await go_through(course, serving, cluster)
            await asyncio.sleep(QUIET_SECONDS)
        await asyncio.sleep(QUIET_SECONDS)
        asked = await serving.rig.do("asked")
        counts = (await serving.rig.state()).counts
        return Outcome(
            became=Counter(map(serving.judge, asked)),
            counts=counts,
            replies=replies,
            gaps=sorted(serving.gaps),
            said=serving.said,
            doubled=sum(map(serving.count_doubled, asked)),
            ended=serving.ended,
        )


def judged(course: Course, outcome: Outcome) -> bool:
    """Say how a run ended; return whether it missed a goal."""
    found: dict[str, float] = {
        **outcome.counts,
        **outcome.became,
        "answered though it had been": outcome.doubled,
        "replies of 429": outcome.replies[429],
        "processes that ended by themselves": outcome.ended,
        "seconds until all is served again": outcome.gaps[-1],
    }
    goals: dict[str, float] = {
        "served_twice": 0,
        "identifies_too_soon": 0,
        "answered by several": 0,
        "answered though it had been": 0,
        "replies of 429": 0,
        WRONGLY: MAX_UNWRITTEN_REQUESTS * course.ends if course.kill else 0,
        "processes that ended by themselves": 0,
    }
    if not course.forgets:
        goals |= {"unanswered": 0, "never finished": 0}
        if not course.kill:
            goals |= {"identifies": SHARDS}
        if course.away:
            goals |= {"seconds until all is served again": BACK_SECONDS}
        elif course.kill:
            goals |= {"seconds until all is served again": DEATH_SECONDS}
    missed = False
    for name, most in goals.items():
        is_missed = found.get(name, 0) > most
        missed |= is_missed
        verdict = "MISSED" if is_missed else "ok"
        click.echo(f"  {name}: at most {most:g}, found {found.get(name, 0):.3g}: {verdict}")
    return missed


@click.command()
@click.option("--restarts", default=50)
@click.option("--kills", default=18, help="For 2 processes and for 4, one each 10 seconds.")
@click.option(
    "--away", default=60.0, help="Seconds for which PostgreSQL is away: stopped, and standing still."
)
@click.option("--rate", default=10.0, help="Commands a second; twice as many where processes are restarted.")
def main(restarts: int, kills: int, away: float, rate: float) -> None:
    """Restart, kill, take the database away, and say what became of those who asked."""
    courses = [
        Course("restarts of 2", 2, restarts, 2 * rate, kill=False),
        Course("deaths of 2", 2, kills, rate, kill=True, every=10),
        Course("deaths of 4", 4, kills, rate, kill=True, every=10),
        Course(
            "restarts of 2 that Discord has forgotten", 2, min(restarts, 3), rate, kill=False, forgets=True
        ),
        Course(
            "deaths of 2 that Discord has forgotten",
            2,
            min(kills, 3),
            rate,
            kill=True,
            every=10,
            forgets=True,
        ),
        Course("outages of PostgreSQL, which is stopped", 2, int(away > 0), rate, kill=False, away=away),
        Course(
            "outages of PostgreSQL, which says nothing",
            2,
            int(away > 0),
            rate,
            kill=False,
            away=away,
            is_silent=True,
        ),
    ]
    missed = False
    for course in courses:
        if not course.ends:
            continue
        outcome = asyncio.run(run(course))
        gaps = outcome.gaps
        click.echo(f"{course.ends} {course.name}: {dict(outcome.became)}")
        click.echo(f"  Discord: {dict(outcome.counts)}; record service: {dict(outcome.replies)}")
        click.echo(
            f"  all shards served again: median {gaps[len(gaps) // 2]:.2f} s, at most {gaps[-1]:.2f} s"
        )
        for message, times in outcome.said.most_common(MOST_SAID):
            click.echo(f"  said {times} times: {message}")
        missed |= judged(course, outcome)
    raise SystemExit(missed)


if __name__ == "__main__":
    main()
