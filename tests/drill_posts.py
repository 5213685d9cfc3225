"""Deaths around posting: `make drill-posts`, or `python tests/drill_posts.py --kills 100`.

Real `kiroku run` processes, four on a PostgreSQL of their own or one on SQLite, against the rig, which loses replies,
answers with 503, 403 and 404, and names servers late. Every other post is a feed's. Whoever has just posted is killed
before they hear of it.
"""

import asyncio
import random
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from chronicles import state
from cluster import Cluster, create_database
from rig.guilds import channel_id, guild_id
from rigged import Rig, running_rig, started
from sittings import sitting
from sqlalchemy import func, select

from bot.database.tables import POST_PLANS, POSTS
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.posts import Post, PostKind, PostPlan
from bot.store import LookOutcome, Store, Vault, new_key
from bot.ui.kit.pages import mark_of

GUILDS = 40
REFUSING = {"38": 403, "39": 404}
GAP = timedelta(seconds=0.4)
"""Between two posts."""
SETTLED_SECONDS = 900.0
"""In which everything has come to an end after the last kill."""
PATIENT = 100.0


@dataclass
class Side:
    """The processes that run, and those that are dead."""

    rig: Rig
    folder: Path
    settings: dict[str, str]
    stack: AsyncExitStack
    running: dict[str, Process] = field(default_factory=dict[str, Process])
    count: int = 0
    reading: list[asyncio.Task[None]] = field(default_factory=list[asyncio.Task[None]])
    said: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """The last line of each."""

    async def start(self) -> None:
        self.count += 1
        name = f"p{self.count}-{random.randrange(16**6):06x}"  # noqa: S311 - a name
        process = await self.stack.enter_async_context(started(self.rig, name, self.folder, **self.settings))
        self.running[name] = process
        self.reading.append(asyncio.create_task(self._read(name, process)))

    async def end(self) -> int:
        """Kill all that run; return how many had ended by themselves."""
        ended = {name: each.returncode for name, each in self.running.items() if each.returncode is not None}
        for name, process in self.running.items():
            if name not in ended:
                process.kill()
        await asyncio.gather(*self.reading)
        for name, status in ended.items():
            click.echo(
                f"{name} ended by itself with {status}, and said: {self.said.get(name, b'nothing').decode()}"
            )
        return len(ended)

    async def kill_poster(self, seconds: float) -> bool:
        """Kill whoever posts next, while they wait for the reply; return whether somebody did."""
        seen = (await self.rig.state()).counts.get("posting", 0)
        try:
            async with asyncio.timeout(seconds):
                state = await self.rig.until(
                    lambda state: state.counts.get("posting", 0) > seen and state.poster in self.running
                )
        except TimeoutError:
            return False
        process = self.running.pop(state.poster)
        process.kill()
        await process.wait()
        return True

    async def _read(self, name: str, process: Process) -> None:
        """Hear all that a process says: one whom nobody hears stands still, and never ends."""
        assert process.stderr is not None
        async for line in process.stderr:
            self.said[name] = line
            if b"Traceback" in line:
                click.echo(line)


@dataclass(frozen=True)
class Outcome:
    """What became of a run."""

    kills: int
    seconds: float
    counts: dict[str, int]
    """Discord's."""
    became: Counter[str]
    """Posts that were due, by state and reason."""
    doubled: list[str]
    lost: list[str]
    """Neither there nor skipped for a reason."""
    late: int
    unsettled: int
    ended: int
    """Processes that were not killed, and ran no more."""


async def plan_posts(store: Store, count: int) -> list[PostPlan]:
    """Have so many posts, one after another, every other one in a feed."""
    now = datetime.now(UTC)
    plans: list[PostPlan] = []
    feeds: dict[GuildId, PostPlan] = {}
    for number in range(count):
        at, guild = now + (number + 1) * GAP, GuildId(guild_id(number % GUILDS))
        plan = PostPlan(
            guild=guild,
            channel=ChannelId(channel_id(number % GUILDS)),
            post_at=at.time(),
            timezone="UTC",
        )
        if number % 2 == 0:
            plans.append(await store.plans.save(plan, now))
            continue
        if guild not in feeds:
            feed = replace(plan, what=PostKind.FEED, post_at=(now + timedelta(hours=12)).time())
            feeds[guild] = await store.plans.save(feed, now)
        await have_played(store, MemberId(number + 1), guild, now, at)
    return [*plans, *feeds.values()]


async def have_played(
    store: Store, member: MemberId, guild: GuildId, now: datetime, due_at: datetime
) -> None:
    """Have one more member in a server's feed, of whom there is something to tell."""
    link = AccountLink(
        member=member, user_id=UserId(member), user_name=UserName(f"p{member}"), region=JP2,
        visibility=Visibility.SERVERS, linked_at=now,
    )  # fmt: skip
    await store.links.save(link, "5d" * 32)
    await store.feed.join(guild, member, joined_at=now - timedelta(days=1))
    looked = replace(state({}), member=member, taken_at=now)
    found = LookOutcome(replace(sitting(since=now), member=member), now, due_at)
    await store.chronicle.save(looked, found, account=link.user_id)


async def run(url: str, folder: Path, *, processes: int, kills: int, posts: int) -> Outcome:
    key, began = new_key(), time.monotonic()
    settings = {"DATABASE_URL": url, "TOKEN_KEYS": key}
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(Store(url, Vault([key])))
        rig = await stack.enter_async_context(
            running_rig(
                shards=4,
                guilds=GUILDS,
                patience=PATIENT,
                hold=0.5,
                late=0.3,
                loses=5,
                fails=7,
                refuses=REFUSING,
            )
        )
        side = Side(rig, folder, settings, stack)
        last = datetime.now(UTC) + (posts + 1) * GAP
        plans = await plan_posts(store, posts)
        for _ in range(processes):
            await side.start()
        done = 0
        while done < kills:
            if not await side.kill_poster(120):
                break
            done += 1
            await side.start()
        await rig.do("set", loses=0, fails=0, hold=0)
        unsettled = await until_settled(store, last, SETTLED_SECONDS)
        ended = await side.end()
        marks = filter(None, map(mark_of, await rig.do("ids")))
        stands = Counter(mark.partition(".")[0] for mark in marks)
        counts = dict((await rig.state()).counts)
        return await judge(
            store,
            plans,
            last,
            stands,
            Outcome(done, 0, counts, Counter(), [], [], 0, unsettled, ended),
            began,
        )


async def until_settled(store: Store, last: datetime, seconds: float) -> int:
    """Wait until all posts are settled that are due until the last one is; return how many are not."""
    open_ones = select(func.count()).where(POSTS.c.look_at.is_not(None), POSTS.c.due_at <= last)
    until = time.monotonic() + seconds
    while True:
        async with store._database.read() as connection:
            left = int((await connection.execute(open_ones)).scalar_one())
        if not left or time.monotonic() > until:
            return left
        await asyncio.sleep(1)


async def judge(
    store: Store,
    plans: Sequence[PostPlan],
    last: datetime,
    stands: Counter[str],
    outcome: Outcome,
    began: float,
) -> Outcome:
    async with store._database.read() as connection:
        rows = (await connection.execute(select(POSTS, POST_PLANS.c.id).join(POST_PLANS))).all()
    by_id = {plan.id: plan for plan in plans}
    became, lost, late = Counter[str](), list[str](), 0
    for row in rows:
        post = Post(plan=by_id[row.plan_id], day=row.day, part=row.part, due_at=row.due_at)
        if row.due_at > last:
            continue
        became[f"{row.state} ({row.reason})" if row.state == "skipped" else row.state] += 1
        late += bool(row.late)
        if not stands[post.nonce] and row.state != "skipped":
            lost.append(f"{post.nonce}: {row.state}")
    doubled = [mark for mark, times in stands.items() if times > 1]
    return Outcome(
        outcome.kills,
        time.monotonic() - began,
        outcome.counts,
        became,
        doubled,
        lost,
        late,
        outcome.unsettled,
        outcome.ended,
    )


def report(name: str, wanted: int, outcome: Outcome) -> bool:
    """Say how a run ended; return whether it missed a goal."""
    click.echo(
        f"{name}: {outcome.kills} kills in {outcome.seconds:.0f} s; posts: {dict(outcome.became)}, {outcome.late} late"
    )
    click.echo(f"  Discord: {outcome.counts}")
    goals = {
        "kills that were not made": wanted - outcome.kills,
        "posts that are there twice": len(outcome.doubled),
        "posts lost without a reason": len(outcome.lost),
        "posts of which nobody knows": outcome.became["skipped (unknown)"],
        "posts without an end": outcome.unsettled,
        "processes that ended by themselves": outcome.ended,
    }
    for goal, found in goals.items():
        click.echo(f"  {goal}: 0 wanted, {found} found: {'MISSED' if found else 'ok'}")
    return any(goals.values())


@click.command()
@click.option("--kills", default=100)
@click.option("--posts", default=2000, help="As many as are due while the kills go on, 2.5 a second.")
def main(kills: int, posts: int) -> None:
    """Kill whoever has just posted, and count what is there."""
    missed = False
    for name, processes in (("4 processes on PostgreSQL", 4), ("one process on SQLite", 1)):
        with TemporaryDirectory() as folder, Cluster() as cluster:
            url = create_database(cluster.folder, "drill")
            if processes == 1:
                url = f"sqlite+aiosqlite:///{folder}/kiroku.db"
            outcome = asyncio.run(run(url, Path(folder), processes=processes, kills=kills, posts=posts))
        missed |= report(name, kills, outcome)
    raise SystemExit(missed)


if __name__ == "__main__":
    main()
