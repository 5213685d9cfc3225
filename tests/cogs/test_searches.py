import pytest
from world import World

from bot.database.tables import QUESTIONS
from bot.domain.members import Visibility

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
    assert "No chart matches this filter. Leave one of its conditions out, or widen one." in reply.everything
    assert [each.label for each in reply.components] == ["Filters"]


async def test_a_table_with_nothing_to_strike_is_told_so(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "random", filter="const>=99", vetoes=1)
    assert reply.embed.title == "Random charts"
    assert "No chart matches this filter." in reply.everything
    assert "At the table" not in reply.everything


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


async def test_two_strike_in_turn_until_one_chart_is_left(world: World) -> None:
    alice, bob, eve = (world.discord.person(name) for name in ("Alice", "Bob", "Eve"))
    table = await alice.slash(
        world.discord.channel, "random", filter="const>=13", vetoes=2, players=f"with {bob.mention}"
    )
    assert not table.is_private
    drawn = [title for _, title, *_ in table.charts]
    assert len(drawn) == 5
    bob.speaks("ja")  # the message stays in the language of whoever began
    for player, other in ((alice, bob), (bob, alice), (alice, bob), (bob, alice)):
        menu = table.component("Strike a chart")
        assert f"{player.mention} strikes next" in table.everything
        for stranger in (other, eve):
            refused = await stranger.choose(table, menu.custom_id, menu.options[0])
            told = "別の人が外す番" if stranger is bob else "somebody else's turn"
            assert told in refused.posts[-1].text
        table = await player.choose(table, menu.custom_id, menu.options[0])
    assert table.embeds[0].title == "To play"
    assert [title for _, title, *_ in table.charts] == drawn[-1:]
    assert not table.components


@pytest.mark.own
async def test_who_plays_another_regions_game_strikes_too(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(bob, "DrBeat")
    await bob.choose(await bob.slash(world.discord.channel, "settings"), "Game version", "(jp)")
    table = await alice.slash(
        world.discord.channel, "random", filter="diff:ult", vetoes=1, players=bob.mention
    )
    for player in (alice, bob):
        menu = table.component("Strike a chart")
        table = await player.choose(table, menu.custom_id, menu.options[0])
    assert table.embeds[0].title == "To play"
    assert len(table.charts) == 1


@pytest.mark.own
async def test_a_table_of_eight_goes_on_after_a_restart(world: World) -> None:
    people = [world.discord.person(f"Player{number}") for number in range(8)]
    table = await people[0].slash(
        world.discord.channel, "random", vetoes=3, players=" ".join(each.mention for each in people[1:])
    )
    menu = table.component("Strike a chart")
    assert len(menu.options) == 25
    await world.start_bot()
    table = await people[0].choose(table, menu.custom_id, menu.options[7])
    assert "~~" in table.everything
    assert len(table.component("Strike a chart").options) == 24


@pytest.mark.parametrize(
    "players", ["Bob", "<@&100000000000000000>", " ".join(f"<@{10**17 + number}>" for number in range(8))]
)
async def test_nobody_can_sit_at_some_tables(world: World, players: str) -> None:
    alice = world.discord.person("Alice")
    refused = await alice.slash(world.discord.channel, "random", players=players)
    assert "at most seven" in refused.text


async def test_what_nobody_may_see_is_drawn_for_no_table(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "DrBeat", Visibility.ONLY_ME)
    refused = await alice.slash(world.discord.channel, "random", only="played:no", players=bob.mention)
    assert "Only you may see" in refused.everything
    assert not refused.charts


async def test_one_chart_is_left_where_there_are_few(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    table = await alice.slash(world.discord.channel, "random", filter='title="AETHER"', players=bob.mention)
    assert len(table.charts) == 3
    for player in (alice, bob):
        menu = table.component("Strike a chart")
        table = await player.choose(table, menu.custom_id, menu.options[0])
    assert len(table.charts) == 1
    assert not table.components


@pytest.mark.own
async def test_a_rank_that_the_region_does_not_have_is_told(world: World) -> None:
    world.settings = world.settings.model_copy(update={"default_region": "jp"})
    await world.start_bot()
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    for command in ("search", "random", "scores", "table", "tiers", "practice", "best"):
        reply = await alice.slash(world.discord.channel, command, filter="rank>=sss+")
        assert "the old game ends with SSS" in reply.everything, command
    options = {"player": "minamo_plays", "filter": "rank>=sss+"}
    reply = await alice.slash(world.discord.channel, "compare", **options)
    assert "the old game ends with SSS" in reply.everything
    options["filter"] = "const>=17"
    reply = await alice.slash(world.discord.channel, "compare", **options)
    assert "No chart that both of you have played matches this filter" in reply.everything
    reply = await alice.slash(world.discord.channel, "search", filter="const>=17 rank>=s+")
    assert "Leave one of its conditions out" in reply.everything
