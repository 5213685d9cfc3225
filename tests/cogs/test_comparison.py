import pytest
from world import World

from bot.domain.members import Visibility

pytestmark = pytest.mark.shared


async def test_who_leads_in_total_and_by_difficulty(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "compare", member=bob)
    assert reply.is_private
    assert "won," in reply.everything
    assert "MASTER: " in reply.everything
    assert "**1.**" in reply.everything
    turned = await alice.click(reply, "Next")
    assert "**11.**" in turned.everything


async def test_a_filter_and_a_player_in_japanese(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    reply = await hanako.slash(world.discord.channel, "compare", player="mio", filter="難易度:エキスパート")
    assert "勝" in reply.everything
    assert "EXPERT: " in reply.everything
    assert "MASTER: " not in reply.everything


@pytest.mark.parametrize("player", ["yuzu_new", "sora_ch"])
async def test_with_the_empty_and_the_small(world: World, player: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "mio")
    reply = await alice.slash(world.discord.channel, "compare", player=player)
    shown = "no chart that both" if player == "yuzu_new" else "won,"
    assert shown in reply.everything


async def test_it_takes_two(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    for other in ({}, {"member": alice}, {"player": "minamo_plays"}):
        reply = await alice.slash(world.discord.channel, "compare", **other)
        assert "somebody else" in reply.text
    both = await alice.slash(world.discord.channel, "compare", member=alice, player="mio")
    assert "not both" in both.text


async def test_a_page_is_refused_when_the_member_hides(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "compare", member=bob)
    account = await bob.slash(world.discord.channel, "account")
    await bob.choose(account, account.components[0].custom_id, "Only me")
    refused = (await alice.click(reply, "Next")).posts[-1]
    assert "has not linked" in refused.text


async def test_a_protected_player_stays_so(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "compare", player="kaede_0401")
    assert "protected" in reply.text
    friend = await alice.slash(world.discord.channel, "compare", player="haruka88")
    assert "won," in friend.everything
