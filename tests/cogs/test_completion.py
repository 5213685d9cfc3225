import re
from io import BytesIO

import pytest
from harness import Reply
from PIL import Image
from world import World

from bot.domain import completion
from bot.domain.members import Visibility
from bot.features import completion as feature

pytestmark = pytest.mark.shared


def counts(reply: Reply) -> list[int]:
    """Return how many charts were played, and of how many."""
    found = re.search(
        r"^(?:([\d,]+) of ([\d,]+) charts played|([\d,]+) 譜面中 ([\d,]+) 譜面プレイ済み)$",
        reply.everything,
        re.MULTILINE,
    )
    assert found is not None
    return sorted(int(each.replace(",", "")) for each in found.groups() if each)


async def test_a_table_with_its_picture_and_its_numbers(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    reply = await alice.slash(world.discord.channel, "table", filter="level>=13+ diff:mas")
    assert not reply.is_private
    assert re.search(r"^\d+ of \d+ charts played$", reply.everything, re.MULTILINE)
    (file,) = reply.files
    assert re.match(r"Table of level>=13\+ diff:mas: \d+ of \d+ charts played\. ", str(file.description))
    assert Image.open(BytesIO(world.discord.content(file))).width == 1272


async def test_ones_own_table_is_ones_own_until_it_is_shared(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    reply = await hanako.slash(world.discord.channel, "table", filter="レベル:14")
    assert reply.is_private
    assert "譜面プレイ済み" in reply.everything
    shared = await hanako.click(reply, "みんなに見せる")
    assert not shared.is_private
    assert shared.files


async def test_more_charts_than_a_picture_holds_are_a_sentence(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (completion, feature):
        monkeypatch.setattr(module, "MAX_TABLE_CHARTS", 10)
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "table", filter="level>=1")
    assert "Narrow the filter, such as `level:14+`" in reply.everything
    assert not reply.files


async def test_no_chart_and_no_score(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "yuzu_new")
    nothing = await alice.slash(world.discord.channel, "table", filter="const>=99")
    assert "No chart matches this filter. Leave one of its conditions out" in nothing.everything
    assert not nothing.files
    unplayed = await alice.slash(world.discord.channel, "table", filter="level:14")
    assert "0 of " in unplayed.everything
    assert unplayed.files


async def test_world_s_end_has_a_table_too(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "table", filter="diff:we")
    assert "charts played" in reply.everything
    assert reply.files


@pytest.mark.parametrize(
    ("locale", "level", "chosen", "difficulty", "every", "typed"),
    [
        ("en-US", "Level", "Level 14", "Difficulty", "All difficulties", "level:13+ diff:mas -lamp:aj"),
        ("ja", "レベル", "レベル14", "難易度", "すべての難易度", "レベル:13+ 難易度:MAS -ランプ:AJ"),
    ],
)
async def test_level_and_difficulty_are_chosen_from_menus(  # noqa: PLR0917 - words of two languages
    world: World, locale: str, level: str, chosen: str, difficulty: str, every: str, typed: str
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    shown = await alice.slash(world.discord.channel, "table", filter=typed)
    assert shown.component(difficulty).chosen == ("MASTER",)
    turned = await alice.choose(shown, level, chosen)
    asked = await alice.slash(world.discord.channel, "table", filter="-lamp:aj diff:mas level:14")
    assert counts(turned) == counts(asked) != counts(shown)
    assert turned.component(level).chosen == (chosen,)
    wider = await alice.choose(turned, difficulty, every)
    assert (wider.component(level).chosen, wider.component(difficulty).chosen) == ((chosen,), (every,))
    assert counts(wider)[1] > counts(turned)[1]


async def test_a_filter_that_is_too_long_for_an_id_has_no_menu(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "table", filter=f"level:14 {'long ' * 16}")
    assert not any(each.options for each in reply.components)


async def test_a_filter_that_cannot_be_read(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "table", filter="level>")
    assert "I cannot read this filter" in reply.everything
