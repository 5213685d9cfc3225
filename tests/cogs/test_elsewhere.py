"""What another process changes: this one answers by it, also where nobody could tell it so, and what is under way too."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
from harness import Person, Reply
from traces import ids_of, rows_about, settle
from world import World

from bot.cluster.invalidation import PROBE_QUERY
from bot.database.engine import Database
from bot.domain.ids import JP2, GuildId, MemberId, SongId
from bot.domain.members import Visibility
from bot.features import Features
from bot.features.shared.alias_packs import AliasPack
from bot.features.shared.catalogues import next_catalogue_refresh
from bot.program.app import App
from bot.store import Store, open_vault
from bot.wire.game_versions import read_table

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("cluster")]

CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query = '{}'"


@dataclass
class Neighbour:
    """What another process has: the same, but for Discord."""

    store: Store
    features: Features
    here: Store
    """The bot's."""
    patch: pytest.MonkeyPatch

    async def be_heard(self) -> None:
        """Wait until the bot has heard what was told until now."""
        is_heard = asyncio.Event()
        self.here.bus.subscribe("said", lambda _text: is_heard.set())
        async with self.store._database.write() as connection:
            await self.store.bus.publish(connection, "said", "")
        await is_heard.wait()

    async def be_cut_off(self, world: World) -> None:
        """Let the bot hear nothing, and not listen again."""

        async def refuse(_database: Database) -> None:
            raise OSError

        assert await self.here.bus.until_current()
        self.patch.setattr(Database, "connection_apart", refuse)
        await world.change_database(CUT.format(PROBE_QUERY.replace("'", "''")))
        while await self.here.bus.until_current():  # noqa: ASYNC110 - its socket says so a moment later
            await asyncio.sleep(0.01)

    async def end(self, person: Person, how: str) -> None:
        """Erase a member's link."""
        member = MemberId(person.id)
        await (
            self.features.accounts.unlink(member) if how == "unlink" else self.features.privacy.erase(member)
        )


@pytest.fixture
async def neighbour(world: World, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Neighbour]:
    app = App(world.settings, world.clock)
    vault = open_vault(world.settings.token_keys_in_clear, None)
    store = await app._stack.enter_async_context(Store(world.settings.database_url, vault))
    features = Features(
        world.settings,
        world.clock,
        store,
        *await app._open_api(store),
        store.leader_lease(None),
        AliasPack(),
        read_table(),
    )
    yield Neighbour(store, features, world.bot.features.accounts._store, monkeypatch)
    monkeypatch.undo()
    await app.close()


async def said(world: World, person: Person, command: str, **options: str | Person) -> str:
    return (await person.slash(world.discord.channel, command, **options)).everything.replace("\\", "")


class TestChanged:
    async def test_settings(self, world: World, neighbour: Neighbour) -> None:
        alice = world.discord.person("Alice")
        assert "not linked" in await said(world, alice, "rating")
        await neighbour.features.preferences.change(MemberId(alice.id), language="ja")
        await neighbour.be_heard()
        assert "連携" in await said(world, alice, "rating")

    async def test_who_may_look_somebody_up(self, world: World, neighbour: Neighbour) -> None:
        alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
        await world.link(alice, "DrBeat", Visibility.ANYONE)
        await world.link(bob, "minamo_plays")
        assert "Dr.Beat" in await said(world, bob, "rating", member=alice)
        await neighbour.features.accounts.set_visibility(MemberId(alice.id), Visibility.ONLY_ME)
        await neighbour.be_heard()
        assert "Dr.Beat" not in await said(world, bob, "rating", member=alice)

    async def test_aliases(self, world: World, neighbour: Neighbour) -> None:
        alice, channel = world.discord.person("Alice"), world.discord.channel
        guild = channel.handle.guild
        assert guild is not None
        known = (await alice.autocomplete(channel, "song", title="AETHER"))[0]["value"]
        assert await alice.autocomplete(channel, "song", title="qqqqqq") == []
        await neighbour.features.aliases.add(GuildId(guild.id), "qqqqqq", SongId(str(known)))
        await neighbour.be_heard()
        (found,) = await alice.autocomplete(channel, "song", title="qqqqqq")
        assert found["value"] == known
        await neighbour.features.aliases.remove(GuildId(guild.id), "qqqqqq")
        await neighbour.be_heard()
        assert await alice.autocomplete(channel, "song", title="qqqqqq") == []

    async def test_days_of_history(self, world: World, neighbour: Neighbour) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat")
        member, past = MemberId(alice.id), neighbour.here.snapshots
        await past.get(member, JP2, until=world.clock.now().date())
        assert member in past.at_hand
        async with neighbour.store.snapshots.writing(member, account=None) as connection:
            assert connection is not None
        await neighbour.be_heard()
        assert member not in past.at_hand


class TestErased:
    @pytest.mark.parametrize("how", ["unlink", "privacy erase"])
    @pytest.mark.parametrize("is_cut_off", [False, True], ids=["told", "cut off"])
    async def test_nothing_of_it_is_answered(
        self, world: World, neighbour: Neighbour, how: str, *, is_cut_off: bool
    ) -> None:
        alice, bob = world.discord.person("Alice", manager=True), world.discord.person("Bob")
        await settle(world, alice, "DrBeat")
        await world.link(bob, "minamo_plays")
        about = [
            (command, each)
            for command in ("rating", "best")
            for each in ({"player": "DrBeat"}, {"member": alice})
        ]
        for command, options in about:
            assert "Dr.Beat" in await said(world, bob, command, **options)
        assert "Dr.Beat" in await said(world, alice, "rating")
        if is_cut_off:
            await neighbour.be_cut_off(world)
        await neighbour.end(alice, how)
        if not is_cut_off:
            await neighbour.be_heard()
        await world.stop_service()
        for command, options in about:
            assert "Dr.Beat" not in await said(world, bob, command, **options)
        assert "not linked" in await said(world, alice, "rating")
        left = {table for table, _ in await rows_about(world, *ids_of(world, alice, "DrBeat"))}
        # What they chose for themselves, and the post that they have set up for their server.
        assert left == ({"preferences", "post_plans"} if how == "unlink" else set())

    async def test_once_it_listens_again_nothing_from_before_is_in_memory(
        self, world: World, neighbour: Neighbour
    ) -> None:
        alice = world.discord.person("Alice")
        await settle(world, alice, "DrBeat")
        cache, members = world.bot.features.best._askers._cache, neighbour.here.members
        await neighbour.be_cut_off(world)
        await neighbour.end(alice, "privacy erase")
        assert MemberId(alice.id) in members.at_hand
        assert cache._answers
        neighbour.patch.undo()
        while not await neighbour.here.bus.until_current():  # noqa: ASYNC110 - it tries again by itself
            await asyncio.sleep(0.01)
        assert MemberId(alice.id) not in members.at_hand
        assert not cache._answers
        assert world.bot.renderer.cache.weight == 0

    async def test_the_language_of_their_discord_is_forgotten(
        self, world: World, neighbour: Neighbour
    ) -> None:
        alice = world.discord.person("Alice", locale="ja")
        await alice.slash(world.discord.channel, "rating")
        assert world.bot.features.preferences.locale_of(MemberId(alice.id)) == "ja"
        await neighbour.end(alice, "privacy erase")
        await neighbour.be_heard()
        assert world.bot.features.preferences.locale_of(MemberId(alice.id)) is None


class TestCatalogue:
    async def test_one_asks_for_it_and_the_others_take_it_from_the_database(
        self, world: World, neighbour: Neighbour
    ) -> None:
        ours, theirs = world.bot.features.catalogues, neighbour.features.catalogues
        before = await ours.get(JP2, patience=30)
        assert (await theirs.get(JP2)).age == before.age
        await world.rename_song("AETHER", "News")
        world.clock.advance(86_400)
        await theirs.refresh(JP2)
        while (await ours.get(JP2, patience=30)).age == before.age:
            pass
        await theirs._is_told.wait()
        await theirs.take_told()
        assert [song.title for song in (await theirs.get(JP2)).index.search("News")] == ["News"]
        assert theirs._api.counts["sent"] == 0

    @pytest.mark.parametrize(("minutes", "sent"), [(14, 0), (16, 1)])
    async def test_where_the_one_does_not_somebody_else_asks(
        self, world: World, neighbour: Neighbour, minutes: int, sent: int
    ) -> None:
        theirs = neighbour.features.catalogues
        await world.bot.features.catalogues.get(JP2, patience=30)
        before = await theirs.get(JP2)
        due_at = next_catalogue_refresh(before.age.fetched_at)
        world.clock.advance((due_at - world.clock.now()).total_seconds() + minutes * 60)
        await theirs.get(JP2, patience=30)
        await asyncio.gather(*(flight.join(30) for flight in theirs._cache._flights.values()))
        assert theirs._api.counts["sent"] == sent


@pytest.mark.parametrize("how", ["unlink", "privacy erase"])
@pytest.mark.parametrize("is_cut_off", [False, True], ids=["told", "cut off"])
async def test_a_command_under_way_tells_nothing_and_leaves_nothing(
    world: World, neighbour: Neighbour, how: str, *, is_cut_off: bool
) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    await world.link(bob, "minamo_plays")
    under_way = world.bot.features.best._askers._cache._flights
    async with world.unanswered():
        asking = [
            asyncio.create_task(alice.slash(world.discord.channel, "best")),
            asyncio.create_task(bob.slash(world.discord.channel, "best", member=alice)),
        ]
        while len({key.account for key in under_way} - {None}) < len(asking):  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0)
        if is_cut_off:
            await neighbour.be_cut_off(world)
        await neighbour.end(alice, how)
        if not is_cut_off:
            await neighbour.be_heard()
    replies: list[Reply] = await asyncio.gather(*asking)
    for reply in replies:
        assert "not linked" in reply.posts[-1].text
        assert "Dr.Beat" not in reply.everything.replace("\\", "")
    await world.discord.stop()
    assert await rows_about(world, *ids_of(world, alice, "DrBeat")) == []
