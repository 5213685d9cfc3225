import re
from dataclasses import replace

import pytest
from dailies import settled
from walk import walk
from world import World

from bot.domain.game_versions import VersionTable
from bot.domain.ids import MemberId
from bot.domain.members import Visibility
from bot.domain.scores import SlotName
from bot.features.shared.subjects import Subject
from bot.ui.best_card import best_card

pytestmark = pytest.mark.shared


async def test_who_has_not_linked_can_have_a_language_too(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "settings")
    assert reply.is_private
    assert "As in Discord" in reply.everything
    assert len(reply.components) == 3
    changed = await alice.choose(reply, "Language", "日本語")
    assert "自分の設定" in changed.everything
    assert "連携" in (await alice.slash(world.discord.channel, "rating")).text


@pytest.mark.own
async def test_the_language_is_kept_and_can_be_left_to_discord_again(world: World) -> None:
    alice = world.discord.person("Alice", locale="ja")
    reply = await alice.slash(world.discord.channel, "settings")
    await alice.choose(reply, "言語", "English")
    await world.start_bot()
    reply = await alice.slash(world.discord.channel, "settings")
    assert "English" in reply.everything
    changed = await alice.choose(reply, "Language", "Discord")
    assert "Discord の設定に従う" in changed.everything


@pytest.mark.parametrize(
    ("menu", "choice", "shown"),
    [
        ("Pictures", "Light · Wide", "Light"),
        ("Pictures", "Dark · For phones", "For phones"),
        ("Pictures", "Light · As the answer's button says", "Light · As the answer's button says"),
        ("Slot shown first", "Recent", "Recent"),
        ("Game version", "The old game (jp)", "The old game"),
        ("Who may look you up", "Anyone", "Anyone"),
    ],
)
async def test_what_is_chosen_is_shown(world: World, menu: str, choice: str, shown: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "settings")
    changed = await alice.choose(reply, menu, choice)
    assert shown in changed.everything
    assert changed.component(menu).chosen == (f"{menu}: {choice}",)


async def test_what_was_chosen_before_stays(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "settings", timezone="Europe/Paris")
    await alice.choose(reply, "Pictures", "Light · For phones")
    await alice.choose(reply, "Slot shown first", "Recent")
    shown = (await alice.slash(world.discord.channel, "settings")).everything
    assert all(each in shown for each in ("Europe/Paris", "Light", "For phones", "Recent"))


async def test_a_zone_that_was_chosen_before_it_was_none_costs_no_other_setting(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.bot.features.preferences.change(MemberId(alice.id), timezone="Europe/Paris")
    members = world.bot.features.preferences._store.members
    kept = (await members.get(MemberId(alice.id))).preferences
    await members.save_preferences(MemberId(alice.id), replace(kept, timezone="localtime"))
    reply = await alice.slash(world.discord.channel, "settings")
    changed = await alice.choose(reply, "Slot shown first", "Recent")
    assert "Recent" in changed.everything


async def test_the_slot_and_the_region_are_used(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "settings")
    await alice.choose(reply, "Slot shown first", "Recent")
    await alice.choose(reply, "Game version", "(jp)")
    best = await world.best(alice)
    assert "Recent" in str(best.embed.title)
    assert "Game version: jp" in str(best.embed.footer.text)
    assert "jp2" not in str(best.embed.footer.text)


async def test_a_time_zone_is_suggested_and_checked(world: World) -> None:
    alice = world.discord.person("Alice")
    offered = await alice.autocomplete(world.discord.channel, "settings", timezone="new york")
    assert [choice["value"] for choice in offered] == ["America/New_York"]
    reply = await alice.slash(world.discord.channel, "settings", timezone="America/New_York")
    assert "America/New_York" in reply.everything
    for typed in ("asia/tokyo", "ASIA/TOKYO "):
        folded = await alice.slash(world.discord.channel, "settings", timezone=typed)
        assert "`Asia/Tokyo`" in folded.everything
    refused = await alice.slash(world.discord.channel, "settings", timezone="Mars/Olympus")
    assert "`timezone` is not valid. It takes: Europe/Paris, Asia/Tokyo, …" in refused.text


@pytest.mark.parametrize(
    ("unreadable", "instead"),
    [
        ("slot = 'sixth'", "Best"),
        ("theme = 'sepia'", "Dark"),
        ("cut = 'round'", "As the answer's button says"),
        ("timezone = 'Mars/Olympus'", "Asia/Tokyo"),
    ],
)
@pytest.mark.own
async def test_what_this_version_does_not_know_counts_as_not_chosen(
    world: World, unreadable: str, instead: str
) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "settings")
    await alice.choose(reply, "Language", "日本語")
    await world.change_database(f"UPDATE preferences SET {unreadable}")  # noqa: S608 - the test's own words
    await world.start_bot()
    reply = await alice.slash(world.discord.channel, "settings")
    assert "日本語" in reply.everything, "the rest is not lost"
    changed = await alice.choose(reply, "言語", "English")
    assert instead in changed.everything
    assert (await alice.slash(world.discord.channel, "best")).files


@pytest.mark.own
async def test_who_cannot_be_read_is_answered_all_the_same(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await world.change_database("UPDATE links SET linked_at = 'long ago'")
    await world.start_bot()
    assert (await alice.slash(world.discord.channel, "help")).embed
    assert "a member cannot be read" in world.log.text


@pytest.mark.parametrize("timezone", [None, "America/New_York"])
async def test_all_times_of_an_answer_are_in_one_zone_that_it_names(
    world: World, timezone: str | None
) -> None:
    alice = world.discord.person("Alice", manager=True)
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    if timezone is not None:
        await alice.slash(world.discord.channel, "settings", timezone=timezone)
    named = 0
    async for name, reply in walk(world, alice, world.discord.channel, alice):
        said = reply.everything
        assert all(embed.timestamp is None for embed in reply.embeds), name
        assert set(re.findall(r"<t:-?\d+(?::(\w))?>", said)) <= {"R"}, name
        zones = set(re.findall(r"as of [^()]+ \(([^()]+)\)", said))
        assert zones <= {timezone or "Asia/Tokyo"}, name
        named += bool(zones)
    assert named > 10


async def test_only_me_leaves_every_daily_post(world: World) -> None:
    alice = world.discord.person("Alice", manager=True)
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    await alice.slash(world.discord.channel, "daily channel", channel=world.discord.channel, time="21:00")
    await alice.slash(world.discord.channel, "daily join")
    assert "1 server" in (await alice.slash(world.discord.channel, "account")).everything
    reply = await alice.slash(world.discord.channel, "settings")
    await alice.choose(reply, "Who may look you up", "Only me")
    assert "In no daily post" in (await alice.slash(world.discord.channel, "account")).everything


async def test_a_version_of_the_game_is_chosen_and_taken_back(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "rating")
    await settled(world)
    shown = await alice.slash(world.discord.channel, "settings")
    (game,) = (field.value for field in shown.embed.fields if field.name == "Game version")
    assert game == "Today's game (jp2)\nMate, as your rating says"
    chosen = await alice.choose(shown, "Game version", "Game version: X-VERSE-X")
    assert "Today's game (jp2)\nX\\-VERSE\\-X" in chosen.everything
    told = await alice.slash(world.discord.channel, "rating")
    # By the rules that were chosen the rating is another; those of the newest version explain it.
    assert "Rules of Mate" in told.everything
    back = await alice.choose(chosen, "Game version", "Today's game (jp2)")
    assert "Mate, as your rating says" in back.everything


async def test_a_version_that_is_known_no_more_is_too_old_a_choice(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    shown = await alice.slash(world.discord.channel, "settings")
    versions = world.bot.features.game_ratings.versions
    world.bot.features.game_ratings.versions = VersionTable(())
    chosen = await alice.choose(shown, "Game version", "Game version: X-VERSE-X")
    world.bot.features.game_ratings.versions = versions
    assert "too old" in chosen.posts[-1].text


@pytest.mark.own
async def test_a_rating_is_no_regions(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    ratings: set[str | None] = set()
    for region in ("jp2", "jp"):
        world.clock.advance(61)
        shown = await alice.slash(world.discord.channel, "settings")
        await alice.choose(shown, "Game version", f"({region})")
        rating = await alice.slash(world.discord.channel, "rating")
        compared = await alice.slash(world.discord.channel, "compare", player="minamo_plays")
        ratings.add(rating.embed.fields[0].value)
        for reply in (rating, compared):
            footer = f"Game version of the scores: {region} · rating as in the profile"
            assert str(reply.embed.footer.text).startswith(f"{footer} · as of ")
        report = await world.bot.features.best.report(MemberId(alice.id), Subject(), SlotName.BEST)
        assert footer in best_card(world.bot.languages["en"], report).version
    assert len(ratings) == 1
    ratings_over_time = (await world.bot.features.rating.report(MemberId(alice.id), Subject())).history
    assert len(ratings_over_time) == 1
    world.clock.advance(24 * 60 * 60)
    await world.change_database("UPDATE snapshots SET rating = 1 WHERE region = 'jp2'")
    report = await world.bot.features.rating.report(MemberId(alice.id), Subject())
    assert [rating for _, rating in report.history] == [report.player.rating]
    await world.change_database(
        "UPDATE snapshots SET day = '2020-01-01', taken_at = '2020-01-01 00:00:00' WHERE region = 'jp2'"
    )
    world.bot.features.accounts._store.members.drop(MemberId(alice.id))
    report = await world.bot.features.rating.report(MemberId(alice.id), Subject())
    assert [rating for _, rating in report.history] == [1, report.player.rating]


@pytest.mark.own
async def test_the_settings_stay_without_a_link(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    await alice.choose(await alice.slash(world.discord.channel, "settings"), "Language", "Language: 日本語")
    await alice.slash(world.discord.channel, "unlink")
    await world.start_bot()
    assert "連携" in (await alice.slash(world.discord.channel, "rating")).text
