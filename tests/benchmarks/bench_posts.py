"""Posts of very many servers that have chosen the same minute: when the last one stands, and how long the loop stands still.

The bot in this process, with everything but its members real: a database, the gateway, and a Discord (tests/rig) that takes 50
requests a second. What the posts say is gathered before their minute, which then comes at once. Exits 1 where a goal is missed.
"""

import asyncio
import gc
import sqlite3
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, Final, cast

import click
from bench_stall import queued
from pydantic import SecretStr
from rig.guilds import channel_id, guild_id
from rigged import running_rig
from yarl import URL

from bot.base.clock import SystemClock
from bot.base.config import Settings
from bot.demo.redirected import redirected
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, UserId, UserName
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.posts import PostPlan
from bot.program.app import App, create_bot
from bot.store import Store, open_vault

MEMBERS: Final = 10
SERVERS_A_SHARD: Final = 250
"""Few, for Discord is asked who is still in a server no more than about two times a second of a shard."""
WITHIN_SECONDS: Final = 300.0
MOST_STALL: Final = 10.0
"""Milliseconds, of 99 turns in 100."""
TICK: Final = 0.001
LEAD: Final = timedelta(minutes=9)
FIRST_MEMBER: Final = 1_000_000


class ShiftedClock(SystemClock):
    """The clock of the machine, which can be set forward."""

    ahead = timedelta(0)

    def now(self) -> datetime:
        return super().now() + self.ahead


class Members:
    """Answers as the record service would, at once."""

    link = SimpleNamespace(region=JP2)

    def __init__(self, load: Callable[[Collection[MemberId]], Awaitable[None]]) -> None:
        self.load = load
        """As posts do it: by what the database has of them."""

    async def get(self, _member: int, **_: object) -> "Members":
        return self

    async def fetch_player(self, _target: object) -> Any:
        player = Player(
            user_id=UserId(1), user_name=UserName("a"), is_protected=False, player_name="ＰＬＡＹＥＲ", honor="",
            honor_type=None, level=None, rating=Hundredths(1600), rating_max=Hundredths(1600), class_emblem=None,
            updated_on=None,
        )  # fmt: skip
        return SimpleNamespace(
            value=player, age=SimpleNamespace(is_stale=False, trouble=None, fetched_at=datetime.now(UTC))
        )

    def follow(self, *_: object) -> None:
        pass


async def fill(folder: Path, servers: int, news: int, due_at: datetime) -> None:
    """Have a plan in each server, and its members, of whom those of every `news`th server have another rating."""
    url = f"sqlite+aiosqlite:///{folder}/kiroku.db"
    vault = open_vault((), folder / "kiroku.db")
    async with Store(url, vault) as store:
        plan = PostPlan(
            guild=GuildId(guild_id(0)),
            channel=ChannelId(channel_id(0)),
            post_at=due_at.time(),
            timezone="UTC",
        )
        await store.plans.save(plan, due_at - timedelta(hours=1))
    token = vault.encrypt("0" * 64)
    with closing(sqlite3.connect(folder / "kiroku.db")) as database, database:
        numbers = f"WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {servers - 1})"  # noqa: S608 - of here
        database.execute(
            "INSERT INTO post_plans (id, guild_id, channel_id, what, post_at, timezone, options, refused) "  # noqa: S608 - as above
            f"{numbers} SELECT id + n, guild_id + (n << 22), channel_id + (n << 22), "
            "what, post_at, timezone, options, refused FROM post_plans, n"
        )
        database.execute(
            f"INSERT INTO posts {numbers} SELECT plan_id + n, day, part, state, reason, due_at, look_at, planned_at, "  # noqa: S608 - as above
            "owner, tries, tried_at, channel_id, message_id, late FROM posts, n"
        )
        people = [
            (FIRST_MEMBER + number * MEMBERS + each, number)
            for number in range(servers)
            for each in range(MEMBERS)
        ]
        database.executemany(
            "INSERT INTO links (member_id, token, user_id, user_name, region, visibility, linked_at) "
            "VALUES (?, ?, 1, 'a', 'jp2', 'servers', '2026-01-01 00:00:00.000000')",
            [(member, token) for member, _ in people],
        )
        database.executemany(
            "INSERT INTO rounds (member_id, again_at, failures) VALUES (?, '2099-01-01 00:00:00.000000', 0)",
            [(member,) for member, _ in people],
        )
        database.executemany(
            "INSERT INTO daily_members VALUES (?, ?)",
            [(guild_id(number), member) for member, number in people],
        )
        database.executemany(
            "INSERT INTO posted_ratings VALUES (?, ?, ?, ?, '2026-01-01 00:00:00.000000')",
            [
                (number + 1, member, guild_id(number), 1590 if news and number % news == 0 else 1600)
                for member, number in people
            ],
        )


@asynccontextmanager
async def counting_stalls() -> AsyncGenerator[list[float]]:
    """Count by how much the loop turns too late by this process's own work, in milliseconds."""
    late: list[float] = []

    async def turn() -> None:
        while True:
            wall, own, before = time.perf_counter(), time.process_time(), queued()
            await asyncio.sleep(TICK)
            stood = time.perf_counter() - wall - TICK - (queued() - before)
            late.append(max(0, min(stood, time.process_time() - own)) * 1000)

    turning = asyncio.create_task(turn())
    try:
        yield late
    finally:
        turning.cancel()


async def measure(folder: Path, servers: int, news: int) -> bool:
    shards = -(-servers // SERVERS_A_SHARD)
    due_at = (datetime.now(UTC) + timedelta(hours=2)).replace(microsecond=0)
    await fill(folder, servers, news, due_at)
    clock = ShiftedClock()
    clock.ahead = due_at - LEAD - datetime.now(UTC)
    settings = Settings(
        discord_token=SecretStr("bench"),
        record_api_url="http://127.0.0.1:1",
        database_url=f"sqlite+aiosqlite:///{folder}/kiroku.db",
    )
    async with running_rig(shards=shards, guilds=servers, concurrency=shards) as rig:
        with redirected(URL(rig.address("bench"))):
            bot = create_bot(settings, clock=clock)
            async with bot:
                running = asyncio.create_task(bot.start("bench"))
                await rig.until(lambda state: len(state.shards) == shards)
                await bot.wait_until_ready()
                while sum(not guild.unavailable for guild in bot.guilds) < servers:  # noqa: ASYNC110 - the bot tells nobody
                    await asyncio.sleep(0.5)
                daily, posts = bot.features.daily, cast("App", bot._resources).posts
                members = Members(daily._profiles._askers.load)
                daily._profiles.__dict__ |= {"_askers": members}
                daily.__dict__ |= {"_chronicle": members}
                gc.collect()
                gc.freeze()  # as `kiroku run` does at its first quiet moment
                began = time.monotonic()
                await bot.background.stop()
                async with counting_stalls() as gathering:
                    await posts.prepare_upcoming()
                gathered, gathered_in = len(posts._content._prepared), time.monotonic() - began
                before = (await rig.state()).counts
                clock.ahead = due_at - datetime.now(UTC)
                began = time.monotonic()
                async with counting_stalls() as late:
                    await posts.make_due()
                took = time.monotonic() - began
                counts = (await rig.state()).counts
                running.cancel()
                await bot.close()
    late.sort()
    gathering.sort()
    p99 = late[int(len(late) * 0.99)]
    asked = counts["requests"] - before["requests"]
    rows = [
        ("posts that stand", str(servers), str(counts["posted"]), counts["posted"] == servers),
        ("the last post, seconds after its minute", f"<= {WITHIN_SECONDS:g}", f"{took:.0f}", took <= WITHIN_SECONDS),
        ("requests to Discord a post", "1", f"{asked / servers:.3f}", asked == servers),
        ("refused for the limit of 50 a second", "0", str(counts.get("limited", 0)), not counts.get("limited")),
        ("the loop late, ms, 99 turns in 100", f"<= {MOST_STALL:g}", f"{p99:.1f}", p99 <= MOST_STALL),
    ]  # fmt: skip
    print(
        f"{servers} servers with {MEMBERS} members, every {news}th with news; {gathered} gathered in {gathered_in:.0f} s,"
    )
    print(
        f"the loop late meanwhile {gathering[int(len(gathering) * 0.99)]:.1f} ms in 99 turns of 100; longest later {late[-1]:.0f} ms"
    )
    for name, goal, figure, is_met in rows:
        print(f"{name:45} {goal:>10} {figure:>10}  {'met' if is_met else 'MISSED'}")
    return all(row[-1] for row in rows)


@click.command()
@click.option("--servers", default=10_000)
@click.option("--news", default=5, help="Of so many servers one has news, and so a picture; 0: none.")
def main(servers: int, news: int) -> None:
    with TemporaryDirectory() as folder:
        sys.exit(not asyncio.run(measure(Path(folder), servers, news)))


if __name__ == "__main__":
    main()
