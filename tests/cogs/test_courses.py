import pytest
from world import World

pytestmark = pytest.mark.shared


async def test_courses_with_what_was_cleared(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "courses")
    assert reply.is_private
    assert "courses cleared" in reply.everything
    assert r"CLASS Ⅲ \*\*逆境\*\*" in reply.everything


@pytest.mark.parametrize(
    ("locale", "sentence"), [("en-US", "No course record"), ("ja", "コースの記録はまだ")]
)
async def test_no_course_yet(world: World, locale: str, sentence: str) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, "yuzu_new")
    assert sentence in (await alice.slash(world.discord.channel, "courses")).everything


async def test_worlds_end_scores(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "DrBeat")
    reply = await hanako.slash(world.discord.channel, "worldsend")
    assert reply.is_private
    assert "WORLD'S END スコア" in str(reply.embed.title).replace("\\", "")
    assert "MASTER" not in reply.everything
    assert "平均スコア" in reply.everything
