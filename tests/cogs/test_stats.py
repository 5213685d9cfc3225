import re

from world import World

from bot.domain.members import Visibility


async def best_master(world: World) -> str:
    """Return the title of a MASTER chart that DrBeat has played."""
    person = world.discord.person("Zoe")
    await world.link(person, "DrBeat")
    best = await person.slash(world.discord.channel, "best")
    titles = re.findall(r"\*\*\d+\.\*\* (.+)\nMASTER", str(best.embed.description))
    return str(titles[0]).replace("\\", "")


async def test_statistics_with_a_plot_and_the_askers_place(world: World) -> None:
    title = await best_master(world)
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "stats", song=title)
    assert "Ranks" in reply.everything
    assert "ALL JUSTICE" in reply.everything
    assert "Place " in reply.everything
    (plot,) = reply.files
    assert plot.filename.endswith(".png")
    menu = reply.component("Choose a difficulty")
    assert len(menu.options) == 4
    easier = await alice.choose(reply, "Choose a difficulty", menu.options[0])
    assert "BASIC" in easier.everything


async def test_in_japanese(world: World) -> None:
    title = await best_master(world)
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "DrBeat")
    reply = await hanako.slash(world.discord.channel, "stats", song=title, difficulty="MAS")
    assert "人がプレイ" in reply.everything
    (lamps,) = (field.value for field in reply.embed.fields if field.name == "ランプ")
    assert "ALL JUSTICE" in str(lamps)
    assert "FULL COMBO" in str(lamps)


async def test_what_the_service_does_not_count(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    title = await best_master(world)
    reply = await alice.slash(world.discord.channel, "stats", song=title, difficulty="WE")
    assert reply.is_private
    assert "WORLD'S END" in reply.text


async def test_who_has_not_linked_is_told_how(world: World) -> None:
    bob = world.discord.person("Bob")
    reply = await bob.slash(world.discord.channel, "stats", song="AETHER")
    assert "/link" in reply.text
