"""Where several songs may be meant, every command asks back, and the choice leads to its own page."""

import pytest
from world import World

pytestmark = pytest.mark.shared


@pytest.mark.parametrize(
    ("command", "typed", "shown"),
    [
        ("score", {}, "Scores of **"),
        ("score", {"player": "DrBeat"}, "Scores of **Dr"),
        ("whatif", {"difficulty": "MAS", "score": 1_009_000}, "**1,009,000** SSS+"),
        ("stats", {}, "players"),
        ("stats", {"difficulty": "EXP"}, "EXPERT"),
    ],
)
async def test_asks_which_song_is_meant(
    world: World, command: str, typed: dict[str, str | int], shown: str
) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    titles: set[str | None] = set()
    for place in range(3):
        reply = await alice.slash(world.discord.channel, command, song="aethe", **typed)
        assert reply.embed.title == "Which song do you mean?"
        (menu,) = reply.components
        chosen = (await alice.choose(reply, menu.custom_id, menu.options[place])).posts[-1]
        if shown in chosen.everything:  # not each song has the chart that is asked for
            titles.add(chosen.embed.title)
    assert len(titles) >= 2


async def test_a_song_that_is_certain_is_shown_at_once(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "score", song="AETHER")
    assert reply.embed.title == "AETHER"


async def test_what_a_score_would_change_can_be_shared(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    options = {"song": "AETHER", "difficulty": "MAS", "score": 1_009_000}
    reply = await alice.slash(world.discord.channel, "whatif", **options)
    assert reply.is_private
    shared = (await alice.click(reply, "Share")).posts[-1]
    assert not shared.is_private
    assert shared.embed.title == "AETHER"
    assert "1,009,000" in shared.everything
    assert shared.components == ()


@pytest.mark.parametrize("player", ["x" * 64, ":" * 64, "%" * 64])
async def test_where_no_menu_can_hold_what_was_typed_the_songs_are_named(world: World, player: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "score", song="aethe", player=player)
    assert reply.embed.title == "Which song do you mean?"
    assert reply.components == ()
    assert "AETHER" in str(reply.embed.description)
