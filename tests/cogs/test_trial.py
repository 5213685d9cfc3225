"""`/try`, and what else there is for one who has not linked."""

from io import BytesIO

import pytest
from harness import Value
from PIL import Image
from world import World

pytestmark = pytest.mark.shared


@pytest.mark.parametrize(
    ("locale", "said", "link"),
    [("en-US", "This player is invented", "Link"), ("ja", "架空のプレイヤー", "連携する")],
)
async def test_what_linking_brings_is_shown_before_it(
    world: World, locale: str, said: str, link: str
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    shown = await alice.slash(world.discord.channel, "try")
    assert shown.is_private
    assert said in shown.everything
    (picture,) = shown.post.files
    assert "ＫＩＲＯＫＵ" in str(picture.description)
    assert (await alice.click(shown, link)).form is not None


async def test_whoever_chose_the_cut_for_phones_sees_that(world: World) -> None:
    alice = world.discord.person("Alice")
    settings = await alice.slash(world.discord.channel, "settings")
    await alice.choose(settings, "Pictures", "Light · For phones")
    shown = await alice.slash(world.discord.channel, "try")
    (picture,) = shown.post.files
    assert Image.open(BytesIO(world.discord.content(picture))).width == 1080
    assert "This player is invented" in str(shown.embeds[0].description)
    assert (await alice.click(shown, "Wide")).post.files


async def test_the_greeting_leads_there(world: World) -> None:
    alice, bot = world.discord.person("Alice"), world.bot.user
    assert bot is not None
    await alice.say(world.discord.channel, bot.mention)
    greeting = world.discord.seen(await world.discord.post(world.discord.channel, after=1))
    assert "This player is invented" in (await alice.click(greeting, "What would I see?")).everything


async def test_the_picture_of_one_catalogue_is_drawn_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = world.discord.person("Alice")
    await alice.slash(world.discord.channel, "try")
    monkeypatch.setattr(world.bot.renderer, "draw", None)
    assert (await alice.slash(world.discord.channel, "try")).post.files


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("song", {"title": "AETHER"}),
        ("search", {"filter": "const>=13"}),
        ("random", {"filter": "level:13", "count": 3}),
        ("new", {}),
    ],
)
async def test_songs_are_for_everyone(world: World, command: str, options: dict[str, Value]) -> None:
    alice = world.discord.person("Alice")
    shown = await alice.slash(world.discord.channel, command, **options)
    assert not shown.is_private
    assert shown.embed.title
    assert "link" not in shown.everything.casefold()


async def test_a_filter_by_ones_own_scores_asks_for_them(world: World) -> None:
    alice = world.discord.person("Alice")
    told = await alice.slash(world.discord.channel, "search", filter="rank>=sss")
    assert (await alice.click(told, "Link")).form is not None
