"""Whoever has just posted is killed, and the next post of that plan tells nothing again, by real processes."""

import asyncio
import sqlite3
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from drill import service
from patience import PATIENT_SECONDS
from rig.guilds import channel_id, guild_id
from rigged import SOMEBODY, Rig, running_rig, started
from sqlalchemy import select, update

from bot.database.tables import POSTS, TELLINGS
from bot.domain.charts import Difficulty
from bot.domain.chronicle.state import PlayerFigures, RecordsState
from bot.domain.daily import Posted
from bot.domain.ids import ChannelId, GuildId, MemberId, SongId
from bot.domain.members import AccountLink
from bot.domain.numbers import Hundredths
from bot.domain.posts import PostPlan
from bot.store import Store, Vault, new_key

HELD = 60.0
"""Seconds for which Discord has a message and says nothing of it: who posts is killed meanwhile."""
ME = MemberId(SOMEBODY)
GUILD = GuildId(guild_id(0))
PERFECT = 1_010_000
LONG_AGO = timedelta(minutes=10)
"""Longer than a nonce holds."""


@dataclass
class Life:
    """A player whose records are in a post, and what is kept of them."""

    rig: Rig
    store: Store
    plan: PostPlan
    link: AccountLink
    folder: Path
    url: str
    settings: dict[str, str]
    day: date
    starts: int = 0

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[Process]:
        self.starts += 1
        name = f"p{self.starts}"
        async with started(self.rig, name, self.folder, RECORD_API_URL=self.url, **self.settings) as process:
            await self.rig.until(lambda state: [name] in state.shards.values())
            yield process

    def play(self, at: datetime) -> tuple[SongId, Difficulty]:
        """Have a chart played perfectly that was not, one too easy to count for a rating, and return it."""
        with closing(sqlite3.connect(self.folder / "service.db")) as service_, service_:
            chart, song = service_.execute(
                "SELECT chart_id, song_id FROM records JOIN charts USING (chart_id)"
                " WHERE user_id = ? AND difficulty = 'MAS' AND region = 'jp2' AND score < ?"
                " AND constant > 0 ORDER BY constant LIMIT 1",
                [self.link.user_id, PERFECT],
            ).fetchone()
            service_.execute(
                "UPDATE records SET score = ?, updated_at = ? WHERE user_id = ? AND chart_id = ?",
                [PERFECT, int(at.timestamp()), self.link.user_id, chart],
            )
            service_.execute(
                "UPDATE accounts SET updated_at = ? WHERE user_id = ?",
                [int(at.timestamp()), self.link.user_id],
            )
        return SongId(song), Difficulty("MAS")

    def perfect(self) -> int:
        """Return how many MASTER charts were played perfectly."""
        with closing(sqlite3.connect(self.folder / "service.db")) as service_:
            (count,) = service_.execute(
                "SELECT count(*) FROM records JOIN charts USING (chart_id)"
                " WHERE user_id = ? AND difficulty = 'MAS' AND region = 'jp2' AND score = ?",
                [self.link.user_id, PERFECT],
            ).fetchone()
        return int(count)

    async def newest(self) -> RecordsState:
        state = await self.store.chronicle.find(ME, self.link.region)
        assert state is not None
        return state

    async def play_on(self) -> tuple[datetime, tuple[SongId, Difficulty]]:
        """Play in a second that is after all that was told."""
        until = (await self.newest()).taken_at
        await asyncio.sleep(max(0, until.timestamp() + 1 - datetime.now(UTC).timestamp()))
        at = datetime.now(UTC)
        return at, await asyncio.to_thread(self.play, at)

    async def next_day(self) -> None:
        """Have the post of the next day be due now."""
        self.day += timedelta(days=1)
        assert await self.store.posts.hurry(self.plan, self.day, datetime.now(UTC))

    async def show(self, posted: Posted) -> None:
        """Have a post made that shows this, by nobody else."""
        await self.next_day()
        (post,) = await self.store.posts.fetch_due(datetime.now(UTC), shards=((0,), 1), most=9)
        (mine,) = await self.store.posts.claim(
            [replace(post, shown_ratings={ME: posted})], None, datetime.now(UTC)
        )
        assert await self.store.posts.mark_delivered(mine, None, datetime.now(UTC))

    async def until_settled(self) -> None:
        open_ones = select(POSTS.c.day).where(
            POSTS.c.due_at <= datetime.now(UTC), POSTS.c.look_at.is_not(None)
        )
        while True:
            async with self.store._database.read() as connection:
                if (await connection.execute(open_ones)).first() is None:
                    return
            await asyncio.sleep(0.05)


@asynccontextmanager
async def living(folder: Path, database: str) -> AsyncGenerator[Life]:
    settings = {"DATABASE_URL": database, "TOKEN_KEYS": new_key(), "FRESH_SECONDS": "0"}
    async with AsyncExitStack() as stack:
        url, _ = await stack.enter_async_context(service(folder, settings))
        rig = await stack.enter_async_context(running_rig(shards=1, guilds=1, patience=PATIENT_SECONDS))
        vault = Vault([settings["TOKEN_KEYS"]])
        store = await stack.enter_async_context(Store(settings["DATABASE_URL"], vault))
        link = (await store.members.get(ME)).link
        assert link is not None
        now = datetime.now(UTC)
        post_at = (now + timedelta(hours=12)).time().replace(microsecond=0)
        plan = PostPlan(guild=GUILD, channel=ChannelId(channel_id(0)), post_at=post_at, timezone="UTC")
        plan = await store.plans.save(plan, now)
        await store.daily.join(GUILD, ME)
        first = RecordsState(
            member=ME,
            region=link.region,
            taken_at=now - timedelta(days=1),
            figures=PlayerFigures(rating=Hundredths(1)),
            marks={},
        )
        await store.chronicle.save(first, account=link.user_id)
        yield Life(rig, store, plan, link, folder, url, settings, now.date() - timedelta(days=3))


async def tell_once(folder: Path, database: str, *, is_found: bool) -> None:
    """Kill whoever has posted; what was played since is told by the next post, and nothing else."""
    async with living(folder, database) as life:
        rig = life.rig
        async with life.running():
            await rig.ask("session")
            goal = f"diff:mas score>={PERFECT} count:{await asyncio.to_thread(life.perfect) + 1}"
            assert "Goal set" in str((await rig.ask("goal add", goal=goal)).message["embeds"])
            known = await life.newest()
            await life.show(Posted(known.figures.rating, known.taken_at))
            await life.play_on()
            await rig.ask("session")
        await life.next_day()
        await rig.do("set", hold=HELD)
        async with life.running() as process:
            await rig.until(lambda state: state.counts.get("posted", 0) == 1)
            process.kill()
        (told,) = await rig.do("posts", number=0)
        assert "**1** new best" in told
        assert "Goal reached" in told
        at, chart = await life.play_on()
        before = await life.newest()
        mark = before.marks[chart]._replace(score=PERFECT, played_at=int(at.timestamp()))
        seen = replace(before, taken_at=datetime.now(UTC), marks={**before.marks, chart: mark})
        await life.store.chronicle.save(seen, account=life.link.user_id)
        if is_found:
            async with life.store._database.write() as connection:
                await connection.execute(update(POSTS).values(tried_at=datetime.now(UTC) - LONG_AGO))
        await rig.do("set", hold=0)
        async with life.running():
            await life.until_settled()
        assert await rig.do("posts", number=0) == [told]
        await life.next_day()
        async with life.running():
            await life.until_settled()
        (_, after) = await rig.do("posts", number=0)
        assert "**1** new best" in after
        assert "Goal reached" not in after
        assert await kept(life.store) == 0


async def kept(store: Store) -> int:
    """Return of how many it is written down that a post may have told of them."""
    async with store._database.read() as connection:
        return len((await connection.execute(select(TELLINGS.c.member_id))).all())


WAYS = pytest.mark.parametrize("is_found", [False, True], ids=["sent again", "found where it stands"])


@WAYS
@pytest.mark.processes
async def test_what_the_dead_have_posted(tmp_path: Path, *, is_found: bool) -> None:
    await tell_once(tmp_path, f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", is_found=is_found)


@WAYS
@pytest.mark.postgres
async def test_what_the_dead_have_posted_with_postgresql(
    tmp_path: Path, shared: dict[str, str], *, is_found: bool
) -> None:
    await tell_once(tmp_path, shared["DATABASE_URL"], is_found=is_found)
