import re

import pytest
from world import World

pytestmark = pytest.mark.shared


async def test_what_raises_the_average_soonest(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "plan")
    assert reply.is_private
    assert "over 30 charts" in reply.everything
    assert "#1 " in reply.everything
    assert re.search(
        r"\*\*\+\d\.\d\d\*\* .*\n-# .* · \*\*(likely|even|almost certain|unlikely) \d+%\*\*",
        reply.everything,
    )
    turned = await alice.click(reply, "Next")
    assert "#6 " in turned.everything


async def test_chances_go_by_ones_own_records_until_something_is_known_of_all_players(world: World) -> None:
    alone = "Chances go by your own records alone"
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    shown = await alice.slash(world.discord.channel, "plan")
    assert alone in shown.everything
    title = next(title for difficulty, title in shown.charts if difficulty == "MASTER")
    await alice.slash(world.discord.channel, "stats", song=title, difficulty="MAS")
    world.clock.advance(600)
    assert alone not in (await alice.slash(world.discord.channel, "plan")).everything


async def test_what_stands_outside_alone(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "plan")
    chosen = await alice.choose(reply, "Which charts", "Outside the best slot")
    lines = [line for line in chosen.everything.splitlines() if line.startswith("-# #")]
    assert lines
    assert [line for line in lines if "%** · outside" not in line] == []
    assert chosen.component("Which charts").chosen == ("Outside the best slot",)


async def test_the_likeliest_way_to_a_target(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    plan = await hanako.slash(world.discord.channel, "plan")
    found = re.search(r"ベスト枠平均 \*\*(\d+\.\d+)\*\*", plan.everything)
    assert found is not None
    target = round(float(found[1]) + 0.05, 2)
    reply = await hanako.slash(world.discord.channel, "plan", target=target)
    assert f"**ベスト枠平均 {target:.2f}** に最も届きやすいルート" in reply.everything
    assert re.search(r"\n-# #1 · .* → .* \d+ ?%.* · 許容 \d+\sJ", reply.everything)
    assert "仮定" not in reply.everything


async def test_a_target_of_the_rating_says_what_it_assumes(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    shown = await alice.slash(world.discord.channel, "plan")
    found = re.search(r"Rating \*\*(\d+\.\d\d)\*\*", shown.everything)
    assert found is not None
    rating = float(found[1])
    assumed = "This assumes that 20 other charts, which the service does not send"
    for target, said in (
        (rating, "A rating of"),
        (rating + 0.02, "The likeliest way to"),
        (20, "out of reach"),
    ):
        reply = await alice.slash(world.discord.channel, "plan", target=round(target, 2), of="rating")
        assert said in reply.everything
        assert assumed in reply.everything


async def test_a_target_below_the_best_average_is_one_of_the_rating_where_that_is_not_there(
    world: World,
) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    found = re.search(
        r"Rating \*\*(\d+\.\d+)\*\*\nBest average \*\*(\d+\.\d+)\*\*",
        (await alice.slash(world.discord.channel, "plan")).everything,
    )
    assert found is not None
    rating, average = map(float, found.groups())
    assert rating < average
    for target, options, said in (
        (rating + 0.02, {}, "The likeliest way to **Rating "),
        (rating + 0.02, {"of": "best"}, "A best average of"),
        (average + 0.02, {}, "The likeliest way to **Best average "),
        (rating, {}, "A best average of"),
    ):
        reply = await alice.slash(world.discord.channel, "plan", target=round(target, 2), **options)
        assert said in reply.everything


async def test_targets_that_are_reached_or_out_of_reach(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "sora_ch")
    reached = await alice.slash(world.discord.channel, "plan", target=1.0)
    assert "is reached already" in reached.everything
    assert "still empty" in reached.everything
    beyond = await alice.slash(world.discord.channel, "plan", target=20.0)
    assert "out of reach for now" in beyond.everything


async def test_an_empty_slot_has_no_plan(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "yuzu_new")
    for target in ({}, {"target": 15.0}):
        reply = await alice.slash(world.discord.channel, "plan", **target)
        assert "Your best slot is empty" in reply.everything
