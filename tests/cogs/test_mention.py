import pytest
from world import World

from bot.chat.client import KirokuBot
from bot.domain.ids import MemberId
from bot.features.preferences import REMEMBERED

pytestmark = pytest.mark.shared


def call(bot: KirokuBot) -> str:
    assert bot.user is not None
    return f"<@{bot.user.id}>"


async def test_a_mention_is_answered_with_the_song(world: World) -> None:
    alice = world.discord.person("Alice")
    await alice.say(world.discord.channel, f"{call(world.bot)} AETHER")
    answer = await world.discord.post(world.discord.channel, after=1)
    assert answer.embeds[0].title == "AETHER"
    assert answer.reference is not None


async def test_an_ambiguous_mention_is_answered_with_the_menu(world: World) -> None:
    alice = world.discord.person("Alice")
    await alice.say(world.discord.channel, f"aethe {call(world.bot)}?")
    answer = await world.discord.post(world.discord.channel, after=1)
    assert answer.embeds[0].title == "Which song do you mean?"
    assert answer.components


async def test_a_mention_of_nothing_known_is_answered_with_a_sentence(world: World) -> None:
    server = world.discord.server("Nihon", locale="ja")
    channel = server.channel("general")
    alice = world.discord.person("Alice", server=server)
    await alice.say(channel, f"{call(world.bot)} qqqqqqqqqq")
    answer = await world.discord.post(channel, after=1)
    assert "qqqqqqqqqq" in answer.content
    assert "見つかりません" in answer.content


async def test_a_mention_is_answered_in_the_language_that_its_author_chose(world: World) -> None:
    alice = world.discord.person("Alice")
    settings = await alice.slash(world.discord.channel, "settings")
    await alice.choose(settings, "Language", "日本語")
    await alice.say(world.discord.channel, f"{call(world.bot)} qqqqqqqqqq")
    answer = await world.discord.post(world.discord.channel, after=1)
    assert "見つかりません" in answer.content


async def test_a_mention_is_answered_in_the_language_that_its_author_last_used(world: World) -> None:
    server = world.discord.server("Nihon", locale="ja")
    channel = server.channel("general")
    alice = world.discord.person("Alice", locale="ja", server=server)
    for number, (locale, said) in enumerate([("en-GB", "Nothing was found"), ("ja", "見つかりません")]):
        alice.speaks(locale)
        await alice.autocomplete(channel, "song", title="AETHER")
        await alice.say(channel, f"{call(world.bot)} qqqqqqqqqq")
        assert said in (await world.discord.post(channel, after=2 * number + 1)).content


async def test_the_language_of_who_erased_everything_is_forgotten(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    erase = await hanako.slash(world.discord.channel, "privacy erase")
    preferences = world.bot.features.preferences
    assert preferences.locale_of(MemberId(hanako.id)) == "ja"
    await hanako.click(erase, erase.components[0].custom_id)
    assert preferences.locale_of(MemberId(hanako.id)) is None


async def test_only_so_many_languages_are_remembered(world: World) -> None:
    preferences = world.bot.features.preferences
    for number in range(1, REMEMBERED + 1):
        preferences.note_locale(MemberId(number), "ja")
    preferences.note_locale(
        MemberId(1), "de"
    )  # used the bot again: the second is now the one who was away longest
    preferences.note_locale(MemberId(REMEMBERED + 1), "ja")
    assert preferences.locale_of(MemberId(1)) == "de"
    assert preferences.locale_of(MemberId(2)) is None
    assert preferences.locale_of(MemberId(3)) == "ja"


@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_a_mention_alone_is_answered_with_what_can_be_asked(world: World, locale: str) -> None:
    server = world.discord.server("Somewhere", locale=locale)
    channel = server.channel("general")
    alice = world.discord.person("Alice", server=server)
    await alice.say(channel, f" {call(world.bot)} ")
    (embed,) = (await world.discord.post(channel, after=1)).embeds
    assert "Kiroku" in str(embed.title)
    assert "</song:" in str(embed.description)


async def test_talk_among_people_is_left_alone(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await alice.say(world.discord.channel, "AETHER is nice")
    await bob.say(world.discord.channel, f"{bob.mention} AETHER")
    await alice.say(world.discord.channel, f"{call(world.bot)} AETHER")
    await world.discord.post(world.discord.channel, after=3)
    answers = [post for post in world.discord.channel.posts() if post.author.bot]
    assert len(answers) == 1


def test_no_privileged_intent_is_asked_for(world: World) -> None:
    intents = world.bot.intents
    assert not intents.message_content
    assert not intents.members
    assert not intents.presences


@pytest.mark.parametrize("said", ["best", "/best", "BEST"])
async def test_the_name_of_a_command_leads_to_it(world: World, said: str) -> None:
    alice = world.discord.person("Alice")
    await alice.say(world.discord.channel, f"{call(world.bot)} {said}")
    (embed,) = (await world.discord.post(world.discord.channel, after=1)).embeds
    assert "</best:" in str(embed.to_dict())


async def test_the_name_of_a_group_leads_to_its_commands(world: World) -> None:
    alice = world.discord.person("Alice")
    await alice.say(world.discord.channel, f"{call(world.bot)} daily")
    (embed,) = (await world.discord.post(world.discord.channel, after=1)).embeds
    assert "</daily join:" in str(embed.description)
    assert "</daily off:" in str(embed.description)


async def test_in_direct_messages_a_title_needs_no_mention(world: World) -> None:
    alice = world.discord.person("Alice")
    await alice.say(alice.direct, "AETHER")
    answer = await world.discord.post(alice.direct, after=1)
    assert answer.embeds[0].title == "AETHER"
