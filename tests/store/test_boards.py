"""bot/store/boards.py: scores stand by themselves, as new as the records they are of, and go with them."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import delete
from statements import statements_of

from bot.database.tables import SCORE_BLOCKS, SNAPSHOTS
from bot.domain.boards import BEFORE, Measure
from bot.domain.charts import EXPERT, MASTER
from bot.domain.chronicle.state import PlayerFigures, RecordMark, RecordsState
from bot.domain.ids import JP, JP2, GuildId, MemberId, SongId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.store import Store, Whose

ALICE, BOB, CAROL = MemberId(1), MemberId(2), MemberId(3)
GUILD = GuildId(77)
HERE = Whose(GUILD)
ACCOUNT = UserId(7)
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LINK = AccountLink(
    member=ALICE, user_id=ACCOUNT, user_name=UserName("alice"), region=JP2,
    visibility=Visibility.SERVERS, linked_at=NOW,
)  # fmt: skip
A = SongId("00ff00ff00ff00ff"), MASTER
MARKS = {A: RecordMark(1_000_000, 7, 1400, 0), (A[0], EXPERT): RecordMark(990_000, 7, 1200, 0)}


def state(member: MemberId, score: int, *, minutes: int = 0) -> RecordsState:
    return RecordsState(
        member=member,
        region=JP2,
        taken_at=NOW + timedelta(minutes=minutes),
        figures=PlayerFigures(rating=Hundredths(1650 + member)),
        marks={**MARKS, A: MARKS[A]._replace(score=score)},
    )


@pytest.fixture(autouse=True)
async def _seen(store: Store) -> None:
    for member in (ALICE, BOB, CAROL):
        await store.links.save(replace(LINK, member=member), "5d" * 32)
        await store.sightings.note(GUILD, member)


async def save(store: Store, *states: RecordsState) -> None:
    for each in states:
        assert await store.chronicle.save(each, account=ACCOUNT)


async def scores(store: Store, whose: Whose = HERE) -> Mapping[MemberId, int]:
    found, unwritten = await store.boards.fetch_scores(A, whose, JP2)
    assert not unwritten
    return found


async def written(store: Store) -> set[MemberId]:
    """Return of whom there are any blocks."""
    async with store.links._database.read() as connection:
        return {row.member_id for row in await connection.execute(SCORE_BLOCKS.select())}


async def forget_blocks(store: Store) -> None:
    """Leave records alone, as a version without blocks did."""
    async with store.links._database.write() as connection:
        await connection.execute(delete(SCORE_BLOCKS))


async def test_a_board_by_song_opens_nobodys_records(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await save(store, state(ALICE, 1_000_500), state(BOB, 1_002_000), state(ALICE, 1_000_700, minutes=9))
    for name in ("bot.store.boards.find_mark", "bot.store.looks.unpack"):
        monkeypatch.delattr(name)
    with statements_of(store) as sent:
        assert await scores(store) == {ALICE: 1_000_700, BOB: 1_002_000}
    assert len(sent) == 1
    assert await scores(store, Whose(member=BOB)) == {BOB: 1_002_000}
    assert await store.boards.fetch_scores((A[0], EXPERT), HERE, JP) == ({}, [])
    assert await store.boards.fetch_moments([ALICE, BOB, CAROL], JP2) == {
        ALICE: NOW + timedelta(minutes=9),
        BOB: NOW,
    }


async def test_whom_nobody_may_see_is_not_read(store: Store) -> None:
    await save(store, state(ALICE, 1_000_500), state(BOB, 1_002_000), state(CAROL, 1_003_000))
    await store.links.set_visibility(BOB, Visibility.ONLY_ME)
    await store.links.set_protected(replace(LINK, member=CAROL), is_protected=True)
    assert await scores(store) == {ALICE: 1_000_500}
    assert await store.boards.fetch_standings(Measure.RATING, HERE, JP2, None) == {ALICE: 1651}
    assert await scores(store, Whose(member=BOB)) == {BOB: 1_002_000}


async def test_figures_from_before_a_moment_stand_below(store: Store) -> None:
    await save(store, state(ALICE, 1_000_500), state(BOB, 1_002_000, minutes=9))
    begun = NOW + timedelta(minutes=5)
    found = await store.boards.fetch_standings(Measure.RATING, HERE, JP, begun)
    assert found == {ALICE: 1651 - BEFORE, BOB: 1652}


async def test_a_record_that_is_gone_is_on_no_board(store: Store) -> None:
    await save(store, replace(state(ALICE, 1), marks={A: RecordMark(1_000_000, 7 | 64, 1400, 0)}))
    assert await scores(store) == {}


@pytest.mark.parametrize("rows", [1, 2, 3])
async def test_a_large_server_is_read_some_at_a_time(
    store: Store, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr("bot.store.boards._ROWS_AT_ONCE", rows)
    await save(store, *(state(member, 1_000_000 + member) for member in (CAROL, ALICE, BOB)))
    with statements_of(store) as sent:
        assert await scores(store) == {ALICE: 1_000_001, BOB: 1_000_002, CAROL: 1_000_003}
    assert len(sent) == 3 // rows + 1, "the loop stands still for ten thousand rows at once"


async def test_scores_are_kept_with_their_records_or_not_at_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save(store, state(ALICE, 1_000_500))

    async def killed(*_: object) -> None:
        raise SystemExit

    monkeypatch.setattr("bot.store.boards.upsert", killed)
    with pytest.raises(SystemExit):
        await store.chronicle.save(state(ALICE, 1_000_700, minutes=9), account=ACCOUNT)
    monkeypatch.undo()
    kept = await store.chronicle.find(ALICE, JP2)
    assert kept is not None
    assert kept.marks[A].score == 1_000_500
    assert await scores(store) == {ALICE: 1_000_500}


async def test_of_many_who_change_at_once_everybodys_scores_are_their_newest(store: Store) -> None:
    for minutes in range(3):
        looks = [state(each, 1_000_000 + minutes, minutes=minutes) for each in (ALICE, BOB, CAROL)]
        await asyncio.gather(*(store.chronicle.save(look, account=ACCOUNT) for look in looks))
    rivals = [state(ALICE, 1_000_009, minutes=9), state(ALICE, 1_000_008, minutes=8)]
    await asyncio.gather(*(store.chronicle.save(look, account=ACCOUNT) for look in rivals))
    newest = await store.chronicle.find(ALICE, JP2)
    assert newest is not None
    assert await scores(store) == {ALICE: newest.marks[A].score, BOB: 1_000_002, CAROL: 1_000_002}


async def test_whose_scores_were_never_written_out_is_on_the_board_and_then_read_like_others(
    store: Store,
) -> None:
    await save(store, state(ALICE, 1_000_500), state(BOB, 1_002_000))
    await forget_blocks(store)
    await save(store, state(BOB, 1_002_100, minutes=1))
    found = {ALICE: 1_000_500, BOB: 1_002_100}
    assert await store.boards.fetch_scores(A, HERE, JP2) == (found, [ALICE])
    await store.boards.backfill_scores(ALICE, JP2)
    await store.boards.backfill_scores(CAROL, JP2)
    assert await scores(store) == found
    assert await written(store) == {ALICE, BOB}


async def test_records_that_cannot_be_read_are_written_out_as_none(store: Store) -> None:
    await save(store, state(ALICE, 1_000_500))
    await forget_blocks(store)
    async with store.links._database.write() as connection:
        await connection.execute(SNAPSHOTS.update().values(records=b"broken"))
    assert await store.boards.fetch_scores(A, HERE, JP2) == ({}, [ALICE])
    await store.boards.backfill_scores(ALICE, JP2)
    assert await scores(store) == {}


async def test_scores_written_out_late_take_no_place_of_newer_ones(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await save(store, state(ALICE, 1_000_500))
    writing = store.snapshots.writing

    def meanwhile(member: MemberId, **options: bool | None) -> object:
        async def newer() -> None:
            monkeypatch.undo()
            await save(store, state(ALICE, 1_000_900, minutes=1))

        class Writing:
            async def __aenter__(self) -> object:
                await newer()
                self.real = writing(member, account=None, is_patient=bool(options["is_patient"]))
                return await self.real.__aenter__()

            async def __aexit__(self, *error: object) -> object:
                return await self.real.__aexit__(*error)  # pyright: ignore[reportArgumentType]  # as it came

        return Writing()

    monkeypatch.setattr(store.snapshots, "writing", meanwhile)
    await store.boards.backfill_scores(ALICE, JP2)
    assert await scores(store) == {ALICE: 1_000_900}


async def test_scores_go_with_their_link_and_are_not_written_after_it(store: Store) -> None:
    await save(store, state(ALICE, 1_000_500), state(BOB, 1_002_000), state(CAROL, 1_003_000))
    await store.links.erase(ALICE)
    await store.belongings.erase(BOB)
    assert await written(store) == {CAROL}
    await store.boards.backfill_scores(ALICE, JP2)
    assert await written(store) == {CAROL}


async def test_scores_go_with_the_last_day_that_is_kept(store: Store) -> None:
    await save(store, state(ALICE, 1_000_500))
    await store.snapshots.delete_old(MemberId(-1), NOW.date() + timedelta(days=30))
    assert await written(store) == {ALICE}
    await store.snapshots.delete_old(MemberId(-1), NOW.date() + timedelta(days=9_999))
    assert await store.chronicle.find(ALICE, JP2) is None
    assert await written(store) == set()
