import re
from io import BytesIO

import pytest
from harness import Reply
from PIL import Image
from world import World

from bot.domain.members import Visibility

pytestmark = pytest.mark.shared


WIDE, PHONE = 1272, 1080


def width_of(world: World, reply: Reply) -> int:
    """Return how wide the one picture of an answer is."""
    (file,) = reply.files
    return Image.open(BytesIO(world.discord.content(file))).width


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
        pictures.add(world.discord.content(file))
        assert option in str((await alice.click(shown, "List")).posts[-1].embed.title)
    assert len(pictures) == 5  # both slots that make the rating are on one


async def test_a_button_gives_the_cut_for_phones_and_back(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best")
    phone = await alice.click(reply, "For phones")
    assert phone.embeds == ()  # in one it would be a fifth smaller
    assert (width_of(world, phone), width_of(world, reply)) == (PHONE, WIDE)
    wide = await alice.click(phone, "Wide")
    assert [file.description for file in wide.files] == [file.description for file in reply.files]
    few = await alice.choose(await alice.click(wide, "For phones"), "Choose a slot", "Recent")
    assert width_of(world, few) == PHONE
    assert few.embeds == ()


async def test_what_was_pressed_last_is_remembered(world: World) -> None:
    alice, channel = world.discord.person("Alice"), world.discord.channel
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    await alice.click(await alice.slash(channel, "best"), "For phones")
    assert width_of(world, await alice.slash(channel, "best")) == PHONE
    assert width_of(world, await alice.slash(channel, "table", filter="lv:14")) == PHONE
    await alice.click(await alice.slash(channel, "table", filter="lv:14"), "Wide")
    assert width_of(world, await alice.slash(channel, "best")) == WIDE


async def test_what_was_chosen_for_all_pictures_stays_whatever_is_pressed(world: World) -> None:
    alice, channel = world.discord.person("Alice"), world.discord.channel
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    settings = await alice.slash(channel, "settings")
    assert "As the answer's button says" in settings.everything
    await alice.choose(settings, "Pictures", "Dark · For phones")
    turned = await alice.click(await alice.slash(channel, "best"), "Wide")
    assert width_of(world, turned) == WIDE
    assert width_of(world, await alice.slash(channel, "best")) == PHONE
    settings = await alice.slash(channel, "settings")
    await alice.choose(settings, "Pictures", "Dark · As the answer's button says")
    await alice.click(await alice.slash(channel, "best"), "Wide")
    assert width_of(world, await alice.slash(channel, "best")) == WIDE


async def test_the_list_leads_back_to_the_picture(world: World) -> None:
    alice, channel = world.discord.person("Alice"), world.discord.channel
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    listed = (await alice.click(await alice.slash(channel, "best"), "List")).posts[-1]
    assert (await alice.click(listed, "Picture")).files


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
    assert width_of(world, reply) == PHONE
    shared = await alice.click(reply, "Share")
    assert not shared.is_private
    assert width_of(world, shared) == PHONE


@pytest.mark.own
async def test_what_is_old_says_so_beside_the_card(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    await alice.slash(world.discord.channel, "best")
    world.clock.advance(3600)
    await world.stop_service()
    reply = await alice.slash(world.discord.channel, "best")
    assert "not answering right now" in str(reply.embed.description)
    assert len(reply.files) == 1
    assert reply.embed.image.url is None


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


async def test_what_stands_in_the_best_slot_is_not_told_to_stand_outside(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")

    async def charts_of(slot: str) -> set[tuple[str, str]]:
        shown = await world.best(alice, slot=slot)
        found = {*shown.charts}
        while not shown.component("Next").is_disabled:
            shown = await alice.click(shown, "Next")
            found |= {*shown.charts}
        return found

    inside = await charts_of("best")
    assert len(inside) == 30
    for slot in ("best_candidate", "best_candidate_sss", "best_outside"):
        assert not inside & await charts_of(slot)


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
    assert width_of(world, await alice.click(reply, "For phones")) == PHONE


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


def ratings_of(text: str) -> list[str]:
    """Return the song ratings of a list, in its order."""
    return re.findall(r"^\*\*(\d+\.\d\d)\*\*", text, re.MULTILINE)


async def test_the_best_under_a_filter_come_as_the_same_card_and_are_no_rating(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best", filter="level:13+ rank>=ss")
    (file,) = reply.files
    assert "not the rating" in str(file.description)
    assert "BEST 30" not in str(file.description)
    assert re.search(r"average ≥15\.7\d+, ideal ≥1\d\.\d+: not the rating", str(file.description))
    listed = await alice.click(reply, "List")
    assert r"Filter: level\:13+ rank\>=ss" in listed.everything
    assert "28 records" in listed.everything
    shown = await alice.slash(world.discord.channel, "scores", filter="level:13+ rank>=ss")
    assert ratings_of(listed.everything) == ratings_of(shown.everything) != []
    # Where nobody knows the constant, the least of its level counts and not nothing.
    assert re.search(r"Average: \*\*15\.77\d* to 15\.\d+\*\*", listed.everything)
    assert "average rating 15.77" in shown.everything
    # From there the menu leads back to what makes the rating.
    assert "not the rating" not in (await alice.choose(reply, "Choose a slot", "Best")).everything


@pytest.mark.parametrize(
    ("filter", "said"),
    [
        ("level:99", "No score matches this filter. Leave one of its conditions out, or widen one."),
        ("rank>=nonsense", "nonsense"),
    ],
)
async def test_a_filter_that_nothing_passes_says_so(world: World, filter: str, said: str) -> None:  # noqa: A002 - the option's name
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "best", filter=filter)
    assert said in reply.everything
    assert reply.files == ()
