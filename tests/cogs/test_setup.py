import re

import pytest
from harness import Channel, Person, Reply, Server
from world import World

from bot.domain.ids import GuildId
from bot.domain.members import Visibility
from bot.domain.posts import PostKind, PostPlan

pytestmark = pytest.mark.shared


AT = {"daily channel": {"time": "21:00"}}


@pytest.fixture
def boss(world: World) -> Person:
    return world.discord.person("Boss", manager=True)


async def fill_in(world: World, boss: Person, **typed: object) -> Reply:
    """Use `/setup` where the bot is at home, and send its form with what is typed."""
    channel = world.discord.channel
    values = {"daily": [], "feed": [], "at": "21:00 Asia/Tokyo", "language": ["auto"], "first": []}
    form = await boss.slash(channel, "setup")
    return await boss.submit(form, {**values, **typed})  # pyright: ignore[reportArgumentType]  # as they come


async def plans_of(world: World, server: Server | None = None) -> list[PostPlan]:
    guild, features = GuildId((server or world.discord.home).id), world.bot.features
    found = [*await features.daily.fetch_plans(guild), *await features.feed.fetch_plans(guild)]
    return [each.plan for each in found]


async def test_one_form_sets_up_all(world: World, boss: Person) -> None:
    channel, other = world.discord.channel, world.discord.home.channel("feed")
    done = await fill_in(world, boss, daily=channel, feed=other, at="9:30 europe/paris", language=["ja"])
    assert done.is_private
    daily, feed = await plans_of(world)
    assert (daily.what, daily.channel, daily.timezone) == (PostKind.DAILY, channel.id, "Europe/Paris")
    assert (feed.what, feed.channel, feed.language, daily.language) == (PostKind.FEED, other.id, "ja", "ja")
    assert channel.mention in done.everything
    assert other.mention in done.everything
    assert "stays where it is" not in done.everything


async def test_who_chooses_no_channel_is_told_that_nothing_is_set_up(world: World, boss: Person) -> None:
    done = await fill_in(world, boss, first=["join", "now"])
    assert await plans_of(world) == []
    assert done.embed.title == "Nothing is set up yet"
    assert "choose where to post" in done.everything


async def test_the_form_says_what_the_server_has(world: World, boss: Person) -> None:
    channel, other = world.discord.channel, world.discord.home.channel("other")
    form = await boss.slash(channel, "setup")
    assert form.form is not None
    assert form.form.inputs[-1].chosen == ("Make today's post now",)
    await boss.submit(form, {"daily": other, "at": "9:30 Europe/Paris", "language": ["ja"], "first": []})
    again = (await boss.slash(channel, "setup")).form
    assert again is not None
    assert again.inputs[3].chosen == ("日本語",)
    assert again.inputs[-1].chosen == ()
    wish = await world.bot.features.setup.find(GuildId(world.discord.home.id), "UTC")
    assert (wish.daily, wish.feed, f"{wish.post_at:%H:%M} {wish.timezone}") == (
        other.id,
        None,
        "09:30 Europe/Paris",
    )


async def test_what_was_set_up_elsewhere_stays_as_it_was(world: World, boss: Person) -> None:
    channel, other = world.discord.channel, world.discord.home.channel("other")
    await boss.slash(channel, "daily channel", channel=channel, time="21:00")
    await boss.slash(channel, "feed channel", channel=channel, rank="SSS")
    await boss.slash(channel, "feed channel", channel=other, lamp="ALL_JUSTICE")
    first, worthy, second = await plans_of(world)
    await fill_in(world, boss, daily=other, feed=channel, language=["ja"])
    moved, told, beside = await plans_of(world)
    assert (moved.id, moved.channel, told.id, told.worth) == (first.id, other.id, worthy.id, worthy.worth)
    assert beside == second


async def test_what_is_left_empty_stays_and_says_so(world: World, boss: Person) -> None:
    channel, other = world.discord.channel, world.discord.home.channel("other")
    done = await fill_in(world, boss)
    assert await plans_of(world) == []
    assert done.embed.title == "Nothing is set up yet"
    await fill_in(world, boss, daily=channel, feed=other)
    done = await fill_in(world, boss, at="9:30 Europe/Paris", language=["ja"])
    assert [(each.channel, each.timezone, each.language) for each in await plans_of(world)] == [
        (channel.id, "Europe/Paris", "ja"),
        (other.id, "Europe/Paris", "ja"),
    ]
    assert "the daily post stays where it is" in done.everything
    assert "the feed stays where it is" in done.everything


@pytest.mark.parametrize("command", ["setup", "daily channel", "feed channel"])
async def test_announcement_channels_are_offered_wherever_commands_take_them(
    world: World, boss: Person, command: str
) -> None:
    """What a form does not offer, it does not send back either."""
    news = Channel(world.discord.home.guild.create_news_channel("news"))
    if command == "setup":
        await fill_in(world, boss, daily=news, feed=news)
    else:
        await boss.slash(world.discord.channel, command, channel=news, **AT.get(command, {}))
    assert {each.channel for each in await plans_of(world)} == {news.id}
    for form in ("setup", "daily channel"):
        shown = await boss.slash(world.discord.channel, form)
        places = re.findall(r"'channel_types': (\[.*?\])", str(shown.result.modal))
        assert places
        assert set(places) == {"[0, 5]"}


async def test_whoever_sets_it_up_may_be_seen_there_at_once(world: World, boss: Person) -> None:
    await world.link(boss, "mio")
    done = await fill_in(
        world, boss, daily=world.discord.channel, feed=world.discord.channel, first=["join", "now"]
    )
    assert "You are in" in done.everything
    opened = "members of servers we share can look you up now"
    assert opened in done.everything
    assert "within half a minute" in done.everything
    link = await boss.slash(world.discord.channel, "account")
    assert "Members of servers we share" in link.everything
    await world.tick()
    post = world.discord.channel.posts()[-1]
    assert "mio" in str([embed.to_dict() for embed in post.embeds])
    again = await fill_in(world, boss, daily=world.discord.channel, first=["join"])
    assert "You are in" in again.everything
    assert opened not in again.everything, "they were before"


async def test_nobody_is_shown_who_did_not_ask_for_it(world: World, boss: Person) -> None:
    await world.link(boss, "mio", Visibility.ANYONE)
    done = await fill_in(world, boss, daily=world.discord.channel)
    guild, boss_id = GuildId(world.discord.home.id), world.bot.features
    assert not await boss_id.daily.is_in(guild, boss.id)  # pyright: ignore[reportArgumentType]
    joined = await boss.click(done, "Join")
    assert "You are in" in joined.everything


async def test_whoever_has_not_linked_is_a_button_away(world: World, boss: Person) -> None:
    done = await fill_in(world, boss, daily=world.discord.channel, first=["join"])
    assert (await boss.click(done, "Link")).form is not None


async def test_only_those_who_manage_the_server_set_it_up(world: World, boss: Person) -> None:
    form = await boss.slash(world.discord.channel, "setup")
    boss.join(world.discord.home)
    sent = await boss.submit(form, {"at": "21 UTC", "language": ["auto"], "daily": world.discord.channel})
    assert "manage" in sent.text
    alice, bot = world.discord.person("Alice"), world.bot.user
    assert bot is not None
    await alice.say(world.discord.channel, bot.mention)
    greeting = world.discord.seen(await world.discord.post(world.discord.channel, after=1))
    assert "manage" in (await alice.click(greeting, "Set this server up")).text
    assert await plans_of(world) == []


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"at": "noon UTC"}, "`time`"),
        ({"at": "21:00 Mars/Olympus"}, "`timezone`"),
        ({"at": "9:30"}, "The time zone is missing after the time. Type both, such as `9:30 Asia/Tokyo`."),
    ],
)
async def test_what_is_typed_wrong_is_told(
    world: World, boss: Person, typed: dict[str, str], told: str
) -> None:
    assert told in (await fill_in(world, boss, daily=world.discord.channel, **typed)).text
    assert await plans_of(world) == []


async def test_where_the_bot_may_not_write_nothing_is_set_up(world: World, boss: Person) -> None:
    world.discord.wire.inject_error("GET", "/guilds/*/channels", status=403, code=50001)
    refused = await fill_in(world, boss, daily=Channel(world.discord.channel.handle))
    assert not refused.post.embeds
    assert await plans_of(world) == []
