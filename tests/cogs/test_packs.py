"""Packs of goals: made, handed on, looked at before they are set, folded, pinned, and refused where they are hostile."""

import json
import re

import pytest
from harness import Person
from hypothesis import given
from hypothesis import strategies as st
from reading import Reply
from world import World

from bot.database.tables import GOAL_PACKS, GOALS
from bot.domain.goals import parse_goal
from bot.features.shared.goal_packs import MAX_PACK_CHARACTERS, BadPack, GoalPack, read_pack
from bot.store import key_of

pytestmark = pytest.mark.shared

GOALS_TYPED = ("rating 16.50", "level:14 rank>=sss count:3", "op level:13 80%")


async def linked(world: World, name: str, player: str) -> Person:
    person = world.discord.person(name)
    await world.link(person, player)
    return person


async def made(world: World, maker: Person, *goals: str) -> tuple[Reply, str]:
    """Return the answer to `/pack make` after setting goals, and the pack's code."""
    for goal in goals:
        await maker.slash(world.discord.channel, "goal add", goal=goal)
    name = f"**Summer** {len(goals)}{goals[0]}"
    reply = await maker.slash(world.discord.channel, "pack make", name=name, author="Ken")
    code = re.search(r"`([0-9a-f]{18})`", reply.everything)
    assert code, reply.everything
    return reply, code[1]


@pytest.mark.own
async def test_a_pack_is_looked_at_then_set_and_folded(world: World) -> None:
    ken, mio = await linked(world, "Ken", "ren_STAR"), await linked(world, "Mio", "DrBeat")
    reply, code = await made(world, ken, *GOALS_TYPED)
    assert reply.is_private
    looked = await mio.slash(world.discord.channel, "pack take", code=code)
    assert "Nothing is set yet" in looked.everything
    assert "\\*\\*Summer\\*\\*" in looked.everything
    assert not [row for row in await world.rows(GOALS) if row["member_id"] == mio.id]
    taken = await mio.click(looked, "Set these goals")
    assert "Goals set" in taken.everything
    listed = await mio.slash(world.discord.channel, "goal list")
    assert "of 3 goals reached" in listed.everything
    assert "Nearest: " in listed.everything
    assert "**1.**" not in listed.everything
    assert listed.files
    again = await mio.slash(world.discord.channel, "pack take", code=code)
    await mio.click(again, "Set these goals")
    assert len(await world.rows(GOAL_PACKS)) == 1
    await mio.slash(world.discord.channel, "pack drop", code=code)
    assert not await world.rows(GOAL_PACKS)
    assert not [row for row in await world.rows(GOALS) if row["member_id"] == mio.id]


@pytest.mark.own
async def test_dropping_a_pack_leaves_the_goals_that_were_there_before(world: World) -> None:
    ken = await linked(world, "Ken", "ren_STAR")
    _, code = await made(world, ken, *GOALS_TYPED)
    before = await world.rows(GOALS)
    await ken.click(await ken.slash(world.discord.channel, "pack take", code=code), "Set these goals")
    assert "of 3 goals reached" in (await ken.slash(world.discord.channel, "goal list")).everything
    await ken.slash(world.discord.channel, "pack drop", code=code)
    assert await world.rows(GOALS) == before
    assert "**3.**" in (await ken.slash(world.discord.channel, "goal list")).everything


@pytest.mark.own
async def test_the_file_of_a_pack_is_taken_elsewhere(world: World) -> None:
    ken, mio = await linked(world, "Ken", "ren_STAR"), await linked(world, "Mio", "DrBeat")
    reply, code = await made(world, ken, *GOALS_TYPED)
    (file,) = reply.files
    await world.change_database("DELETE FROM questions")
    for typed in (code, "nonsense", "Summer"):
        told = await mio.slash(world.discord.channel, "pack take", code=typed)
        assert "give codes: letters and digits" in told.text
    form = await mio.slash(world.discord.channel, "pack import")
    assert form.form is not None
    text = world.discord.content(file).decode()
    looked = await mio.submit(form, {form.form.inputs[0].custom_id: text})
    assert "Nothing is set yet" in looked.everything
    await mio.click(looked, "Set these goals")
    await mio.slash(world.discord.channel, "unlink")
    assert not await world.rows(GOAL_PACKS)


async def test_the_code_of_a_goal_is_told_from_that_of_a_pack(world: World) -> None:
    ken, mona = await linked(world, "Ken", "ren_STAR"), world.discord.person("Mona", manager=True)
    _, code = await made(world, ken, GOALS_TYPED[0])
    typed = key_of(str(parse_goal(GOALS_TYPED[0])))
    for person, command in ((ken, "pack take"), (mona, "pack pin")):
        told = await person.slash(world.discord.channel, command, code=typed)
        assert "the code of a single goal" in told.text
    told = await ken.slash(world.discord.channel, "goal copy", code=code)
    assert "the code of a pack of goals" in told.text


@pytest.mark.own
async def test_a_server_pins_three(world: World) -> None:
    ken, mona = await linked(world, "Ken", "ren_STAR"), world.discord.person("Mona", manager=True)
    codes = [(await made(world, ken, f"rating 16.{number}0"))[1] for number in range(1, 5)]
    refused = await ken.slash(world.discord.channel, "pack pin", code=codes[0])
    assert "manage this server" in refused.text
    for code in (*codes[:3], codes[0]):
        assert "pinned" in (await mona.slash(world.discord.channel, "pack pin", code=code)).everything
    assert "three" in (await mona.slash(world.discord.channel, "pack pin", code=codes[3])).text
    listed = await ken.slash(world.discord.channel, "pack list")
    looked = await ken.choose(listed, "Look at one", "**Summer** 1rating 16.10")
    assert "Nothing is set yet" in looked.everything
    await world.change_database("DELETE FROM questions")
    assert (await ken.slash(world.discord.channel, "pack take", code=codes[0])).components
    await mona.slash(world.discord.channel, "pack unpin", code=codes[0])
    assert "16.10" not in (await mona.slash(world.discord.channel, "pack list")).everything


async def test_who_types_a_title_in_place_of_a_code_means_the_pack_they_see(world: World) -> None:
    """As Discord sends it where nobody chooses what is suggested."""
    ken, mona = await linked(world, "Ken", "ren_STAR"), world.discord.person("Mona", manager=True)
    await ken.slash(world.discord.channel, "goal add", goal="rating 16.50")
    title = f"夏 {ken.id} " + "あ" * 35
    reply = await ken.slash(world.discord.channel, "pack make", name=title)
    code = re.findall(r"`([0-9a-f]{18})`", reply.everything)[0]
    await mona.slash(world.discord.channel, "pack pin", code=code)
    looked = await ken.slash(world.discord.channel, "pack take", code=f" {title}")
    assert "Goals set" in (await ken.click(looked, "Set these goals")).everything
    assert "dropped" in (await ken.slash(world.discord.channel, "pack drop", code=title)).everything
    refused = await ken.slash(world.discord.channel, "pack drop", code=title)
    assert "You have set yourself no pack of goals" in refused.text
    refused = await mona.slash(world.discord.channel, "pack unpin", code="qqzzq")
    assert "No such pack of goals is pinned in this server. Pinned:" in refused.text
    assert title[:12] in refused.text
    taken_down = await mona.slash(world.discord.channel, "pack unpin", code=title)
    assert "no longer pinned" in taken_down.everything


async def test_own_goals_do_not_take_the_room_of_a_pack(world: World) -> None:
    ken, mio = await linked(world, "Ken", "ren_STAR"), await linked(world, "Mio", "DrBeat")
    assert "no goals" in (await mio.slash(world.discord.channel, "pack make", name="Empty")).text
    _, code = await made(world, ken, *(f"rating 16.{number}1" for number in range(10)))
    await mio.click(await mio.slash(world.discord.channel, "pack take", code=code), "Set these goals")
    added = await mio.slash(world.discord.channel, "goal add", goal="rating 17.00")
    assert "Goal set" in added.everything
    assert "**1.**" in (await mio.slash(world.discord.channel, "goal list")).everything


PACK = {"kiroku_goals": 1, "title": "Summer", "author": "Ken", "goals": ["rating 16.50"]}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kiroku_goals": 2}, "another version"),
        ({"kiroku_goals": "1"}, "not a pack"),
        ({"goals": []}, "not a pack"),
        ({"goals": ["rating 16.50"] * 11}, "not a pack"),
        ({"goals": ["const>=x rank>=sss"]}, "cannot be read"),
        ({"goals": ["x" * 300]}, "not a pack"),
        ({"title": ""}, "not a pack"),
        ({"title": "x" * 61}, "not a pack"),
        ({"title": "a\u0000b"}, "not a pack"),
        ({"token": "x"}, "not a pack"),
    ],
)
async def test_hostile_and_other_packs_are_refused_in_a_sentence(
    world: World, changed: dict[str, object], said: str
) -> None:
    alice = world.discord.person("Alice")
    form = await alice.slash(world.discord.channel, "pack import")
    assert form.form is not None
    text = json.dumps({**PACK, **changed})
    refused = await alice.submit(form, {form.form.inputs[0].custom_id: text})
    assert said in refused.everything
    assert refused.is_private


@given(
    st.text(max_size=60)
    | st.recursive(st.text(max_size=5) | st.integers(), st.lists, max_leaves=8).map(json.dumps)
)
def test_no_text_is_taken_for_a_pack(text: str) -> None:
    with pytest.raises(BadPack):
        read_pack(text)
    with pytest.raises(BadPack):
        read_pack("[" * MAX_PACK_CHARACTERS)


@given(
    st.text(min_size=1, max_size=60).filter(str.isprintable).filter(str.strip),
    st.lists(st.integers(1, 2500), min_size=1, max_size=10, unique=True),
)
def test_nothing_of_a_pack_is_lost(title: str, ratings: list[int]) -> None:
    goals = tuple(parse_goal(f"rating {each // 100}.{each % 100:02}") for each in ratings)
    pack = GoalPack(title.strip(), "", goals)
    assert read_pack(str(pack)) == pack


@pytest.mark.own
@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("rating 99.99", "No scores can reach that rating"),
        ("level:14 rank>=sss count:9999", "fewer than it asks for"),
        ("const>=19 rank>=sss", "No chart matches the filter"),
    ],
)
async def test_a_pack_with_a_goal_that_nobody_can_reach_is_refused_as_the_goal_is(
    world: World, goal: str, said: str
) -> None:
    alice = await linked(world, "Alice", "DrBeat")
    form = await alice.slash(world.discord.channel, "pack import")
    assert form.form is not None
    text = json.dumps({**PACK, "goals": ["rating 16.50", goal]})
    looked = await alice.submit(form, {form.form.inputs[0].custom_id: text})
    refused = (await alice.click(looked, "Set these goals")).posts[-1].text
    alone = (await alice.slash(world.discord.channel, "goal add", goal=goal)).text
    assert said in alone
    assert alone in refused
    assert str(parse_goal(goal)) in refused
    assert not await world.rows(GOALS)
    assert not await world.rows(GOAL_PACKS)
    await alice.slash(world.discord.channel, "goal add", goal="rating 16.50")
    await world.change_database(f"UPDATE goals SET text = '{parse_goal(goal)}'")  # noqa: S608 - texts of our own
    unmade = await alice.slash(world.discord.channel, "pack make", name="Mine")
    assert alone in unmade.text


@pytest.mark.own
async def test_the_code_of_a_pack_is_none_of_a_goal(world: World) -> None:
    ken = await linked(world, "Ken", "ren_STAR")
    _, code = await made(world, ken, *GOALS_TYPED)
    refused = await ken.slash(world.discord.channel, "goal copy", code=code)
    assert "the code of a pack" in refused.text
    assert "pack take" in refused.text
    assert len(await world.rows(GOALS)) == len(GOALS_TYPED)


@pytest.mark.parametrize("name", ["\u3000", "\u200b", "\u202e \u2060"])
async def test_a_pack_whose_name_nobody_can_see_is_refused_in_a_sentence(world: World, name: str) -> None:
    ken = await linked(world, "Ken", "ren_STAR")
    await ken.slash(world.discord.channel, "goal add", goal="rating 16.50")
    reply = await ken.slash(world.discord.channel, "pack make", name=name)
    assert "an invisible character" in reply.everything


async def test_a_code_of_gaps_alone_is_told_as_such(world: World) -> None:
    """Nothing was looked for, least of all on the record service."""
    mio = world.discord.person("Mio", manager=True)
    await world.link(mio, "DrBeat")
    for command, option in (
        ("pack take", "code"),
        ("pack pin", "code"),
        ("pack unpin", "code"),
        ("pack drop", "code"),
        ("goal copy", "code"),
        ("goal remove", "goal"),
        ("song", "title"),
    ):
        reply = await mio.slash(world.discord.channel, command, **{option: "\u3000\u3000"})
        assert "invisible character" in reply.text, command


@pytest.mark.own
async def test_a_button_below_a_pack_that_is_kept_no_more_is_too_old(world: World) -> None:
    ken, mio = await linked(world, "Ken", "ren_STAR"), await linked(world, "Mio", "DrBeat")
    _, code = await made(world, ken, *GOALS_TYPED)
    looked = await mio.slash(world.discord.channel, "pack take", code=code)
    await world.change_database("DELETE FROM questions")
    pressed = await mio.click(looked, "Set these goals")
    assert "too old and no longer works" in pressed.posts[-1].text
    assert code not in pressed.posts[-1].text
