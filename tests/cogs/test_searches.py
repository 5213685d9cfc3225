import pytest
from world import World

from bot.database.tables import QUESTIONS

pytestmark = pytest.mark.shared

LONG = "const>=10 " + " ".join(f"-artist:nobody{number}" for number in range(40))


async def test_a_filter_lists_charts_hardest_first(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "search", filter="diff:mas,ult const>=13")
    assert not reply.is_private
    assert len(reply.charts) == 10
    assert "BASIC" not in reply.everything
    turned = await alice.click(reply, "Next")
    assert len(turned.charts) == 10


@pytest.mark.parametrize(
    ("locale", "typed", "same"),
    [
        ("en-US", "version:verse diff:mas", "date:2024-12-12..2025-07-15 diff:mas"),
        ("ja", "バージョン:verse", "日付:2024-12-12..2025-07-15"),
    ],
)
async def test_songs_of_a_version(world: World, locale: str, typed: str, same: str) -> None:
    alice = world.discord.person("Alice", locale=locale)
    of_version = await alice.slash(world.discord.channel, "search", filter=typed)
    by_day = await alice.slash(world.discord.channel, "search", filter=same)
    assert of_version.charts == by_day.charts != []


@pytest.mark.own
async def test_pages_of_a_long_filter_turn_after_a_restart(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "search", filter=LONG, sort="new")
    await world.start_bot()
    turned = await alice.click(reply, "Next")
    assert "Newest song first" in turned.everything
    assert len(turned.charts) == 10


async def test_words_find_the_best_fit_first(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "search", filter="aether diff:mas")
    assert "Best fit first" in reply.everything
    assert reply.charts[0][1].lower() == "aether"


async def test_a_wrong_filter_is_answered_with_its_place(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    reply = await hanako.slash(world.discord.channel, "search", filter="定数>=x")
    assert reply.is_private
    assert "**__x__**" in reply.text
    assert "数値" in reply.text


async def test_scores_can_be_asked_about_by_those_who_have_linked(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "search", filter="score>=1000000", sort="score-")
    assert "SSS" in reply.everything
    refused = await bob.slash(world.discord.channel, "search", filter="played:no")
    assert "/link" in refused.text


@pytest.mark.parametrize(
    ("locale", "typed", "offered"),
    [
        ("en-US", "di", "diff:"),
        ("ja", "", "定数>="),
        ("en-US", "lv14", "level:14"),
        ("ja", "level14", "レベル:14"),
        ("en-US", "const:14.5-14.7", "const:14.5..14.7"),
        ("ja", "バージョン:無", "バージョン:無印"),
    ],
)
async def test_keys_are_suggested_while_typing(world: World, locale: str, typed: str, offered: str) -> None:
    alice = world.discord.person("Alice", locale=locale)
    choices = await alice.autocomplete(world.discord.channel, "search", filter=typed)
    assert offered in [choice["value"] for choice in choices]


async def test_charts_are_drawn_by_lot_again_and_again(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "random", filter="const>=13", count=3)
    assert len(reply.charts) == 3
    again = await alice.click(reply, "Again")
    assert len(again.charts) == 3
    once_more = await alice.click(again, "Again")
    assert len(once_more.charts) == 3
    unplayed = await alice.slash(world.discord.channel, "random", only="played:no")
    assert "played:no" in unplayed.everything.replace("\\", "")
    assert "SSS" not in unplayed.everything
    assert len(unplayed.charts) == 1


async def test_a_draw_from_nothing(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "random", filter="const>=99")
    assert "No chart passes" in reply.everything
    assert [each.label for each in reply.components] == ["Filters"]


@pytest.mark.own
async def test_a_filter_is_written_down_once_a_day(world: World) -> None:
    alice = world.discord.person("Alice")

    async def ask() -> list[object]:
        await alice.slash(world.discord.channel, "search", filter="const>=13 -artist:nobody")
        return [row["asked_at"] for row in await world.rows(QUESTIONS)]

    first = await ask()
    assert len(first) == 1
    world.clock.advance(3600)
    assert await ask() == first
    world.clock.advance(23 * 3600)
    assert await ask() != first
