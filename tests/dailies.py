"""Daily posts, set up and brought to their time."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from world import World

from bot.domain.members import Visibility

TOKYO = ZoneInfo("Asia/Tokyo")


def at_nine(world: World) -> None:
    """Move to the next 21:00 in Tokyo."""
    now = world.clock.now().astimezone(TOKYO)
    nine = now.replace(hour=21, minute=0, second=0, microsecond=0)
    world.clock.advance((nine - now + timedelta(days=nine <= now)).total_seconds())


async def start_daily(world: World, *players: str) -> None:
    boss = world.discord.person("Boss", manager=True)
    await boss.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="21:00")
    for player in players:
        person = world.discord.person(player)
        await world.link(person, player, Visibility.SERVERS)
        await person.slash(world.discord.channel, "daily join")
