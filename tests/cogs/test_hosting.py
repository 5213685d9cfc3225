"""`/host`, direct messages to the host, servers that they block, and what they tell everybody: `NOTICE_FILE`."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from harness import Person, Reply
from patience import PATIENT_SECONDS
from world import World

from bot.base.config import CannotStart
from bot.chat.hosting import tell_host
from bot.domain.errors import CannotKeep
from bot.domain.ids import GuildId
from bot.domain.rating_census import RatingCensus
from bot.features.hosting import HostCause, Hosting, is_nearly_full
from bot.features.shared.notices import read_notice
from bot.store import FreeSpace, HostAffairs

pytestmark = pytest.mark.own
DAY = timedelta(days=1)


@pytest.fixture
async def host(own_world: World) -> Person:
    """Return whoever hosts the bot, which has just been started anew."""
    person = own_world.discord.person("Host")
    own_world.settings = own_world.settings.model_copy(update={"owner_ids": (person.id,)})
    await own_world.start_bot()
    await own_world.begun()
    return person


async def ask(person: Person, command: str, **options: str) -> Reply:
    return await person.slash(person.direct, command, **options)


async def test_where_nobody_is_named_there_is_no_such_command(world: World) -> None:
    assert world.bot.tree.get_command("host") is None
    assert world.bot.features.hosting.owners == ()


async def test_the_host_alone_is_told_how_the_bot_is(own_world: World, host: Person, tmp_path: Path) -> None:
    alice = own_world.discord.person("Alice")
    await own_world.link(alice, "minamo_plays")
    own_world.bot.features.hosting._backup_folder = tmp_path
    shown = await ask(host, "host status")
    assert shown.is_private
    said = {field.name: str(field.value) for field in shown.embed.fields}
    assert (said["Linked members"], said["Servers"], said["Posts"]) == ("1", "1", "None is late")
    assert "SQLite" in said["Database"] or "PostgreSQL" in said["Database"]
    assert said["Last copy"] == "None in BACKUP_FOLDER"
    assert "account" in said["Requests left"]
    (tmp_path / "kiroku-20261101-120000.db").touch()
    assert "<t:1793534400:R>" in (await ask(host, "host status")).everything
    for command, options in (
        ("host status", {}),
        ("host block", {"server": "1"}),
        ("host unblock", {"server": "1"}),
    ):
        refused = await ask(alice, command, **options)
        assert refused.text == "Only whoever hosts this bot can do that."


async def test_a_blocked_server_is_left_and_left_again(own_world: World, host: Person) -> None:
    server, backend = own_world.discord.server("Spam"), own_world.discord.wire.backend
    assert "whoever invites it" in (await ask(host, "host block", server=f" {server.id} ")).everything
    assert server.id not in backend.guilds
    again = own_world.discord.server("Spam again")
    await own_world.bot.features.hosting.block(GuildId(again.id))
    own_world.discord.wire.invite(again.id, own_world.clock.now())
    assert await own_world.discord.wire.until(lambda: again.id not in backend.guilds, PATIENT_SECONDS)
    assert "blocked" in (await ask(host, "host status")).everything
    assert "can use the bot again" in (await ask(host, "host unblock", server=str(again.id))).everything
    assert (await ask(host, "host unblock", server=str(again.id))).text == "That server is not blocked."
    assert not await own_world.bot.features.hosting.is_blocked(GuildId(again.id))
    for odd in ("nowhere", "-1", "0", str(2**63), "１２"):
        assert "is not the id of a server" in (await ask(host, "host block", server=odd)).text


def wrong(hosting: Hosting, monkeypatch: pytest.MonkeyPatch, *causes: HostCause) -> None:
    """Have something be wrong."""
    monkeypatch.setattr(hosting, "_are_posts_late", lambda: HostCause.POSTS_LATE in causes)
    above = 1 if HostCause.VERSIONS_OUTDATED in causes else 0
    monkeypatch.setattr(hosting._ratings, "census", RatingCensus(0, 5 * above, 0))


def told(person: Person) -> Sequence[str]:
    return [str(embed.title) for post in person.direct.posts() for embed in post.embeds]


async def test_the_host_is_written_to_once_a_day_and_cause(
    own_world: World, host: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, hosting = own_world.bot, own_world.bot.features.hosting
    await tell_host(bot)
    assert told(host) == []
    wrong(hosting, monkeypatch, HostCause.POSTS_LATE)
    await tell_host(bot)
    await tell_host(bot)
    assert told(host) == ["Posts are late"]
    wrong(hosting, monkeypatch, HostCause.POSTS_LATE, HostCause.VERSIONS_OUTDATED)
    await tell_host(bot)
    assert told(host)[1:] == ["A version of the game is missing"]
    hosting._told.clear()  # as another process, or after a restart
    await tell_host(bot)
    assert len(told(host)) == 2
    own_world.clock.advance(DAY.total_seconds() + 1)
    await tell_host(bot)
    assert sorted(told(host)[2:]) == ["A version of the game is missing", "Posts are late"]


async def test_a_full_disk_keeps_nobody_from_being_told_of_it(
    own_world: World, host: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise CannotKeep

    async def find_room() -> FreeSpace:
        return FreeSpace(free=1, used=10)

    monkeypatch.setattr(HostAffairs, "claim_alert", refuse)
    monkeypatch.setattr(own_world.bot.features.hosting._store, "find_room", find_room)
    await tell_host(own_world.bot)
    await tell_host(own_world.bot)
    assert told(host) == ["The disk is nearly full"]


async def test_what_is_wrong_is_what_the_alerts_say_too(own_world: World) -> None:
    hosting = own_world.bot.features.hosting
    mega = 1024 * 1024
    for free, used, expected in ((257, 1, False), (255, 1, True), (299, 300, True), (301, 300, False)):
        assert is_nearly_full(FreeSpace(free * mega, used * mega)) is expected
    assert not is_nearly_full(None)
    assert not is_nearly_full(FreeSpace(None, 1))
    ratings = own_world.bot.features.game_ratings
    for census, expected in (
        (RatingCensus(5, 5, 0), []),
        (RatingCensus(4, 5, 0), [HostCause.VERSIONS_OUTDATED]),
    ):
        ratings.census = census
        assert await hosting.find_alerts() == expected


async def test_posts_are_late_that_wait_for_half_an_hour_without_a_pause(
    own_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosting, clock = own_world.bot.features.hosting, own_world.clock

    async def are_late(waiting: int, minutes: float) -> bool:
        clock.advance(minutes * 60)
        monkeypatch.setattr(type(hosting._posts), "waiting", property(lambda _: waiting))
        return (await hosting.report(servers=1)).posts_late

    assert not await are_late(1, 0)
    assert not await are_late(1, 29)
    assert await are_late(2, 1)
    assert not await are_late(0, 1)
    assert not await are_late(1, 1)
    assert not await are_late(1, 29)
    assert await are_late(1, 1)


async def test_a_notice_stands_in_about_and_below_what_fails(own_world: World, tmp_path: Path) -> None:
    file = tmp_path / "notice.txt"
    file.write_text(
        "\nThe record service is being repaired until 18:00.\nja=18時まで記録サービスの保守中です。\n",
        encoding="utf-8",
    )
    own_world.settings = own_world.settings.model_copy(update={"notice_file": file})
    await own_world.start_bot()
    alice, hanako = own_world.discord.person("Alice"), own_world.discord.person("Hanako", locale="ja")
    channel = own_world.discord.channel
    assert "repaired until 18:00" in (await alice.slash(channel, "about")).everything
    assert "18時まで" in (await hanako.slash(channel, "about")).everything
    assert "repaired" not in (await alice.slash(channel, "rating")).everything  # she has not linked
    await own_world.link(alice, "minamo_plays")
    await own_world.stop_service()
    failed = await alice.slash(channel, "rating", player="mio")
    assert failed.text.endswith("\n-# ⚠️ The record service is being repaired until 18:00.")
    file.write_text("x" * 301)
    await own_world.bot.reload()
    assert "the notice stays as it was: A line of " in own_world.log.text
    file.unlink()
    await own_world.bot.reload()
    assert "repaired" not in (await alice.slash(channel, "about")).everything


def test_a_notice_is_a_sentence_a_language(tmp_path: Path) -> None:
    file = tmp_path / "notice"
    assert read_notice(None) == read_notice(file) == {}
    file.write_text("one\ntwo\nja=三\npt-BR=quatro\na=b is no language\nko=\n", encoding="utf-8")
    assert read_notice(file) == {"": "one", "ja": "三", "pt-BR": "quatro"}
    file.write_bytes(b"\xff")
    with pytest.raises(CannotStart, match="NOTICE_FILE"):
        read_notice(file)
