"""What a member notices of the budget of their token: nothing but the age of what they are shown."""

import re

import pytest
from harness import Reply
from world import World

from bot.api.budget.accounts import key_of_token
from bot.database.tables import KEPT_ANSWERS, KEPT_WINDOWS
from service.options import ServiceOptions

AGE = re.compile(r"this is what it said <t:")


@pytest.fixture
def options() -> ServiceOptions:
    return ServiceOptions(limits={"2.0": 40, "1.3": 120, "1.0": 200}, quick_seconds=0.5, access_log=True)


@pytest.mark.first
@pytest.mark.heavy
async def test_sixty_commands_in_a_minute(world: World) -> None:
    world.settings = world.settings.model_copy(update={"fresh_seconds": 0, "patience_seconds": 3})
    await world.start_bot()
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    replies: list[Reply] = []
    for number in range(60):
        name = ("rating", "best", "friends")[number % 3]
        replies.append(await alice.slash(world.discord.channel, name))
        world.clock.advance(1)
    statuses = re.findall(r"service.access: GET \S+ (\d+)", world.log.text)
    assert len(statuses) > 40
    assert set(statuses) == {"200"}
    assert all(reply.files or reply.embed.title for reply in replies)
    ages = [bool(AGE.search(reply.everything)) for reply in replies]
    assert not any(ages[:10])
    assert all(ages[-10:])


async def test_the_last_known_data_outlives_a_restart_and_is_erased_with_the_link(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await alice.slash(world.discord.channel, "rating")
    await world.stop_service()
    world.clock.advance(3600)
    await world.start_bot()
    reply = await alice.slash(world.discord.channel, "rating")
    assert AGE.search(reply.everything)
    await alice.slash(world.discord.channel, "unlink")
    await world.discord.stop()
    assert await world.rows(KEPT_ANSWERS) == []
    # The operator's window stays: the catalogue is read with that token, whoever comes and goes.
    operator = key_of_token(world.settings.record_token.get_secret_value())
    assert {row["account"] for row in await world.rows(KEPT_WINDOWS)} <= {operator}


async def test_what_is_left_survives_a_restart_and_says_when_it_is_full(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await alice.slash(world.discord.channel, "rating")

    async def left() -> str:
        reply = await alice.slash(world.discord.channel, "account")
        # Two questions; on a busy machine the second does not follow so quickly that it costs more.
        found = re.search(r"(About 3[78] of 40 questions) until \d\d?:\d\d", reply.everything)
        assert found, reply.everything
        return found[1]

    before = await left()
    await world.start_bot()
    assert await left() == before


async def test_turning_a_page_asks_for_nothing_anew(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    reply = await alice.slash(world.discord.channel, "best")
    before = asked(world)
    world.clock.advance(540)
    await alice.choose(reply, "Choose a slot", "Recent")
    assert asked(world) == before
    await alice.slash(world.discord.channel, "best")
    assert asked(world) == before + 2, "nothing was uploaded: the records are not sent again"


def asked(world: World) -> int:
    """Return how many requests there were about people: that of the catalogue comes when it comes."""
    return len(re.findall(r"service.access: GET (?!\S+/music/)", world.log.text))


async def test_the_profile_by_which_an_account_was_linked_is_not_asked_for_again(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    before = asked(world)
    await alice.slash(world.discord.channel, "account")
    assert asked(world) == before > 0


async def test_a_goal_costs_no_request_of_its_own(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    requests: list[int] = []
    for goals in (["rating 16.50"], ["level:13 rank>=sss count:20", "op level:13 99%"]):
        for goal in goals:
            await alice.slash(world.discord.channel, "goal add", goal=goal)
        world.clock.advance(3600)
        before = asked(world)
        await alice.slash(world.discord.channel, "goal list")
        requests.append(asked(world) - before)
    assert requests[0] == requests[1] > 0


@pytest.mark.parametrize("seconds", [None, 30, 600])
async def test_records_are_fresh_for_longer_than_a_profile_where_the_operator_says_nothing(
    world: World, seconds: int | None
) -> None:
    world.settings = world.settings.model_copy(update={"fresh_seconds": seconds})
    await world.start_bot()
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await alice.slash(world.discord.channel, "rating")
    for waited, profile, slots in ((59, 0, 0), (2, 1, 0), (118, 1, 0), (2, 0, 1)):
        before = asked(world)
        world.clock.advance(waited)
        await alice.slash(world.discord.channel, "rating")
        if seconds is None:
            assert asked(world) - before == profile + slots, waited
        else:
            assert asked(world) - before == (2 if seconds < waited else 0)


@pytest.mark.parametrize(("seconds", "again"), [(None, 0), (30, 1)])
async def test_whose_records_they_are_is_told_as_long_as_the_records_are_fresh(
    world: World, seconds: int | None, again: int
) -> None:
    world.settings = world.settings.model_copy(update={"fresh_seconds": seconds})
    await world.start_bot()
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    await alice.slash(world.discord.channel, "scores")
    before = asked(world)
    world.clock.advance(100)
    await alice.slash(world.discord.channel, "scores")
    assert asked(world) - before == again
    await alice.slash(world.discord.channel, "rating")
    assert asked(world) - before == again + (1 if again else 2)


@pytest.mark.parametrize(("command", "questions"), [("rating", 3), ("best", 3), ("scores", 3)])
async def test_their_own_button_asks_anew(world: World, command: str, questions: int) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat")
    reply = await alice.slash(world.discord.channel, command)
    for _ in range(2):
        before = asked(world)
        reply = await alice.click(reply, "Refresh")
        assert asked(world) == before + questions
        assert reply.files or reply.embed.title
    other = await alice.slash(world.discord.channel, command, player="DrBeat")
    assert "Refresh" not in {each.label for each in other.components}


class TestQuickSuccession:
    """A service that charges for requests less than two seconds apart, and somebody who asks all the time."""

    @pytest.fixture
    def options(self) -> ServiceOptions:
        return ServiceOptions(quick_seconds=2)

    async def test_patience_below_the_spacing_is_never_told_as_spent(self, world: World) -> None:
        world.settings = world.settings.model_copy(update={"fresh_seconds": 0, "patience_seconds": 1.5})
        await world.start_bot()
        alice = world.discord.person("Alice")
        await world.link(alice, "minamo_plays")
        replies: list[Reply] = []
        for name in ("friends",) * 8 + ("courses",):
            world.clock.advance(1.5 if len(replies) < 2 else 0)
            replies.append(await alice.slash(world.discord.channel, name))
        assert not any("used up" in reply.everything for reply in replies)
        assert "cannot be asked right now; this is what it said" in replies[-2].everything
        assert re.search(r"asked this quickly. Try again <t:\d+:R>", replies[-1].everything)
        account = await alice.slash(world.discord.channel, "account")
        assert re.search(r"\d\d of 120", account.everything)
