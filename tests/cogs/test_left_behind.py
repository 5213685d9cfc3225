"""What an earlier version of the bot, or the bot before a restart, has left on Discord, and is used now."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import fields
from datetime import date
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from addresses import ROUTES
from harness import Person
from world import World

from bot.domain.ids import MemberId, UserName
from bot.domain.members import Visibility
from bot.features.shared.subjects import Subject
from bot.ui.kit.address import Address, encode
from bot.ui.kit.routes import EraseAddress, PracticeAddress
from bot.ui.kit.song_routes import DraftAddress, RandomAddress, SearchAddress
from service.options import ServiceOptions

pytestmark = pytest.mark.shared

OLD = (
    "turn:best:123456789012345678:1:best:",
    "turn:scores:{asker}:0:rating-::const>=14",
    "share:courses:{asker}:0:",
    "aside:mine:{asker}:0:0123456789abcdef",
    "turn:dailyjoin:{asker}:0:",
)
"""Ids as they were written before pages had typed addresses."""
TEXTS = (
    "",
    "²",
    "-1",
    "\u202e🎵",
    "(((",
    "const>=",
    "nobody",
    "0123456789abcdef",
    "MAS",
    "jp2",
    "a:%b",
    "x" * 30,
)
NUMBERS = (0, -1, 1, 9_999, 1_010_001, 10**20)
SUBJECTS = (
    Subject(),
    Subject(member=MemberId(1)),
    Subject(member=MemberId(2**63 - 1), shares_server=True),
    *(Subject(player=UserName(name)) for name in ("nobody", "\u202e", "Dr:Beat%")),
)
ODD: Mapping[object, Sequence[object]] = {
    str: TEXTS,
    int: NUMBERS,
    bool: (False, True),
    Subject: SUBJECTS,
    date: (date(2015, 7, 16), date(1, 1, 1), date.max),
}
"""What this version reads in an address, and would itself hardly write."""


def odd_values(hint: Any) -> Sequence[object]:
    if get_origin(hint) is tuple:
        return [(), *((each,) for each in NUMBERS if each >= 0)]
    inner = [each for each in get_args(hint) if each is not type(None)] or [hint]
    plain = getattr(inner[0], "__supertype__", inner[0])
    found = ODD.get(plain) or tuple(plain)
    return [*found, None] if get_args(hint) else found


def odd_addresses(kind: type[Address], asker: MemberId) -> Iterator[Address]:
    hints = get_type_hints(kind)
    pools = {each.name: odd_values(hints[each.name]) for each in fields(kind) if each.name != "asker"}
    for turn in range(max((len(pool) for pool in pools.values()), default=1)):
        yield kind(asker=asker, **{name: pool[turn % len(pool)] for name, pool in pools.items()})


def button(custom_id: str) -> Mapping[str, object]:
    return {"type": 2, "style": 2, "label": "Old", "custom_id": custom_id}


def menu(custom_id: str, value: str) -> Mapping[str, object]:
    return {
        "type": 3,
        "custom_id": custom_id,
        "placeholder": "Old",
        "options": [{"label": value, "value": value}],
    }


@pytest.mark.own
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
    ("locale", "said"),
    [
        ("en-US", "This is too old and no longer works. Use the command again."),
        ("ja", "古くなっているため、もう使えません。もう一度コマンドを使ってください。"),
    ],
)
class TestTooOld:
    @pytest.fixture
    def reader(self, world: World, locale: str) -> Person:
        return world.discord.person("Hanako", locale=locale)

    @pytest.mark.parametrize(
        "custom_id", [*OLD, "turn:gone:{asker}:0:", "turn:best", "turn:", "gone", "pick:best"]
    )
    async def test_a_button(self, world: World, reader: Person, said: str, custom_id: str) -> None:
        old = button(custom_id.format(asker=reader.id))
        reply = await reader.click(world.discord.left_behind(world.discord.channel, old), "Old")
        assert (reply.posts[-1].text, reply.posts[-1].is_private) == (said, True)
        assert "fault" not in world.log.text

    @pytest.mark.parametrize(
        ("custom_id", "value"),
        [
            ("pick:settings:{asker}:0:language", "language=ja"),
            ("pick:best:{asker}:0:best:", "recent:"),
            ("pick:account:{asker}:0:", "anyone"),
            ("pick:gone:{asker}:0:", "gone"),
            ("gone", "best"),
        ],
    )
    async def test_a_menu(self, world: World, reader: Person, said: str, custom_id: str, value: str) -> None:
        old = menu(custom_id.format(asker=reader.id), value)
        reply = await reader.choose(world.discord.left_behind(world.discord.channel, old), "Old", value)
        assert (reply.posts[-1].text, reply.posts[-1].is_private) == (said, True)
        assert "fault" not in world.log.text


@pytest.mark.own
async def test_a_command_that_is_gone_is_no_fault(world: World) -> None:
    alice = world.discord.person("Alice")
    world.bot.tree.remove_command("friends")
    reply = await alice.slash(world.discord.channel, "friends")
    assert reply.is_private
    assert "Reload Discord" in reply.text
    assert "fault" not in world.log.text


@pytest.mark.own
class TestUnreadable:
    @pytest.fixture
    def options(self) -> ServiceOptions:
        return ServiceOptions(quick_seconds=0, limits={"2.0": 9_999, "1.3": 9_999, "1.0": 9_999})

    @pytest.mark.heavy
    async def test_every_page_or_sentence_is_an_ordinary_one_whatever_stands_in_a_button(
        self, world: World
    ) -> None:
        alice = world.discord.person("Alice")
        await world.link(alice, "DrBeat", Visibility.SERVERS)
        assert len(ROUTES) > 20
        shown: set[type[Address]] = set()
        for kind in sorted(ROUTES, key=lambda kind: (kind is EraseAddress, kind.KIND)):
            for address in filter(lambda each: each.fits, odd_addresses(kind, MemberId(alice.id))):
                left = world.discord.left_behind(world.discord.channel, button(f"turn:{encode(address)}"))
                reply = await alice.click(left, "Old")
                assert "Something went wrong" not in reply.posts[-1].everything, address
                if "too old" not in reply.posts[-1].everything:
                    shown.add(kind)
        assert set(ROUTES) - shown <= {
            SearchAddress,
            RandomAddress,
            DraftAddress,
            PracticeAddress,
        }  # of which no filter is kept
        assert "fault" not in world.log.text


@pytest.mark.own
@pytest.mark.parametrize(
    ("locale", "said"), [("en-US", "too old and no longer works"), ("ja", "古くなっている")]
)
async def test_a_button_below_a_song_that_the_game_has_no_more_names_no_id(
    world: World, locale: str, said: str
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    song = await alice.slash(world.discord.channel, "song", title="AETHER")
    border = await alice.slash(world.discord.channel, "border", song="AETHER")
    with closing(sqlite3.connect(world.service_database)) as service, service:
        service.execute(
            "UPDATE charts SET is_listed = 0 WHERE song_id IN (SELECT song_id FROM songs WHERE title = 'AETHER')"
        )
        service.execute("UPDATE songs SET is_listed = 0 WHERE title = 'AETHER'")
    await world.restart_service()
    await world.change_database("DELETE FROM catalogues")
    await world.start_bot()
    for post in (song.post, border.post):
        for button in post.components:
            answer = await alice.click(post, button.custom_id)
            assert said in answer.posts[-1].text, button.label
