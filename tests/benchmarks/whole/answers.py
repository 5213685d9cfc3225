"""What answers cost: of a member who has just asked for something else, of one who comes anew, and of a week of them all."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import chain, islice
from random import Random
from typing import Any, Final

from rig.guilds import channel_id
from rigged import Rig, running_rig

from whole.bare import key_of
from whole.people import People, member_of, play
from whole.programs import Program, bare, kiroku, record_service
from whole.rows import Row
from whole.week import AFTER, BEFORE, CHAT, OTHER, SONG, TARGET, Habit, Visit, visits_of_week

Step = dict[str, Any]
GUILD: Final = 0
PATIENCE: Final = 30.0
QUIET_SECONDS, QUIET_CPU = 0.25, 0.005
"""A process rests where it has used so little in so long."""
MOST_QUIET: Final = 12
ASKED: Final = 12
"""How often each warm command is asked in a round."""
NEWCOMERS: Final = 5
"""Members who ask for the first time, in a round."""
VISITS: Final = 25
"""Of a round of the mix."""
LANES: Final = 6
"""Members who are here at the same time."""
TYPED: Final = "rain"

WARM: Final[Mapping[str, tuple[float | None, Habit]]] = {
    "/plan": (15, Habit(0, "plan", {})),
    "/plan with a target": (15, Habit(0, "plan", {"target": TARGET})),
    "/practice": (15, Habit(0, "practice", {})),
    "/goal list": (15, Habit(0, "goal list", {})),
    "/skill": (15, Habit(0, "skill", {})),
    "/compare": (15, Habit(0, "compare", {"member": OTHER})),
    "/scores": (None, Habit(0, "scores", {})),
    "/session": (None, Habit(0, "session", {})),
    "/table": (None, Habit(0, "table", {"filter": "lv:13+"})),
}
BESIDE: Final[Mapping[str, Habit]] = {
    "/best": Habit(0, "best", {}),
    "/rating": Habit(0, "rating", {}),
    "a keystroke": Habit(0, "song", {"title": TYPED}),
}
LEAST_BESIDE: Final = 0.75
FIRST: Final = {"rating": 10.0, "scores": 20.0, "best": 20.0}
MIX_A_SECOND: Final = 250.0
POSTED: Final = 10
"""Members of a server that has a post."""
MEMBER_MS: Final = 0.3
"""Of a thousand, whom somebody waits for."""


class Answers:
    """Both bots, and who asks them."""

    def __init__(self, people: People, rounds: int) -> None:
        self.people = people
        self.rounds = rounds
        self.chance = Random(1)
        self.ours: tuple[Program, Rig]
        self.bare: tuple[Program, Rig]
        usual = people.usual()
        self.regular = usual[0]
        """Who asks all that is warm."""
        self._newcomers = iter(usual[1:])
        self._visits = iter(self._drawn())

    def _drawn(self) -> list[Visit]:
        """Return visits of a week, the first of each member: whoever comes again has been away for hours."""
        seen = set[int]()
        found: list[Visit] = []
        late = set(self.people.usual()[: 1 + 3 * NEWCOMERS * self.rounds])
        for visit in visits_of_week(len(self.people.accounts), self.chance):
            if visit.member not in seen and visit.member not in late:
                seen.add(visit.member)
                found.append(visit)
        return found

    def step(self, member: int, habit: Habit) -> Step:
        values = {
            SONG: self.chance.choice(self.people.songs),
            OTHER: str(member_of((member + 7) % len(self.people.accounts))),
            TARGET: 16.2,
        }
        options = {
            key: values.get(value, value) if isinstance(value, str) else value
            for key, value in habit.options.items()
        }
        return {"user": member_of(member), "guild": GUILD, "command": habit.command, "options": options}

    async def spend(self, lanes: Sequence[Sequence[Step]], *, of: tuple[Program, Rig]) -> float:
        """Have somebody answer all of this; return the seconds of a processor that it took, with what follows behind."""
        program, rig = of
        before = program.cpu
        took = await rig.do("play", lanes=lanes, seconds=PATIENCE)
        assert all(each is not None for lane in took for each in lane), "not everything was answered"
        await rest(program)
        return program.cpu - before

    async def both(self, lanes: Sequence[Sequence[Step]]) -> tuple[float, float]:
        """Return milliseconds of either for each step."""
        steps = sum(map(len, lanes))
        mine = await self.spend(lanes, of=self.ours)
        theirs = await self.spend(lanes, of=self.bare)
        return mine * 1000 / steps, theirs * 1000 / steps

    async def warm(self) -> list[Row]:
        """Somebody who asks the same again."""
        rows: list[Row] = []
        for name, (goal, habit) in WARM.items():
            step = self.step(self.regular, habit)
            await self.spend([[step] * 2], of=self.ours)
            taken = [await self.both([[step] * ASKED]) for _ in range(self.rounds)]
            rows.append(_row(f"{name}, warm", taken, goal))
        for name, habit in BESIDE.items():
            step = self.step(self.regular, habit)
            if name == "a keystroke":
                step |= {"typed": "title", "options": {"title": TYPED}}
            await self.spend([[step] * 2], of=self.ours)
            taken = [await self.both([[step] * 5 * ASKED]) for _ in range(self.rounds)]
            shares = [theirs / mine for mine, theirs in taken]
            rows += [
                _row(name, taken, None),
                Row(f"{name}, of a bare bot's rate", shares, LEAST_BESIDE, "", is_floor=True),
            ]
        return rows

    async def first(self) -> list[Row]:
        """Those who have been away, and who want no pictures."""
        rows: list[Row] = []
        for command, goal in FIRST.items():
            taken: list[tuple[float, float]] = []
            for _ in range(self.rounds):
                who = [next(self._newcomers) for _ in range(NEWCOMERS)]
                taken.append(await self.both([[self.step(each, Habit(0, command, {}))] for each in who]))
            rows.append(_row(f"/{command}, first", taken, goal))
        return rows

    async def mix(self) -> list[Row]:
        """A week."""
        taken: list[tuple[float, float]] = []
        asked = 0
        for _ in range(self.rounds):
            visits = [
                [self.step(each.member, habit) for habit in each.commands]
                for each in islice(self._visits, VISITS)
            ]
            lanes = [[*chain.from_iterable(visits[lane::LANES])] for lane in range(LANES)]
            asked += sum(map(len, lanes))
            taken.append(await self.both(lanes))
        print(f"{asked} commands of {self.rounds * VISITS} visits")
        rates = [1000 / mine for mine, _ in taken]
        bare_rates = [1000 / theirs for _, theirs in taken]
        return [
            _row("a command of the mix", taken, None),
            Row(
                "commands of the mix in a second of a core",
                rates,
                MIX_A_SECOND,
                "",
                is_floor=True,
                beside=sorted(bare_rates)[len(bare_rates) // 2],
            ),
        ]

    async def posts(self) -> list[Row]:
        """What servers are told of their members: ten in each, whom nobody else's post has, and all in one."""
        taken: dict[str, list[float]] = {"preview": [], "again": [], "post": []}
        members = iter(range(len(self.people.accounts)))
        for guild in range(1, 1 + self.rounds):
            await self._join(guild, [*islice(members, POSTED)])
            steps = [[self._daily("preview", guild)]]
            taken["preview"].append(await self.spend(steps, of=self.ours) * 1000)
            taken["again"].append(await self.spend(steps, of=self.ours) * 1000)
            taken["post"].append(await self._post(guild) * 1000)
        await self._join(GUILD, range(len(self.people.accounts)))
        many = await self.spend([[self._daily("preview", GUILD)]], of=self.ours) * 1000
        again = await self.spend([[self._daily("preview", GUILD)]], of=self.ours) * 1000
        return [
            Row(f"/daily preview of {POSTED} members, first", taken["preview"], None, "ms"),
            Row("the same again", taken["again"], None, "ms"),
            Row(f"a post of {POSTED} members, made and sent", taken["post"], None, "ms"),
            Row(
                "a member of a large /daily preview, first",
                [many / len(self.people.accounts)],
                MEMBER_MS,
                "ms",
            ),
            Row("the same again", [again / len(self.people.accounts)], MEMBER_MS, "ms"),
        ]

    async def _join(self, guild: int, members: Iterable[int]) -> None:
        joins = [[self._daily("join", guild, member)] for member in members]
        options = {"channel": str(channel_id(guild)), "time": "21:00", "timezone": "Asia/Tokyo"}
        await self.spend([[self._daily("channel", guild) | {"options": options}]], of=self.ours)
        await self.spend([[*chain.from_iterable(joins)]], of=self.ours)

    async def _post(self, guild: int) -> float:
        """Have a server's post made; return the seconds of a processor that it took."""
        program, rig = self.ours
        before, posted = program.cpu, (await rig.state()).counts.get("posted", 0)
        await rig.do("play", lanes=[[self._daily("now", guild)]], seconds=PATIENCE)
        await rig.until(lambda state: state.counts.get("posted", 0) > posted)
        await rest(program)
        return program.cpu - before

    def _daily(self, command: str, guild: int, member: int = 0) -> Step:
        return {"user": member_of(member), "guild": guild, "command": f"daily {command}", "options": {}}


def _row(name: str, taken: Sequence[tuple[float, float]], goal: float | None) -> Row:
    theirs = sorted(each for _, each in taken)[len(taken) // 2]
    return Row(name, [mine for mine, _ in taken], goal, "ms", beside=theirs)


async def rest(program: Program) -> None:
    """Wait until a process rests."""
    for _ in range(MOST_QUIET):
        before = program.cpu
        await asyncio.sleep(QUIET_SECONDS)
        if program.cpu - before < QUIET_CPU:
            return


@asynccontextmanager
async def measured(people: People, rounds: int) -> AsyncGenerator[Answers]:
    """Run everything: members have been here before, and a third of them has played since."""
    bench = Answers(people, rounds)
    settings = dict(people.settings)
    async with AsyncExitStack() as stack:
        rig = await stack.enter_async_context(running_rig(guilds=3 + rounds))
        before = people.folder / "visited"
        if not before.exists():
            async with (
                record_service(people.service) as (_, address),
                kiroku(people.folder, rig.address("ours"), settings | {"RECORD_API_URL": address}) as program,
            ):
                await rig.until(lambda state: bool(state.shards))
                bench.ours = program, rig
                await visit_all(bench)
            play(people, range(0, len(people.accounts), 3), bench.chance)
            before.touch()
        _, address = await stack.enter_async_context(record_service(people.service))
        settings["RECORD_API_URL"] = address
        ours = await stack.enter_async_context(kiroku(people.folder, rig.address("ours"), settings))
        await rig.until(lambda state: bool(state.shards))
        bench.ours = ours, rig
        answers = people.folder / "answers.json"
        answers.write_text(json.dumps(await record(bench)), encoding="utf-8")
        other = await stack.enter_async_context(running_rig(guilds=3))
        theirs = await stack.enter_async_context(bare(people.folder, other.address("bare"), answers))
        await other.until(lambda state: bool(state.shards))
        bench.bare = theirs, other
        await rest(theirs)
        yield bench


async def visit_all(bench: Answers) -> None:
    """Have everybody use the bot once."""
    habits = [Habit(0, "session", {}), Habit(0, "best", {}), Habit(0, "friends", {})]
    lanes = [[bench.step(number, habit) for habit in habits] for number in range(len(bench.people.accounts))]
    for start in range(0, len(lanes), LANES):
        await bench.spend(lanes[start : start + LANES], of=bench.ours)
        await bench.ours[1].do("forget")


async def record(bench: Answers) -> dict[str, Any]:
    """Return all commands, and what our bot sends for each of those that are measured."""
    _, rig = bench.ours
    habits = [*BEFORE, *AFTER, *CHAT, *(habit for _, habit in WARM.values()), *BESIDE.values()]
    goal = Habit(0, "goal add", {"goal": "level:13 rank>=sss count:20"})
    await bench.spend([[bench.step(bench.regular, goal)]], of=bench.ours)
    sent: dict[str, Any] = {}
    await rig.do("set", keeps=True)
    for habit in habits:
        step = bench.step(bench.regular, habit)
        key = key_of(habit.command, step["options"])
        if key not in sent:
            await rig.do("forget")
            await bench.spend([[step]], of=bench.ours)
            sent[key] = [
                each
                for each in await rig.do("sent")
                if each["path"].split("/")[1] in {"interactions", "webhooks"}
            ]
    typed = bench.step(bench.regular, BESIDE["a keystroke"]) | {"typed": "title"}
    await rig.do("forget")
    await bench.spend([[typed]], of=bench.ours)
    choices = (await rig.do("sent"))[0]["body"]["data"]["choices"]
    await rig.do("set", keeps=False, sent=[])
    return {"commands": await rig.do("commands"), "answers": sent, "choices": choices}
