"""bot/store/kept_answers.py, kept_windows.py and kept_accounts.py: what outlives a restart, and of whom."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from statements import statements_of

from bot.domain.ids import JP2, MemberId, SongId, UserId, UserName
from bot.domain.kept import KeptAnswer, KeptWindow
from bot.domain.members import AccountLink, Visibility
from bot.store import Store, Vault, new_key

NOW = datetime(2026, 11, 21, 3, tzinfo=UTC)
SINCE = NOW - timedelta(days=7)
ALICE, BOB = UserId(7), UserId(8)
ANSWER = KeptAnswer(account=ALICE, question="player", body=b"a rating of 16.50", fetched_at=NOW)
WINDOW = KeptWindow(
    account="account:7",
    version="2.0",
    limit=120,
    remaining=40,
    lost=1,
    reset_at=NOW + timedelta(hours=1),
    ends_at=None,
    sent_at=NOW,
    spacing=0.5625,
    dearest=2,
)
TOKEN = "5d" * 32
LINK = AccountLink(
    member=MemberId(1),
    user_id=ALICE,
    user_name=UserName("alice"),
    region=JP2,
    visibility=Visibility.ONLY_ME,
    linked_at=NOW,
)


@pytest.fixture(autouse=True)
async def _linked(store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    await store.links.save(replace(LINK, member=MemberId(2), user_id=BOB), TOKEN)


async def test_an_answer_comes_back_and_a_newer_one_takes_its_place(store: Store) -> None:
    await store.answers.save(ANSWER, since=SINCE)
    assert await store.answers.find(ALICE, "player", since=SINCE) == ANSWER
    assert await store.answers.find(BOB, "player", since=SINCE) is None
    assert await store.answers.find(ALICE, "friends", since=SINCE) is None
    newer = KeptAnswer(account=ALICE, question="player", body=b"more", fetched_at=NOW + timedelta(hours=1))
    await store.answers.save(newer, since=SINCE)
    assert await store.answers.find(ALICE, "player", since=SINCE) == newer


async def test_a_title_that_is_kept_stays(store: Store) -> None:
    song, other = SongId("ab"), SongId("x" * 100)
    await store.answers.add_titles({song: "夏祭り"})
    await store.answers.add_titles({song: "Another", other: "A title"})
    assert await store.answers.fetch_titles() == {song: "夏祭り", other: "A title"}


async def test_answers_of_several_are_read_by_one_statement(store: Store) -> None:
    theirs = replace(ANSWER, account=BOB, body=b"less")
    friends = replace(ANSWER, question="friends", body=b"none")
    for each in (ANSWER, theirs, friends):
        await store.answers.save(each, since=SINCE)
    with statements_of(store) as sent:
        found = await store.answers.fetch([ALICE, BOB, UserId(9)], "player", since=SINCE)
    assert {each.account: each for each in found} == {ALICE: ANSWER, BOB: theirs}
    assert len(sent) == 1


def contents(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.iterdir()]


@pytest.mark.sqlite
async def test_an_answer_is_in_no_file_in_clear(store: Store, tmp_path: Path) -> None:
    await store.answers.save(ANSWER, since=SINCE)
    assert not any(ANSWER.body in content for content in contents(tmp_path))
    assert "16.50" not in repr(ANSWER)


async def test_old_answers_go(store: Store) -> None:
    await store.answers.save(ANSWER, since=SINCE)
    other = KeptAnswer(account=BOB, question="player", body=b"x", fetched_at=NOW + timedelta(days=8))
    await store.answers.save(other, since=NOW + timedelta(days=1))
    assert await store.answers.find(ALICE, "player", since=SINCE) is None


async def test_a_clock_that_was_ahead_once_keeps_no_old_answer(store: Store) -> None:
    ahead = KeptAnswer(account=BOB, question="player", body=b"x", fetched_at=NOW + timedelta(days=400))
    await store.answers.save(ahead, since=NOW + timedelta(days=393))
    await store.answers.save(ANSWER, since=SINCE)
    other = KeptAnswer(account=BOB, question="friends", body=b"x", fetched_at=NOW + timedelta(days=8))
    await store.answers.save(other, since=NOW + timedelta(days=1))
    assert await store.answers.find(ALICE, "player", since=SINCE) is None


async def test_an_answer_under_a_lost_key_is_none(url: str) -> None:
    async with Store(url, Vault([new_key()])) as store:
        await store.links.save(LINK, TOKEN)
        await store.answers.save(ANSWER, since=SINCE)
        assert await store.answers.find(ALICE, "player", since=SINCE) == ANSWER
    async with Store(url, Vault([new_key()])) as store:
        assert await store.answers.find(ALICE, "player", since=SINCE) is None
        await store.answers.erase_all()


async def test_windows_come_back_as_they_were(store: Store) -> None:
    other = KeptWindow(
        account="account:8", version="1.3", limit=1, remaining=1, lost=0, reset_at=None, ends_at=NOW,
        sent_at=NOW - timedelta(minutes=1), spacing=0.1, dearest=1,
    )  # fmt: skip
    await store.windows.store([WINDOW, other])
    await store.windows.store([WINDOW])
    assert await store.windows.load() == [other, WINDOW]
    await store.windows.store([], gone=["account:8"])
    assert await store.windows.load() == [WINDOW]


async def test_nothing_is_dropped_where_no_account_is_gone(store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    with statements_of(store) as sent:
        await store.windows.store([WINDOW])
    deleted = [statement for statement, _ in sent if statement.startswith("DELETE")]
    assert len(deleted) == 1, "what is old; nobody's is gone"


Erase = Callable[[Store], Awaitable[object]]
WAYS: list[Erase] = [
    lambda store: store.links.erase(LINK.member),
    lambda store: store.belongings.erase(LINK.member),
    lambda store: store.links.save(replace(LINK, user_id=UserId(9)), TOKEN),
]
EVERY_WAY: list[Erase] = [*WAYS, lambda store: store.answers.erase(ALICE)]


@pytest.mark.parametrize("erase", WAYS)
async def test_erasing_takes_everything_along(store: Store, erase: Erase) -> None:
    await store.answers.save(ANSWER, since=SINCE)
    await store.windows.store([WINDOW])
    await erase(store)
    assert await store.answers.find(ALICE, "player", since=SINCE) is None
    assert await store.windows.load() == []


@pytest.mark.parametrize("erase", EVERY_WAY)
async def test_what_is_kept_of_an_account_stays_with_the_other_who_has_it_linked(
    store: Store, erase: Erase
) -> None:
    await store.links.save(replace(LINK, member=MemberId(3)), TOKEN)
    await store.answers.save(ANSWER, since=SINCE)
    await store.windows.store([WINDOW])
    await erase(store)
    assert await store.answers.find(ALICE, "player", since=SINCE) == ANSWER
    assert await store.windows.load() == [WINDOW]
    await store.links.erase(MemberId(3))
    await store.links.erase(LINK.member)
    assert await store.answers.find(ALICE, "player", since=SINCE) is None


async def test_of_an_account_that_nobody_has_linked_nothing_is_kept(store: Store) -> None:
    """A request that was under way when the link was erased is answered and counted later."""
    token = replace(WINDOW, account="token:5d")
    await store.links.erase(LINK.member)
    await store.answers.save(ANSWER, since=SINCE)
    await store.windows.store([WINDOW, token])
    assert await store.answers.find(ALICE, "player", since=SINCE) is None
    assert await store.windows.load() == [token]
