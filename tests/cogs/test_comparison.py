import re

import pytest
from harness import Person, Reply, Value
from world import World

from bot.domain.members import Visibility
from bot.ui.kit.markdown import unescape

pytestmark = pytest.mark.shared
CHANCE = r"→ (?:SSS\+?|SS\+?|S\+?|A+|B+|C|D|maximum) next try \*\*(?:almost certain|likely|even|unlikely|a long shot) \d+%\*\*"


async def two(world: World) -> tuple[Person, Person]:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    return alice, bob


async def listed(world: World, asker: Person, **options: Value) -> Reply:
    """Return the list behind the picture of a comparison."""
    return await asker.click(await asker.slash(world.discord.channel, "compare", **options), "List")


async def first_title(world: World, alice: Person, bob: Person) -> str:
    """Return the song on which they lie furthest apart."""
    return (await listed(world, alice, member=bob)).charts[0][1]


async def test_who_leads_in_total_and_by_difficulty(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    reply = await alice.slash(world.discord.channel, "compare", member=bob)
    assert reply.is_private
    assert "won," in reply.everything
    assert re.search(r"\n-# .*MASTER \d+ : \d+", reply.everything)
    (picture,) = reply.files
    assert re.search(r"[\d,]+ : [\d,]+", str(picture.description))
    assert "#1 " not in reply.everything  # as the picture says it
    of_all = await alice.click(reply, "List")
    assert of_all.is_private
    assert "#1 " in of_all.everything
    assert re.search(CHANCE, of_all.everything)
    turned = await alice.click(of_all, "Next")
    assert "#6 " in turned.everything


async def test_a_filter_and_a_player_in_japanese(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    reply = await hanako.slash(world.discord.channel, "compare", player="mio", filter="難易度:エキスパート")
    assert "勝" in reply.everything
    assert "-# EXPERT " in reply.everything
    assert "MASTER" not in reply.everything


@pytest.mark.parametrize("player", ["yuzu_new", "sora_ch"])
async def test_with_the_empty_and_the_small(world: World, player: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "mio")
    reply = await alice.slash(world.discord.channel, "compare", player=player)
    shown = "no chart that both" if player == "yuzu_new" else "won,"
    assert shown in reply.everything


async def test_it_takes_two(world: World) -> None:
    alice, twin = world.discord.person("Alice"), world.discord.person("Twin")
    await world.link(alice, "minamo_plays")
    await world.link(twin, "minamo_plays", Visibility.SERVERS)
    for other in ({}, {"member": alice}, {"member": twin}, {"player": "minamo_plays"}):
        reply = await alice.slash(world.discord.channel, "compare", **other)
        assert "somebody else" in reply.text
    both = await alice.slash(world.discord.channel, "compare", member=alice, player="mio")
    assert "not both" in both.text


async def test_a_page_is_refused_when_the_member_hides(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)
    reply = await listed(world, alice, member=bob)
    account = await bob.slash(world.discord.channel, "account")
    await bob.choose(account, account.components[0].custom_id, "Only me")
    refused = (await alice.click(reply, "Next")).posts[-1]
    assert "has not linked" in refused.text


async def test_a_protected_player_stays_so(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "compare", player="kaede_0401")
    assert "protected" in reply.text
    friend = await alice.slash(world.discord.channel, "compare", player="haruka88")
    assert "won," in friend.everything


@pytest.mark.parametrize(
    ("locale", "menu", "closest"),
    [("en-US", "What comes first", "Smallest gap first"), ("ja", "並び順", "差が小さい順")],
)
async def test_the_closest_charts_can_come_first(world: World, locale: str, menu: str, closest: str) -> None:
    alice, bob = world.discord.person("Alice", locale=locale), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.SERVERS)

    def gaps(reply: Reply) -> list[int]:
        found = re.findall(r"^\*\*[+−±]([\d,]+)\*\*", reply.everything, re.MULTILINE)
        return [int(each.replace(",", "")) for each in found]

    words = "一覧" if locale == "ja" else "List"
    shown = await alice.slash(world.discord.channel, "compare", member=bob)
    widest = await alice.click(shown, words)
    assert gaps(widest) == sorted(gaps(widest), reverse=True) != []
    chosen = await alice.choose(widest, menu, closest)
    assert gaps(chosen) == sorted(gaps(chosen)) != []
    assert max(gaps(chosen)) < min(gaps(widest))
    assert chosen.component(menu).chosen == (closest,)
    typed = await alice.slash(world.discord.channel, "compare", member=bob, sort="close")
    assert gaps(await alice.click(typed, words)) == gaps(chosen)
    drawn = world.discord.content((await alice.choose(shown, menu, closest)).files[0])
    assert drawn == world.discord.content(typed.files[0]) != world.discord.content(shown.files[0])


class TestOneSong:
    async def test_what_both_have_scored_with_chances(self, world: World) -> None:
        alice, bob = await two(world)
        title = await first_title(world, alice, bob)
        reply = await alice.slash(world.discord.channel, "compare", member=bob, song=title, filter="rank:d")
        assert reply.is_private
        assert unescape(str(reply.embed.title)) == title
        assert "**ＭＩＮＡＭＯ** and **Dr.Beat**" in reply.everything
        both = next(
            str(field.value) for field in reply.embed.fields if re.search(r"\*\*[+−]", str(field.value))
        )
        mine, theirs, prediction = both.split("\n")
        assert mine.startswith("ＭＩＮＡＭＯ: **")
        assert theirs.startswith("Dr.Beat: **")
        points = [int(re.findall(r"\*\*([\d,]+) ", line)[0].replace(",", "")) for line in (mine, theirs)]
        gap = points[0] - points[1]
        assert prediction.startswith(f"**{'+' if gap > 0 else '−'}{abs(gap):,}**")
        assert ("ahead: next try **" in prediction) is (gap < 0)
        assert re.search(CHANCE, prediction)

    async def test_each_has_their_own_scores(self, world: World) -> None:
        alice, bob = await two(world)
        title = await first_title(world, alice, bob)
        both = await alice.slash(world.discord.channel, "compare", member=bob, song=title)
        for name, player in (("ＭＩＮＡＭＯ", "minamo_plays"), ("Dr.Beat", "DrBeat")):
            own = await alice.slash(world.discord.channel, "score", song=title, player=player)
            scores = {
                str(field.name): str(field.value).split("**")[1]
                for field in own.embed.fields
                if "**" in str(field.value)
            }
            told = {
                str(field.name): re.search(rf"{re.escape(name)}: \*\*(.*?)\*\*", str(field.value))
                for field in both.embed.fields
            }
            assert scores == {chart: found[1] for chart, found in told.items() if found}

    async def test_a_song_between_which_to_choose_and_one_that_nobody_has_played(self, world: World) -> None:
        alice, bob = await two(world)
        asked = await alice.slash(world.discord.channel, "compare", member=bob, song="aethe")
        chosen = await alice.choose(asked, "Choose a song", asked.components[0].options[0])
        assert "aether" in str(chosen.embed.title).lower()
        assert "Dr.Beat" in chosen.everything
        nothing = await alice.slash(
            world.discord.channel, "compare", player="yuzu_new", song="snake_case_love"
        )
        assert ("not played" in nothing.everything) or ("Neither of you" in nothing.everything)

    async def test_the_song_of_what_somebody_says_with_whoever_says_it(self, world: World) -> None:
        alice, bob = await two(world)
        title = await first_title(world, alice, bob)
        await bob.say(world.discord.channel, f"have you tried {title} yet?")
        said = world.discord.channel.posts()[-1]
        reply = await alice.context_menu(world.discord.channel, "Compare on this song", said)
        assert reply.is_private
        assert unescape(str(reply.embed.title)) == title
        assert "**ＭＩＮＡＭＯ** and **Dr.Beat**" in reply.everything

    async def test_the_song_of_an_answer_with_whoever_asked_for_it(self, world: World) -> None:
        alice, bob = await two(world)
        title = await first_title(world, alice, bob)
        shown = await bob.slash(world.discord.channel, "score", song=title)
        reply = await alice.context_menu(world.discord.channel, "Compare on this song", shown)
        assert "**ＭＩＮＡＭＯ** and **Dr.Beat**" in reply.everything

    async def test_on_ones_own_message_there_are_ones_own_scores(self, world: World) -> None:
        alice, bob = await two(world)
        title = await first_title(world, alice, bob)
        await alice.say(world.discord.channel, title)
        said = world.discord.channel.posts()[-1]
        reply = await alice.context_menu(world.discord.channel, "Compare on this song", said)
        assert unescape(str(reply.embed.title)) == title
        assert "Updated: " in reply.everything

    async def test_who_hides_is_not_compared_with(self, world: World) -> None:
        alice, bob = await two(world)
        title = await first_title(world, alice, bob)
        account = await bob.slash(world.discord.channel, "account")
        await bob.choose(account, account.components[0].custom_id, "Only me")
        await bob.say(world.discord.channel, title)
        said = world.discord.channel.posts()[-1]
        reply = await alice.context_menu(world.discord.channel, "Compare on this song", said)
        assert "has not linked" in reply.text
