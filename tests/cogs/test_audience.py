"""Who sees an answer: what is not for everyone never stands in a channel, unless its asker shares it."""

import re
import sqlite3
from contextlib import closing

import pytest
import pytest_asyncio
from discord.ui import Button, View
from harness import Person, Reply, Value
from walk import press_everything, walk
from world import World

from bot.domain.members import Visibility
from service.accounts import befriend, get_account, set_protected

pytestmark = pytest.mark.shared

PROTECTED = "haruka88"
"""A protected player, and a friend of minamo_plays."""
PROTECTED_NAMES = {PROTECTED, "はるか♪"}
OWN_NAMES = {"DrBeat", "Dr.Beat"}

OPENING = {"share:", ":account:", ":settings:", ":privacy:", ":daily:", ":feed:"}
"""Parts of the ids of what a hidden member presses to be hidden no more, or to be nobody."""

ABOUT_SOMEBODY: dict[str, dict[str, Value]] = {
    "rating": {},
    "best": {},
    "score": {"song": "rainy horizon"},
    "scores": {},
    "compare": {},
}
ABOUT_ONESELF: dict[str, dict[str, Value]] = {
    "rating": {},
    "best": {},
    "score": {"song": "rainy horizon"},
    "overpower": {},
    "session": {},
    "search": {"filter": "rank>=s"},
}


def names_in(said: str, names: set[str]) -> set[str]:
    plain = said.replace("\\", "")
    return {name for name in names if name in plain}


def public(world: World) -> str:
    """All that anybody can read in the channel."""
    parts: list[str | None] = []
    for message in world.discord.channel.posts():
        parts.append(message.content)
        parts += [file.description for file in message.attachments]
        for embed in message.embeds:
            parts += [embed.title, embed.description]
            parts += [f"{field.name}\n{field.value}" for field in embed.fields]
    return "\n".join(part for part in parts if part)


def labels(reply: Reply) -> list[str]:
    return [component.label for post in reply.posts for component in post.components]


async def played_by(world: World, person: Person) -> str:
    """Return the title of a song whose MASTER chart is among a person's best."""
    best = await world.best(person)
    return next(title for difficulty, title in best.charts if difficulty == "MASTER")


async def friend(world: World) -> Person:
    """Return a friend of the protected player."""
    minamo = world.discord.person("Minamo", manager=True)
    await world.link(minamo, "minamo_plays", Visibility.SERVERS)
    return minamo


@pytest_asyncio.fixture(loop_scope="module")
async def minamo(world: World) -> Person:
    return await friend(world)


@pytest_asyncio.fixture(loop_scope="module")
async def hidden(world: World) -> Person:
    """A member set to "only me", as everyone is at first."""
    hidden = world.discord.person("Alice", manager=True)
    await world.link(hidden, "DrBeat")
    return hidden


class TestProtected:
    @pytest.mark.parametrize("command", ABOUT_SOMEBODY)
    async def test_a_friend_sees_it_in_private(self, world: World, minamo: Person, command: str) -> None:
        options = {**ABOUT_SOMEBODY[command], "player": PROTECTED}
        reply = await minamo.slash(world.discord.channel, command, **options)
        assert names_in(reply.everything, PROTECTED_NAMES)
        assert all(post.is_private for post in reply.posts)
        assert "Share" not in labels(reply)
        assert world.discord.channel.posts() == []

    @pytest.mark.heavy
    async def test_nothing_that_can_be_done_shows_it_in_public(self, world: World, minamo: Person) -> None:
        sakura = world.discord.person("Sakura")
        await world.link(sakura, PROTECTED, Visibility.ANYONE)
        seen = 0
        async for name, reply in walk(world, minamo, world.discord.channel, sakura):
            if not names_in(reply.everything, PROTECTED_NAMES):
                continue
            seen += 1
            async for pressed in press_everything(minamo, reply):
                assert not names_in(public(world), PROTECTED_NAMES), (name, pressed.posts)
        assert seen >= 7
        assert not names_in(public(world), PROTECTED_NAMES)

    async def test_friends_scores_are_private(self, world: World, minamo: Person) -> None:
        song = await minamo.slash(world.discord.channel, "song", title="a")
        if not labels(song)[0].startswith("Stat"):
            song = await minamo.choose(song, "Choose a song", song.components[0].options[0])
        scores = await minamo.click(song, "Friends' scores")
        assert scores.is_private
        assert "Share" not in labels(scores)

    @pytest.mark.own
    async def test_who_is_protected_later_is_turned_and_shared_in_private(self, world: World) -> None:
        minamo = await friend(world)
        public_best = await minamo.slash(world.discord.channel, "best", player="DrBeat")
        scores = await minamo.slash(world.discord.channel, "scores", player="DrBeat")
        assert not public_best.is_private
        before = public(world)
        with closing(sqlite3.connect(world.service_database)) as connection, connection:
            ours, theirs = (get_account(connection, name).user_id for name in ("minamo_plays", "DrBeat"))
            set_protected(connection, theirs, is_protected=True)
            befriend(connection, ours, theirs, is_accepted=True)
        world.clock.advance(3600)
        for answered in (
            await minamo.choose(public_best, "Choose a slot", "Recent"),
            await minamo.click(scores, "Share"),
        ):
            assert answered.posts[-1].is_private
            assert names_in(answered.posts[-1].everything, OWN_NAMES)
        assert public(world) == before

    async def test_their_own_is_theirs_to_show(self, world: World) -> None:
        sakura = world.discord.person("Sakura")
        await world.link(sakura, PROTECTED, Visibility.SERVERS)
        assert not (await sakura.slash(world.discord.channel, "rating")).is_private


class TestOnlyMe:
    @pytest.mark.parametrize("command", ABOUT_ONESELF)
    async def test_what_they_ask_about_themselves_is_private_until_shared(
        self, world: World, hidden: Person, command: str
    ) -> None:
        reply = await hidden.slash(world.discord.channel, command, **ABOUT_ONESELF[command])
        assert [post.is_private for post in reply.posts] == [True]
        assert not reply.result.followups  # no public place was taken, not even for a moment
        assert world.discord.channel.posts() == []
        shared = await hidden.click(reply, "Share")
        assert not shared.is_private
        assert shared.components == ()
        assert [embed.title for embed in shared.embeds] == [embed.title for embed in reply.embeds]
        assert [file.description for file in shared.files] == [file.description for file in reply.files]

    @pytest.mark.parametrize("command", ABOUT_ONESELF)
    async def test_for_everyone_else_nothing_changes(
        self, world: World, minamo: Person, command: str
    ) -> None:
        reply = await minamo.slash(world.discord.channel, command, **ABOUT_ONESELF[command])
        assert not reply.is_private
        assert "Share" not in labels(reply)

    @pytest.mark.parametrize("own", [{"player": "drbeat"}, {"member": True}])
    async def test_asking_by_their_own_name_is_asking_about_themselves(
        self, world: World, hidden: Person, own: dict[str, Value]
    ) -> None:
        options = {key: hidden if value is True else value for key, value in own.items()}
        reply = await hidden.slash(world.discord.channel, "rating", **options)
        assert [post.is_private for post in reply.posts] == [True]
        assert not reply.result.followups

    async def test_what_they_ask_about_others_is_public(self, world: World, hidden: Person) -> None:
        reply = await hidden.slash(world.discord.channel, "rating", player="minamo_plays")
        assert not reply.is_private

    async def test_pages_turned_in_private_can_still_be_shared(self, world: World, hidden: Person) -> None:
        second = await hidden.click(await world.best(hidden), "Next")
        shared = await hidden.click(second, "Share")
        assert "#6 " in shared.everything
        assert not shared.is_private

    async def test_a_public_card_turns_in_private_once_they_hide(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.SERVERS)
        card = await alice.slash(world.discord.channel, "best")
        assert not card.is_private
        before = public(world)
        settings = await alice.slash(world.discord.channel, "settings")
        await alice.choose(settings, "Who may look you up", "Only me")
        turned = await alice.choose(card, "Choose a slot", "Recent")
        assert turned.posts[-1].is_private
        assert names_in(turned.posts[-1].everything, OWN_NAMES)
        assert public(world) == before

    @pytest.mark.parametrize("command", ["search"])
    async def test_a_public_page_turns_in_private_once_they_hide(self, world: World, command: str) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.SERVERS)
        page = await alice.slash(world.discord.channel, command, **ABOUT_ONESELF[command])
        assert not page.is_private
        settings = await alice.slash(world.discord.channel, "settings")
        await alice.choose(settings, "Who may look you up", "Only me")
        turned = await alice.click(page, "Next")
        assert turned.posts[-1].is_private
        charts = turned.posts[-1].charts
        assert charts
        assert charts != page.charts
        assert not any(title in public(world) for _difficulty, title in set(charts) - set(page.charts))

    @pytest.mark.heavy
    async def test_nothing_that_can_be_done_says_their_scores_in_public(
        self, world: World, hidden: Person
    ) -> None:
        walked = 0
        async for name, reply in walk(world, hidden, world.discord.channel, hidden):
            walked += 1
            async for _ in press_everything(hidden, reply, leaving_out=OPENING):
                assert not names_in(public(world), OWN_NAMES), name
        assert walked > 25

    async def test_songs_statistics_and_mentions_leave_their_scores_out(
        self, world: World, hidden: Person
    ) -> None:
        title = await played_by(world, hidden)
        for command, option in (("song", "title"), ("stats", "song")):
            await hidden.slash(world.discord.channel, command, **{option: title})
        before = len(world.discord.channel.posts())
        assert world.bot.user is not None
        await hidden.say(world.discord.channel, f"{world.bot.user.mention} {title}")
        await world.discord.post(world.discord.channel, after=before + 1)
        said = public(world)
        assert not names_in(said, OWN_NAMES)
        assert "You: " not in said
        assert "\nYou\n" not in said
        assert not re.search(r"\b(?:9\d\d|1,00\d),\d{3} (?:SSS\+?|SS\+?|S\+?|AAA)", said)

    async def test_a_song_shows_them_their_scores_in_private(self, world: World, hidden: Person) -> None:
        title = await played_by(world, hidden)
        song = await hidden.slash(world.discord.channel, "song", title=title)
        assert not song.is_private
        assert "You: " not in song.everything
        assert "SSS" in (await hidden.click(song, "My score")).everything
        assert "You\n" in (await hidden.click(song, "Statistics")).everything


async def test_nobody_shares_what_another_asked_for(world: World, hidden: Person, minamo: Person) -> None:
    """Nobody sees another's private answer; the id of its button could still be copied."""
    scores = await hidden.slash(world.discord.channel, "scores")
    channel = world.bot.get_partial_messageable(world.discord.channel.id)
    copied = Button[View](custom_id=scores.component("Share").custom_id, label="Share")
    await channel.send("!", view=View().add_item(copied))
    (message,) = world.discord.channel.posts()
    pressing = minamo.in_server(world.discord.home.id).click(message, custom_id=str(copied.custom_id))
    pressed = await world.discord.answer(await pressing, "a copied button")
    assert pressed.is_private
    assert "Only the person who used the command" in pressed.text
    assert len(world.discord.channel.posts()) == 1
