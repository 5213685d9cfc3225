"""A database that takes nothing: what needs no writing is answered, everything else is refused in a sentence."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest
from known_commands import WRITES, commands_with
from pydantic import SecretStr
from troubled import full, read_only
from walk import walk
from world import World

from bot.cluster.leases import Lease
from bot.domain.errors import BotError, CannotKeep, CannotRead
from bot.domain.members import Visibility
from bot.store import ClusterMember

pytestmark = pytest.mark.heavy

REFUSED = "Nothing can be saved right now"


Trouble = Callable[[World], AbstractAsyncContextManager[None]]
TROUBLES: list[Trouble] = [World.locked, read_only, full]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes is waited for by one command after another here: together for a minute."""
    monkeypatch.setattr("bot.database.engine.WRITE_SECONDS", 0.3)


def requests_sent(world: World) -> int:
    return world.bot.features.catalogues._api.counts["sent"]


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_songs_and_lists_answer_from_memory(world: World, trouble: Trouble) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays", Visibility.SERVERS)
    world.settings = world.settings.model_copy(update={"record_token": SecretStr("")})
    await world.start_bot()
    await world.change_database("DELETE FROM catalogues")
    channel = world.discord.channel
    async with trouble(world):
        first = await alice.slash(channel, "search", filter="diff:mas,ult const>=13")
        assert first.charts
        asked = requests_sent(world)
        assert (await alice.click(first, "Next")).charts != first.charts
        drawn = await alice.slash(channel, "random", filter="const>=13", count=3)
        assert len((await alice.click(drawn, "Again")).charts) == 3
        (song, *_) = await alice.autocomplete(channel, "song", title="a")
        assert (await alice.slash(channel, "song", title=str(song["value"]))).embeds
        assert requests_sent(world) - asked <= 1  # her scores beside the song; the catalogue never again
    assert "fault" not in world.log.text


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_every_command_answers_or_says_that_nothing_can_be_saved(
    world: World, trouble: Trouble
) -> None:
    alice, bob = world.discord.person("Alice", manager=True), world.discord.person("Bob")
    for person, player in ((alice, "minamo_plays"), (bob, "DrBeat")):
        await world.link(person, player, Visibility.SERVERS)
    channel = world.discord.channel
    await alice.slash(channel, "daily channel", channel=channel, time="21:00")
    await alice.slash(channel, "feed channel", channel=channel)
    settings = await alice.slash(channel, "settings")
    question = await alice.slash(channel, "privacy erase")
    form = await alice.slash(channel, "link")
    refused: set[str] = set()
    async with trouble(world):
        async for name, reply in walk(world, alice, channel, bob):
            assert "on our side" not in reply.everything, name
            if REFUSED in reply.everything:
                assert reply.is_private, name
                refused.add(name)
        if trouble is not full:  # where a few bytes find room, they are kept
            assert refused == commands_with(WRITES)
            for reply in (
                await alice.choose(settings, "Language", "日本語"),
                await alice.click(question, "Erase everything"),
                await alice.submit(form, {"Access token": world.token("mio")}),
                await alice.slash(channel, "unlink"),
            ):
                assert REFUSED in reply.posts[-1].text
    assert "minamo_plays" in (await alice.slash(channel, "account")).everything
    for never in ("fault", "Traceback"):
        assert never not in world.log.text
    assert world.log.text.count("the database cannot be written") >= 1


@pytest.mark.parametrize("refusal", [CannotKeep, CannotRead])
async def test_a_shard_is_opened_although_its_lease_cannot_be_had(
    world: World, monkeypatch: pytest.MonkeyPatch, refusal: type[BotError]
) -> None:
    take = ClusterMember.acquire

    async def refuse(member: ClusterMember, name: str) -> Lease | None:
        if name.startswith("shard"):
            raise refusal
        return await take(member, name)

    monkeypatch.setattr(ClusterMember, "acquire", refuse)
    await world.start_bot()
    alice = world.discord.person("Alice")
    assert (await alice.slash(world.discord.channel, "help")).embed
