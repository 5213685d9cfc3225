import pytest
from world import World

from bot.domain.members import Visibility

pytestmark = pytest.mark.shared


async def test_best_shows_the_first_ones(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best")
    assert not reply.is_private
    assert "#1 " in reply.everything
    assert "#5 " in reply.everything
    assert "#6 " not in reply.everything
    assert "30 of 30" in reply.everything


async def test_pages_turn_for_the_asker_alone(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best")
    assert reply.component("Back").is_disabled
    turned = await alice.click(reply, "Next")
    assert "#6 " in turned.everything
    last = turned
    for _ in range(4):
        last = await alice.click(last, "Next")
    assert "#30 " in last.everything
    assert last.component("Next").is_disabled
    refused = await bob.click(last, "Back")
    assert refused.is_private
    assert "Only the person" in refused.text


async def test_a_slot_is_chosen_in_the_menu(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "best")
    menu = reply.component("Choose a slot")
    recent = await alice.choose(reply, "Choose a slot", menu.options[1])
    assert "Recent" in str(recent.embed.title)
    assert "#5 " in recent.everything
    assert recent.component("Choose a slot").chosen == (menu.options[1],)


async def test_every_slot_says_what_it_is(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "DrBeat", Visibility.SERVERS)
    reply = await hanako.slash(world.discord.channel, "best")
    said = set[str]()
    for option in reply.components[0].options:
        shown = await hanako.choose(reply, reply.components[0].custom_id, option)
        said.add(str(shown.embed.description).split("\n")[1])
    assert len(said) == 5
    assert all(line.startswith("-# ") for line in said)


@pytest.mark.parametrize("slot", ["best", "recent", "best_candidate", "best_candidate_sss", "best_outside"])
async def test_every_slot_of_every_player(world: World, slot: str) -> None:
    alice = world.discord.person("Alice")
    for player in ("minamo_plays", "sora_ch", "yuzu_new"):
        await world.link(alice, player, Visibility.SERVERS)
        reply = await alice.slash(world.discord.channel, "best", slot=slot)
        assert not reply.is_private
        assert reply.embed.description


async def test_a_slot_that_is_not_full(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "sora_ch")
    reply = await alice.slash(world.discord.channel, "best")
    assert "of 30" in reply.everything
    assert "30 of 30" not in reply.everything


async def test_a_player_without_records_gets_a_sentence(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "yuzu_new")
    reply = await hanako.slash(world.discord.channel, "best")
    assert "まだ記録がありません" in reply.everything


@pytest.mark.own
async def test_pages_turn_after_a_restart(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "best", slot="best")
    await world.start_bot()
    assert "#6 " in (await alice.click(reply, "Next")).everything


async def test_a_page_is_refused_when_its_member_hides(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best", member=bob)
    turned = await alice.click(reply, "Next")
    assert "#6 " in turned.everything
    account = await bob.slash(world.discord.channel, "account")
    await bob.choose(account, account.components[0].custom_id, "Only me")
    refused = (await alice.click(turned, "Next")).posts[-1]
    assert refused.is_private
    assert "has not linked" in refused.text
