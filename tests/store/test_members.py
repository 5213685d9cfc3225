import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import pytest
from hearing import listens
from sqlalchemy import event
from sqlalchemy.util import await_only
from statements import statements_of

from bot.domain.ids import JP, JP2, GuildId, MemberId, SongId, UserId, UserName
from bot.domain.members import AccountLink, Member, Preferences, Theme, Visibility
from bot.store import Store, Vault, members, new_key

ALICE, BOB = MemberId(1), MemberId(2)
GUILD = GuildId(77)
TOKEN = "5d" * 32
LINK = AccountLink(
    member=ALICE,
    user_id=UserId(7),
    user_name=UserName("alice"),
    region=JP2,
    visibility=Visibility.ONLY_ME,
    linked_at=datetime(2026, 11, 1, 12, tzinfo=UTC),
)
OTHER = replace(LINK, user_id=UserId(8), user_name=UserName("other"))
CHOSEN = Preferences(language="ja", theme=Theme.LIGHT)
BEFORE = Member(link=LINK, preferences=CHOSEN)
NOBODY = Member(link=None, preferences=Preferences())

Change = Callable[[Store], Awaitable[object]]
CHANGES: Final[list[tuple[Change, Member]]] = [
    (lambda store: store.links.save(OTHER, TOKEN), replace(BEFORE, link=OTHER)),
    (
        lambda store: store.links.set_visibility(ALICE, Visibility.ANYONE),
        replace(BEFORE, link=replace(LINK, visibility=Visibility.ANYONE)),
    ),
    (
        lambda store: store.daily.join(GUILD, ALICE, openly=True),
        replace(BEFORE, link=replace(LINK, visibility=Visibility.SERVERS)),
    ),
    (lambda store: store.links.set_region(ALICE, JP), replace(BEFORE, link=replace(LINK, region=JP))),
    (
        lambda store: store.members.save_preferences(ALICE, Preferences(language="de")),
        replace(BEFORE, preferences=Preferences(language="de")),
    ),
    (lambda store: store.links.erase(ALICE), replace(BEFORE, link=None)),
    (lambda store: store.belongings.erase(ALICE), NOBODY),
]
each_change = pytest.mark.parametrize(("change", "after"), CHANGES)


@pytest.fixture(autouse=True)
async def _alice(store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    await store.members.save_preferences(ALICE, CHOSEN)


async def is_in_memory(store: Store, member: MemberId) -> bool:
    with statements_of(store) as sent:
        await store.members.get(member)
    return not sent


async def test_a_member_is_read_once(store: Store) -> None:
    assert await store.members.get(ALICE) == BEFORE
    assert await is_in_memory(store, ALICE)
    assert await store.members.get(BOB) == NOBODY
    assert await is_in_memory(store, BOB)


async def test_several_are_read_at_once_and_each_as_if_alone(store: Store) -> None:
    await store.members.lock_song(ALICE, SongId("a"), most=9)
    await store.daily.join(GUILD, ALICE, openly=True)
    alone = await store.members.get(ALICE)
    assert (alone.locked, alone.link and alone.link.visibility) == ({"a"}, Visibility.SERVERS)
    many = [MemberId(number) for number in range(1, 2_000)]
    store.members.at_hand.drop_all()
    with statements_of(store) as sent:
        await store.members.load(many)
        assert [await store.members.get(each) for each in many] == [alone, *[NOBODY] * (len(many) - 1)]
        await store.members.load(many)
    assert len(sent) == 3


@each_change
async def test_who_is_read_with_others_while_they_change_is_as_they_are_after_it(
    store: Store, change: Change, after: Member
) -> None:
    with one_reading_held(store) as (has_read, goes_on):
        reading = asyncio.create_task(store.members.load([ALICE, BOB]))
        await has_read.wait()
        await change(store)
        goes_on.set()
        await reading
    assert await store.members.get(ALICE) == after
    assert await is_in_memory(store, BOB)


async def test_a_token_is_read_with_its_member_and_opened_only_when_it_is_needed(store: Store) -> None:
    await store.members.get(ALICE)
    with statements_of(store) as sent:
        assert await store.links.open_token(LINK) == TOKEN
        assert await store.links.open_token(replace(LINK, user_id=UserId(99))) is None
    assert not sent
    assert TOKEN not in repr(store.members.at_hand._values)
    await store.links.erase(ALICE)
    assert await store.links.open_token(LINK) is None


async def test_a_database_that_is_opened_has_nobody_in_memory(url: str) -> None:
    async with Store(url, Vault([new_key()])) as store:
        assert not await is_in_memory(store, ALICE)


async def test_memory_is_bounded_and_lets_go_of_who_was_away_longest(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "AT_HAND", 3)
    async with Store(url, Vault([new_key()])) as store:
        await listens(store)
        for member in (1, 2, 3, 1, 4):
            await store.members.get(MemberId(member))
        assert [*store.members.at_hand] == [3, 1, 4]
        await store.members.load(map(MemberId, (5, 6)))
        assert [*store.members.at_hand] == [4, 5, 6]
        await store.members.load(map(MemberId, (3, 1, 4)))
        assert await is_in_memory(store, MemberId(1))
        assert not await is_in_memory(store, MemberId(2))


@each_change
async def test_what_is_changed_is_known_at_once(store: Store, change: Change, after: Member) -> None:
    await store.members.get(ALICE)
    await change(store)
    assert await store.members.get(ALICE) == after


@each_change
async def test_who_is_read_while_they_change_is_as_they_are_after_it(
    store: Store, change: Change, after: Member
) -> None:
    with one_reading_held(store) as (has_read, goes_on):
        reading = asyncio.create_task(store.members.get(ALICE))
        await has_read.wait()
        await change(store)
        goes_on.set()
        assert await reading == after
    assert await store.members.get(ALICE) == after


async def test_who_is_read_while_others_change_is_read_once(store: Store) -> None:
    with one_reading_held(store) as (has_read, goes_on), statements_of(store) as sent:
        reading = asyncio.create_task(store.members.get(ALICE))
        await has_read.wait()
        store.members.drop(BOB)
        goes_on.set()
        assert await reading == BEFORE
    assert len(sent) == 3, sent  # the link, the settings, and where they were seen with their locked songs


@contextmanager
def one_reading_held(store: Store) -> Generator[tuple[asyncio.Event, asyncio.Event]]:
    """Hold the first reading of a member that has all it wants, until it may go on."""
    has_read, goes_on = asyncio.Event(), asyncio.Event()

    def hold(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "FROM preferences" in statement and not has_read.is_set():
            has_read.set()
            await_only(goes_on.wait())

    engine = store.members._database._engine.sync_engine
    event.listen(engine, "after_cursor_execute", hold)
    try:
        yield has_read, goes_on
    finally:
        event.remove(engine, "after_cursor_execute", hold)


async def test_a_change_whose_asker_is_cancelled_as_it_is_committed_is_known(store: Store) -> None:
    await store.members.get(ALICE)
    changing = asyncio.create_task(store.links.set_region(ALICE, JP))

    def cancel(_connection: Any) -> None:
        changing.cancel()

    event.listen(store.members._database._engine.sync_engine, "commit", cancel, once=True)
    with pytest.raises(asyncio.CancelledError):
        await changing
    assert (await store.members.get(ALICE)).link == replace(LINK, region=JP)


@pytest.mark.sqlite  # with PostgreSQL it does say so: test_news.py
async def test_another_process_that_changes_a_member_has_to_say_so(url: str, store: Store) -> None:
    await store.members.get(ALICE)
    async with Store(url, Vault([new_key()])) as other:
        await other.links.set_region(ALICE, JP)
    assert (await store.members.get(ALICE)).link == LINK
    store.members.drop(ALICE)
    assert (await store.members.get(ALICE)).link == replace(LINK, region=JP)


async def test_of_two_members_with_one_account_each_is_known_by_themselves(store: Store) -> None:
    bobs = replace(LINK, member=BOB)
    await store.links.save(bobs, "ab" * 32)
    assert [(await store.members.get(member)).link for member in (ALICE, BOB)] == [LINK, bobs]
    await store.links.set_region(BOB, JP)
    assert (await store.members.get(ALICE)).link == LINK
    await store.belongings.erase(ALICE)
    assert await store.members.get(ALICE) == NOBODY
    assert (await store.members.get(BOB)).link == replace(bobs, region=JP)
    assert await store.links.open_token(bobs) == "ab" * 32
    assert await store.links.open_token(LINK) is None


async def test_nothing_of_who_is_erased_stays_in_memory(store: Store) -> None:
    await store.members.get(ALICE)
    await store.belongings.erase(ALICE)
    assert ALICE not in store.members.at_hand
