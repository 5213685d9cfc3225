"""How far it is for a newcomer: every command, press and form from the greeting on is counted."""

from dataclasses import dataclass

import pytest
import pytest_asyncio
from harness import Clickable, Person, Post, Reply
from world import World

pytestmark = pytest.mark.shared

OWN_CARD = 3
FIRST_POST = 4
"""At most. Source: issue 17."""


@dataclass
class Newcomer:
    """Somebody in front of the greeting, and what they have done since."""

    person: Person
    greeting: Post
    acts: int = 0

    async def press(self, shown: Clickable, label: str) -> Reply:
        self.acts += 1
        return await self.person.click(shown, label)

    async def send(self, form: Reply, **typed: object) -> Reply:
        self.acts += 1
        return await self.person.submit(form, typed)  # pyright: ignore[reportArgumentType]  # as they come


@pytest_asyncio.fixture(loop_scope="module")
async def newcomer(world: World) -> Newcomer:
    """One who manages a server that the bot has just greeted."""
    boss, bot = world.discord.person("Boss", manager=True), world.bot.user
    assert bot is not None
    await boss.say(world.discord.channel, bot.mention)
    return Newcomer(boss, world.discord.seen(await world.discord.post(world.discord.channel, after=1)))


async def test_the_first_card_of_ones_own(world: World, newcomer: Newcomer) -> None:
    linked = await newcomer.send(await newcomer.press(newcomer.greeting, "Link"), token=world.token("mio"))
    card = await newcomer.press(linked, "My best")
    assert [file.filename for file in card.post.files] == ["kiroku.png"]
    assert newcomer.acts <= OWN_CARD


async def test_the_first_daily_post_of_a_server(world: World, newcomer: Newcomer) -> None:
    linked = await newcomer.send(
        await newcomer.press(newcomer.greeting, "Link"), token=world.token("haruka88")
    )
    form = await newcomer.press(linked, "Set this server up")
    shown = {"daily": world.discord.channel, "at": "21:00 UTC", "language": ["auto"]}
    await newcomer.send(form, **shown, first=["join", "now"])
    before = len(world.discord.channel.posts())
    await world.tick()
    post = world.discord.channel.posts()[before]
    assert f"<@{newcomer.person.id}>" in str([embed.to_dict() for embed in post.embeds])
    assert newcomer.acts <= FIRST_POST
