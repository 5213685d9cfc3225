"""What is kept about a member can be seen, taken and erased, wholly."""

import asyncio
import json
import sqlite3
from contextlib import closing
from datetime import date, datetime, time
from typing import cast

import pytest
from harness import Person, Reply
from patience import PATIENT_SECONDS
from sqlalchemy import Table
from traces import ids_of, rows_about, settle
from walk import walk
from world import World

from bot.api.answer_store import KEPT_FOR
from bot.database.tables import METADATA
from bot.domain.ids import MemberId
from bot.domain.members import Visibility
from bot.store.belongings import tables_about_members

TOKEN_COLUMN = "token"
WINDOWS = {"budgets", "kept_windows"}


def kept(world: World, reply: Reply) -> dict[str, list[dict[str, object]]]:
    (file,) = reply.files
    return json.loads(world.discord.content(file))


async def test_show_counts_what_is_kept(world: World) -> None:
    alice = world.discord.person("Alice", manager=True)
    assert "Nothing" in (await alice.slash(world.discord.channel, "privacy show")).everything
    await settle(world, alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "privacy show")
    assert reply.is_private
    assert "DrBeat" in reply.everything
    assert "1 day" in reply.everything
    assert f"{KEPT_FOR.days} days" in reply.everything
    assert "Anyone" in reply.everything


async def test_export_holds_every_row_and_no_token(world: World) -> None:
    alice = world.discord.person("Alice", manager=True)
    await settle(world, alice, "DrBeat")
    found = await rows_about(world, *ids_of(world, alice, "DrBeat"))
    reply = await alice.slash(world.discord.channel, "privacy export")
    assert reply.is_private
    exported = kept(world, reply)
    assert world.token("DrBeat") not in json.dumps(exported)
    assert {table for table, _row in found} == {
        "links",
        "daily_members",
        "post_plans",
        "sightings",
        "preferences",
        "snapshots",
        "kept_answers",
        "rating_checks",
        "rounds",
        "score_blocks",
    } | (WINDOWS & {table for table, _row in found})
    for table, row in found:
        keys = [key for key in ("question", "version", "block") if key in row]
        (taken,) = [each for each in exported[table] if all(each[key] == row[key] for key in keys)]
        assert set(taken) == set(row)
        for column, value in row.items():
            if column == TOKEN_COLUMN or table in WINDOWS:  # which are written anew all the while
                continue
            if isinstance(value, bytes):
                assert taken[column] or not value
                assert isinstance(taken[column], dict | list)
            elif isinstance(value, datetime | date | time):
                assert taken[column] == value.isoformat()
            elif column == "scores":
                assert taken[column] == [list(each) for each in cast("list[tuple[object, ...]]", value)]
            else:
                assert taken[column] == value


async def test_erase_asks_first(world: World) -> None:
    alice = world.discord.person("Alice", manager=True)
    await settle(world, alice, "DrBeat")
    question = await alice.slash(world.discord.channel, "privacy erase")
    assert question.is_private
    assert "cannot be brought back" in question.everything
    assert await rows_about(world, *ids_of(world, alice, "DrBeat"))


@pytest.mark.heavy
async def test_erase_leaves_no_row_reply_snapshot_picture_or_log_line(world: World) -> None:
    alice, bob = world.discord.person("Alice", manager=True), world.discord.person("Bob")
    await settle(world, alice, "DrBeat")
    await world.link(bob, "minamo_plays")
    walked = [
        name
        for person in (alice, bob)
        async for name, _reply in walk(world, person, world.discord.channel, alice)
    ]
    assert len(walked) > 50
    for command in ("rating", "best"):
        await bob.slash(world.discord.channel, command, player="DrBeat")
    settings = await alice.slash(world.discord.channel, "settings")
    await alice.choose(settings, "Language", "日本語")
    question = await alice.slash(world.discord.channel, "privacy erase")
    erase = question.components[0].custom_id
    assert (await alice.click(question, erase)).components == ()
    assert await rows_about(world, *ids_of(world, alice, "DrBeat")) == []
    # The rows' bytes are gone from the file too, not only from what a query finds.
    files = [file for file in world.database.parent.iterdir() if file.is_file()]
    assert {"kiroku.db", "kiroku.key"} <= {file.name for file in files} or not world.database.exists()
    for file in files:
        for trace in ("Europe/Paris", "DrBeat", "Dr.Beat", world.token("DrBeat")):
            assert trace.encode() not in file.read_bytes(), (file.name, trace)
    # No answer by or about the player is left: with the service gone, nothing can be said of them.
    await world.stop_service()
    for options in ({"player": "DrBeat"}, {"member": alice}):
        for command in ("rating", "best"):
            reply = await bob.slash(world.discord.channel, command, **options)
            assert "Dr.Beat" not in reply.everything.replace("\\", "")
    # In the language of her Discord: the one she had chosen is gone from memory too.
    assert "have not linked" in (await alice.slash(world.discord.channel, "rating")).posts[-1].text
    for secret in (str(alice.id), "DrBeat", "Dr.Beat", world.token("DrBeat")):
        assert secret not in world.log.text


async def test_erase_again_changes_nothing(world: World) -> None:
    alice = world.discord.person("Alice")
    for _ in range(2):
        question = await alice.slash(world.discord.channel, "privacy erase")
        assert "erased" in (await alice.click(question, "Erase everything")).everything


@pytest.mark.parametrize("table", METADATA.sorted_tables, ids=str)
def test_every_table_that_knows_a_person_is_among_the_belongings(table: Table) -> None:
    """A table of another kind goes into this list, or into `bot.store.belongings`."""
    nobodys = {
        "aliases",
        "blocked_servers",
        "catalogues",
        "chart_statistics",
        "greetings",
        "host_alerts",
        "leases",
        "pinned_packs",
        "posts",
        "processes",
        "questions",
        "session_starts",
        "song_titles",
        "wanted_aliases",
    }
    by_account = {"budgets", "kept_answers", "kept_windows"}
    names = {each.name for each in tables_about_members()} | by_account | nobodys
    assert table.name in names


async def end(world: World, person: Person, how: str) -> None:
    """Erase a member's link, by one command or another."""
    reply = await person.slash(world.discord.channel, how)
    if how == "privacy erase":
        await person.click(reply, reply.components[0].custom_id)


@pytest.mark.sqlite
@pytest.mark.parametrize("how", ["unlink", "privacy erase"])
async def test_what_was_kept_is_gone_from_the_files_too(world: World, how: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "best")
    with closing(sqlite3.connect(world.database)) as connection:
        sealed = [body[:200] for (body,) in connection.execute("SELECT body FROM kept_answers")]
        sealed += [token for (token,) in connection.execute("SELECT token FROM links")]
    files = list(world.database.parent.glob("kiroku.db*"))
    assert all(any(part in file.read_bytes() for file in files) for part in sealed)
    await end(world, alice, how)
    assert not any(part in file.read_bytes() for file in files for part in sealed)


@pytest.mark.parametrize("how", ["unlink", "privacy erase"])
async def test_no_picture_is_left_in_memory(world: World, how: str) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob", locale="ja")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    await world.link(bob, "minamo_plays")
    kept = world.bot.renderer.cache
    await bob.slash(world.discord.channel, "best")
    of_bob = kept.weight
    for command in ("best", "overpower"):
        await alice.slash(world.discord.channel, command)
    for options in ({"player": "DrBeat"}, {"member": alice}):
        await bob.slash(world.discord.channel, "best", **options)
    assert kept.weight > 2 * of_bob > 0
    await end(world, alice, how)
    assert kept.weight == of_bob
    await end(world, bob, how)
    assert kept.weight == 0


@pytest.mark.sqlite
@pytest.mark.parametrize("how", ["unlink", "privacy erase"])
async def test_what_a_reader_holds_on_the_disk_is_told_and_gone_when_they_end(world: World, how: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    log = world.database.with_name("kiroku.db-wal")
    with closing(sqlite3.connect(world.database, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        ((token,),) = reader.execute("SELECT token FROM links")
        reply = await alice.slash(world.discord.channel, how)
        if how == "privacy erase":
            reply = await alice.click(reply, "Erase everything")
        assert "once that ends" in reply.everything
        assert any(token in file.read_bytes() for file in (world.database, log))
    async with asyncio.timeout(PATIENT_SECONDS):
        while "gone from the disk" not in world.log.text:  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.05)
    assert not any(token in file.read_bytes() for file in (world.database, log))


@pytest.mark.sqlite
async def test_what_a_killed_bot_left_in_the_log_is_gone_once_it_starts(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    log = world.database.with_name("kiroku.db-wal")
    with closing(sqlite3.connect(world.database, isolation_level=None)) as other:
        ((token,),) = other.execute("SELECT token FROM links")
        await world.discord.stop()  # another connection is open: the log stays, as after a kill
        other.execute("PRAGMA secure_delete = ON")
        other.execute("DELETE FROM links")
        assert any(token in file.read_bytes() for file in (world.database, log))
        await world.start_bot()
        async with asyncio.timeout(PATIENT_SECONDS):  # whoever reads just then is waited for
            while any(token in file.read_bytes() for file in (world.database, log)):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


@pytest.mark.sqlite
async def test_another_account_leaves_nothing_of_the_one_before_in_the_files(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    with closing(sqlite3.connect(world.database)) as connection:
        ((token,),) = connection.execute("SELECT token FROM links")
    await world.link(alice, "minamo_plays")
    for file in world.database.parent.glob("kiroku.db*"):
        assert token not in file.read_bytes()


@pytest.mark.parametrize("how", ["unlink", "privacy erase"])
async def test_nothing_made_of_records_stays_in_memory(world: World, how: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    for command in ("overpower", "plan", "best"):
        await alice.slash(world.discord.channel, command)
    features = world.bot.features
    made = features._hashes._known, features.overpower._tallies._values, features.game_ratings._known._values
    assert all(made)
    await end(world, alice, how)
    assert not any(made)


class TestUnderWay:
    async def begin(
        self, world: World, person: Person, command: str, **options: Person
    ) -> asyncio.Task[Reply]:
        """Use a command, and wait until its first request is under way."""
        under_way = world.bot.features.best._askers._cache._flights
        asking = asyncio.create_task(person.slash(world.discord.channel, command, **options))
        while not any(key.account for key in under_way):  # noqa: ASYNC110 - nobody is told when a request begins
            await asyncio.sleep(0)
        return asking

    @pytest.mark.parametrize("how", ["unlink", "privacy erase"])
    async def test_a_command_under_way_leaves_nothing_behind(self, world: World, how: str) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat")
        async with world.unanswered():
            asking = await self.begin(world, alice, "best")
            await end(world, alice, how)
        assert "have not linked" in (await asking).posts[-1].text
        assert not any(key.account for key in world.bot.features.best._askers._cache._answers)
        await world.discord.stop()
        assert await rows_about(world, *ids_of(world, alice, "DrBeat")) == []

    @pytest.mark.parametrize("how", ["unlink", "only me"])
    async def test_a_command_about_somebody_else_tells_nothing_that_they_have_closed_meanwhile(
        self, world: World, how: str
    ) -> None:
        alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
        await world.link(alice, "DrBeat", Visibility.ANYONE)
        await world.link(bob, "minamo_plays")
        async with world.unanswered():
            asking = await self.begin(world, bob, "best", member=alice)
            if how == "unlink":
                await end(world, alice, how)
            else:
                await world.bot.features.accounts.set_visibility(MemberId(alice.id), Visibility.ONLY_ME)
        assert "Dr.Beat" not in (await asking).everything.replace("\\", "")

    async def test_a_command_under_way_brings_nothing_of_one_account_to_the_next(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat")
        form = await alice.slash(world.discord.channel, "link")
        async with world.unanswered("/2.0/records/"):
            asking = await self.begin(world, alice, "scores")
            await alice.submit(form, {"Access token": world.token("minamo_plays")})
        assert not (await asking).posts[-1].embeds
        await world.discord.stop()
        account = world.players["DrBeat"].user_id
        assert await rows_about(world, account, f"account:{account}") == []
