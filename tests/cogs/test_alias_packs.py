"""`/alias export` and `/alias import`: a server's names as a file that another server takes."""

import pytest
from harness import Channel, Person, Reply
from world import World

pytestmark = pytest.mark.shared


async def take(person: Person, channel: Channel, pack: str) -> Reply:
    form = await person.slash(channel, "alias import")
    assert form.form is not None
    return await person.submit(form, {form.form.inputs[0].custom_id: pack})


async def test_a_pack_of_one_server_counts_in_another(world: World) -> None:
    mona, alice = world.discord.person("Mona", manager=True), world.discord.person("Alice")
    for name, song in (("そらのやつ", "AETHER"), ("a = b", "snake_case_love")):
        await mona.slash(world.discord.channel, "alias add", alias=name, song=song)
    exported = await alice.slash(world.discord.channel, "alias export")
    assert exported.is_private
    assert "2 aliases" in exported.everything
    pack = world.discord.content(exported.files[0]).decode()
    assert pack.splitlines() == ["a b = snake_case_love", "そらのやつ = AETHER"]
    elsewhere = world.discord.server("Elsewhere")
    other = elsewhere.channel("general")
    mona.join(elsewhere, manager=True)
    taken = await take(mona, other, pack)
    assert taken.is_private
    assert "2 aliases count here now" in taken.everything
    listed = await mona.slash(other, "alias list")
    assert "そらのやつ → AETHER" in listed.everything
    assert "a b → snake" in listed.everything


async def test_a_server_without_names_has_no_file(world: World) -> None:
    alice = world.discord.person("Alice")
    exported = await alice.slash(world.discord.channel, "alias export")
    assert not exported.files
    assert "None yet" in exported.everything


async def test_each_line_that_does_nothing_is_named(world: World) -> None:
    mona = world.discord.person("Mona", manager=True)
    pack = f"# mine\nbroken\nx = no *such* song\n{'n' * 61} = AETHER\ngood = AETHER"
    taken = await take(mona, world.discord.channel, pack)
    assert "1 alias counts here now" in taken.everything
    assert "Line 2 does not read" in taken.everything
    assert "Line 3 matches no song, or several: no \\*such\\* song" in taken.everything
    assert "Line 4 does not read" in taken.everything


async def test_a_line_that_names_the_title_of_another_song_is_named(world: World) -> None:
    mona = world.discord.person("Mona", manager=True)
    taken = await take(
        mona, world.discord.channel, "good = AETHER\nneon memoria = snake_case_love\nAETHER! = AETHER"
    )
    assert "2 aliases count here now" in taken.everything
    assert "Line 2 names the title of another song, which it finds: Neon Memoria" in taken.everything
    listed = (await mona.slash(world.discord.channel, "alias list")).everything
    assert "good → AETHER" in listed
    assert "snake" not in listed


async def test_many_lines_that_do_nothing_are_counted(world: World) -> None:
    mona = world.discord.person("Mona", manager=True)
    taken = await take(mona, world.discord.channel, "broken\n" * 12)
    assert "0 aliases count here now" in taken.everything
    assert "2 lines more" in taken.everything


async def test_there_is_room_for_five_hundred(world: World) -> None:
    mona = world.discord.person("Mona", manager=True)
    for first in (0, 170):
        lines = (f"n{number} = AETHER" for number in range(first, first + 170))
        await take(mona, world.discord.channel, "\n".join(lines))
    lines = (f"n{number} = AETHER" for number in range(340, 510))
    taken = await take(mona, world.discord.channel, "\n".join(lines))
    assert "160 aliases count here now" in taken.everything
    assert "There is no room for 10 aliases" in taken.everything
    again = await take(mona, world.discord.channel, "n0 = snake_case_love\nmore = AETHER")
    assert "1 alias counts here now" in again.everything
    assert "There is no room for 1 alias" in again.everything


async def test_only_managers_take_packs(world: World) -> None:
    alice, mona = world.discord.person("Alice"), world.discord.person("Mona", manager=True)
    refused = await alice.slash(world.discord.channel, "alias import")
    assert "manage this server" in refused.text
    form = await mona.slash(world.discord.channel, "alias import")
    assert form.form is not None
    mona.leave(world.discord.home)
    mona.join(world.discord.home)  # manages it no more
    sent = await mona.submit(form, {form.form.inputs[0].custom_id: "x = AETHER"})
    assert "manage this server" in sent.text
