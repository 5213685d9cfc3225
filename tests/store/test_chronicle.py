"""bot/store/chronicle.py: what is remembered of members, how it is written, and how long it stays."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select, update
from statements import statements_of

from bot.domain.charts import EXPERT, MASTER
from bot.domain.chronicle import Figures, Mark, Retention, State
from bot.domain.history import ChartKey, Snapshot
from bot.domain.ids import JP, JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import Link, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower
from bot.store import Store, Vault, new_key
from bot.store.tables import SNAPSHOTS

ALICE, BOB = MemberId(1), MemberId(2)
ACCOUNT = UserId(7)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
TODAY = NOW.date()
LINK = Link(
    member=ALICE, user_id=ACCOUNT, user_name=UserName("alice"), region=JP2,
    visibility=Visibility.SERVERS, linked_at=NOW,
)  # fmt: skip
FIGURES = Figures(
    rating=Hundredths(1650), highest=Hundredths(1655), best_average=Decimal("16.4321"),
    over_power=OverPower(91_065),
)  # fmt: skip
MANY: Mapping[ChartKey, Mark] = {
    (SongId(f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}"), MASTER): Mark(990_000 + number, 7, 1400, 0)
    for number in range(300)
}
A = next(iter(MANY))


def state(days_ago: int = 0, *, score: int = 1_000_000, member: MemberId = ALICE) -> State:
    marks = {**MANY, A: Mark(score, 7, 1400, int(NOW.timestamp()) - days_ago * 86_400)}
    taken_at = NOW - timedelta(days=days_ago)
    return State(member=member, region=JP2, taken_at=taken_at, figures=FIGURES, marks=marks)


@pytest.fixture(autouse=True)
async def _linked(store: Store) -> None:
    await store.links.save(LINK, "5d" * 32)
    await store.links.save(replace(LINK, member=BOB), "5d" * 32)


async def save(store: Store, *states: State) -> None:
    for each in states:
        await store.chronicle.save(each, account=ACCOUNT)


async def wholes(store: Store) -> dict[date, date | None]:
    """Return by day which day's records its own stand beside."""
    query = select(SNAPSHOTS.c.day, SNAPSHOTS.c.whole_day).order_by(SNAPSHOTS.c.day)
    async with store.links._database.read() as connection:
        return {row.day: row.whole_day for row in await connection.execute(query)}


async def test_what_is_saved_is_found(store: Store) -> None:
    await save(store, state(2), state(1, score=1_000_500), state(0, score=1_001_000))
    for days_ago, score in ((0, 1_001_000), (1, 1_000_500), (2, 1_000_000)):
        day = TODAY - timedelta(days=days_ago)
        assert await store.chronicle.find(ALICE, JP2, until=day) == state(days_ago, score=score)
    assert await store.chronicle.find(ALICE, JP2, until=TODAY - timedelta(days=3)) is None
    assert await store.chronicle.find_first(ALICE, JP2) == state(2)
    assert await store.chronicle.find(ALICE, JP, until=TODAY) is None
    assert await store.chronicle.find(BOB, JP2, until=TODAY) is None


async def test_a_day_stands_beside_an_earlier_whole(store: Store) -> None:
    await save(store, state(2), state(1, score=1_000_500), state(0, score=1_001_000))
    first = TODAY - timedelta(days=2)
    assert await wholes(store) == {first: first, TODAY - timedelta(days=1): first, TODAY: first}


async def test_the_last_look_at_a_day_stands_for_it(store: Store) -> None:
    await save(store, state(0), state(0, score=1_000_500))
    assert await wholes(store) == {TODAY: TODAY}
    assert await store.chronicle.find(ALICE, JP2, until=TODAY) == state(0, score=1_000_500)


@pytest.mark.parametrize(("days", "is_whole"), [(60, False), (61, True)])
async def test_a_whole_is_made_anew_after_sixty_days(store: Store, days: int, *, is_whole: bool) -> None:
    await save(store, state(days), state(0, score=1_000_500))
    assert ((await wholes(store))[TODAY] == TODAY) is is_whole


async def test_much_that_has_changed_is_written_whole_without_old_times(store: Store) -> None:
    now = int(NOW.timestamp())
    marks = {key: Mark(mark.score + 1, 7, 1400, now - 31 * 86_400) for key, mark in MANY.items()}
    marks[A] = marks[A]._replace(played_at=now)
    await save(store, state(1), replace(state(0), marks=marks))
    found = await store.chronicle.find(ALICE, JP2, until=TODAY)
    assert (await wholes(store))[TODAY] == TODAY
    assert found is not None
    assert {key for key, mark in found.marks.items() if mark.played_at} == {A}


async def test_what_cannot_be_read_is_not_there(store: Store) -> None:
    await save(store, state(1), state(0, score=1_000_500))
    async with store.links._database.write() as connection:
        await connection.execute(update(SNAPSHOTS).where(SNAPSHOTS.c.day < TODAY).values(records=b"?"))
    assert await store.chronicle.fetch(ALICE, JP2, until=TODAY, most=9) == []
    await save(store, state(0, score=1_000_600))
    assert await store.chronicle.find(ALICE, JP2, until=TODAY) == state(0, score=1_000_600)


async def test_slots_and_records_of_a_day_stand_side_by_side(store: Store) -> None:
    snapshot = Snapshot(
        member=ALICE, region=JP2, day=TODAY, taken_at=NOW, rating=Hundredths(1650), scores={A: 1_000_000},
        recent_average=Decimal("15.87"),
    )  # fmt: skip
    await save(store, state(1))
    await store.snapshots.save(snapshot, account=ACCOUNT)
    await save(store, state(0, score=1_000_500))
    past = await store.snapshots.get(ALICE, JP2, until=TODAY)
    assert past.newest == (snapshot,)
    assert [rating for _, rating in past.ratings] == [1650, 1650]
    await store.snapshots.save(snapshot, account=ACCOUNT)
    assert await store.chronicle.find(ALICE, JP2, until=TODAY) == state(0, score=1_000_500)
    (look,) = await store.chronicle.fetch_looks([ALICE], JP2, first=TODAY, last=TODAY)
    assert (look.best_average, look.recent_average) == (164_321, 158_700)


async def test_of_an_account_that_is_not_linked_nothing_is_kept(store: Store) -> None:
    await store.chronicle.save(state(), account=UserId(8))
    await store.links.erase(ALICE)
    await store.chronicle.save(state(), account=ACCOUNT)
    assert await wholes(store) == {}


async def test_scores_on_a_chart_are_one_query(store: Store) -> None:
    await save(store, state(1), state(0, score=1_000_500), state(3, member=BOB, score=1_002_000))
    gone = Mark(1_000_000, 7 | 64, 1400, 0)
    await store.links.save(replace(LINK, member=MemberId(3)), "5d" * 32)
    await save(store, replace(state(0, member=MemberId(3)), marks={A: gone}))
    with statements_of(store) as sent:
        found = await store.chronicle.fetch_scores(A, [ALICE, BOB, MemberId(3), MemberId(4)], JP2)
    assert len(sent) == 1
    assert {member: (mark.score, at) for member, (mark, at) in found.items()} == {
        ALICE: (1_000_500, NOW),
        BOB: (1_002_000, NOW - timedelta(days=3)),
    }
    assert await store.chronicle.fetch_scores((A[0], EXPERT), [ALICE], JP2) == {}


async def test_figures_are_those_between_two_days(store: Store) -> None:
    await save(store, *(state(days, score=1_000_000 - days) for days in (3, 2, 1, 0)), state(1, member=BOB))
    first, last = TODAY - timedelta(days=2), TODAY - timedelta(days=1)
    found = await store.chronicle.fetch_looks([ALICE, BOB], JP2, first=first, last=last)
    assert [(each.member, each.day) for each in found] == [(ALICE, first), (ALICE, last), (BOB, last)]
    assert {each[3:] for each in found} == {(1650, 1655, 164_321, None, 91_065)}


async def test_what_is_old_is_forgotten_but_for_wholes_that_others_need(url: str) -> None:
    keeping = Retention(all_days=14, days=28)
    async with Store(url, Vault([new_key()]), keeping=keeping) as store:
        await store.links.save(LINK, "5d" * 32)
        ages = (40, 21, 20, 16, 15, 5)
        await save(store, *(state(days, score=1_000_000 - days) for days in ages))
        await save(store, state(0, score=1_000_001))
        assert await store.snapshots.forget_old(MemberId(-1), TODAY) is None
        assert [(TODAY - day).days for day in await wholes(store)] == [40, 20, 15, 5, 0]
        for days in (20, 15, 5):
            day = TODAY - timedelta(days=days)
            found = await store.chronicle.find(ALICE, JP2, until=day)
            assert found == state(days, score=1_000_000 - days)


async def test_all_that_is_kept_of_records_is_told_in_words(store: Store) -> None:
    await save(store, state(1), state(0, score=1_000_500))
    told = await store.chronicle.fetch_changes(ALICE)
    assert len(told[JP2, TODAY - timedelta(days=1)]) == len(MANY)
    assert told[JP2, TODAY] == [
        {
            "song": A[0],
            "difficulty": "MAS",
            "score": 1_000_500,
            "lamps": "TOLD|CLEAR_TOLD|CLEAR",
            "constant": 1400,
            "played_at": NOW.isoformat(),
        }
    ]
