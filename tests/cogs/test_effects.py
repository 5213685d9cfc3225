"""What is told of plays adds up to what `kiroku rating explain` says before and after."""

import asyncio
import re
from decimal import Decimal
from itertools import pairwise

import pytest
from explained import explain_player
from harness import Person, Reply
from world import World

from bot.demo.days import play_day
from bot.domain.gains import to_thousandths
from bot.domain.game_rating import PLACES, Explanation

PLAYER = "minamo_plays"
GAIN = re.compile(r"\*\*\+(\d+\.\d{3})\*\*")


async def played(world: World, person: Person, *, days: int = 1) -> tuple[Explanation, Explanation, Reply]:
    """Have some days played, and return how the records stood before and after, and what is told of them."""
    await person.slash(world.discord.channel, "session")
    before = explain_player(world.service_database, PLAYER)
    for _ in range(days):
        world.clock.advance(24 * 3600)
        await asyncio.to_thread(play_day, world.service_database, [PLAYER], world.clock.now())
    after = explain_player(world.service_database, PLAYER)
    shown = await person.slash(world.discord.channel, "session")
    listed = next(each for each in shown.components if each.label in {"List", "一覧"})
    return before, after, await person.click(shown, listed.label)


@pytest.mark.parametrize(("locale", "days"), [("en-US", 1), ("ja", 1), ("en-US", 4)])
async def test_a_session_tells_what_each_play_did_and_all_adds_up(
    world: World, locale: str, days: int
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, PLAYER)
    before, after, told = await played(world, alice, days=days)
    gained = after.worked_out.sum - before.worked_out.sum
    text = str(told.embed.description)
    total, *each = (
        Decimal(gain) for line in text.splitlines() if "OVER POWER" not in line for gain in GAIN.findall(line)
    )
    assert len(each) > 1
    assert sum(each) == total == Decimal(to_thousandths(gained, PLACES)) / 1000
    exact = [Decimal(number) for number in re.findall(r"\d+\.\d{4}", text)]
    assert exact == [Decimal(found.worked_out.sum) / 100 / PLACES for found in (before, after)]
    # What added less than a thousandth is shown without a number, last.
    sizes = [Decimal(found[1]) for line in text.splitlines() if (found := GAIN.match(line))]
    # Rounded so that they add up: by the last digit one may be out of order.
    assert all(less <= more + Decimal("0.001") for more, less in pairwise(sizes))
