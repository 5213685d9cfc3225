"""What the boards of a server of ten thousand members cost: CPU of the process, the loop's longest stop, and memory.

Each member has 500 to 1,200 records, kept by the code that ships, in SQLite. A board is asked for as `/leaderboard` asks
for it, and made into its embed; who is in the server has been asked of Discord before, as within any minute. Of each
figure the median of some rounds is told; exits 1 where a goal is missed.
"""

import asyncio
import random
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, cast

import careers
from bench_stall import queued

from bot.api import RecordApi
from bot.api.cache import AnswerCache
from bot.base.clock import ManualClock
from bot.base.memo import RecentHashes
from bot.database.tables import LINKS, SIGHTINGS
from bot.domain.boards import Measure
from bot.domain.charts import ADVANCED, BASIC, EXPERT, MASTER, Song
from bot.domain.chronicle.state import PlayerFigures, RecordMark, RecordsState
from bot.domain.ids import JP2, GuildId, MemberId, SongId, UserId
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.features.boards import BoardQuestion, BoardReport, Boards
from bot.features.shared.askers import Askers
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.game_data import read_game_versions
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongLibrary
from bot.features.shared.subjects import Neighbour
from bot.store import Store, Vault, new_key
from bot.ui.boards import board_page
from bot.ui.kit.routes import BoardAddress
from bot.ui.language.text import Languages

MEMBERS: Final = 10_000
SONGS: Final = 1_335
RECORDS: Final = (500, 1_200)
NOW: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)
GUILD: Final = GuildId(77)
ROUNDS: Final = 9
MOST_STALL_MS: Final = 10.0
GOALS: Final[Mapping[str, tuple[float, float]]] = {
    "by rating": (20.0, 10.0),
    "by a song": (40.0, 10.0),
}
"""Milliseconds of CPU, and megabytes above what the process had before."""
(SONG,) = careers.catalogue([careers.record("00ff00ff00ff00ff", 1400, 1_000_000)]).songs


class Shelf:
    """A library that finds one song at once: what a search costs is told by its own benchmark."""

    async def enter(self, _asker: object, _guild: object) -> "Shelf":
        return self

    async def pick_playable(self, _song: str) -> Song:
        return SONG


async def fill(url: str) -> None:
    """Have everybody linked, seen in the server, and looked at once."""
    async with Store(url, Vault([new_key()])) as store:
        await fill_store(store)


async def fill_store(store: Store) -> None:
    chance = random.Random(1)
    songs = [SongId(f"{chance.getrandbits(64):016x}") for _ in range(SONGS - 1)]
    charts = [(song, difficulty) for song in songs for difficulty in (MASTER, EXPERT, ADVANCED, BASIC)]
    members = sorted({MemberId(10**17 + chance.getrandbits(55)) for _ in range(MEMBERS)})
    links = [
        {
            "member_id": member, "token": b"x" * 120, "user_id": number, "user_name": f"player{number}",
            "region": JP2, "visibility": Visibility.SERVERS.value, "linked_at": NOW, "is_protected": False,
        }
        for number, member in enumerate(members)
    ]  # fmt: skip
    async with store.links._database.write() as connection:
        await connection.execute(LINKS.insert(), links)
        await connection.execute(
            SIGHTINGS.insert(), [{"member_id": member, "guild_id": GUILD} for member in members]
        )
    for number, (account, member) in enumerate(chance.sample([*enumerate(members)], len(members))):
        played = [(SONG.id, MASTER), *chance.sample(charts, chance.randint(*RECORDS))]
        marks = {
            chart: RecordMark(
                1_010_000 - int(chance.expovariate(1 / 8_000)), chance.choice([7, 15, 31]),
                chance.randint(100, 155) * 10, 1_790_000_000 + chance.randrange(10**6),
            )
            for chart in played
        }  # fmt: skip
        state = RecordsState(
            member=member, region=JP2, taken_at=NOW - timedelta(seconds=20 * number), marks=marks,
            figures=PlayerFigures(rating=Hundredths(1_000 + chance.randrange(700))),
        )  # fmt: skip
        await store.chronicle.save(state, account=UserId(account))


async def cpu_ms(work: Callable[[], Awaitable[object]]) -> float:
    """Return the milliseconds of CPU that something takes of the process, with nothing beside it."""
    began = time.process_time()
    await work()
    return (time.process_time() - began) * 1000


async def longest_stop(work: Callable[[], Awaitable[object]]) -> float:
    """Return for how many milliseconds the loop stands still at most."""
    longest = 0.0

    async def turn() -> None:
        nonlocal longest
        while not working.done():
            wall, own, before = time.perf_counter(), time.process_time(), queued()
            await asyncio.sleep(0.001)
            stood = time.perf_counter() - wall - 0.001 - (queued() - before)
            longest = max(longest, min(stood, time.process_time() - own) * 1000)

    working = asyncio.ensure_future(work())
    await asyncio.gather(working, turn())
    return longest


def memory() -> float:
    """Return the megabytes that the process had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def measure(url: str) -> bool:
    """Print what the boards of a filled database cost; return whether all goals are met."""
    clock, is_met = ManualClock(NOW), True
    async with Store(url, Vault([new_key()])) as store:
        members = [*await store.sightings.fetch(GUILD)]
        api = RecordApi("http://127.0.0.1:9", clock=clock)
        cache = AnswerCache(clock, fresh_for=timedelta(0))
        askers = Askers(store, api, cache, clock, patience=timedelta(seconds=1))
        ratings = GameRatings(
            store, cast("Catalogues", None), cache, RecentHashes(), clock, read_game_versions(None)
        )
        t = Languages()[None]
        names = {member: Neighbour(f"Neighbour {member % 9_973}") for member in members}

        async def among(asked: Collection[MemberId]) -> Mapping[MemberId, Neighbour]:
            return {member: names[member] for member in asked}

        async with Boards(store, askers, cast("SongLibrary", Shelf()), ratings, clock) as boards:

            async def board(question: BoardQuestion) -> None:
                report = await boards.report(members[5], GUILD, question, among)
                assert isinstance(report, BoardReport)
                assert report.part.total == len(members)
                board_page(
                    t, report, BoardAddress(asker=members[5], measure=report.measure, difficulty=MASTER)
                )

            for name, question in (
                ("by rating", BoardQuestion(measure=Measure.RATING)),
                ("by a song", BoardQuestion(song=SONG.id)),
            ):
                await boards.find_here(GUILD, among)
                before = memory()
                work = partial(board, question)
                spent = [await cpu_ms(work) for _ in range(ROUNDS)]
                stops = [await longest_stop(work) for _ in range(ROUNDS)]
                grown = memory() - before
                most_ms, most_mb = GOALS[name]
                for what, figure, most in (
                    ("CPU, ms", median(spent), most_ms),
                    ("the loop stands, ms", median(stops), MOST_STALL_MS),
                    ("memory, MB", grown, most_mb),
                ):
                    is_met &= figure <= most
                    verdict = "met" if figure <= most else "MISSED"
                    print(f"/leaderboard {name:10} {what:20} <= {most:>6.1f} {figure:>8.1f}  {verdict}")
    return is_met


def main() -> int:
    with TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'kiroku.db'}"
        asyncio.run(fill(url))
        return 0 if asyncio.run(measure(url)) else 1


if __name__ == "__main__":
    sys.exit(main())
