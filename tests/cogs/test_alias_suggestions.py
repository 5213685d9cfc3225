"""`/alias suggest`: proposed by anybody, decided by those who manage the server, and gone with whoever proposed it."""

from datetime import timedelta

import pytest
from harness import Person, Reply
from traces import rows_about
from world import World

from bot.database.tables import ALIAS_SUGGESTIONS

pytestmark = pytest.mark.shared


async def suggest(world: World, person: Person, name: str = "そらのやつ", song: str = "AETHER") -> Reply:
    return await person.slash(world.discord.channel, "alias suggest", alias=name, song=song)


async def waiting(world: World) -> list[object]:
    """Return the names that wait in this test's server: other tests have some in theirs."""
    rows = await world.rows(ALIAS_SUGGESTIONS)
    return [row["name"] for row in rows if row["guild_id"] == world.discord.home.id]


async def found(world: World, person: Person, typed: str) -> list[str]:
    choices = await person.autocomplete(world.discord.channel, "song", title=typed)
    return [str(choice["name"]).split(" — ")[0] for choice in choices]


async def test_a_suggestion_stands_for_everybody_and_counts_once_it_is_taken(world: World) -> None:
    alice, mona = world.discord.person("Alice"), world.discord.person("Mona", manager=True)
    proposed = await suggest(world, alice)
    assert not proposed.is_private
    assert alice.mention in proposed.everything
    assert "そらのやつ" in proposed.everything
    assert await found(world, alice, "そらのやつ") == []
    taken = await mona.click(proposed, "Accept")
    assert "now means **AETHER**" in taken.everything
    assert alice.mention in taken.everything
    assert not taken.components
    assert await found(world, alice, "そらのやつ") == ["AETHER"]
    assert await waiting(world) == []


async def test_one_that_is_refused_changes_nothing(world: World) -> None:
    alice, mona = world.discord.person("Alice"), world.discord.person("Mona", manager=True)
    refused = await mona.click(await suggest(world, alice), "Refuse")
    assert "will not mean" in refused.everything
    assert await found(world, alice, "そらのやつ") == []
    assert await waiting(world) == []


async def test_those_who_manage_the_server_alone_decide(world: World) -> None:
    alice = world.discord.person("Alice")
    proposed = await suggest(world, alice)
    for button in ("Accept", "Refuse"):
        refused = await alice.click(proposed, button)
        assert "Only people who manage this server" in refused.posts[-1].text
    assert await waiting(world) == ["そらのやつ"]


async def test_what_has_been_decided_is_too_old_to_be_decided_again(world: World) -> None:
    alice, mona = world.discord.person("Alice"), world.discord.person("Mona", manager=True)
    proposed = await suggest(world, alice)
    listed = await mona.slash(world.discord.channel, "alias list")
    await mona.click(proposed, "Refuse")
    opened = await mona.choose(listed, "1 suggestion waits", "そらのやつ → AETHER")
    assert "too old" in opened.posts[-1].text


@pytest.mark.own
async def test_buttons_work_after_a_restart(world: World) -> None:
    alice, mona = world.discord.person("Alice"), world.discord.person("Mona", manager=True)
    proposed = await suggest(world, alice)
    await world.start_bot()
    assert "now means **AETHER**" in (await mona.click(proposed, "Accept")).everything


async def test_managers_find_what_waits_in_the_list_and_go_on_from_one_to_the_next(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    mona = world.discord.person("Mona", manager=True)
    await suggest(world, alice, "first name")
    await suggest(world, bob, "second name")
    assert not (await alice.slash(world.discord.channel, "alias list")).components
    listed = await mona.slash(world.discord.channel, "alias list")
    menu = listed.component("2 suggestions wait")
    assert menu.options == ("first name → AETHER", "second name → AETHER")
    opened = await mona.choose(listed, menu.custom_id, "first name → AETHER")
    assert alice.mention in opened.everything
    decided = await mona.click(opened, "Accept")
    assert "“first name” now means" in decided.everything
    assert decided.component("1 suggestion waits").options == ("second name → AETHER",)


async def test_a_name_that_counts_already_is_not_suggested(world: World) -> None:
    mona = world.discord.person("Mona", manager=True)
    await mona.slash(world.discord.channel, "alias add", alias="そらのやつ", song="AETHER")
    assert "already" in (await suggest(world, mona, "ソラノヤツ")).posts[-1].text


async def test_suggestions_are_rare_and_few_wait(world: World) -> None:
    alice = world.discord.person("Alice")
    await suggest(world, alice, "name 0")
    assert "only just" in (await suggest(world, alice, "name 1")).posts[-1].text
    for number in range(1, 5):
        world.clock.advance(31)
        assert "suggests" in (await suggest(world, alice, f"name {number}")).everything
    world.clock.advance(31)
    assert "5 of your suggestions are waiting" in (await suggest(world, alice, "name 5")).posts[-1].text
    assert len(await waiting(world)) == 5


async def test_what_nobody_has_decided_on_is_forgotten_after_a_month(world: World) -> None:
    alice = world.discord.person("Alice")
    await suggest(world, alice, "old name")
    world.clock.advance(timedelta(days=30, seconds=1).total_seconds())
    await suggest(world, alice, "new name")
    assert await waiting(world) == ["new name"]


async def test_what_somebody_has_suggested_is_exported_and_erased_with_them(world: World) -> None:
    alice, mona = world.discord.person("Alice"), world.discord.person("Mona", manager=True)
    proposed = await suggest(world, alice)
    assert "Suggested aliases" in (await alice.slash(world.discord.channel, "privacy show")).everything
    (row,) = (row for table, row in await rows_about(world, alice.id) if table == "alias_suggestions")
    assert row["name"] == "そらのやつ"
    question = await alice.slash(world.discord.channel, "privacy erase")
    await alice.click(question, "Erase everything")
    assert await rows_about(world, alice.id) == []
    assert "too old" in (await mona.click(proposed, "Accept")).posts[-1].text


async def test_it_is_asked_in_the_language_of_whoever_suggests(world: World) -> None:
    aki = world.discord.person("Aki", locale="ja")
    proposed = await suggest(world, aki)
    assert "別名の提案" in proposed.everything
    assert {each.label for each in proposed.components} == {"追加する", "却下する"}


async def test_of_a_song_that_is_gone_the_name_can_be_refused_still(world: World) -> None:
    alice, mona = world.discord.person("Alice"), world.discord.person("Mona", manager=True)
    proposed = await suggest(world, alice)
    await world.change_database("UPDATE alias_suggestions SET song_id = 'gone'")
    assert "**a song that is gone**" in (await mona.click(proposed, "Refuse")).everything
    assert await waiting(world) == []


async def test_of_a_song_that_is_gone_an_alias_says_so_and_how_it_is_taken_down(world: World) -> None:
    alice, mona = world.discord.person("Alice"), world.discord.person("Mona", manager=True)
    proposed = await suggest(world, alice)
    await world.change_database("UPDATE alias_suggestions SET song_id = 'gone'")
    listed = await mona.slash(world.discord.channel, "alias list")
    opened = await mona.choose(listed, "1 suggestion waits", "そらのやつ → a song that is gone")
    taken = await mona.click(proposed, "Accept")
    after = await alice.slash(world.discord.channel, "alias list")
    for shown in (opened, taken, after):
        assert "a song that is gone" in shown.everything
        assert "alias remove" in shown.everything
        assert "unknown" not in shown.everything
    await mona.slash(world.discord.channel, "alias remove", alias="そらのやつ")
    assert "gone" not in (await alice.slash(world.discord.channel, "alias list")).everything
