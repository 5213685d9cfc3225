"""What an earlier version of the bot, or the bot before a restart, has left on Discord, and is used now."""

from collections.abc import Mapping

import pytest
from world import World

from bot.domain.members import Visibility
from service.options import ServiceOptions

CHART = "0123456789abcdef"
UNREADABLE = (
    *("", ":", ":::", "²", "-1", "99999999999999999999", "1650", "{}%s", "\u202e🎵", "level", "all"),
    *("best:", "pest:", "best:mx", "best:m-1", f"best:m{10**30}", "best:u\u202e", f"m{2**63}", "dx", "u%"),
    *("rating-:", "rating-:mx:const>=14", "colour:u:", "score+::(((", "const-:", "1:", "0:x", "11:x", "x:x"),
    *(":const>=", "mx:const>=14", "ux:diff:", f"{CHART}:MAS", f"{CHART}:MAS:-1", f"{CHART}:XXX:1000000"),
    *(f"{CHART}::x", f"mx:{CHART}", "language=xx", "theme=pink", "slot=worst", "region=atlantis"),
    *("visibility=all", "nobody"),
)
"""What may stand where an address says what its page is about; some of it is right for some pages."""
NUMBERS = (0, -1, 9_999, 10**20)


def button(custom_id: str) -> Mapping[str, object]:
    return {"type": 2, "style": 2, "label": "Old", "custom_id": custom_id}


def menu(custom_id: str, value: str) -> Mapping[str, object]:
    return {
        "type": 3,
        "custom_id": custom_id,
        "placeholder": "Old",
        "options": [{"label": value, "value": value}],
    }


async def test_a_form_that_was_opened_before_a_restart_is_accepted(world: World) -> None:
    alice = world.discord.person("Alice")
    form = await alice.slash(world.discord.channel, "link")
    world.discord.wire.backend.clock.advance(20 * 60)  # and longer ago than its interaction lives
    await world.start_bot()
    reply = await alice.submit(form, {"Access token": world.token("DrBeat")})
    assert reply.is_private
    assert "Dr.Beat" in reply.everything.replace("\\", "")


async def test_forms_that_are_open_side_by_side_answer_who_fills_them_in(world: World) -> None:
    alice, hanako = world.discord.person("Alice"), world.discord.person("Hanako", locale="ja")
    forms = [(each, await each.slash(world.discord.channel, "link")) for each in (alice, hanako)]
    replies = [await person.submit(form, {"token": world.token("DrBeat")}) for person, form in forms]
    assert [reply.embed.title for reply in replies] == ["Linked", "連携しました"]


@pytest.mark.parametrize(
    "custom_id",
    [
        "turn:gone:{asker}:0:",
        "aside:gone:{asker}:0:",
        "share:gone:{asker}:0:",
        "turn:best",
        "gone",
        "turn:best:x:0:",
    ],
)
async def test_a_button_of_an_unknown_kind_is_too_old(world: World, custom_id: str) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    left = world.discord.left_behind(world.discord.channel, button(custom_id.format(asker=hanako.id)))
    reply = await hanako.click(left, "Old")
    assert reply.posts[-1].is_private
    assert reply.posts[-1].text == "古くなっているため、もう使えません。もう一度コマンドを使ってください。"
    assert "fault" not in world.log.text


@pytest.mark.parametrize("custom_id", ["pick:gone:{asker}:0:", "gone", "pick:best:{asker}:0:"])
async def test_a_menu_of_an_unknown_kind_is_too_old(world: World, custom_id: str) -> None:
    alice = world.discord.person("Alice")
    left = world.discord.left_behind(world.discord.channel, menu(custom_id.format(asker=alice.id), "gone:"))
    reply = await alice.choose(left, "Old", "gone:")
    assert reply.posts[-1].is_private
    assert "too old" in reply.posts[-1].text
    assert "fault" not in world.log.text


async def test_a_command_that_is_gone_is_no_fault(world: World) -> None:
    alice = world.discord.person("Alice")
    world.bot.tree.remove_command("friends")
    reply = await alice.slash(world.discord.channel, "friends")
    assert reply.is_private
    assert "Reload Discord" in reply.text
    assert "fault" not in world.log.text


class TestUnreadable:
    @pytest.fixture
    def options(self) -> ServiceOptions:
        return ServiceOptions(quick_seconds=0, limits={"2.0": 9_999, "1.3": 9_999, "1.0": 9_999})

    async def test_every_page_or_sentence_is_an_ordinary_one_whatever_stands_in_a_button(
        self, world: World
    ) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.SERVERS)
        kinds = sorted(world.bot.pages, key=lambda kind: (kind == "erase", kind))
        assert len(kinds) > 20
        for kind in kinds:
            for place, query in enumerate(UNREADABLE):
                custom_id = f"turn:{kind}:{alice.id}:{NUMBERS[place % len(NUMBERS)]}:{query}"[:100]
                left = world.discord.left_behind(world.discord.channel, button(custom_id))
                reply = await alice.click(left, "Old")
                assert "Something went wrong" not in reply.posts[-1].everything, custom_id
        assert "fault" not in world.log.text
