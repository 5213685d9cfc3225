"""The store as a whole: links, daily posts and history, keys, migrations, and transactions."""

import asyncio
import resource
import stat
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError, StatementError

from bot.database.engine import Database
from bot.database.tables import LINKS
from bot.domain.daily import DailyMember, Posted
from bot.domain.history import Snapshot
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.posts import PostPlan
from bot.store import BadKey, Store, UnknownKey, Vault, new_key, open_vault

TOKEN = "5d" * 32
ALICE, BOB = MemberId(2**63 - 1), MemberId(2)
GUILD = GuildId(77)
PLAN = PostPlan(guild=GUILD, channel=ChannelId(5), post_at=time(21), timezone="Asia/Tokyo")
LINK = AccountLink(
    member=ALICE,
    user_id=UserId(7),
    user_name=UserName("alice"),
    region=JP2,
    visibility=Visibility.SERVERS,
    linked_at=datetime(2026, 11, 1, 12, tzinfo=UTC),
)


async def linked(store: Store, member: MemberId) -> tuple[AccountLink | None, str | None]:
    """Return what a member has linked, and its token."""
    link = (await store.members.get(member)).link
    return link, await store.links.open_token(link or replace(LINK, member=member))


async def test_a_link_comes_back_as_it_was(store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    assert await linked(store, ALICE) == (LINK, TOKEN)
    assert await linked(store, BOB) == (None, None)


async def test_a_new_link_takes_the_place_of_the_old(store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    other = AccountLink(
        member=ALICE,
        user_id=UserId(8),
        user_name=UserName("other"),
        region=JP2,
        visibility=Visibility.ONLY_ME,
        linked_at=datetime(2026, 11, 2, tzinfo=UTC),
    )
    await store.links.save(other, "ab" * 32)
    assert await linked(store, ALICE) == (other, "ab" * 32)
    assert await store.links.open_token(LINK) is None  # what is asked for one account speaks for no other


def contents(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.iterdir()]


@pytest.mark.sqlite
async def test_the_token_is_in_no_file_in_clear(store: Store, tmp_path: Path) -> None:
    await store.links.save(LINK, TOKEN)
    assert not any(TOKEN.encode() in content for content in contents(tmp_path))


async def test_erasing_leaves_nothing(store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    await store.daily.join(GUILD, ALICE)
    assert await store.links.erase(ALICE)
    assert await linked(store, ALICE) == (None, None)
    assert await store.daily.fetch_members(PLAN) == []
    assert not await store.links.erase(ALICE)


async def test_a_snapshot_is_kept_of_the_account_that_is_linked_alone(store: Store) -> None:
    """What a command saw of one account may come when another one, or none, is linked."""
    seen = Snapshot(
        member=ALICE,
        region=JP2,
        day=date(2026, 11, 1),
        taken_at=LINK.linked_at,
        rating=Hundredths(1650),
        scores={},
    )
    await store.links.save(LINK, TOKEN)

    async def kept() -> tuple[Snapshot, ...]:
        return (await store.snapshots.get(ALICE, JP2, until=seen.day)).newest

    await store.snapshots.save(seen, account=UserId(8))
    assert await kept() == ()
    await store.snapshots.save(seen, account=LINK.user_id)
    assert await kept() == (seen,)
    await store.links.erase(ALICE)
    await store.snapshots.save(seen, account=LINK.user_id)
    assert await kept() == ()


async def test_who_hides_leaves_the_daily_posts(store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    await store.daily.join(GUILD, ALICE)
    assert await store.links.set_visibility(ALICE, Visibility.ANYONE)
    assert await store.daily.count_joined(ALICE) == 1
    assert await store.links.set_visibility(ALICE, Visibility.ONLY_ME)
    assert await store.daily.count_joined(ALICE) == 0
    assert not await store.links.set_visibility(BOB, Visibility.ANYONE)


async def test_who_joins_is_linked_and_may_be_seen(store: Store) -> None:
    assert await store.daily.join(GUILD, ALICE, openly=True) is None
    assert await store.daily.count_joined(ALICE) == 0
    await store.links.save(replace(LINK, visibility=Visibility.ONLY_ME), TOKEN)
    assert await store.daily.join(GUILD, ALICE) is Visibility.ONLY_ME
    assert await store.daily.count_joined(ALICE) == 0
    assert await store.daily.join(GUILD, ALICE, openly=True) is Visibility.SERVERS
    assert await linked(store, ALICE) == (LINK, TOKEN)
    assert await store.daily.fetch_members(PLAN) == [DailyMember(ALICE)]


async def test_joining_openly_hides_nobody_from_anyone(store: Store) -> None:
    await store.links.save(replace(LINK, visibility=Visibility.ANYONE), TOKEN)
    assert await store.daily.join(GUILD, ALICE, openly=True) is Visibility.ANYONE


async def test_the_members_of_a_daily_post(store: Store) -> None:
    await store.links.save(replace(LINK, member=BOB), TOKEN)
    for _ in range(2):
        assert await store.daily.join(GUILD, BOB) is Visibility.SERVERS
    assert await store.daily.leave(GUILD, BOB)
    assert not await store.daily.leave(GUILD, BOB)
    assert await store.daily.fetch_members(PLAN) == []


async def show(store: Store, plan: PostPlan, tells: Mapping[MemberId, Posted]) -> None:
    """Have the next post of a plan made."""
    due_at = await store.posts.find_next(plan.id)
    assert due_at is not None
    (post,) = [
        each
        for each in await store.posts.fetch_due(due_at, shards=((0,), 1), most=9)
        if each.plan.id == plan.id
    ]
    (mine,) = await store.posts.claim([replace(post, shown_ratings=tells)], None, due_at)
    assert await store.posts.mark_delivered(mine, None, due_at)


async def test_each_plan_remembers_what_it_has_shown_of_whom(store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    await store.daily.join(GUILD, ALICE)
    one, other = [await store.plans.save(PLAN, LINK.linked_at) for _ in range(2)]
    shown = Posted(Hundredths(1650), LINK.linked_at)
    await show(store, one, {ALICE: shown, BOB: shown})  # who has left meanwhile is no obstacle
    assert await store.daily.fetch_members(one) == [DailyMember(ALICE, shown)]
    assert await store.daily.fetch_members(other) == [DailyMember(ALICE)]
    await store.daily.leave(GUILD, ALICE)
    await store.daily.join(GUILD, ALICE)
    assert await store.daily.fetch_members(one) == [DailyMember(ALICE)]


async def test_a_plan_of_direct_messages_is_about_whom_they_are_for(store: Store) -> None:
    await store.links.save(replace(LINK, visibility=Visibility.ONLY_ME), TOKEN)
    plan = await store.plans.save(replace(PLAN, guild=None, member=ALICE), LINK.linked_at)
    shown = Posted(Hundredths(1650), LINK.linked_at)
    await show(store, plan, {ALICE: shown})
    assert await store.daily.fetch_members(plan) == [DailyMember(ALICE, shown)]
    await store.links.erase(ALICE)
    assert await store.plans.fetch_direct(ALICE) == []


async def test_a_database_outlives_its_store(url: str) -> None:
    key = new_key()
    async with Store(url, Vault([key])) as store:
        await store.links.save(LINK, TOKEN)
    async with Store(url, Vault([key])) as store:
        assert await linked(store, ALICE) == (LINK, TOKEN)


async def test_keys_rotate(url: str) -> None:
    old, new = new_key(), new_key()
    async with Store(url, Vault([old])) as store:
        await store.links.save(LINK, TOKEN)
    async with Store(url, Vault([new])) as store:
        assert await linked(store, ALICE) == (LINK, "")
        with pytest.raises(UnknownKey):
            await store.links.rotate_keys()
    async with Store(url, Vault([new, old])) as store:
        assert await store.links.rotate_keys() == 1
    async with Store(url, Vault([new])) as store:
        assert await linked(store, ALICE) == (LINK, TOKEN)


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    database = tmp_path / "deep" / "kiroku.db"
    made = open_vault([], database)
    assert not database.parent.exists()
    made.keep_key(is_needed=False)
    assert open_vault([], database).decrypt(made.encrypt("secret")) == "secret"
    assert stat.S_IMODE((tmp_path / "deep" / "kiroku.key").stat().st_mode) == 0o600


def test_of_two_keys_made_at_once_one_is_kept(tmp_path: Path) -> None:
    vaults = [open_vault([], tmp_path / "kiroku.db") for _ in range(2)]
    for vault in vaults:
        vault.keep_key(is_needed=False)
    assert vaults[0].decrypt(vaults[1].encrypt("secret")) == "secret"


def test_a_key_that_the_disk_has_no_room_for_leaves_no_empty_file(tmp_path: Path) -> None:
    database = tmp_path / "kiroku.db"
    vault = open_vault([], database)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(BadKey, match="cannot be made"):
            vault.keep_key(is_needed=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    vault.keep_key(is_needed=False)
    assert open_vault([], database).decrypt(vault.encrypt("secret")) == "secret"


def test_what_is_no_key_is_refused_without_being_shown() -> None:
    with pytest.raises(BadKey) as caught:
        Vault(["not-a-key"])
    assert "not-a-key" not in str(caught.value)
    assert caught.value.__cause__ is None


async def test_the_migrations_give_the_tables_of_the_code(store: Store) -> None:
    assert await store.is_current()


async def test_a_missing_migration_is_noticed(store: Store, url: str) -> None:
    database = Database(url)
    async with database.write() as connection:
        await connection.execute(text("ALTER TABLE links DROP COLUMN region"))
    await database.close()
    assert not await store.is_current()


async def test_a_failed_migration_leaves_nothing_behind(url: str) -> None:
    database = Database(url)

    async def half_a_migration() -> None:
        async with database.write() as connection:
            await connection.execute(text("CREATE TABLE half (id INTEGER)"))
            await connection.execute(text("no such statement"))

    with pytest.raises(Exception, match="syntax error"):
        await half_a_migration()
    async with database.read() as connection:
        tables = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    await database.close()
    assert "half" not in tables


async def test_times_keep_their_moment_and_naive_ones_are_refused(url: str, store: Store) -> None:
    tokyo = datetime(2026, 11, 1, 21, tzinfo=timezone(timedelta(hours=9)))
    row = {
        "member_id": 1, "token": b"", "user_id": 1, "user_name": "a", "region": "jp2", "visibility": "me",
        "linked_at": tokyo,
    }  # fmt: skip
    database = Database(url)
    async with database.write() as connection:
        await connection.execute(LINKS.insert().values(row))
        moment = (await connection.execute(LINKS.select())).one().linked_at
    assert moment == tokyo
    assert moment.utcoffset() == timedelta(0)
    with pytest.raises(StatementError, match="naive"):
        async with database.write() as connection:
            await connection.execute(LINKS.insert().values(row | {"linked_at": datetime(2026, 11, 1)}))  # noqa: DTZ001 - what must be refused
    await database.close()
    assert await store.is_current()


async def test_errors_of_the_database_show_no_values(url: str, store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    database = Database(url)
    with pytest.raises(IntegrityError) as caught:
        async with database.write() as connection:
            await connection.execute(
                LINKS.insert().values(
                    member_id=ALICE, token=b"sealed", user_id=1, user_name="shown", region="jp2",
                    visibility="me", linked_at=datetime(2026, 11, 1, tzinfo=UTC),
                )
            )  # fmt: skip
    await database.close()
    assert "shown" not in str(caught.value)
    assert "sealed" not in str(caught.value)


async def test_writers_that_read_first_wait_for_each_other(store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    await asyncio.gather(*(store.daily.join(GUILD, ALICE) for _ in range(8)))
    assert await store.daily.fetch_members(PLAN) == [DailyMember(ALICE)]
