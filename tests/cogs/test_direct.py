"""Direct messages: whatever needs no server works there as it does in one."""

import pytest
import pytest_asyncio
from harness import Person
from known_commands import ASKS_MORE, SERVERS, commands_with
from patience import PATIENT_SECONDS
from walk import commands_of, offered, press_everything, suggestions, walk
from world import World

pytestmark = pytest.mark.shared


@pytest_asyncio.fixture(loop_scope="module")
async def alice(world: World) -> Person:
    alice = world.discord.person("Alice")
    form = await alice.slash(alice.direct, "link")
    assert form.form is not None
    linked = await alice.submit(form, {form.form.inputs[0].custom_id: world.token("minamo_plays")})
    assert "minamo" in linked.everything
    return alice


async def test_what_needs_a_server_is_not_offered(world: World, alice: Person) -> None:
    everywhere = {command.qualified_name for command in commands_of(world)}
    here = {command.qualified_name for command in offered(world, alice, alice.direct)}
    assert everywhere - here == commands_with(SERVERS) & everywhere


@pytest.mark.parametrize("locale", ["en-US", "ja"])
@pytest.mark.heavy
async def test_every_other_command_answers_with_its_buttons(world: World, alice: Person, locale: str) -> None:
    alice.speaks(locale)
    answered: set[str] = set()
    async for name, reply in walk(world, alice, alice.direct, alice):
        assert reply.everything, name
        if name != "privacy erase":
            async for after in press_everything(alice, reply):
                assert after.form is not None or after.posts[-1].everything, name
        answered |= {name} if reply.post.embeds or reply.files else set()
    # With oneself nobody is compared, a chart without constant earns nothing, a letter is no goal and no pack of some,
    # of no goals none is made, and packs are pinned in servers: a sentence says so.
    here = {command.qualified_name for command in offered(world, alice, alice.direct)}
    assert here - answered == commands_with(ASKS_MORE)
    assert "fault" not in world.log.text


async def test_suggestions_come_too(world: World, alice: Person) -> None:
    found = [name async for name, choices in suggestions(world, alice, alice.direct, "a") if choices]
    assert "song title" in found


async def test_everything_can_be_erased(alice: Person) -> None:
    asked = await alice.slash(alice.direct, "privacy erase")
    await alice.click(asked, "Erase everything")
    assert "/link" in (await alice.slash(alice.direct, "rating")).everything


async def test_a_mention_is_answered_with_the_song(world: World, alice: Person) -> None:
    bot = world.bot.user
    assert bot is not None
    before = len(alice.direct.posts())
    await alice.say(alice.direct, f"<@{bot.id}> rainy horizon")

    def answered() -> list[str | None]:
        return [each.title for post in alice.direct.posts()[before:] for each in post.embeds]

    assert await world.discord.wire.until(lambda: bool(answered()), PATIENT_SECONDS), world.log.tail()
    assert answered() == ["Rainy Horizon"]
