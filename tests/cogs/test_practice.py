import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from world import World

from bot.domain.ids import MemberId
from bot.features import practice

pytestmark = pytest.mark.shared


async def test_three_charts_for_today_and_others_again(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    channel = world.discord.channel
    reply = await alice.slash(channel, "practice")
    assert reply.is_private
    kept = world.bot.features.practice._found
    members = len(kept)
    fields = {str(field.name): str(field.value) for field in reply.embed.fields}
    assert re.search(
        r"→ \*\*[\d,]+\*\* \S+ · next try \*\*(fifty-fifty|likely|almost certain) \d+%\*\*",
        fields["A solid gain"],
    )
    assert re.search(r"next try \*\*(unlikely|a long shot) \d+%\*\*", fields["A stretch"])
    assert (await alice.slash(channel, "practice")).embed.to_dict() == reply.embed.to_dict()
    drawn = [reply.embed.to_dict()]
    for _ in range(4):
        reply = await alice.click(reply, "Again")
        drawn.append(reply.embed.to_dict())
    assert any(each != drawn[0] for each in drawn[1:])
    # Drawn from the same each time.
    assert len(kept) == members
    assert practice.MAX_POOLS_BYTES > kept.weight > 0
    await alice.slash(channel, "practice", filter="level:13")
    assert len(kept) == members
    bob = world.discord.person("Bob")
    await world.link(bob, "mio")
    await bob.slash(channel, "practice")
    assert len(kept) == members + 1
    await world.bot.features.accounts.unlink(MemberId(bob.id))
    assert len(kept) == 0


async def test_what_raises_no_rating_is_not_called_a_gain(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "practice", filter="played level:12")
    fields = {str(field.name): str(field.value) for field in reply.embed.fields}
    assert "no change" in fields["A rank within reach"]
    assert "A solid gain" not in fields


@pytest.mark.own
async def test_today_ends_at_the_readers_midnight(world: World) -> None:
    alice, zone = world.discord.person("Alice"), ZoneInfo("Pacific/Honolulu")
    await world.link(alice, "minamo_plays")
    await world.bot.features.preferences.change(MemberId(alice.id), timezone=zone.key)

    async def drawn() -> object:
        return (await alice.slash(world.discord.channel, "practice")).embed.to_dict().get("fields")

    now = world.clock.now().astimezone(zone)
    midnight = datetime.combine(now.date() + timedelta(days=1), time(), zone)
    first = await drawn()
    world.clock.advance((midnight - now).total_seconds() - 60)
    assert await drawn() == first
    world.clock.advance(120)
    assert await drawn() != first


async def test_among_what_a_filter_lets_through(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    reply = await hanako.slash(world.discord.channel, "practice", filter="難易度:マスター")
    assert "難易度" in reply.everything
    shown = "".join(str(field.value) for field in reply.embed.fields)
    assert "MASTER" in shown
    assert not re.search("EXPERT|ULTIMA|BASIC|ADVANCED", shown)
    nothing = await hanako.slash(world.discord.channel, "practice", filter="定数>=99")
    assert "この条件に合う譜面はありません" in nothing.everything
    assert not nothing.embed.fields
    assert "もう一度" not in [component.label for component in nothing.components]


@pytest.mark.parametrize("player", ["yuzu_new", "sora_ch"])
async def test_who_has_played_little_is_told_so_in_sentences(world: World, player: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, player)
    reply = await alice.slash(world.discord.channel, "practice")
    if player == "yuzu_new":
        assert "Nothing is known of your scores yet." in reply.everything
    assert len(reply.embed.fields) == (0 if player == "yuzu_new" else 3)
    skill = await alice.slash(world.discord.channel, "skill")
    assert skill.is_private
    if player == "yuzu_new":
        assert "You have played 0 charts with a known constant." in skill.everything
        assert not skill.files


async def test_strong_and_weak_sides_as_bars(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "skill")
    assert {field.name for field in reply.embed.fields} == {"Strong", "Weak"}
    assert re.search("not known: no statistics|Compared with players of your rating", reply.everything)
    (file,) = reply.files
    assert re.search(r"^Skills of .+\. .+: [+−]?\d+%, ", str(file.description))


async def test_in_japanese(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "DrBeat")
    reply = await hanako.slash(world.discord.channel, "skill")
    assert "得意" in reply.everything
    assert "苦手" in reply.everything
    assert reply.files
