import asyncio
import gzip
import itertools
from contextlib import suppress

import pytest
from aiohttp import web
from patience import PATIENT_SECONDS
from scripted import Scripted

from bot.api import RecordApi, client
from bot.api.room import ReplyMemory
from bot.domain.errors import UnreadableReply


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
    assert (room.held, room._shares) == (0, set()), "or each reply that ever was would be looked through"


SIZE = 200_000


async def flood(request: web.Request) -> web.StreamResponse:
    """Begin an answer that is never whole, nor ever rests."""
    response = web.StreamResponse()
    await response.prepare(request)
    with suppress(ConnectionError):
        await response.write(b" " * SIZE)
        while True:
            await asyncio.sleep(0.02)
            await response.write(b" ")
    return response


async def test_replies_under_way_are_bounded_together_and_small_ones_are_read(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of twenty that do not end, those that are too many give way at once; a small one beside the others is read."""
    fit = 5
    monkeypatch.setattr(client, "MAX_TOTAL_BYTES", SIZE * fit + SIZE // 2)
    scripted.answers.append(flood)
    async with RecordApi(scripted.url, max_body_bytes=SIZE * 2) as api:
        asked = [asyncio.create_task(api.holder(str(number)).v2_0.friends.list()) for number in range(20)]
        async with asyncio.timeout(PATIENT_SECONDS):
            for given_up in itertools.islice(asyncio.as_completed(asked), len(asked) - fit):
                with pytest.raises(UnreadableReply, match="all replies under way"):
                    await given_up
        scripted.answers.clear()
        scripted.says({"users": []})
        assert (await api.holder("usual").v2_0.friends.list()).users == ()
        assert sum(not each.done() for each in asked) == fit
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)


async def test_what_is_unpacked_counts_as_what_arrives(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MAX_TOTAL_BYTES", SIZE * 2)
    scripted.answers.append(flood)
    async with RecordApi(scripted.url, max_body_bytes=SIZE * 2) as api:
        asked = asyncio.create_task(api.holder("flood").v2_0.friends.list())
        async with asyncio.timeout(PATIENT_SECONDS):
            while api._room.held < SIZE:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.01)
        scripted.answers.clear()
        scripted.says(gzip.compress(b" " * (SIZE + SIZE // 4)), headers={"Content-Encoding": "gzip"})
        with pytest.raises(UnreadableReply, match="all replies under way") as refused:
            await api.holder("packed").v2_0.friends.list()
        # A frame in its traceback would hold what was unpacked, for as long as somebody is told.
        assert "unpack" not in {entry.name for entry in refused.traceback}
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
