"""bot/store/chronicle.py: what is remembered of members, how it is written, and how long it stays."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import select, update
from statements import statements_of

from bot.database.tables import SNAPSHOTS
from bot.domain.boards import Measure
from bot.domain.charts import MASTER
from bot.domain.chronicle.retention import Retention
from bot.domain.chronicle.session import compare
from bot.domain.chronicle.state import PlayerFigures, RecordMark, RecordsState
from bot.domain.history import ChartKey, Snapshot
from bot.domain.ids import JP, JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower
from bot.store import Store, Vault, Whose, new_key

ALICE, BOB = MemberId(1), MemberId(2)
ACCOUNT = UserId(7)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
TODAY = NOW.date()
LINK = AccountLink(
    member=ALICE, user_id=ACCOUNT, user_name=UserName("alice"), region=JP2,
    visibility=Visibility.SERVERS, linked_at=NOW,
)  # fmt: skip
FIGURES = PlayerFigures(
    rating=Hundredths(1650), highest=Hundredths(1655), best_average=Decimal("16.4321"),
    over_power=OverPower(91_065),
)  # fmt: skip
MANY: Mapping[ChartKey, RecordMark] = {
    (SongId(f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}"), MASTER): RecordMark(990_000 + number, 7, 1400, 0)
    for number in range(300)
}
A = next(iter(MANY))


def state(days_ago: int = 0, *, score: int = 1_000_000, member: MemberId = ALICE) -> RecordsState:
    marks = {**MANY, A: RecordMark(score, 7, 1400, int(NOW.timestamp()) - days_ago * 86_400)}
    taken_at = NOW - timedelta(days=days_ago)
    return RecordsState(member=member, region=JP2, taken_at=taken_at, figures=FIGURES, marks=marks)


@pytest.fixture(autouse=True)
async def _linked(store: Store) -> None:
    await store.links.save(LINK, "5d" * 32)
    await store.links.save(replace(LINK, member=BOB), "5d" * 32)


async def save(store: Store, *states: RecordsState) -> None:
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
        moment = NOW - timedelta(days=days_ago)
        assert await store.chronicle.find(ALICE, JP2, until=moment) == state(days_ago, score=score)
    assert await store.chronicle.find(ALICE, JP2, until=NOW - timedelta(days=2, microseconds=1)) is None
    assert await store.chronicle.find_next(ALICE, JP2) == state(2)
    assert await store.chronicle.find_next(ALICE, JP2, after=NOW - timedelta(days=2)) == state(
        1, score=1_000_500
    )
    assert await store.chronicle.find_next(ALICE, JP2, after=NOW) is None
    assert await store.chronicle.find(ALICE, JP) is None
    assert await store.chronicle.find(BOB, JP2) is None


async def test_a_day_stands_beside_an_earlier_whole(store: Store) -> None:
    await save(store, state(2), state(1, score=1_000_500), state(0, score=1_001_000))
    first = TODAY - timedelta(days=2)
    assert await wholes(store) == {first: first, TODAY - timedelta(days=1): first, TODAY: first}


async def test_days_beside_one_whole_share_what_is_the_same(store: Store) -> None:
    """Of twelve days of two thousand records, each would otherwise be made twelve times."""
    await save(store, state(2), state(1, score=1_000_500), state(0, score=1_001_000))
    newest, before, _ = await store.chronicle.fetch(ALICE, JP2, most=3)
    same = [key for key, mark in newest.marks.items() if mark == before.marks[key]]
    assert same
    assert all(newest.marks[key] is before.marks[key] for key in same)


def later(minutes: int, *, score: int) -> RecordsState:
    """Return what a look finds today, after others."""
    return replace(state(0, score=score), taken_at=NOW + timedelta(minutes=minutes))


@pytest.mark.parametrize("days_ago", [0, 1])
async def test_every_look_at_a_day_stays(store: Store, days_ago: int) -> None:
    """Also where the first of them is written whole, beside which the others stand."""
    looks = [
        state(days_ago),
        later(0, score=1_000_500),
        later(10, score=1_000_600),
        later(20, score=1_000_700),
    ]
    await save(store, *(looks if days_ago else looks[:1] + looks[2:]))
    kept = looks[::-1] if days_ago else [looks[3], looks[2], looks[0]]
    assert await store.chronicle.fetch(ALICE, JP2, most=9) == kept
    assert await store.chronicle.fetch(ALICE, JP2, most=2) == kept[:2]
    assert await store.chronicle.find(ALICE, JP2, until=NOW + timedelta(minutes=15)) == looks[2]
    assert await store.chronicle.find_next(ALICE, JP2) == looks[0]
    assert len(await wholes(store)) == 1 + days_ago
    found, _ = await store.boards.fetch_scores(A, Whose(member=ALICE), JP2)
    assert found == {ALICE: 1_000_700}
    seen = await store.chronicle.fetch_looks([ALICE], JP2, first=date.min, last=date.max)
    assert [look.taken_at for look in seen] == [each.taken_at for each in kept[::-1]]
    told = await store.chronicle.fetch_changes(ALICE)
    assert [len(told[JP2, each.taken_at]) for each in kept] == [1] * (len(kept) - 1) + [len(MANY)]


async def test_a_look_that_is_older_than_another_changes_nothing(store: Store) -> None:
    await save(store, later(20, score=1_000_700), later(10, score=1_000_600), state(1))
    assert await store.chronicle.fetch(ALICE, JP2, most=9) == [later(20, score=1_000_700)]


async def test_nothing_is_kept_that_was_compared_with_another_look_than_the_last(store: Store) -> None:
    """As of two processes that look at the same time: one of them compares once more."""
    first, mine, theirs = state(0), later(10, score=1_000_600), later(9, score=1_000_500)
    await save(store, first)
    assert await store.chronicle.save(theirs, account=ACCOUNT, before=first)
    assert not await store.chronicle.save(mine, account=ACCOUNT, before=first)
    assert await store.chronicle.find(ALICE, JP2) == theirs
    assert await store.chronicle.save(mine, account=ACCOUNT, before=theirs)


@pytest.mark.parametrize(("days", "is_whole"), [(60, False), (61, True)])
async def test_a_whole_is_made_anew_after_sixty_days(store: Store, days: int, *, is_whole: bool) -> None:
    await save(store, state(days), state(0, score=1_000_500))
    assert ((await wholes(store))[TODAY] == TODAY) is is_whole


async def test_much_that_has_changed_is_written_whole_without_old_times(store: Store) -> None:
    now = int(NOW.timestamp())
    marks = {key: RecordMark(mark.score + 1, 7, 1400, now - 31 * 86_400) for key, mark in MANY.items()}
    marks[A] = marks[A]._replace(played_at=now)
    await save(store, state(1), replace(state(0), marks=marks))
    found = await store.chronicle.find(ALICE, JP2, until=NOW)
    assert (await wholes(store))[TODAY] == TODAY
    assert found is not None
    assert {key for key, mark in found.marks.items() if mark.played_at} == {A}


async def test_what_cannot_be_read_is_not_there(store: Store) -> None:
    await save(store, state(1), state(0, score=1_000_500))
    async with store.links._database.write() as connection:
        await connection.execute(update(SNAPSHOTS).where(SNAPSHOTS.c.day < TODAY).values(records=b"?"))
    assert await store.chronicle.fetch(ALICE, JP2, most=9) == []
    await save(store, later(1, score=1_000_600))
    assert await store.chronicle.find(ALICE, JP2) == later(1, score=1_000_600)


async def test_a_whole_that_cannot_be_read_takes_along_what_stands_beside_it(store: Store) -> None:
    await save(store, state(0), later(1, score=1_000_500))
    async with store.links._database.write() as connection:
        await connection.execute(update(SNAPSHOTS).values(whole=b"?"))
    await save(store, later(2, score=1_000_600), later(3, score=1_000_700))
    assert await store.chronicle.fetch(ALICE, JP2, most=9) == [
        later(3, score=1_000_700), later(2, score=1_000_600)
    ]  # fmt: skip


async def test_slots_and_records_of_a_day_stand_side_by_side(store: Store) -> None:
    snapshot = Snapshot(
        member=ALICE, region=JP2, day=TODAY, taken_at=NOW, rating=Hundredths(1650), scores={A: 1_000_000},
        recent_average=Decimal("15.87"),
    )  # fmt: skip
    await save(store, state(1))
    await store.snapshots.save(snapshot, account=ACCOUNT)
    await save(store, state(0, score=1_000_500))
    past = await store.snapshots.get(ALICE, JP2, until=NOW)
    assert past.newest == (snapshot,)
    assert [rating for _, rating in past.ratings] == [1650, 1650]
    await store.snapshots.save(snapshot, account=ACCOUNT)
    assert await store.chronicle.find(ALICE, JP2, until=NOW) == state(0, score=1_000_500)
    (look,) = await store.chronicle.fetch_looks([ALICE], JP2, first=TODAY, last=TODAY)
    assert (look.best_average, look.recent_average) == (164_321, 158_700)


async def test_of_an_account_that_is_not_linked_nothing_is_kept(store: Store) -> None:
    await store.chronicle.save(state(), account=UserId(8))
    await store.links.erase(ALICE)
    await store.chronicle.save(state(), account=ACCOUNT)
    assert await wholes(store) == {}


async def test_figures_alone_are_told_without_unpacking_records(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await store.chronicle.find_figures(ALICE, JP2) is None
    assert await store.chronicle.find_beginning(ALICE, JP2) is None
    await save(store, state(2), state(1))
    monkeypatch.delattr("bot.store.looks.unpack")
    assert await store.chronicle.find_beginning(ALICE, JP2) == state(2).taken_at
    found = await store.chronicle.find_figures(ALICE, JP2)
    assert found is not None
    assert (found[0].rating, found[0].highest, found[1]) == (
        FIGURES.rating,
        FIGURES.highest,
        NOW - timedelta(days=1),
    )


async def test_thousands_of_members_are_asked_about_some_at_a_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.boards._MEMBERS_AT_ONCE", 1)
    await save(store, state(0), state(3, member=BOB, score=1_002_000))
    with statements_of(store) as sent:
        moments = await store.boards.fetch_moments([BOB, ALICE], JP2)
        figures = await store.boards.fetch_figures(Measure.OVER_POWER, [BOB, ALICE], JP2)
    assert len(sent) == 4, "the loop stands still for one answer of ten thousand rows"
    assert moments.keys() == figures.keys() == {ALICE, BOB}


async def test_figures_are_those_between_two_days(store: Store) -> None:
    await save(store, *(state(days, score=1_000_000 - days) for days in (3, 2, 1, 0)), state(1, member=BOB))
    first, last = TODAY - timedelta(days=2), TODAY - timedelta(days=1)
    found = await store.chronicle.fetch_looks([ALICE, BOB], JP2, first=first, last=last)
    assert [(each.member, each.day) for each in found] == [(ALICE, first), (ALICE, last), (BOB, last)]
    assert {each[3:] for each in found} == {(1650, 1655, 164_321, None, None, 91_065)}


async def test_what_is_old_is_forgotten_but_for_wholes_that_others_need(url: str) -> None:
    keeping = Retention(all_days=14, days=28)
    async with Store(url, Vault([new_key()]), keeping=keeping) as store:
        await store.links.save(LINK, "5d" * 32)
        ages = (40, 21, 20, 16, 15, 5)
        await save(store, *(state(days, score=1_000_000 - days) for days in ages))
        await save(store, state(0, score=1_000_001))
        assert await store.snapshots.delete_old(MemberId(-1), TODAY) is None
        assert [(TODAY - day).days for day in await wholes(store)] == [40, 20, 15, 5, 0]
        for days in (20, 15, 5):
            found = await store.chronicle.find(ALICE, JP2, until=NOW - timedelta(days=days))
            assert found == state(days, score=1_000_000 - days)


async def test_earlier_looks_are_forgotten_after_forty_days_but_for_the_first(url: str) -> None:
    async with Store(url, Vault([new_key()])) as store:
        await store.links.save(LINK, "5d" * 32)
        for days in (41, 40, 0):
            then = [later(minutes, score=1_001_000 - days * 9 + minutes) for minutes in range(3)]
            await save(
                store, *(replace(each, taken_at=each.taken_at - timedelta(days=days)) for each in then)
            )
        assert await store.snapshots.delete_old(MemberId(-1), TODAY) is None
        kept = await store.chronicle.fetch(ALICE, JP2, most=99)
        ages = [NOW + timedelta(minutes=3) - each.taken_at for each in kept]
        assert [(age.days, 3 - age.seconds // 60) for age in ages][::-1] == [
            (41, 0), (41, 2), (40, 0), (40, 1), (40, 2), (0, 0), (0, 1), (0, 2)
        ]  # fmt: skip


async def test_records_are_known_as_of_when_they_were_seen(store: Store) -> None:
    """A later look at the slots alone says nothing of them, and another rating is not that of then."""
    seen_later = Snapshot(
        member=ALICE, region=JP2, day=TODAY, taken_at=NOW + timedelta(hours=2), rating=Hundredths(1660), scores={}
    )  # fmt: skip
    await save(store, state(0))
    await store.snapshots.save(seen_later, account=ACCOUNT)
    assert await store.chronicle.fetch(ALICE, JP2, most=9) == [state(0)]
    played = later(150, score=1_000_900)
    await save(store, played)
    assert await store.chronicle.fetch(ALICE, JP2, most=9) == [played, state(0)]
    looks = await store.chronicle.fetch_looks([ALICE], JP2, first=TODAY, last=TODAY)
    assert [look.rating for look in looks] == [1650, 1650]


async def test_days_of_a_version_that_knew_no_peaks_know_them_by_the_days_before(store: Store) -> None:
    days = [state(3), state(2, score=1_001_000), state(1, score=999_000), state(0, score=1_001_000)]
    await save(store, *days[:3])
    async with store.links._database.write() as connection:
        await connection.execute(update(SNAPSHOTS).values(records_at=None))
    for before in (
        await store.chronicle.find(ALICE, JP2),
        await store.chronicle.find(ALICE, JP2, until=NOW - timedelta(days=1)),
        await store.chronicle.find_next(ALICE, JP2, after=NOW - timedelta(days=2)),
    ):
        assert before is not None
        assert before.stands_for_day
        assert before.marks[A].peak.score == 1_001_000
        assert not compare(before, days[3]).achievements


async def test_all_that_is_kept_of_records_is_told_in_words(store: Store) -> None:
    await save(store, state(1), state(0, score=1_000_500))
    told = await store.chronicle.fetch_changes(ALICE)
    assert len(told[JP2, NOW - timedelta(days=1)]) == len(MANY)
    assert told[JP2, NOW] == [
        {
            "song": A[0],
            "difficulty": "MAS",
            "score": 1_000_500,
            "lamps": "TOLD|CLEAR_TOLD|CLEAR",
            "constant": 1400,
            "played_at": NOW.isoformat(),
        }
    ]
