"""bot/features/boards.py: whatever members let others see, a board is as if those who hide were not there."""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import cast

import careers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from bot.api import RecordApi
from bot.api.cache import AnswerCache
from bot.base.clock import ManualClock
from bot.base.memo import RecentHashes
from bot.database.tables import LINKS, SCORE_BLOCKS, SIGHTINGS, SNAPSHOTS
from bot.domain.boards import Measure
from bot.domain.charts import MASTER, Song
from bot.domain.chronicle.packing import pack
from bot.domain.chronicle.state import RecordMark
from bot.domain.curves import DaySpan
from bot.domain.errors import NotLinked, PastProtected
from bot.domain.game_versions import VersionTable
from bot.domain.ids import JP, JP2, GuildId, MemberId, Region
from bot.domain.members import Visibility
from bot.features.boards import BoardQuestion, BoardReport, Boards
from bot.features.curves import Curves, CurvesReport
from bot.features.shared.askers import Askers
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.library import SongChoice, SongLibrary
from bot.features.shared.subjects import Neighbour, Subject
from bot.store import Store, Vault, new_key

GUILD = GuildId(77)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
ROLE = 5
(SONG,) = careers.catalogue([careers.record("00ff00ff00ff00ff", 1400, 1_000_000)]).songs
MEMBERS = [MemberId(number) for number in range(1, 7)]


@dataclass(frozen=True)
class Someone:
    visibility: Visibility
    is_protected: bool
    region: Region
    is_seen: bool
    is_here: bool
    has_role: bool
    figures: Mapping[Region, tuple[int, int | None]]
    scores: Mapping[Region, int]
    """Points on the one chart that there is, where they have played it."""

    @property
    def is_hidden(self) -> bool:
        return self.visibility is Visibility.ONLY_ME or self.is_protected


EXAMPLES = pytest.mark.parametrize(
    "count",
    [
        25,
        pytest.param(100, marks=pytest.mark.heavy),
        pytest.param(10_000, marks=[pytest.mark.long, pytest.mark.timeout(3600)]),
    ],
)
REGIONS = st.sampled_from([JP, JP2])
PEOPLE = st.dictionaries(
    st.sampled_from(MEMBERS),
    st.builds(
        Someone,
        visibility=st.sampled_from(Visibility),
        is_protected=st.sampled_from([False, False, True]),
        region=REGIONS,
        is_seen=st.sampled_from([True, True, False]),
        is_here=st.sampled_from([True, True, False]),
        has_role=st.booleans(),
        figures=st.dictionaries(REGIONS, st.tuples(st.integers(1, 4), st.none() | st.integers(1, 4))),
        scores=st.dictionaries(REGIONS, st.integers(1, 4)),
    ),
    min_size=1,
)
QUESTIONS = st.builds(
    BoardQuestion,
    measure=st.sampled_from([Measure.RATING, Measure.BEST, Measure.OVER_POWER]),
    song=st.sampled_from(["", SONG.id]),
    role=st.sampled_from([None, None, ROLE]),
    number=st.integers(0, 2),
)


class Shelf:
    """A library of one song."""

    async def enter(self, _asker: object, _guild: object) -> "Shelf":
        return self

    async def pick_playable(self, _song: str) -> Song:
        return SONG


def _records(score: int | None) -> Mapping[str, object]:
    """Return how all records of somebody are kept who has played one chart, or none."""
    marks = {} if score is None else {(SONG.id, MASTER): RecordMark(score, 0, 1400, 0)}
    return {"whole_day": NOW.date(), "records": pack(marks)}


class Town:
    """Everything below a board, in which only those live who are put there."""

    def __init__(self, store: Store, runner: asyncio.Runner) -> None:
        self._store = store
        self._runner = runner
        clock = ManualClock(NOW)
        api, cache = RecordApi("http://127.0.0.1:9", clock=clock), AnswerCache(clock, fresh_for=timedelta(0))
        self._askers = Askers(store, api, cache, clock, patience=timedelta(seconds=1))

    def board(
        self, people: Mapping[MemberId, Someone], viewer: MemberId, question: BoardQuestion
    ) -> BoardReport | SongChoice:
        """Return what a viewer sees, in a server of these people alone."""

        async def among(members: Collection[MemberId]) -> Mapping[MemberId, Neighbour]:
            here = [each for each in members if each == viewer or people[each].is_here]
            roles = frozenset([ROLE])
            return {
                each: Neighbour(f"name of {each}", roles if people[each].has_role else frozenset())
                for each in here
            }

        async def look() -> BoardReport | SongChoice:
            await self._fill(people)
            async with Boards(
                self._store, self._askers, cast("SongLibrary", Shelf()), self._ratings(), ManualClock(NOW)
            ) as boards:
                return await boards.report(viewer, GUILD, question, among)

        return self._runner.run(look())

    def history(
        self, people: Mapping[MemberId, Someone], viewer: MemberId, named: Collection[MemberId]
    ) -> CurvesReport | None:
        """Return what a viewer sees of members whom they name; None where they may not."""

        async def look() -> CurvesReport | None:
            await self._fill(people)
            subjects = [Subject(member=member, shares_server=people[member].is_here) for member in named]
            try:
                chronicle = cast("Chronicles", None)  # which is asked for averages alone
                curves = Curves(self._store, self._askers, chronicle, self._ratings())
                return await curves.report(viewer, subjects, Measure.OVER_POWER, DaySpan(), UTC)
            except (NotLinked, PastProtected):
                return None

        return self._runner.run(look())

    def _ratings(self) -> GameRatings:
        clock = ManualClock(NOW)
        cache = AnswerCache(clock, fresh_for=timedelta(minutes=1))
        return GameRatings(
            self._store, cast("Catalogues", None), cache, RecentHashes(), clock, VersionTable(())
        )

    async def _fill(self, people: Mapping[MemberId, Someone]) -> None:
        links = [
            {
                "member_id": member, "token": b"", "user_id": member, "user_name": "", "region": each.region,
                "visibility": each.visibility.value, "linked_at": NOW, "is_protected": each.is_protected,
            }
            for member, each in people.items()
        ]  # fmt: skip
        sightings = [
            {"member_id": member, "guild_id": GUILD} for member, each in people.items() if each.is_seen
        ]
        snapshots = [
            {
                "member_id": member, "region": region, "day": NOW.date(), "taken_at": NOW, "rating": rating,
                "best_average": other, "over_power": other, **_records(each.scores.get(region)),
            }
            for member, each in people.items()
            for region, (rating, other) in each.figures.items()
        ]  # fmt: skip
        async with self._store.links._database.write() as connection:
            await connection.execute(delete(SCORE_BLOCKS))  # which boards before have written out
            for table, rows in ((LINKS, links), (SIGHTINGS, sightings), (SNAPSHOTS, snapshots)):
                await connection.execute(delete(table))
                if rows:
                    await connection.execute(table.insert(), rows)
        self._store.members.at_hand.drop_all()


@pytest.fixture
def town(url: str) -> Iterator[Town]:
    with asyncio.Runner() as runner:
        store = runner.run(Store(url, Vault([new_key()])).__aenter__())
        yield Town(store, runner)
        runner.run(store.__aexit__(None, None, None))


def examples(count: int) -> settings:
    return settings(max_examples=count, deadline=None, database=None)


@EXAMPLES
def test_a_board_is_as_if_those_who_hide_were_not_there(town: Town, count: int) -> None:
    @examples(count)
    @given(PEOPLE, QUESTIONS, st.randoms())
    def check(people: Mapping[MemberId, Someone], question: BoardQuestion, chance: Random) -> None:
        viewer = chance.choice([*people])
        found = town.board(people, viewer, question)
        assert isinstance(found, BoardReport)
        assert {place.rival.member for place in found.part.items} <= {
            member for member, each in people.items() if not each.is_hidden
        }
        open_ones = {
            member: each for member, each in people.items() if member == viewer or not each.is_hidden
        }
        assert town.board(open_ones, viewer, question) == found
        if question.song:
            assert found.measure is Measure.SCORE
            assert {place.rival.figure for place in found.part.items} <= scores_of(open_ones)

    check()


def scores_of(people: Mapping[MemberId, Someone]) -> set[int]:
    return {score for each in people.values() for score in each.scores.values()}


@EXAMPLES
def test_a_history_names_nobody_who_hides(town: Town, count: int) -> None:
    @examples(count)
    @given(PEOPLE, st.sets(st.sampled_from(MEMBERS), min_size=1), st.randoms())
    def check(people: Mapping[MemberId, Someone], wanted: set[MemberId], chance: Random) -> None:
        viewer = chance.choice([*people])
        named = [member for member in wanted if member in people and member != viewer]
        found = town.history(people, viewer, named)
        is_refused = any(
            people[member].is_hidden
            or (people[member].visibility is Visibility.SERVERS and not people[member].is_here)
            for member in named
        )
        assert (found is None) is is_refused
        if found is not None:
            assert [curve.member for curve in found.curves] == named

    check()
