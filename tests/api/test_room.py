import asyncio

import pytest
from aiohttp import web
from scripted import Scripted

from bot.api import RecordApi
from bot.api.room import ReplyMemory
from bot.domain.errors import BotError, UnreadableReply


def test_the_largest_gives_way_and_the_others_stay() -> None:
    room = ReplyMemory(100)
    with room.share() as small, room.share() as large:
        small.grow(20)
        large.body += b"x" * 60
        large.grow(60)
        small.grow(30)
        assert (room.held, large.body) == (50, b"")
        with pytest.raises(UnreadableReply, match="more than 100 bytes"):
            large.grow(1)
        small.grow(50)
        with pytest.raises(UnreadableReply):
            small.grow(1)
    assert room.held == 0


def test_what_is_tried_again_holds_what_came_last() -> None:
    room = ReplyMemory(100)
    with room.share() as share:
        for _ in range(5):
            share.begin_anew()
            share.grow(60)
        assert room.held == 60


@pytest.mark.parametrize("is_packed", [False, True])
async def test_replies_under_way_are_bounded_together_and_small_ones_are_read(
    scripted: Scripted,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_packed: bool,
) -> None:
    """Twenty that never end hold no more than the bound, and one of a usual size beside them is read."""
    most, closing, rooms = 4_000_000, asyncio.Event(), list[ReplyMemory]()

    class Noted(ReplyMemory):
        def __init__(self, _most: int) -> None:
            super().__init__(most)
            rooms.append(self)

    async def flood(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        if is_packed:
            response.enable_compression()
        await response.prepare(request)
        for _ in range(8):
            await response.write(b" " * 100_000)
        if not is_packed:
            await closing.wait()
        return response

    monkeypatch.setattr("bot.api.client.ReplyMemory", Noted)
    scripted.answers.append(flood)
    async with RecordApi(scripted.url) as api:
        asked = [asyncio.create_task(api.holder(str(number)).v2_0.friends.list()) for number in range(20)]
        done, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        for each in done:
            assert isinstance(each.exception(), BotError)
        assert rooms[0].held <= most
        scripted.answers.clear()
        scripted.says({"users": []})
        assert (await api.holder("usual").v2_0.friends.list()).users == ()
        closing.set()
        await asyncio.gather(*asked, return_exceptions=True)
        assert rooms[0].held == 0
