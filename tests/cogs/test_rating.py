import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import ROUND_DOWN, Decimal

import pytest
from explained import explain_player
from harness import PATIENT_SECONDS
from world import World

from bot.domain.members import Visibility
from bot.store import snapshots

pytestmark = pytest.mark.shared


async def test_rating_shows_the_player(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "rating")
    assert not reply.is_private
    names = [field.name for field in reply.embed.fields]
    assert names == [
        "Rating", "Highest", "Level", "Best average", "New average", "How it adds up", "Still missing", "Last upload",
    ]  # fmt: skip
    assert reply.embed.title == "ＭＩＮＡＭＯ"
    assert "jp2" in str(reply.embed.footer.text)
    assert reply.embed.colour is not None


async def test_the_most_that_each_slot_may_come_to_is_told(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "rating")
    assert len(re.findall(r"at most 1\d\.\d{3} today", reply.everything)) == 2


@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_what_is_shown_adds_up_to_the_rating(world: World, locale: str) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, "DrBeat")
    found = explain_player(world.service_database, "DrBeat")
    assert found.is_explained
    reply = await alice.slash(world.discord.channel, "rating")
    # Where constants are unknown, from the least on.
    fields = [
        re.sub(r"(\d)(?: to |～|–\N{WORD JOINER})[\d.]+", r"\1", str(field.value))
        for field in reply.embed.fields
    ]
    best, new = (Decimal(value.split("×")[0]) for value in fields[3:5])
    (made,) = (value for value in fields if "÷" in value)
    first, second, places, exact = (Decimal(part) for part in re.findall(r"[\d.]+", made))
    assert first + second == Decimal(found.worked_out.sum) / 100
    assert exact == ((first + second) / places).quantize(Decimal("0.001"), ROUND_DOWN)
    assert (best, new) == tuple(
        (total / count).quantize(Decimal("0.001"), ROUND_DOWN) for total, count in ((first, 30), (second, 20))
    )
    assert fields[0].startswith(f"**{exact.quantize(Decimal('0.01'), ROUND_DOWN)}** ")
    # What is missing to the next hundredth is never told as less than it is.
    higher = f"{Decimal((found.worked_out.rating or 0) + 1) / 100:.2f}"
    missing = next(value for value in fields if re.match(rf"{higher}(?!\d)", value))
    target, gain, song_ratings = (Decimal(part) for part in re.findall(r"[\d.]+", missing.splitlines()[0]))
    assert target * 50 - (first + second) == song_ratings
    assert 0 <= gain - song_ratings / 50 < Decimal("0.001")
    assert "Mate" in str(reply.embed.description)


async def test_rating_in_japanese(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    reply = await hanako.slash(world.discord.channel, "rating")
    assert [field.name for field in reply.embed.fields][:2] == ["レーティング", "最高レーティング"]


async def test_a_member_who_lets_the_asker_look(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "rating", member=bob)
    assert "Dr.Beat" in reply.everything.replace("\\", "")


async def test_who_hides_looks_like_who_has_not_linked(world: World) -> None:
    alice, bob, carol = (world.discord.person(name) for name in ("Alice", "Bob", "Carol"))
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat")
    hidden = await alice.slash(world.discord.channel, "rating", member=bob)
    unlinked = await alice.slash(world.discord.channel, "rating", member=carol)
    assert hidden.is_private
    assert unlinked.is_private
    assert hidden.text.replace(bob.mention, "") == unlinked.text.replace(carol.mention, "")


async def test_a_player_by_name(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    assert "mio" in (await alice.slash(world.discord.channel, "rating", player="mio")).everything


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("nobody_at_all", "Check the spelling"),
        ("kaede_0401", "protected"),
    ],
)
async def test_a_no_of_the_service_is_told_in_private(world: World, player: str, sentence: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "rating", player=player)
    assert reply.is_private
    (link,) = (each for each in await world.bot.tree.fetch_commands() if each.name == "link")
    assert sentence.format(link=link.mention) in reply.text
    assert reply.embeds == ()


async def test_a_friend_sees_a_protected_player(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    assert "はるか♪" in (await alice.slash(world.discord.channel, "rating", player="haruka88")).everything


async def test_member_and_player_together_are_refused(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "rating", member=alice, player="mio")
    assert reply.is_private
    assert "not both" in reply.text


@pytest.mark.parametrize(
    ("locale", "sentence"), [("en-US", "Use {link} to"), ("ja", "。{link} (/連携) で連携")]
)
async def test_not_linked(world: World, locale: str, sentence: str) -> None:
    carol = world.discord.person("Carol", locale=locale)
    reply = await carol.slash(world.discord.channel, "rating")
    assert reply.is_private
    (link,) = (each for each in await world.bot.tree.fetch_commands() if each.name == "link")
    assert sentence.format(link=link.mention) in reply.text


async def test_a_name_full_of_markdown_acts_as_none(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "ren_STAR")
    title = str((await alice.slash(world.discord.channel, "rating")).embed.title)
    assert title == r"\*Ren\* \_☆\_ \`1\`"


@pytest.mark.own
async def test_an_honour_of_thousands_of_marks_is_cut(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    with sqlite3.connect(world.service_database) as service:
        service.execute(
            "UPDATE accounts SET honor = ? WHERE user_name = 'minamo_plays'", ["a" + "\u0301" * 5000]
        )
    service.close()
    await world.restart_service()
    reply = await alice.slash(world.discord.channel, "rating")
    assert reply.embed.title == "ＭＩＮＡＭＯ"


async def test_a_player_without_records(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "yuzu_new")
    reply = await alice.slash(world.discord.channel, "rating")
    assert reply.embed.title == "ゆずしお"
    said = {field.name: field.value for field in reply.embed.fields}
    assert (said["Best average"], said["New average"]) == ("–", "–")
    assert "Recent average" not in said, "which this version of the game does not count"
    assert "Still missing" not in said


@pytest.mark.own
async def test_the_service_is_down(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await world.stop_service()
    reply = await alice.slash(world.discord.channel, "rating")
    assert reply.is_private
    assert "not answering" in reply.text
    assert "127.0.0.1" not in reply.text + world.log.text


@pytest.mark.own
async def test_the_last_known_rating_when_the_service_is_down(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await alice.slash(world.discord.channel, "rating")
    await world.stop_service()
    world.clock.advance(600)
    reply = await alice.slash(world.discord.channel, "rating")
    assert "is not answering right now" in reply.everything
    assert "ＭＩＮＡＭＯ" in reply.everything


@pytest.mark.parametrize("hour", [14, 15, 23])
@pytest.mark.own
async def test_the_day_of_a_snapshot_is_that_of_the_service(
    world: World, hour: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """15:00 UTC is midnight in Tokyo: two looks on one day of UTC may be two days of history."""
    monkeypatch.setattr(snapshots, "COURTESY_SECONDS", PATIENT_SECONDS)  # a day later much else is written
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    now = world.clock.now()
    later = now.replace(hour=hour, minute=30) + timedelta(days=1)
    world.clock.advance((later - now).total_seconds())
    await alice.slash(world.discord.channel, "rating")
    with closing(sqlite3.connect(world.database)) as database:
        ((day,),) = database.execute("SELECT day FROM snapshots")
    assert day == (later.date() + timedelta(days=hour >= 15)).isoformat()


@pytest.mark.own
async def test_a_profile_with_a_rating_and_no_records_lacks_all_of_them(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "yuzu_new")
    assert "upload again" not in (await alice.slash(world.discord.channel, "rating")).everything
    with closing(sqlite3.connect(world.service_database)) as service, service:
        service.execute("UPDATE accounts SET rating = 577 WHERE user_name = 'yuzu_new'")
    world.clock.advance(timedelta(days=1).total_seconds())
    shown = (await alice.slash(world.discord.channel, "rating")).everything
    assert "most likely newer than they are: upload again." in shown
    assert "several records are not here" in shown
    assert "No records here yet" in (await alice.slash(world.discord.channel, "best")).everything


@pytest.mark.own
async def test_a_profile_of_before_todays_formula_lacks_nothing(world: World) -> None:
    alice = world.discord.person("Alice")
    with closing(sqlite3.connect(world.service_database)) as service, service:
        told_at = int(datetime(2024, 12, 11, tzinfo=UTC).timestamp())
        service.execute(
            "UPDATE accounts SET rating = 1703, updated_at = ? WHERE user_name = 'DrBeat'", [told_at]
        )
    await world.restart_service()
    await world.link(alice, "DrBeat")
    shown = (await alice.slash(world.discord.channel, "rating")).everything
    assert "its rating came from another formula: upload again." in shown
    assert "newer than they are" not in shown
    assert "not here" not in shown


@pytest.mark.own
@pytest.mark.parametrize(
    ("above", "said"), [(2, "It may be one record"), (90, "several records are not here")]
)
async def test_what_a_profile_newer_than_the_records_lacks(world: World, above: int, said: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    most = explain_player(world.service_database, "DrBeat").worked_out.highest_rating
    assert most is not None
    with closing(sqlite3.connect(world.service_database)) as service, service:
        service.execute("UPDATE accounts SET rating = ? WHERE user_name = 'DrBeat'", [most + above])
    world.clock.advance(61)  # the profile that made the link is old now
    shown = (await alice.slash(world.discord.channel, "rating")).everything
    assert "most likely newer than they are: upload again." in shown
    assert said in shown
    assert ("Likeliest: " in shown) == (above == 2)
    plan = (await alice.slash(world.discord.channel, "plan")).everything
    assert said in plan
