"""Packs, lists and filters as chance makes them: nothing is lost, nothing of others is read or touched.

That every answer is within Discord's limits, the simulated Discord holds. The suite tries some; KIROKU_EXAMPLES=10000
tries as many as it says.
"""

import json
import os
import re
from collections import defaultdict
from collections.abc import Mapping
from random import Random

import pytest
from harness import Person, Reply
from world import World

from bot.database.tables import GOAL_PACKS, GOALS, LOCKED_SONGS
from bot.domain.errors import BadQuery
from bot.domain.filters import parse_filter
from bot.domain.filters.keys import KEYS
from bot.domain.goals import BadGoal, parse_goal
from bot.domain.ids import MemberId
from bot.features.shared.goal_packs import BadPack, GoalPack, read_pack
from bot.features.shared.player_models import FeltNotKnown

EXAMPLES = int(os.environ.get("KIROKU_EXAMPLES", "24"))
KEPT = (GOALS, GOAL_PACKS, LOCKED_SONGS)
OF_BOB = "Bob alone knows"
"""Stands in all that Bob keeps, and may stand in no answer to anybody else."""
SIGNS = (
    ":",
    "=",
    "!=",
    ">=",
    "<=",
    ">",
    "<",
    "..",
    ",",
    "-",
    " ",
    "　",
    '"',
    "「",
    "」",
    "\\",
    "：",
    "’",
    "\u202e",
)
VALUES = (
    "13",
    "14.5",
    "14+",
    "13.2..14",
    "1005000",
    "2023-01",
    "sss",
    "aj",
    "yes",
    "no",
    "const-0.2",
    "🎵" * 30,
    "漢字",
    "`",
    "@everyone",
)
NAMES = [name for key in KEYS for name in key.names]
OPTIONS = [name for key in KEYS for option in key.options for name in option.names]
LISTS = {
    "search": "filter",
    "scores": "filter",
    "table": "filter",
    "tiers": "filter",
    "best": "filter",
    "random": "filter",
}


def any_filter(chance: Random) -> str:
    """Return a filter, or what looks like one."""
    if chance.random() < 0.5:
        conditions = (
            f"{chance.choice(('', '-'))}{chance.choice(NAMES)}{chance.choice((':', '>=', '<'))}{chance.choice([*OPTIONS, *VALUES])}"
            for _ in range(chance.randint(1, 4))
        )
        return " ".join(conditions)[:200]
    pieces = (*SIGNS, *VALUES, *NAMES, *OPTIONS)
    return "".join(chance.choice(pieces) for _ in range(chance.randint(1, 14)))[:200].strip() or "a"


def any_goal(chance: Random) -> str:
    """Return a goal, or what looks like one."""
    return chance.choice(
        (
            f"rating {chance.randint(1, 17)}.{chance.randint(0, 99):02}",
            f"level:{chance.randint(10, 15)} rank>=sss count:{chance.randint(1, 40)}",
            f"op const>={chance.randint(10, 14)} {chance.randint(1, 100)}%",
            f"{any_filter(chance)} lamp:aj {chance.randint(1, 100)}%",
            any_filter(chance),
        )
    )


def any_text(chance: Random, most: int) -> str:
    """Return a title or a name."""
    signs = (
        "a",
        "Z",
        "🎼",
        "夏",
        "*",
        "_",
        "`",
        "~~",
        "||",
        "[x](y)",
        "<@1>",
        "@everyone",
        "\\",
        '"',
        " ",
        "\u202e",
        "\n",
        "\0",
    )
    return "".join(chance.choice(signs) for _ in range(chance.randint(1, most)))[:most]


def any_pack(chance: Random) -> str:
    """Return a pack as a text, seldom one that no version wrote."""
    goals = [any_goal(chance) for _ in range(chance.randint(1, 11))]
    pack: dict[str, object] = {
        "kiroku_goals": 1, "title": any_text(chance, 60), "author": any_text(chance, 40), "goals": goals,
    }  # fmt: skip
    if chance.random() < 0.5:
        pack["title"], pack["goals"] = (
            f"Summer {chance.random()}",
            [each for each in goals if reads(each)][:10],
        )
    if chance.random() < 0.2:
        pack[chance.choice(("kiroku_goals", "title", "member_id", "goals"))] = chance.choice(
            (2, "x", None, [""], OF_BOB)
        )
    text = json.dumps(pack, ensure_ascii=chance.random() < 0.5)
    return text if chance.random() < 0.9 else text[: chance.randint(1, len(text))]


def reads(goal: str) -> bool:
    try:
        parse_goal(goal)
    except (BadQuery, BadGoal):
        return False
    return True


def found_in(text: str) -> GoalPack | None:
    try:
        return read_pack(text)
    except BadPack:
        return None


class Tried:
    """Alice, to whom everything is said, and Bob, whose things stay his."""

    def __init__(self, world: World, alice: Person, bob: Person) -> None:
        self.world = world
        self.alice = alice
        self.bob = bob
        self.of_bob: dict[str, list[Mapping[str, object]]] = {}
        self.songs: list[str] = []

    async def begin(self) -> None:
        """Let both have something."""
        world, channel = self.world, self.world.discord.channel
        await world.link(self.alice, "DrBeat")
        await world.link(self.bob, "ren_STAR")
        catalogue = (await world.bot.features.library.visit(MemberId(self.alice.id), None)).loaded.catalogue
        self.songs = [song.id for song in catalogue.songs]
        await self.bob.slash(channel, "goal add", goal=f'title="{OF_BOB}" rank>=sss count:1')
        await self.bob.slash(channel, "goal add", goal="rating 16.77")
        made = await self.bob.slash(channel, "pack make", name=OF_BOB, author=OF_BOB)
        (code,) = re.findall(r"`([0-9a-f]{18})`", made.everything)
        await self.bob.click(await self.bob.slash(channel, "pack take", code=code), "Set these goals")
        await self.bob.slash(channel, "locked add", song=self.songs[0])
        await self.alice.slash(channel, "goal add", goal="rating 16.50")
        self.of_bob = (await self.kept())[self.bob.id]
        assert all(self.of_bob.values())

    async def kept(self) -> dict[int, dict[str, list[Mapping[str, object]]]]:
        """Return all rows by member and table."""
        found: dict[int, dict[str, list[Mapping[str, object]]]] = defaultdict(
            lambda: {table.name: [] for table in KEPT}
        )
        for table in KEPT:
            for row in await self.world.rows(table):
                found[int(str(row["member_id"]))][table.name].append(row)
        return found

    async def ask(self, name: str, /, **options: str) -> Reply:
        """Return an answer to Alice, which says nothing of Bob's."""
        return self.read(await self.alice.slash(self.world.discord.channel, name, **options))

    def read(self, reply: Reply) -> Reply:
        assert OF_BOB not in reply.everything
        return reply

    async def pack(self, chance: Random) -> None:
        text, before = any_pack(chance), await self.kept()
        form = await self.alice.slash(self.world.discord.channel, "pack import")
        assert form.form is not None
        shown = self.read_pack(await self.alice.submit(form, {form.form.inputs[0].custom_id: text}), text)
        pack = found_in(text)
        if pack is None:
            assert not shown.components
            assert await self.kept() == before
            return
        taken = await self.alice.click(shown, "Set these goals")
        assert "Goals set" in taken.everything
        (kept,) = [
            row["text"] for row in await self.world.rows(GOAL_PACKS) if row["member_id"] == self.alice.id
        ]
        assert read_pack(str(kept)) == pack
        self.read_pack(await self.alice.slash(self.world.discord.channel, "goal list"), text)
        (code,) = [
            row["code"] for row in await self.world.rows(GOAL_PACKS) if row["member_id"] == self.alice.id
        ]
        await self.alice.slash(self.world.discord.channel, "pack drop", code=str(code))
        assert await self.kept() == before

    def read_pack(self, reply: Reply, text: str) -> Reply:
        return reply if OF_BOB in text else self.read(reply)

    async def songs_locked(self, chance: Random) -> None:
        picked = chance.sample(self.songs, chance.randint(1, 3))
        locked = [
            song
            for song in picked
            if "all the same" not in (await self.ask("locked add", song=song)).everything
        ]
        rows = await self.world.rows(LOCKED_SONGS)
        assert {row["song_id"] for row in rows if row["member_id"] == self.alice.id} == {*locked}
        await self.ask("locked list")
        wanted = any_filter(chance)
        try:
            parse_filter(f"{wanted} locked")
        except BadQuery:
            wanted = "lv:13"
        counts = [await self.count(f"{wanted} {also}") for also in ("", "locked", "-locked")]
        assert counts[0] == counts[1] + counts[2]
        for song in locked:
            await self.ask("locked remove", song=song)

    async def count(self, wanted: str) -> int:
        """Return how many charts a filter lets through; none where the service has counted nothing."""
        try:
            report = await self.world.bot.features.searches.report(
                MemberId(self.alice.id), wanted, None, 0, None
            )
        except FeltNotKnown:
            return 0
        return report.part.total

    async def filtered(self, chance: Random) -> None:
        command = chance.choice([*LISTS])
        await self.ask(command, **{LISTS[command]: any_filter(chance)})

    async def goal(self, chance: Random) -> None:
        before, goal = await self.kept(), any_goal(chance)[:100]
        await self.ask("goal add", goal=goal)
        after = (await self.kept())[self.alice.id][GOALS.name]
        new = [row for row in after if row not in before[self.alice.id][GOALS.name]]
        assert len(new) <= 1
        await self.ask("goal list")
        for row in new:
            assert str(parse_goal(str(row["text"]))) == str(parse_goal(goal))
            await self.ask("goal remove", goal=str(row["code"]))
        assert await self.kept() == before


@pytest.mark.own
async def test_nothing_is_lost_and_nothing_of_others_read(world: World) -> None:
    tried = Tried(world, world.discord.person("Alice"), world.discord.person("Bob"))
    await tried.begin()
    for number in range(EXAMPLES):
        chance = Random(number)  # noqa: S311 - invented, not secret
        kind = (tried.pack, tried.songs_locked, tried.filtered, tried.goal)[number % 4]
        try:
            await kind(chance)
            assert (await tried.kept())[tried.bob.id] == tried.of_bob
        except Exception as error:
            raise AssertionError(f"example {number}") from error
