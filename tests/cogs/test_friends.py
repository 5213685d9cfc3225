from world import World


async def test_friends_by_rating_with_marks(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "friends")
    assert reply.is_private
    assert "haruka88" in reply.everything
    assert "*protected*" in reply.everything
    assert "*asked you*" in reply.everything
    assert "*not answered yet*" in reply.everything


async def test_nobody_yet(world: World) -> None:
    alice = world.discord.person("Alice", locale="ja")
    await world.link(alice, "sora_ch")
    assert (await alice.slash(world.discord.channel, "friends")).is_private
