import asyncio
import re
import sqlite3
from contextlib import closing

import pytest
from dailies import settled
from harness import Person
from world import World

from bot.domain.members import Visibility
from service.accounts import get_account

pytestmark = pytest.mark.shared


async def best_song(world: World, person: Person) -> str:
    """Return the title of the first of a person's best records."""
    reply = await world.best(person)
    return reply.charts[0][1]


async def test_every_chart_of_a_song_with_what_the_next_rank_lacks(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "score", song=await best_song(world, alice))
    names = [str(field.name) for field in reply.embed.fields]
    assert [name.split(" ")[0] for name in names][:4] == ["BASIC", "ADVANCED", "EXPERT", "MASTER"]
    assert "OVER\N{NO-BREAK SPACE}POWER" in reply.everything
    assert "rating 1" in reply.everything
    assert re.search(r"[A-Z][a-z]{2} \d+, \d{4}", reply.everything)


async def take_away(world: World, title: str | None = None, other: str | None = None) -> tuple[str, str]:
    """Have the game drop a song that DrBeat has played; return its title, and that of one that it has, as they are or new."""

    def drop() -> tuple[str, str]:
        with closing(sqlite3.connect(world.service_database)) as service, service:
            (song, first), (beside, second) = service.execute(
                "SELECT DISTINCT song_id, title FROM records JOIN charts USING (chart_id) JOIN songs USING (region, song_id)"
                " WHERE user_id = ? AND difficulty = 'MAS' AND region = 'jp2' LIMIT 2",
                [get_account(service, "DrBeat").user_id],
            )
            for table in ("songs", "charts"):
                service.execute(f"UPDATE {table} SET is_listed = 0 WHERE song_id = ?", [song])  # noqa: S608 - ours
            titles = title or first, other or second
            for renamed, new in zip((song, beside), titles, strict=True):
                service.execute("UPDATE songs SET title = ? WHERE song_id = ?", [new, renamed])
            return titles

    titles = await asyncio.to_thread(drop)
    await world.restart_service()
    await world.change_database("DELETE FROM catalogues")
    await world.start_bot()
    return titles


@pytest.mark.own
async def test_a_removed_song_is_not_taken_for_one_that_holds_its_title(world: World) -> None:
    alice = world.discord.person("Alice")
    title, other = await take_away(world, "怪物", "コモリの怪物")
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "session")
    await settled(world)
    shown = await alice.slash(world.discord.channel, "score", song=title)
    assert shown.embed.title == title
    assert "no longer in the game" in shown.everything
    assert (
        "no longer in the game" in (await alice.slash(world.discord.channel, "song", title=title)).everything
    )
    for typed in (other, "コモリの"):
        assert (await alice.slash(world.discord.channel, "song", title=typed)).embed.title == other


@pytest.mark.own
@pytest.mark.parametrize(
    ("locale", "left", "history"),
    [
        ("en-US", "no longer in the game's list of songs", "History"),
        ("ja", "曲一覧からなくなりました", "履歴"),
    ],
)
async def test_a_song_that_the_game_has_no_more_is_shown_from_records(
    world: World, locale: str, left: str, history: str
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    title, _ = await take_away(world)
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "session")
    await settled(world)
    shown = await alice.slash(world.discord.channel, "score", song=title)
    assert left in shown.everything
    assert "MASTER" in shown.everything
    others = {"Compare", "Border", "比べる", "ボーダー"}
    assert others.isdisjoint(button.label for button in shown.components)
    assert left in (await alice.click(shown, history)).everything
    assert left in (await alice.slash(world.discord.channel, "history", chart=title)).everything
    told = await alice.slash(world.discord.channel, "song", title=title)
    assert left in told.everything
    for command, options in (
        ("whatif", {"difficulty": "MAS", "score": 1_000_000}),
        ("border", {}),
        ("stats", {}),
        ("leaderboard", {}),
        ("compare", {"player": "minamo_plays"}),
    ):
        told = await alice.slash(world.discord.channel, command, song=title, **options)
        assert left in told.everything, command


@pytest.mark.own
async def test_a_song_that_has_left_is_said_so_also_where_it_is_to_be_kept(world: World) -> None:
    mona = world.discord.person("Mona", manager=True)
    title, other = await take_away(world, "怪物", "コモリの怪物")
    await world.link(mona, "DrBeat")
    await mona.slash(world.discord.channel, "session")
    await settled(world)
    for command, options in (
        ("locked add", {"song": title}),
        ("alias add", {"alias": "kb", "song": title}),
        ("alias suggest", {"alias": "kb", "song": title}),
        ("goal add", {"goal": f"{title} rank>=sss diff:adv const>=15 100%"}),
        ("goal add", {"goal": f'title="{title}" rank>=sss 100%'}),
    ):
        told = await mona.slash(world.discord.channel, command, **options)
        assert f"**{title}** is no longer in the game's list of songs" in told.everything, command
    assert (
        "goal set"
        in (
            await mona.slash(world.discord.channel, "goal add", goal=f"{other} rank>=sss 100%")
        ).everything.lower()
    )
    other_goal = await mona.slash(world.discord.channel, "goal add", goal="qqzzq rank>=sss 100%")
    assert "No chart matches the filter of this goal" in other_goal.everything


@pytest.mark.own
async def test_whether_a_song_has_left_is_not_asked_for(world: World) -> None:
    """Whoever is to choose between songs waits for nothing, and spends nothing."""
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    counts = world.bot.features.catalogues._api.counts
    sent = counts["sent"]
    for command, option in (("song", "title"), ("history", "chart")):
        await alice.slash(world.discord.channel, command, **{option: "qqqqqqqq"})
    assert counts["sent"] == sent


async def test_a_score_leads_to_its_border_and_to_others(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "DrBeat")
    await world.link(bob, "minamo_plays", Visibility.ANYONE)
    song = await best_song(world, alice)
    own = await alice.slash(world.discord.channel, "score", song=song)
    assert "JUSTICE" in (await alice.click(own, "Border")).everything
    assert (await alice.click(own, "Compare")).embed.title == own.embed.title
    theirs = await alice.slash(world.discord.channel, "score", song=song, member=bob)
    compared = await alice.click(theirs, "Compare")
    assert compared.is_private
    assert "Dr.Beat" in compared.everything.replace("\\", "")
    assert "ＭＩＮＡＭＯ" in compared.everything


async def test_what_lacks_is_said_in_notes(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    worst = await hanako.slash(
        world.discord.channel, "scores", filter="diff:mas score<1009000", sort="score+"
    )
    _difficulty, title = worst.charts[0]
    reply = await hanako.slash(world.discord.channel, "score", song=title)
    lacking = r"\S+まであと [\d,]+ 点（JUSTICE [\d,]+ 個(、ATTACK \d+ 個、またはMISS \d+ 個|またはATTACK \d+ 個)?を改善）"
    chance = r"\n→ \S+ 次の1回 \*\*\S+ \d+ ?%\*\*"
    assert re.search(lacking + chance, reply.everything)


@pytest.mark.parametrize(("lamp", "letters", "lacks"), [("aj", "AJ", "ATTACK|MISS"), ("fc", "FC", "MISS")])
async def test_a_lamp_tells_which_notes_there_cannot_be_to_improve(
    world: World, lamp: str, letters: str, lacks: str
) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    found = await alice.slash(world.discord.channel, "scores", filter=f"lamp:{lamp} score<1009900")
    _difficulty, title = found.charts[0]
    reply = await alice.slash(world.discord.channel, "score", song=title)
    fields = [str(field.value) for field in reply.embed.fields]
    wanted = [value for value in fields if f" {letters}**" in value and "improve" in value]
    assert wanted
    assert not any(re.search(lacks, value) for value in wanted)


async def test_a_score_says_its_place_among_the_best_and_asks_for_nothing_more(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob", locale="ja")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    best = await world.best(alice)
    counts = world.bot.features.catalogues._api.counts
    sent = counts["sent"]
    for place, (_difficulty, title) in enumerate(best.charts[:2], start=1):
        reply = await alice.slash(world.discord.channel, "score", song=title)
        assert f"#{place} of the best 30" in reply.everything
    assert counts["sent"] <= sent + 1, "for the records alone"
    await world.link(bob, "minamo_plays", Visibility.ANYONE)
    seen = await bob.slash(world.discord.channel, "score", song=best.charts[0][1], member=alice)
    assert "ベスト30枠の 1 位" in seen.everything


async def test_a_worlds_end_song(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    found = await alice.slash(world.discord.channel, "worldsend")
    _difficulty, title = found.charts[0]
    reply = await alice.slash(world.discord.channel, "score", song=title)
    assert [field.name for field in reply.embed.fields] == ["WORLD'S END"]
    assert "Not played" not in reply.everything
    assert "OVER\N{NO-BREAK SPACE}POWER" not in reply.everything


async def test_songs_are_suggested(world: World) -> None:
    alice = world.discord.person("Alice")
    for command in ("score", "whatif"):
        assert len(await alice.autocomplete(world.discord.channel, command, song="")) == 25


async def test_a_member_and_a_player(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    song = await best_song(world, alice)
    shown = await alice.slash(world.discord.channel, "score", song=song, member=bob)
    assert "Dr.Beat" in shown.everything.replace("\\", "")
    listed = await alice.slash(world.discord.channel, "scores", player="mio")
    assert "mio" in str(listed.embed.title)


@pytest.mark.parametrize("command", ["score", "scores", "compare"])
async def test_who_hides_is_not_found_by_any_of_them(world: World, command: str) -> None:
    alice, bob, carol = (world.discord.person(name) for name in ("Alice", "Bob", "Carol"))
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat")
    needed = {"song": "a"} if command == "score" else {}
    hidden = await alice.slash(world.discord.channel, command, **needed, member=bob)
    unlinked = await alice.slash(world.discord.channel, command, **needed, member=carol)
    assert hidden.is_private
    assert hidden.embeds == ()
    assert hidden.text.replace(bob.mention, "") == unlinked.text.replace(carol.mention, "")


async def test_a_filter_an_order_and_pages(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    reply = await alice.slash(world.discord.channel, "scores", filter="diff:mas rank>=ss", sort="score-")
    assert "Filter: diff\\:mas rank\\>=ss" in reply.everything
    assert "Order: Score, highest first" in reply.everything
    assert "average score 1,00" in reply.everything
    assert "EXPERT" not in reply.everything
    turned = await alice.click(reply, "Next")
    assert "#6 " in turned.everything
    assert "Filter: diff\\:mas" in turned.everything


@pytest.mark.parametrize(
    ("locale", "menu", "lowest"),
    [("en-US", "What comes first", "Score, lowest first"), ("ja", "並び順", "スコアが低い順")],
)
async def test_a_list_of_scores_is_ordered_anew_by_its_menu(
    world: World, locale: str, menu: str, lowest: str
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, "minamo_plays")
    shown = await alice.slash(world.discord.channel, "scores", filter="const>=13")
    turned = await alice.choose(shown, menu, lowest)
    typed = await alice.slash(world.discord.channel, "scores", filter="const>=13", sort="score+")
    assert turned.charts == typed.charts != shown.charts
    assert turned.component(menu).chosen == (lowest,)


async def test_words_in_a_filter_search_as_everywhere(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    for typed in ("ＲＡＩＮＹ", "rainy labyrimth"):
        found = await alice.slash(world.discord.channel, "scores", filter=typed)
        assert "Rainy" in found.everything


async def test_what_was_not_played_is_listed_where_the_filter_asks(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "sora_ch")
    reply = await alice.slash(world.discord.channel, "scores", filter="played:no const>=14")
    assert "not played" in reply.everything
    nothing = await alice.slash(world.discord.channel, "scores", filter="rating>17")
    assert "No score matches" in nothing.everything


async def test_a_filter_that_cannot_be_read_is_shown_with_its_place(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "sora_ch")
    reply = await alice.slash(world.discord.channel, "scores", filter="const>=x")
    assert reply.is_private
    assert "**__x__**" in reply.text
    assert {"name": "const>=", "value": "const>="} in await alice.autocomplete(
        world.discord.channel, "scores", filter="con"
    )
    hanako = world.discord.person("Hanako", locale="ja")
    japanese = await hanako.autocomplete(world.discord.channel, "compare", filter="")
    assert any("難易度" in str(choice["name"]) for choice in japanese)


async def test_a_filter_too_long_for_an_id_still_answers(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    text = "score>0 " * 11
    reply = await alice.slash(world.discord.channel, "scores", filter=text)
    assert "too long for buttons" in reply.everything
    assert reply.components == ()
