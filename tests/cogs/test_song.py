from pydantic import SecretStr
from world import World


async def test_suggestions_carry_ids_and_find_titles(world: World) -> None:
    alice = world.discord.person("Alice")
    newest = await alice.autocomplete(world.discord.channel, "song", title="")
    assert len(newest) == 25
    name = str(newest[3]["name"])
    found = await alice.autocomplete(world.discord.channel, "song", title=name)
    assert newest[3]["value"] in [choice["value"] for choice in found]
    reply = await alice.slash(world.discord.channel, "song", title=str(newest[3]["value"]))
    assert "MASTER" in reply.everything or "WORLD'S END" in reply.everything
    assert [field.name for field in reply.embed.fields][:4] == ["Artist", "Genre", "BPM", "Released"]


async def test_the_askers_own_scores_stand_beside_the_charts(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    best = await alice.slash(world.discord.channel, "best")
    first = str(best.embed.description).split("**1.** ", 1)[1].split("\n", 1)[0].replace("\\", "")
    reply = await alice.slash(world.discord.channel, "song", title=first)
    assert "You: **" in reply.everything


async def test_free_text_finds_the_song(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    newest = await hanako.autocomplete(world.discord.channel, "song", title="")
    reply = await hanako.slash(world.discord.channel, "song", title=str(newest[0]["name"])[:6])
    assert "譜面定数" in reply.everything


async def test_an_unknown_song(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "song", title="qqqqqqqqqqqqqq**")
    assert reply.is_private
    assert r"qqqqqqqqqqqqqq\*\*" in reply.text


async def test_without_any_token_the_catalogue_cannot_be_read(world: World) -> None:
    world.settings = world.settings.model_copy(update={"record_token": SecretStr("")})
    await world.start_bot()
    carol = world.discord.person("Carol")
    assert await carol.autocomplete(world.discord.channel, "song", title="a") == []
    assert "/link" in (await carol.slash(world.discord.channel, "song", title="a")).text
