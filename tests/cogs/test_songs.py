import asyncio
import re
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from harness import PATIENT_SECONDS, Person
from pydantic import SecretStr
from scripted import scripted_service
from world import World

from bot.__main__ import main
from bot.domain.charts import Song
from bot.domain.members import Visibility
from bot.features.shared import catalogues
from bot.ui.kit.markdown import unescape
from service.options import ServiceOptions

pytestmark = pytest.mark.shared


async def songs_of(world: World) -> tuple[Song, ...]:
    features = world.bot.features
    return (await features.catalogues.get(features.accounts._default_region)).catalogue.songs


async def test_suggestions_carry_ids_and_find_titles(world: World) -> None:
    alice = world.discord.person("Alice")
    newest = await alice.autocomplete(world.discord.channel, "song", title="")
    assert len(newest) == 25
    name = str(newest[3]["name"])
    found = await alice.autocomplete(world.discord.channel, "song", title=name)
    assert newest[3]["value"] in [choice["value"] for choice in found]
    reply = await alice.slash(world.discord.channel, "song", title=str(newest[3]["value"]))
    assert "MASTER" in reply.everything or "WORLD'S END" in reply.everything
    assert [field.name for field in reply.embed.fields][:4] == ["Artist", "Genre", "BPM", "Released"]


async def test_titles_that_collide_are_told_apart(world: World) -> None:
    alice = world.discord.person("Alice")
    found = await alice.autocomplete(world.discord.channel, "song", title="aether")
    names = [str(choice["name"]) for choice in found[:3]]
    assert names[0].startswith("aether — ")
    assert {name.split(" — ")[0] for name in names} == {"aether", "Aether", "AETHER"}
    assert all("MASTER" in name or "ULTIMA" in name for name in names)
    assert len(set(names)) == 3


async def test_what_single_notes_cost(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "song", title="AETHER")
    assert "JUSTICE\N{NO-BREAK SPACE}−" in reply.everything
    assert "MISS\N{NO-BREAK SPACE}−" in reply.everything


async def test_the_askers_own_scores_stand_beside_the_charts(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    best = await world.best(alice)
    _difficulty, first = best.charts[0]
    reply = await alice.slash(world.discord.channel, "song", title=first)
    assert "You: **" in reply.everything


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en-US", r"#\d+ of the best 30 · counts from \*\*[\d,]+\*\* on"),
        ("ja", r"ベスト30枠の \d+ 位 · \*\*[\d,]+\*\* 以上で枠入り"),
    ],
)
async def test_what_a_score_would_do_to_the_rating(world: World, locale: str, words: str) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, "minamo_plays", Visibility.SERVERS)
    bob = world.discord.person("Bob")
    await world.link(bob, "minamo_plays", Visibility.SERVERS)
    best = await world.best(bob)
    titles = [title for difficulty, title in best.charts if difficulty == "MASTER"]
    shown = [await alice.slash(world.discord.channel, "song", title=title) for title in titles[-3:]]
    told = [line for reply in shown for line in reply.everything.splitlines() if re.search(words, line)]
    assert told
    for line in told:
        assert re.search(r"(SS|S).*(best|ベスト枠).*\*\*\+\d\.\d{3}\*\*", line)


async def test_how_likely_the_next_rank_is_by_the_profile_that_is_known(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.SERVERS)
    listed = await alice.slash(world.discord.channel, "scores", filter="diff:mas rank<sss")
    (_, title), *_ = listed.charts
    world.clock.advance(200)  # all that is known is old
    counts = world.bot.features.catalogues._api.counts
    before = counts["sent"]
    reply = await alice.slash(world.discord.channel, "song", title=title)
    assert counts["sent"] == before + 1, "for the records alone"
    assert re.search(r"You: .*\n→ \S+ next try \*\*.+ \d+%\*\*", reply.everything)
    mine = (await alice.click(reply, "My score")).posts[-1]
    assert re.search(r"→ \S+ next try \*\*.+ \d+%\*\*", mine.everything)


async def test_an_ambiguous_text_is_answered_with_a_menu_for_the_asker(world: World) -> None:
    hanako, bob = world.discord.person("Hanako", locale="ja"), world.discord.person("Bob")
    reply = await hanako.slash(world.discord.channel, "song", title="aethe")
    assert "どの曲" in reply.everything
    menu = reply.components[0]
    assert len(menu.options) >= 3
    refused = await bob.choose(reply, menu.custom_id, menu.options[1])
    assert refused.is_private
    chosen = await hanako.choose(reply, menu.custom_id, menu.options[1])
    assert "譜面定数" in chosen.everything
    assert "aether" in str(chosen.embed.title).lower()


@pytest.mark.own
async def test_the_menu_works_after_a_restart(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "song", title="aethe")
    await world.start_bot()
    chosen = await alice.choose(reply, "Choose a song", reply.components[0].options[0])
    assert "Max combo" in chosen.everything


async def test_buttons_answer_whoever_presses_in_private(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(bob, "DrBeat")
    best = await world.best(bob)
    _difficulty, first = best.charts[0]
    reply = await alice.slash(world.discord.channel, "song", title=first)
    mine = (await bob.click(reply, "My score")).posts[-1]
    assert mine.is_private
    assert "Rating: 1" in mine.everything
    statistics = (await bob.click(reply, "Statistics")).posts[-1]
    assert statistics.is_private
    assert "Ranks" in statistics.everything
    friends = (await bob.click(reply, "Friends' scores")).posts[-1]
    assert friends.is_private
    assert friends.embed.title == reply.embed.title
    assert friends.embed.color == reply.embed.color  # of the hardest chart
    unlinked = (await alice.click(reply, "My score")).posts[-1]
    assert unlinked.is_private
    assert "/link" in unlinked.text


async def test_every_song_is_found_by_its_title_and_fits_an_embed(world: World) -> None:
    alice = world.discord.person("Alice")
    for song in (await songs_of(world))[::12]:
        (first, *_) = await alice.autocomplete(world.discord.channel, "song", title=song.title)
        assert first["value"] == song.id


async def test_an_unknown_song(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "song", title="qqqqqqqqqqqqqq**")
    assert reply.is_private
    assert r"qqqqqqqqqqqqqq\*\*" in reply.text


async def test_what_finds_nothing_offers_the_nearest_with_why(world: World) -> None:
    alice = world.discord.person("Alice")
    typed = "aethr kwzx rq"
    reply = await alice.slash(world.discord.channel, "song", title=typed)
    assert "These come nearest:\n\nAETHER · spelt almost like that" in reply.everything
    assert "alias suggest" in reply.everything
    chosen = await alice.choose(reply, reply.components[0].custom_id, reply.components[0].options[0])
    assert "MASTER" in chosen.everything or "WORLD'S END" in chosen.everything


@pytest.mark.sqlite
@pytest.mark.own
async def test_what_is_typed_and_then_chosen_is_offered_to_the_host_as_an_alias(
    own_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first choice is what the search would lead with: it needs no alias. What finds nothing needs one."""
    monkeypatch.chdir(tmp_path)
    people = [own_world.discord.person(name) for name in ("Alice", "Bob", "Carol")]
    for person in people:
        for typed, place in (("aeth", 0), ("Aeth", 1), ("aethr kwzx rq", 0)):
            reply = await person.slash(own_world.discord.channel, "song", title=typed)
            menu = reply.components[0]
            await person.choose(reply, menu.custom_id, menu.options[place])

    async def suggested(**settings: str) -> list[str]:
        env = {"DATABASE_URL": own_world.settings.database_url, **settings}
        done = await asyncio.to_thread(CliRunner().invoke, main, ["aliases", "suggest"], env=env)
        assert done.exit_code == 0, done.output
        assert ("No name has been typed often enough" in done.stderr) is (not done.stdout)
        return done.stdout.splitlines()

    lines = await suggested()
    assert len(lines) == 4
    assert lines[::2] == ["# chosen 3 times"] * 2
    assert lines[1].startswith("aeth = ")
    assert lines[3].startswith("aethr kwzx rq = ")
    (tmp_path / "pack.txt").write_text("\n".join(lines[:2]), encoding="utf-8")
    assert await suggested(ALIAS_FILE="pack.txt") == lines[2:]
    assert await suggested(DATABASE_URL="sqlite+aiosqlite:///nothing.sqlite3") == []


@pytest.mark.sqlite
@pytest.mark.own
async def test_links_of_the_host_lead_out_of_discord(own_world: World) -> None:
    own_world.settings = own_world.settings.model_copy(
        update={
            "chart_url": "https://charts.example/{id}?level={difficulty}",
            "video_url": "https://v.example/?q={title}",
        }
    )
    await own_world.start_bot()
    alice = own_world.discord.person("Alice")
    song = next(each for each in await songs_of(own_world) if each.charts[-1].difficulty == "MAS")
    reply = await alice.slash(own_world.discord.channel, "song", title=song.id)
    rows: Any = reply.post.handle.message.components
    links = {each.label: each.url for row in rows for each in row.children if each.url}
    assert links["Chart"] == f"https://charts.example/{song.id}?level=MASTER"
    assert links["Videos"] == f"https://v.example/?q={quote(song.title, safe='')}"


@pytest.mark.sqlite
@pytest.mark.own
async def test_without_any_token_the_catalogue_cannot_be_read(world: World) -> None:
    nothing_kept = f"{world.settings.database_url}.new"
    world.settings = world.settings.model_copy(
        update={"record_token": SecretStr(""), "database_url": nothing_kept}
    )
    await world.start_bot()
    carol = world.discord.person("Carol")
    assert await carol.autocomplete(world.discord.channel, "song", title="a") == []
    assert "/link" in (await carol.slash(world.discord.channel, "song", title="a")).text


@pytest.mark.own
async def test_the_kept_catalogue_stands_in_when_the_service_is_down(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogues, "_GRACE_SECONDS", PATIENT_SECONDS)  # on a busy machine, too
    alice = world.discord.person("Alice")
    await alice.slash(world.discord.channel, "song", title="AETHER")
    await world.stop_service()
    await world.start_bot()
    reply = await alice.slash(world.discord.channel, "song", title="AETHER")
    assert "is not answering right now" in reply.everything
    assert "Max combo" in reply.everything


async def test_songs_in_a_message(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    song = next(song for song in await songs_of(world) if song.title == "snake_case_love")
    await bob.say(world.discord.channel, f"have you tried {song.title} yet?")
    said = world.discord.channel.posts()[-1]
    reply = await alice.context_menu(world.discord.channel, "Find songs in this message", said)
    assert reply.is_private
    assert "snake" in str(reply.embed.title)


@pytest.mark.parametrize("text", ["", "zzzzqqqq xkcd"])
async def test_a_message_without_songs_is_said_to_have_none(world: World, text: str) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await bob.say(world.discord.channel, text or "!?")
    said = world.discord.channel.posts()[-1]
    reply = await alice.context_menu(world.discord.channel, "Find songs in this message", said)
    assert "I found no song in this message." in reply.text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Aether is good", "Aether"),
        ("AETHER is better", "AETHER"),
        ("aEther is what", "Which song do you mean?"),
    ],
)
async def test_titles_in_a_message_that_differ_in_case_alone(world: World, text: str, found: str) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await bob.say(world.discord.channel, text)
    said = world.discord.channel.posts()[-1]
    reply = await alice.context_menu(world.discord.channel, "Find songs in this message", said)
    assert reply.embed.title == found
    if found.endswith("?"):
        assert len(reply.components[0].options) == 3


@pytest.mark.own
async def test_title_and_artist_are_shown_whole(world: World) -> None:
    title = "The Very Long Road / " * 10 + "(at last)"
    artist = "a singer (CV: somebody), " * 35 + "and the last one"
    with sqlite3.connect(world.service_database) as service:
        service.execute("UPDATE songs SET title = ?, artist = ? WHERE title = 'AETHER'", (title, artist))
    service.close()
    await world.restart_service()
    await world.discord.stop()
    await world.change_database("DELETE FROM catalogues")
    await world.start_bot()
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "song", title="The Very Long Road")
    assert unescape(str(reply.embed.title)) == title
    assert unescape(str(reply.embed.fields[0].value)) == artist


@pytest.mark.own
class TestMissingScores:
    """The song is shown whatever becomes of the scores, and one sentence says what did."""

    MISSING = "Your scores are missing: "

    @pytest.fixture
    def options(self, request: pytest.FixtureRequest) -> ServiceOptions:
        limit: int = getattr(request, "param", 120)
        return ServiceOptions(quick_seconds=0, limits={"2.0": limit, "1.3": 120, "1.0": 200})

    async def _look(self, world: World, person: Person, reason: str) -> None:
        """Look a song up, and press the button for one's own scores."""
        reply = await person.slash(world.discord.channel, "song", title="AETHER")
        assert not reply.is_private
        mine = (await person.click(reply, "My score")).posts[-1]
        assert mine.is_private
        for shown in (reply.embed, mine.embed):
            assert shown.title == "AETHER"
            assert f"{self.MISSING}{reason}" in str(shown.description)
        assert "Max combo" in reply.everything
        assert "no score" not in mine.everything

    @pytest.mark.parametrize("options", [1], indirect=True)
    async def test_spent_budget(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.ANYONE)
        await alice.slash(world.discord.channel, "friends")
        await self._look(
            world, alice, "Your requests to the record service are used up for now. Try again <t:"
        )

    async def test_rejected_token(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.ANYONE)
        await self._revoke(world, "DrBeat")
        await self._look(world, alice, "The record service rejected the access token. Make a new one")

    async def test_service_down(self, world: World) -> None:
        alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
        await world.link(alice, "DrBeat", Visibility.ANYONE)
        await bob.slash(world.discord.channel, "song", title="AETHER")
        await world.stop_service()
        await self._look(world, alice, "The record service is not answering.")

    async def test_nonsense(self, world: World) -> None:
        alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
        await world.link(alice, "DrBeat", Visibility.ANYONE)
        await bob.slash(world.discord.channel, "song", title="AETHER")
        async with scripted_service() as nonsense:
            nonsense.says(b"<html>hello</html>")
            world.settings = world.settings.model_copy(update={"record_api_url": nonsense.url})
            await world.start_bot()
            await self._look(world, alice, "The record service gave an unexpected answer.")

    async def test_rejected_token_with_no_other_to_read_the_catalogue(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.ANYONE)
        await alice.autocomplete(world.discord.channel, "song", title="AETHER")
        world.settings = world.settings.model_copy(update={"record_token": SecretStr("")})
        await world.start_bot()
        await self._revoke(world, "DrBeat")
        await self._look(world, alice, "The record service rejected the access token. Make a new one")

    async def test_who_has_not_linked_misses_nothing(self, world: World) -> None:
        alice = world.discord.person("Alice")
        reply = await alice.slash(world.discord.channel, "song", title="AETHER")
        assert self.MISSING not in reply.everything

    async def test_last_known_scores_are_no_missing_ones(self, world: World) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.ANYONE)
        await alice.slash(world.discord.channel, "song", title="AETHER")
        await world.stop_service()
        world.clock.advance(600)
        reply = await alice.slash(world.discord.channel, "song", title="AETHER")
        assert self.MISSING not in reply.everything
        assert "is not answering right now; this is what it said <t:" in str(reply.embed.description)

    async def _revoke(self, world: World, player: str) -> None:
        with sqlite3.connect(world.service_database) as service:
            service.execute("DELETE FROM tokens WHERE user_id = ?", (world.players[player].user_id,))
        service.close()
        await world.restart_service()
