from world import World

from bot.client import KirokuBot


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
    await alice.choose(settings, "Language", "language=ja")
    await alice.say(world.discord.channel, f"{call(world.bot)} qqqqqqqqqq")
    answer = await world.discord.post(world.discord.channel, after=1)
    assert "見つかりません" in answer.content


async def test_talk_among_people_is_left_alone(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await alice.say(world.discord.channel, "AETHER is nice")
    await bob.say(world.discord.channel, f"{bob.mention} AETHER")
    await bob.say(world.discord.channel, call(world.bot))
    await alice.say(world.discord.channel, f"{call(world.bot)} AETHER")
    await world.discord.post(world.discord.channel, after=4)
    answers = [post for post in world.discord.channel.posts() if post.author.bot]
    assert len(answers) == 1


def test_no_privileged_intent_is_asked_for(world: World) -> None:
    intents = world.bot.intents
    assert not intents.message_content
    assert not intents.members
    assert not intents.presences
