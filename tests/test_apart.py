import asyncio
import threading

from bot.apart import apart


async def test_pieces_of_work_are_done_one_after_another_beside_the_loop() -> None:
    under_way: set[int] = set()
    most: list[int] = []

    def work(number: int) -> int:
        under_way.add(number)
        threading.Event().wait(0.001)  # another would begin here
        most.append(len(under_way))
        under_way.discard(number)
        return threading.get_ident()

    threads = await asyncio.gather(*(apart(lambda number=number: work(number)) for number in range(10)))
    assert set(most) == {1}
    assert threading.get_ident() not in threads
