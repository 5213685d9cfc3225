import pytest
from harness import Reply
from world import World

from bot.domain.members import Visibility

pytestmark = pytest.mark.shared


def labels(reply: Reply) -> set[str]:
    return {component.label for component in reply.components}


async def test_the_card_comes_alone_and_a_button_gives_the_list(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best")
    assert not reply.is_private
    assert reply.embeds == ()
    assert len(reply.files) == 1
    listed = await alice.click(reply, "List")
    assert listed.is_private
    assert listed.files == ()
    assert "#1 " in listed.everything
    assert "#5 " in listed.everything
    assert "#6 " not in listed.everything
    assert "30 of 30" in listed.everything
    # Whoever else presses sees the same list, by what they may see themselves.
    unlinked = (await bob.click(reply, "List")).posts[-1]
    assert unlinked.is_private
    assert "/link" in unlinked.text
    await world.link(bob, "minamo_plays")
    assert "Dr" in str((await bob.click(reply, "List")).posts[-1].embed.title)


async def test_the_list_turns_its_pages(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await world.best(alice)
    assert reply.component("Back").is_disabled
    turned = await alice.click(reply, "Next")
    assert "#6 " in turned.everything
    last = turned
    for _ in range(4):
        last = await alice.click(last, "Next")
    assert "#30 " in last.everything
    assert last.component("Next").is_disabled


async def test_the_card_turns_for_the_asker_alone(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best")
    refused = await bob.choose(reply, "Choose a slot", "Recent")
    assert refused.is_private
    assert "Only the person" in refused.text


async def test_every_slot_has_a_picture_of_its_own(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best")
    pictures: set[bytes] = set()
    for option in reply.component("Choose a slot").options:
        shown = await alice.choose(reply, "Choose a slot", option)
        assert shown.component("Choose a slot").chosen == (option,)
        (file,) = shown.files
        assert f"({option})" in str(file.description)
        pictures.add(world.discord.content(file))
        assert option in str((await alice.click(shown, "List")).posts[-1].embed.title)
    assert len(pictures) == 6


async def test_a_button_gives_the_cut_for_phones_and_back(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best")
    phone = await alice.click(reply, "For phones")
    first, second = phone.files
    # Each in an embed of its own: beside each other they would be cut.
    assert [embed.image.url for embed in phone.embeds] == [
        f"attachment://{file.filename}" for file in (first, second)
    ]
    assert "the first three" in str(first.description)
    assert "places 16 to 30" in str(second.description)
    assert not phone.embeds[0].title
    wide = await alice.click(phone, "On one picture")
    assert [file.description for file in wide.files] == [file.description for file in reply.files]
    few = await alice.choose(await alice.click(wide, "For phones"), "Choose a slot", "Recent")
    assert len(few.files) == 1
    assert few.embeds == ()


async def test_another_slot_begins_with_its_first_page(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    best = await world.best(alice, slot="best")
    third = await alice.click(await alice.click(best, "Next"), "Next")
    assert "#11 " in third.everything
    other = await alice.choose(third, "Choose a slot", "Outside best")
    assert "#1 " in other.everything
    assert other.component("place").label.startswith("1 / ")


async def test_the_cut_of_the_settings_is_used(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    settings = await alice.slash(world.discord.channel, "settings")
    chosen = await alice.choose(settings, "Pictures", "Light · For phones")
    assert "For phones" in chosen.everything
    reply = await alice.slash(world.discord.channel, "best")
    assert len(reply.files) == 2
    shared = await alice.click(reply, "Share")
    assert not shared.is_private
    assert len(shared.files) == 2


@pytest.mark.own
async def test_what_is_old_says_so_beside_the_card(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    await alice.slash(world.discord.channel, "best")
    world.clock.advance(3600)
    await world.stop_service()
    reply = await alice.slash(world.discord.channel, "best")
    assert "not answering just now" in str(reply.embed.description)
    assert reply.embed.image.url == f"attachment://{reply.files[0].filename}"


async def test_every_slot_says_what_it_is(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "DrBeat", Visibility.SERVERS)
    card = await hanako.slash(world.discord.channel, "best")
    reply = await hanako.click(card, "一覧")
    said = set[str]()
    for option in reply.components[0].options:
        shown = await hanako.choose(reply, reply.components[0].custom_id, option)
        said.add(str(shown.embed.description).split("\n")[1])
    assert len(said) == 6
    assert all(line.startswith("-# ") for line in said)


@pytest.mark.parametrize(
    "slot", ["best", "new", "recent", "best_candidate", "best_candidate_sss", "best_outside"]
)
async def test_every_slot_of_every_player(world: World, slot: str) -> None:
    alice = world.discord.person("Alice")
    for player in ("minamo_plays", "sora_ch", "yuzu_new"):
        await world.link(alice, player, Visibility.SERVERS)
        reply = await alice.slash(world.discord.channel, "best", slot=slot)
        assert not reply.is_private
        assert reply.files or reply.embed.description


async def test_a_slot_that_is_not_full(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "sora_ch")
    reply = await world.best(alice)
    assert "of 30" in reply.everything
    assert "30 of 30" not in reply.everything


async def test_a_player_without_records_gets_a_sentence(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "yuzu_new")
    reply = await hanako.slash(world.discord.channel, "best")
    assert "まだ記録がありません" in reply.everything
    assert reply.files == ()


@pytest.mark.own
async def test_buttons_lead_on_after_a_restart(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "best", slot="best")
    await world.start_bot()
    listed = (await alice.click(reply, "List")).posts[-1]
    assert "#5 " in listed.everything
    assert len((await alice.click(reply, "For phones")).files) == 2


async def test_a_page_is_refused_when_its_member_hides(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best", member=bob)
    turned = await alice.choose(reply, "Choose a slot", "Recent")
    assert turned.files
    account = await bob.slash(world.discord.channel, "account")
    await bob.choose(account, account.components[0].custom_id, "Only me")
    refused = (await alice.click(turned, "List")).posts[-1]
    assert refused.is_private
    assert "has not linked" in refused.text
