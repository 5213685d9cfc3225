"""Daily posts, set up and brought to their time, and what is played between them."""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from harness import Person
from world import World

from bot.domain.members import Visibility
from bot.store import Store
from bot.ui.kit.renderer import PictureRenderer
from service.accounts import get_account

TOKYO = ZoneInfo("Asia/Tokyo")


def at_nine(world: World) -> None:
    """Move to the next 21:00 in Tokyo."""
    now = world.clock.now().astimezone(TOKYO)
    nine = now.replace(hour=21, minute=0, second=0, microsecond=0)
    world.clock.advance((nine - now + timedelta(days=nine <= now)).total_seconds())


async def start_daily(world: World, *players: str) -> list[Person]:
    """Set a post up that these players have joined, each as a person of the same name; return those.

    At whichever hour the test is run, the clock is set back to ten in the evening in Tokyo: what is seen of them then
    is too old for the next post.
    """
    now = world.clock.now().astimezone(TOKYO)
    ten = now.replace(hour=22, minute=0, second=0, microsecond=0)
    world.clock.set_back((now - ten + timedelta(days=ten > now)).total_seconds())
    boss = world.discord.person("Boss", manager=True)
    await boss.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="21:00")
    people = [world.discord.person(player) for player in players]
    for player, person in zip(players, people, strict=True):
        await world.link(person, player, Visibility.SERVERS)
        await person.slash(world.discord.channel, "daily join")
    return people


@asynccontextmanager
async def no_pictures(world: World) -> AsyncGenerator[None]:
    """Let no picture be drawn for a while: whatever is sent then says all in words."""
    drawing = world.bot.renderer
    world.bot.renderer = PictureRenderer(timeout=0)
    try:
        yield
    finally:
        await world.bot.renderer.close()
        world.bot.renderer = drawing


async def posted(world: World) -> str:
    """Return what the next post says where its picture cannot be drawn: all of it."""
    before = len(world.discord.channel.posts())
    at_nine(world)
    async with no_pictures(world):
        await world.tick()
    return str((await world.discord.post(world.discord.channel, after=before)).embeds[0].description)


async def settled(world: World) -> None:
    """Wait until what is noted behind answers is written down."""
    chronicle = world.bot.features.chronicle
    await asyncio.gather(*chronicle._notes, *chronicle._follows)


async def next_day(world: World, player: str, *, points: int = 500, title: str | None = None) -> None:
    """Have a player play, and a day go by."""
    await play(world, player, points=points, title=title)
    world.clock.advance(24 * 3600)


async def play(world: World, player: str, *, points: int = 500, title: str | None = None) -> None:
    """Have a player's lowest Master score raised on the service."""

    def raised() -> None:
        with closing(sqlite3.connect(world.service_database)) as database, database:
            user = get_account(database, player).user_id
            (chart, song), *_ = database.execute(
                "SELECT chart_id, song_id FROM records JOIN charts USING (chart_id) WHERE user_id = ?"
                " AND difficulty = 'MAS' AND region = 'jp2' AND constant > 0"
                " ORDER BY score LIMIT 1",
                [user],
            )
            database.execute(
                "UPDATE records SET score = score + ?, updated_at = ? WHERE user_id = ? AND chart_id = ?",
                [points, int(world.clock.now().timestamp()), user, chart],
            )
            database.execute(
                "UPDATE accounts SET updated_at = ? WHERE user_id = ?",
                [int(world.clock.now().timestamp()), user],
            )
            if title is not None:
                database.execute("UPDATE songs SET title = ? WHERE song_id = ?", [title, song])

    await asyncio.to_thread(raised)


async def change_score(world: World, player: str, title: str, points: int) -> None:
    """Have a player's Master score on a song raised or lowered on the service, as a mistake there does or its mending."""

    def changed() -> None:
        with closing(sqlite3.connect(world.service_database)) as database, database:
            database.execute(
                "UPDATE records SET score = score + ? WHERE user_id = ? AND chart_id IN (SELECT chart_id FROM charts"
                " JOIN songs USING (region, song_id) WHERE title = ? AND difficulty = 'MAS' AND region = 'jp2')",
                [points, get_account(database, player).user_id, title],
            )
            assert database.execute("SELECT changes()").fetchone() == (1,)
            database.execute(
                "UPDATE accounts SET updated_at = ? WHERE user_name = ?",
                [int(world.clock.now().timestamp()), player],
            )

    await asyncio.to_thread(changed)


async def change_records(world: World, player: str, change: str) -> None:
    """Have all of a player's records changed on the service, as SQL says, as of now."""

    def changed() -> None:
        with closing(sqlite3.connect(world.service_database)) as database, database:
            user = get_account(database, player).user_id
            now = int(world.clock.now().timestamp())
            database.execute(f"UPDATE records SET {change}, updated_at = ? WHERE user_id = ?", [now, user])  # noqa: S608 - of tests
            database.execute("UPDATE accounts SET updated_at = ? WHERE user_id = ?", [now, user])

    await asyncio.to_thread(changed)


async def settle_posts(store: Store, now: datetime) -> None:
    """Have all posts made that are due."""
    for post in await store.posts.fetch_due(now, shards=((0,), 1), most=50):
        await store.posts.mark_delivered(post, None, now)
