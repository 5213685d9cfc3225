import asyncio

import pytest
import reading
from harness import LogBook, Person, SimulatedDiscord
from patience import timed
from toybot import Toy

from bot.demo import simulator


@pytest.fixture
async def toy(discord: SimulatedDiscord) -> Toy:
    bot = Toy()
    await discord.start(bot)
    return bot


@pytest.fixture
def alice(discord: SimulatedDiscord) -> Person:
    return discord.person("Alice")


@pytest.mark.usefixtures("toy")
async def test_a_deferred_command_answers_with_its_follow_up(
    discord: SimulatedDiscord, alice: Person
) -> None:
    bob = discord.person("Bob")
    reply = await alice.slash(discord.channel, "fruit", name="apple", eater=bob)
    assert reply.embed.title == "apple"
    assert reply.embed.description == f"eaten by {bob.mention}"
    assert not reply.is_private


@pytest.mark.usefixtures("toy")
async def test_autocomplete(discord: SimulatedDiscord, alice: Person) -> None:
    choices = await alice.autocomplete(discord.channel, "fruit", name="せんぼ")
    assert [choice["value"] for choice in choices] == ["せんぼんざくら"]


@pytest.mark.usefixtures("toy")
async def test_a_private_deferral_makes_only_the_first_answer_private_by_itself(
    discord: SimulatedDiscord, alice: Person
) -> None:
    reply = await alice.slash(discord.channel, "private")
    reply = await reply.until(lambda reply: len(reply.posts) == 2)
    assert [(post.text, post.is_private) for post in reply.posts] == [("first", True), ("second", True)]


@pytest.mark.usefixtures("toy")
async def test_a_form_with_a_text_and_a_select(discord: SimulatedDiscord, alice: Person) -> None:
    shown = await alice.slash(discord.channel, "form")
    assert shown.form is not None
    assert [each.label for each in shown.form.inputs] == ["A word", "A colour"]
    assert shown.form.inputs[1].chosen == ("Red",)
    reply = await alice.submit(shown, {"A word": "kiroku", "A colour": ["blue"]})
    assert reply.text == "kiroku in blue"
    assert reply.is_private


@pytest.mark.usefixtures("toy")
async def test_a_pager_turns_also_after_a_restart(discord: SimulatedDiscord, alice: Person) -> None:
    first = await alice.slash(discord.channel, "board")
    second = await alice.click(first, "Next")
    assert (first.embed.title, second.embed.title) == ("Page 1", "Page 2")
    await discord.restart(Toy())
    third = await alice.click(second, "Next")
    assert third.embed.title == "Page 3"


@pytest.mark.usefixtures("toy")
async def test_a_select_edits_its_message(discord: SimulatedDiscord, alice: Person) -> None:
    board = await alice.slash(discord.channel, "board")
    reply = await alice.choose(board, "Slot", "B")
    assert reply.text == "slot b"


@pytest.mark.usefixtures("toy")
async def test_an_error_after_a_public_deferral_is_told_in_private(
    discord: SimulatedDiscord, alice: Person
) -> None:
    reply = await alice.slash(discord.channel, "boom")
    assert reply.text == "Sorry: no such fruit"
    assert reply.is_private
    assert discord.channel.posts() == []


async def test_people_do_not_wait_for_each_other(discord: SimulatedDiscord, alice: Person, toy: Toy) -> None:
    waiting = asyncio.create_task(alice.slash(discord.channel, "slow"))
    bob = discord.person("Bob")
    assert (await bob.slash(discord.channel, "fruit", name="apple")).embed.title == "apple"
    assert not waiting.done()
    toy.gate.set()
    assert (await waiting).text == "done"


@pytest.mark.usefixtures("toy")
async def test_discord_says_who_asks_and_where(discord: SimulatedDiscord) -> None:
    berlin = discord.server("Berlin", locale="de")
    sakura = discord.person("Sakura", locale="ja", server=berlin, manager=True)
    bob = discord.person("Bob")
    reply = await sakura.slash(berlin.channel("plauderei"), "whoami")
    assert reply.text == "ja de manager=True"
    assert (await bob.slash(discord.channel, "whoami")).text == "en-US en-US manager=False"


@pytest.mark.usefixtures("toy")
async def test_a_picture_arrives_as_it_was_sent(discord: SimulatedDiscord, alice: Person) -> None:
    reply = await alice.slash(discord.channel, "picture")
    (file,) = reply.files
    assert file.filename == "dot.png"


@pytest.mark.usefixtures("toy")
async def test_the_bot_posts_on_its_own(discord: SimulatedDiscord, alice: Person) -> None:
    other = discord.home.channel("other")
    await alice.slash(discord.channel, "shout", where=other)
    assert (await discord.post(other)).content == "hello, everyone"


@pytest.mark.usefixtures("toy")
async def test_the_bot_comes_back_after_the_gateway_closed(discord: SimulatedDiscord, alice: Person) -> None:
    await discord.drop_connection()
    assert (await alice.slash(discord.channel, "whoami")).text.startswith("en-US")


@pytest.mark.usefixtures("toy")
async def test_silence_is_reported_with_the_log(
    discord: SimulatedDiscord, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulator, "ACKNOWLEDGE_SECONDS", 0.01)
    monkeypatch.setattr(reading, "ANSWER_SECONDS", 0.01)
    with pytest.raises(AssertionError, match=r"(?s)no acknowledgement to /lazy within 0.01 s; log:\n.+"):
        await alice.slash(discord.channel, "lazy")


async def test_a_bot_that_cannot_start_says_why(discord: SimulatedDiscord) -> None:
    class Broken(Toy):
        async def setup_hook(self) -> None:
            raise RuntimeError("no database")

    with pytest.raises(RuntimeError, match="no database"):
        await discord.start(Broken())


async def test_starting_waits_for_nothing(discord: SimulatedDiscord, log: LogBook) -> None:
    _, seconds = await timed(discord.start(Toy()))
    assert seconds < 1.9, log.tail()  # waiting for servers as discord.py does takes two
