"""bot/base/memo.py: what is kept, how much of it, and what is forgotten."""

import asyncio
from threading import current_thread, main_thread

from bot.base.memo import Memo, RecentHashes


class Making:
    """Makes lists of a length, and counts how many."""

    def __init__(self) -> None:
        self.made = 0
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def list_of(self, length: int) -> list[int]:
        self.made += 1
        await self.may_end.wait()
        return [0] * length


async def test_what_was_made_of_the_same_is_not_made_again() -> None:
    memo, making = Memo[list[int]](10, len), Making()
    first = await memo.get("a", lambda: making.list_of(3))
    assert await memo.get("a", lambda: making.list_of(3)) is first
    assert await memo.get("b", lambda: making.list_of(3)) is not first
    assert (making.made, memo.weight, len(memo)) == (2, 6, 2)


async def test_beyond_the_bound_what_was_not_wanted_for_longest_goes() -> None:
    memo, making = Memo[list[int]](10, len), Making()
    for key in "abac":
        await memo.get(key, lambda: making.list_of(4))
    assert (making.made, memo.weight) == (3, 8)
    await memo.get("a", lambda: making.list_of(4))
    assert making.made == 3
    await memo.get("b", lambda: making.list_of(4))
    assert making.made == 4


async def test_one_that_is_heavier_than_the_bound_is_kept_alone() -> None:
    memo, making = Memo[list[int]](10, len), Making()
    for key, length in (("a", 3), ("b", 30), ("b", 30)):
        await memo.get(key, lambda length=length: making.list_of(length))
    assert (making.made, memo.weight, len(memo)) == (2, 30, 1)


async def test_what_was_being_made_while_all_was_forgotten_is_not_kept() -> None:
    memo, making = Memo[list[int]](10, len), Making()
    making.may_end.clear()
    asked = asyncio.create_task(memo.get("a", lambda: making.list_of(3)))
    await asyncio.sleep(0)
    memo.drop_all()
    making.may_end.set()
    assert await asked == [0, 0, 0]
    assert (len(memo), memo.weight) == (0, 0)


async def test_nor_is_what_was_dropped_while_its_key_was_worked_out() -> None:
    memo, making = Memo[list[int]](10, len), Making()
    drops = memo.drops
    memo.drop_all()
    assert await memo.get("a", lambda: making.list_of(3), drops=drops) == [0, 0, 0]
    assert len(memo) == 0


async def test_what_is_kept_anew_is_weighed_anew() -> None:
    memo = Memo[list[int]](10, len)
    grows = [1]
    memo.put("a", grows)
    grows += [1, 1]
    memo.put("a", grows)
    assert (memo.find("a"), memo.weight, len(memo)) == ([1, 1, 1], 3, 1)
    assert memo.find("b") is None


class Counted:
    """Counts how often its hash is worked out."""

    def __init__(self) -> None:
        self.asked = 0

    def __hash__(self) -> int:
        self.asked += 1
        return 7


async def test_the_hash_of_a_long_tuple_is_worked_out_once() -> None:
    hashes, one = RecentHashes(), Counted()
    values = (one,)
    assert await hashes.hash_of(values) == await hashes.hash_of(values)
    assert one.asked == 1
    assert await hashes.hash_of((one,)) == hash(values)  # another that is equal


async def test_few_hashes_are_known_and_none_once_all_are_dropped() -> None:
    hashes, one = RecentHashes(), Counted()
    values = (one,)
    await hashes.hash_of(values)
    others = [(one, number) for number in range(32)]
    for each in others:
        await hashes.hash_of(each)
    before = one.asked
    await hashes.hash_of(others[-1])
    assert one.asked == before
    await hashes.hash_of(values)
    assert one.asked == before + 1
    hashes.drop_all()
    await hashes.hash_of(values)
    assert one.asked == before + 2


async def test_a_hash_is_worked_out_beside_the_loop_and_not_kept_once_all_is_dropped() -> None:
    hashes, threads = RecentHashes(), list[str]()

    class Noting:
        def __hash__(self) -> int:
            threads.append(current_thread().name)
            hashes.drop_all()
            return 7

    values = (Noting(),)
    assert await hashes.hash_of(values) == await hashes.hash_of(values)
    assert len(threads) == 2
    assert main_thread().name not in threads
