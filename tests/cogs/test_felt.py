"""Difficulty as felt, wherever it is shown: on `/song`, in filters and orders, for one member, without a request more."""

import re
from decimal import Decimal

import pytest
from world import World

from bot.domain.charts import Song
from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.losses import score_at
from bot.domain.coach.summaries import ChartSummary
from bot.domain.coach.usual import usual_loss
from bot.domain.history import ChartKey
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.domain.statistics import ChartStatistics

pytestmark = pytest.mark.own

NOT_KNOWN = "How hard charts feel to you is not known yet"


async def songs_of(world: World) -> tuple[Song, ...]:
    features = world.bot.features
    return (await features.catalogues.get(features.accounts._default_region)).catalogue.songs


async def learn_hardness(world: World, harder: str, by: float) -> None:
    """Let all charts be played as is usual, but those of one title as if their constants were higher."""
    features = world.bot.features
    loaded = await features.catalogues.get(features.accounts._default_region)
    summaries = dict[ChartKey, ChartSummary]()
    for number, each in enumerate(ChartFeatureSet.of(loaded.catalogue).charts[:600]):
        is_harder = loaded.catalogue.by_id[each.key[0]].title == harder
        added = by if is_harder else (number % 5 - 2) / 10
        steps = [(rating / 10, each.constant + added) for rating in range(100, 175)]
        averages = {
            Hundredths(round(rating * 100)): Decimal(score_at(usual_loss(constant - rating) + 0.15))
            for rating, constant in steps
        }
        counted = ChartStatistics(players=2_000, ranks={}, lamps={}, averages=averages)
        summaries[each.key] = ChartSummary.of(counted)
    await features.accounts._store.statistics.save_all(summaries, world.clock.now())
    world.clock.advance(4_000)


async def hard_song(world: World) -> Song:
    return next(
        each for each in await songs_of(world) if each.charts[-1].constant and each.charts[-1].constant > 1300
    )


async def test_a_chart_is_as_hard_as_players_of_the_asker_s_rating_find_it(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    song = await hard_song(world)
    unknown = await alice.slash(world.discord.channel, "song", title=song.id)
    said = unknown.everything.count("-# How it plays at your level is not known")
    assert said == 1, "of their first question too: the profile was asked for as they linked"
    await learn_hardness(world, song.title, by=0.6)
    await alice.slash(world.discord.channel, "rating")
    counts = world.bot.features.catalogues._api.counts
    sent = counts["sent"]
    reply = await alice.slash(world.discord.channel, "song", title=song.id)
    assert re.search(r"Plays like \d+\.\d at your level \(sure\)", reply.everything)
    assert counts["sent"] <= sent + 1, "for the records alone"


async def test_filters_and_orders_go_by_what_song_shows_and_ask_for_nothing_more(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    song = await hard_song(world)
    await learn_hardness(world, song.title, by=0.6)
    await alice.slash(world.discord.channel, "rating")
    shown = await alice.slash(world.discord.channel, "song", title=song.id)
    said = re.findall(r"Plays like (\d+\.\d) at your level \(sure\)", shown.everything)
    await alice.slash(world.discord.channel, "table", filter="lv:14")
    counts = world.bot.features.catalogues._api.counts
    sent = counts["sent"]
    found = await alice.slash(
        world.discord.channel, "search", filter=f'felt>const+0.2 title="{song.title}"', sort="felt-"
    )
    assert re.findall(r"\*\*\d+\.\d → (\d+\.\d)\*\*", found.everything)[0] == said[-1]
    easier = await alice.slash(world.discord.channel, "search", filter="felt<const-0.1", sort="felt-less")
    pairs = re.findall(r"\*\*(\d+\.\d)\S* → (\d+\.\d)\*\*", easier.everything)
    gaps = [round(float(felt) - float(constant), 1) for constant, felt in pairs]
    assert gaps == sorted(gaps)
    assert gaps[-1] < -0.1
    for command in ("scores", "table", "tiers", "practice", "random", "best"):
        reply = await alice.slash(world.discord.channel, command, filter="felt:13..15")
        assert NOT_KNOWN not in reply.everything, command
    assert counts["sent"] == sent


async def test_a_table_is_laid_out_by_it_and_by_constants_again(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    await learn_hardness(world, "", by=0.0)
    reply = await alice.slash(world.discord.channel, "table", filter="lv:13 diff:mas", by="felt")
    counts = world.bot.features.catalogues._api.counts
    sent = counts["sent"]
    assert "Played by felt difficulty: " in str(reply.files[0].description)
    by_constant = await alice.click(reply, "By constant")
    assert "Played by constant: " in str(by_constant.files[0].description)
    assert "Played by felt difficulty: " in str(
        (await alice.click(by_constant, "By felt difficulty")).files[0].description
    )
    assert counts["sent"] == sent


async def test_a_plan_says_which_charts_are_certainly_easier_and_those_alone(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    assert "easier than it counts" not in (await alice.slash(world.discord.channel, "plan")).everything
    await learn_hardness(world, "", by=0.0)
    reply = await alice.slash(world.discord.channel, "plan")
    told = [
        line.startswith("-# ") and "easier than it counts for you" in line
        for line in str(reply.embed.description).splitlines()
        if line.startswith("-# #")
    ]
    assert any(told)
    assert not all(told)


async def test_tiers_are_for_all_players_of_one_s_rating_too(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    own = await alice.slash(world.discord.channel, "tiers", filter="lv:13", rank="SSS")
    nothing = await alice.click(own, "For all of my rating")
    assert "no statistics of all players have been gathered" in nothing.everything
    await learn_hardness(world, "", by=0.0)
    own = await alice.slash(world.discord.channel, "tiers", filter="lv:13", rank="SSS")
    counts = world.bot.features.catalogues._api.counts
    sent = counts["sent"]
    of_all = await alice.click(own, "For all of my rating")
    assert of_all.files[0].description != own.files[0].description
    rating = (
        str((await alice.slash(world.discord.channel, "rating")).embed.fields[0].value).split()[0].strip("*")
    )
    listed = (await alice.click(of_all, "List")).posts[-1]
    assert f"a player rated {rating} is to reach it" in listed.everything
    sent = counts["sent"]
    back = await alice.click(of_all, "For me")
    assert back.files[0].description == own.files[0].description
    assert counts["sent"] == sent


async def test_what_is_new_says_of_how_much_it_is_known(world: World) -> None:
    catalogue = await world.bot.features.catalogues.get(world.bot.features.accounts._default_region)
    await learn_hardness(world, "", by=0.0)
    keys = [(song.id, chart.difficulty) for song in catalogue.catalogue.songs for chart in song.charts]
    known = await world.bot.features.player_models.count_felt(catalogue.catalogue, keys)
    assert 300 < known <= 600


async def test_it_is_said_where_it_is_not_known_and_what_helps(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob", locale="ja")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    await world.link(bob, "minamo_plays", Visibility.ANYONE)
    for command, more in (
        ("search", {}),
        ("scores", {}),
        ("table", {}),
        ("tiers", {}),
        ("practice", {}),
        ("best", {}),
        ("compare", {"member": bob}),
    ):
        reply = await alice.slash(world.discord.channel, command, filter="felt<const-0.2", **more)
        assert NOT_KNOWN in reply.everything, command
    reply = await alice.slash(world.discord.channel, "scores", sort="felt-")
    assert NOT_KNOWN in reply.everything
    reply = await bob.slash(world.discord.channel, "search", filter="体感<定数-0.2")
    assert "体感" in reply.everything
    stranger = world.discord.person("Stranger")
    reply = await stranger.slash(world.discord.channel, "search", filter="felt<const-0.2")
    assert "/link" in reply.everything


async def test_a_goal_cannot_go_by_it(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    reply = await alice.slash(world.discord.channel, "goal add", goal="felt<const-0.2 rank>=sss count:3")
    assert "A goal cannot go by `felt`" in reply.everything
