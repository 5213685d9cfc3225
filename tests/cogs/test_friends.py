import re
import sqlite3

from world import World


async def test_friends_by_rating_with_marks(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "friends")
    assert reply.is_private
    assert "haruka88" in reply.everything
    protected = [line for line in reply.everything.splitlines() if "*protected*" in line]
    assert [re.findall(r"`(\w+)`", line) for line in protected] == [["haruka88"]]
    assert "*asked you*" in reply.everything
    assert "*not answered yet*" in reply.everything


async def test_nobody_yet(world: World) -> None:
    alice = world.discord.person("Alice", locale="ja")
    await world.link(alice, "sora_ch")
    assert (await alice.slash(world.discord.channel, "friends")).is_private


async def test_friends_are_numbered_requests_stand_apart(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    said = str((await alice.slash(world.discord.channel, "friends")).embed.description)
    friends, requests = said.split("**Requests**")
    count = int(re.findall(r"(\d+) friends?", friends)[0])
    assert [int(number) for number in re.findall(r"\*\*(\d+)\.\*\*", friends)] == list(range(1, count + 1))
    assert "asked you" not in friends
    assert "not answered yet" not in friends
    assert re.findall(r"\*\*\d+\.\*\*", requests) == []
    assert "*asked you*" in requests


async def test_the_asker_has_a_place_among_their_friends(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    mine = (await alice.slash(world.discord.channel, "rating")).embed.fields[0].value
    said = str((await alice.slash(world.discord.channel, "friends")).embed.description)
    ratings = [
        float(rating)
        for rating in re.findall(r"`\) \*\*([\d.]+)\*\*", said.split("**Requests**", maxsplit=1)[0])
    ]
    own = str(mine).split()[0]
    place = 1 + sum(rating > float(own.strip("*")) for rating in ratings)
    assert f"You: {own} · Place {place} of {len(ratings) + 1}" in said


async def test_a_rating_that_nobody_knows_is_no_zero(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    with sqlite3.connect(world.service_database) as service:
        service.execute("UPDATE accounts SET rating = 0 WHERE user_name IN ('haruka88', 'minamo_plays')")
    service.close()
    await world.restart_service()
    world.clock.advance(181)  # the profile that made the link is old now
    said = str((await alice.slash(world.discord.channel, "friends")).embed.description)
    assert "(`haruka88`) –" in said
    assert "0.00" not in said
    assert "Place" not in said


async def test_requests_alone_are_no_friends(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    with sqlite3.connect(world.service_database) as service:
        service.execute("DELETE FROM friendships WHERE is_accepted = 1")
    service.close()
    await world.restart_service()
    said = str((await alice.slash(world.discord.channel, "friends")).embed.description)
    assert "No friends yet" in said
    assert "**Requests**" in said
    assert "0 friends" not in said


async def test_the_list_stays_where_ones_own_rating_cannot_be_read(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    with sqlite3.connect(world.service_database) as service:
        service.execute("UPDATE accounts SET rating = 'x' WHERE user_name = 'minamo_plays'")
    service.close()
    await world.restart_service()
    reply = await alice.slash(world.discord.channel, "friends")
    assert "haruka88" in reply.everything
