import asyncio
import re
from collections.abc import Iterable

import pytest
from busy import busy_worker
from dailies import settled
from world import World

from bot.domain.charts import Song
from bot.domain.ids import MemberId
from bot.domain.overpower import Grouping, OverPowerTally, tally
from bot.domain.scores import Record
from bot.features import overpower

pytestmark = pytest.mark.shared


@pytest.mark.parametrize(
    ("by", "shown"), [("level", "14+: "), ("genre", "ORIGINAL: "), ("difficulty", "ULTIMA: ")]
)
async def test_split_with_a_plot(world: World, by: str, shown: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "overpower", by=by)
    assert "songs played" in reply.everything
    assert "World's End does not count" in reply.everything
    (file,) = reply.post.files
    assert file.filename.endswith(".png")
    assert [file.filename for file in reply.files] == ["kiroku.png"]
    assert shown in str(reply.files[0].description)
    assert not re.search(r"% · \d+/\d+$", str(reply.embed.description), re.MULTILINE), "told twice"


async def test_in_japanese(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    reply = await hanako.slash(world.discord.channel, "overpower")
    assert "曲プレイ済み" in reply.everything
    assert reply.embed.title == "ＭＩＮＡＭＯ の OVER POWER"


async def test_nothing_played_is_nothing_earned(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "yuzu_new")
    assert "**0.00** of " in (await alice.slash(world.discord.channel, "overpower")).everything


@pytest.mark.own
async def test_the_same_records_are_added_up_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[Grouping] = []

    def count(songs: Iterable[Song], records: Iterable[Record], by: Grouping) -> OverPowerTally:
        counted.append(by)
        return tally(songs, records, by)

    monkeypatch.setattr(overpower, "tally", count)
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    first = await alice.slash(world.discord.channel, "overpower", by="level")
    again = await alice.slash(world.discord.channel, "overpower", by="level")
    assert again.embed.description == first.embed.description
    await alice.slash(world.discord.channel, "overpower", by="genre")
    assert counted == [Grouping.LEVEL, Grouping.GENRE]
    await world.bot.features.accounts.unlink(MemberId(alice.id))
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "overpower", by="genre")
    assert counted == [Grouping.LEVEL, Grouping.GENRE, Grouping.GENRE], "forgotten with its member"


async def test_what_is_counted_of_somebody_who_is_erased_while_it_waits_for_its_turn_is_not_kept(
    world: World,
) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "overpower")
    overpower = world.bot.features.overpower
    cache = overpower._askers._cache
    await settled(world)
    await asyncio.gather(*cache._copies._saves.values())
    world.bot.features._hashes.drop_all()
    overpower._tallies.drop_all()
    async with busy_worker() as until_wanted:
        asking = asyncio.create_task(overpower.report(MemberId(alice.id), Grouping.LEVEL))
        await until_wanted()
        await cache.erase(world.players["DrBeat"].user_id)
    await asking
    assert len(overpower._tallies) == 0
