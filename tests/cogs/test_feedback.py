"""What people write to the host: by the form of `/about`, into the host's channel, now and then."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from harness import Channel, Person, Reply
from world import World

from bot.domain.ids import ChannelId

pytestmark = pytest.mark.shared


@pytest.fixture
def host(world: World, monkeypatch: pytest.MonkeyPatch) -> Channel:
    """A channel of the host's, in a server of their own."""
    channel = world.discord.server("Host").channel("feedback")
    monkeypatch.setattr(world.bot.features.feedback, "channel", ChannelId(channel.id))
    settings = world.settings.model_copy(update={"feedback_channel": channel.id})
    monkeypatch.setattr(world.bot.features.about, "_settings", settings)
    return channel


@pytest_asyncio.fixture(loop_scope="module")
async def alice(world: World, host: Channel) -> AsyncGenerator[Person]:  # noqa: ARG001 - has set the channel
    yield world.discord.person("Alice")


async def write(world: World, person: Person, text: str) -> Reply:
    about = await person.slash(world.discord.channel, "about")
    form = await person.click(about, "Write to the host")
    return form if form.form is None else await person.submit(form, {"text": text})


async def test_what_is_written_reaches_the_host_with_a_name_and_no_markup(
    world: World, alice: Person, host: Channel
) -> None:
    thanked = await write(world, alice, "**All** is well @everyone")
    assert thanked.is_private
    assert "Thank you" in thanked.everything
    (message,) = host.posts()
    (embed,) = message.embeds
    assert "\\*\\*All" in str(embed.description)
    assert str(alice.id) in str(embed.fields[0].value)


async def test_one_message_every_five_minutes(world: World, alice: Person, host: Channel) -> None:
    await write(world, alice, "one")
    assert "only just written" in (await write(world, alice, "two")).text
    about = await alice.slash(world.discord.channel, "about")
    world.clock.advance(300)
    first, second = [await alice.click(about, "Write to the host") for _ in range(2)]
    await alice.submit(first, {"text": "three"})
    assert "only just written" in (await alice.submit(second, {"text": "four"})).text
    assert len(host.posts()) == 2
    bob = world.discord.person("Bob")
    await write(world, bob, "five")
    assert len(host.posts()) == 3


async def test_what_does_not_arrive_does_not_count(world: World, alice: Person, host: Channel) -> None:
    world.discord.wire.inject_error("POST", f"/channels/{host.id}/messages", status=403, code=50013)
    assert "could not be delivered" in (await write(world, alice, "lost")).text
    assert "Thank you" in (await write(world, alice, "found")).everything


async def test_a_host_who_takes_none_has_no_button(world: World) -> None:
    alice = world.discord.person("Alice")
    assert (await alice.slash(world.discord.channel, "about")).components == ()


@pytest.mark.parametrize("command", ["about", "privacy show"])
async def test_policy_and_support_are_linked(
    world: World, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = world.settings.model_copy(
        update={
            "privacy_url": "https://a.example/privacy ja=https://a.example/privacy.ja",
            "support_url": "https://a.example/s",
        }
    )
    monkeypatch.setattr(world.bot.features.about, "_settings", settings)
    monkeypatch.setattr(world.bot.features.privacy, "_policy_url", settings.privacy_url)
    alice = world.discord.person("Alice")
    shown = (await alice.slash(world.discord.channel, command)).everything
    assert "https://a.example/privacy" in shown.split()
    assert "ja=" not in shown
    hanako = world.discord.person("Hanako", locale="ja")
    assert "https://a.example/privacy.ja" in (await hanako.slash(world.discord.channel, command)).everything
    assert ("https://a.example/s" in shown.split()) is (command == "about")
