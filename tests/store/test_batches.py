"""Of `bot.database.batches`: what comes together is written together, and each who waits hears what came of it."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from statements import statements_of

from bot.database.batches import BatchWriter
from bot.domain.errors import CannotKeep
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.kept import KeptAnswer
from bot.domain.members import AccountLink, Visibility
from bot.store import Store


class Shelf:
    """Remembers batches, and refuses what is to be refused."""

    def __init__(self) -> None:
        self.batches: list[Mapping[str, int]] = []
        self.begun = asyncio.Event()
        self.may_end = asyncio.Event()
        self.may_end.set()
        self.refuses = False

    async def write(self, batch: Mapping[str, int]) -> None:
        self.begun.set()
        await self.may_end.wait()
        if self.refuses:
            raise CannotKeep
        self.batches.append(batch)


async def test_what_comes_together_is_one_batch_with_the_newest_of_each() -> None:
    shelf = Shelf()
    writer = BatchWriter(shelf.write)
    await asyncio.gather(writer.add("a", 1), writer.add("b", 2), writer.add("a", 3))
    assert shelf.batches == [{"a": 3, "b": 2}]
    await writer.add("a", 4)
    assert shelf.batches == [{"a": 3, "b": 2}, {"a": 4}]


async def test_what_comes_while_a_batch_is_written_is_the_next_one() -> None:
    shelf = Shelf()
    shelf.may_end.clear()
    writer = BatchWriter(shelf.write)
    first = asyncio.create_task(writer.add("a", 1))
    await shelf.begun.wait()
    later = [asyncio.create_task(writer.add(key, 2)) for key in ("a", "b")]
    await asyncio.sleep(0)
    assert not first.done()
    shelf.may_end.set()
    await asyncio.gather(first, *later)
    assert shelf.batches == [{"a": 1}, {"a": 2, "b": 2}]


async def test_each_who_waits_hears_that_it_could_not_be_written() -> None:
    shelf = Shelf()
    shelf.refuses = True
    writer = BatchWriter(shelf.write)
    heard = await asyncio.gather(writer.add("a", 1), writer.add("b", 2), return_exceptions=True)
    assert [type(each) for each in heard] == [CannotKeep, CannotKeep]
    shelf.refuses = False
    await writer.add("a", 3)
    assert shelf.batches == [{"a": 3}]


async def test_who_gives_up_takes_their_own_back() -> None:
    shelf = Shelf()
    writer = BatchWriter(shelf.write)
    hers, his = asyncio.create_task(writer.add("a", 1)), asyncio.create_task(writer.add("b", 2))
    await asyncio.sleep(0)
    hers.cancel()
    await his
    assert shelf.batches == [{"b": 2}]


async def test_answers_that_come_together_are_one_transaction(store: Store) -> None:
    now = datetime(2026, 11, 21, 3, tzinfo=UTC)
    link = AccountLink(
        member=MemberId(1), user_id=UserId(7), user_name=UserName("alice"), region=JP2,
        visibility=Visibility.ONLY_ME, linked_at=now,
    )  # fmt: skip
    answer = KeptAnswer(account=UserId(7), question="player", body=b"16.50", fetched_at=now)
    others = [replace(answer, question=question) for question in ("friends", "records/jp2")]
    await store.links.save(link, "5d" * 32)
    with statements_of(store) as sent:
        await asyncio.gather(
            *(store.answers.save(each, since=now - timedelta(days=7)) for each in (answer, *others))
        )
    assert sum(statement.startswith("INSERT INTO kept_answers") for statement, _ in sent) == 1
    for each in (answer, *others):
        assert await store.answers.find(UserId(7), each.question, since=now) == each


@pytest.mark.parametrize("is_first", [True, False])
async def test_what_is_erased_while_it_waits_is_not_kept(store: Store, *, is_first: bool) -> None:
    now = datetime(2026, 11, 21, 3, tzinfo=UTC)
    link = AccountLink(
        member=MemberId(1), user_id=UserId(7), user_name=UserName("alice"), region=JP2,
        visibility=Visibility.ONLY_ME, linked_at=now,
    )  # fmt: skip
    await store.links.save(link, "5d" * 32)
    answer = KeptAnswer(account=UserId(7), question="player", body=b"16.50", fetched_at=now)
    if not is_first:
        await store.answers.save(answer, since=now)
    saving = asyncio.create_task(store.answers.save(replace(answer, question="friends"), since=now))
    await asyncio.sleep(0)
    await store.links.erase(MemberId(1))
    await saving
    await store.links.save(link, "5d" * 32)
    assert not await store.answers.fetch_all(UserId(7))
