import pytest
from world import World

pytestmark = pytest.mark.shared


async def test_both_ways_without_an_account(world: World) -> None:
    carol = world.discord.person("Carol")
    reply = await carol.slash(world.discord.channel, "calc", constant=14.7, score=1_008_295, rating=16.5)
    assert not reply.is_private
    fields = {str(field.name): str(field.value) for field in reply.embed.fields}
    assert "**16.77**" in fields["Rating of 1,008,295"]
    assert "**1,006,500** SS+" in fields["Least score for 16.50"]
    assert "**SSS+** 1,009,000 · **16.85**" in reply.everything
    assert "**maximum** 1,010,000" in reply.everything


async def test_what_no_score_earns(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    reply = await hanako.slash(world.discord.channel, "calc", constant=14.0, rating=16.16)
    assert "届きません" in reply.everything
    assert reply.embed.title == "譜面定数: 14.0"
