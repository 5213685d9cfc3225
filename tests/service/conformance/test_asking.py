import asyncio
import time
from datetime import UTC, datetime

import pytest
from scripted import Scripted, scripted_service

from bot.base.clock import ManualClock
from service.conformance.asking import CannotAsk, PoliteAsker

TOKEN = "0123456789abcdef+/secret"


def rate(remaining: int) -> dict[str, str]:
    reset = str(int(time.time()) + 600)
    return {
        "X-Rate-Limit-Limit": "120",
        "X-Rate-Limit-Remaining": str(remaining),
        "X-Rate-Limit-Reset": reset,
    }


async def ask(service: Scripted, *paths: str, pause: float = 0) -> list[float]:
    """Ask one question after another, and return how long was slept before each."""
    clock = ManualClock(datetime.now(UTC))
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.advance(seconds)

    async with PoliteAsker(service.url, TOKEN, clock, pause=pause, sleep=sleep) as asker:
        for path in paths:
            await asker.ask(path)
    return slept


async def test_requests_have_a_pause_between_them_and_no_question_is_asked_twice() -> None:
    async with scripted_service() as service:
        service.says({}, 200, rate(100))
        assert await ask(service, "/1.3/a.json", "/1.3/b.json", "/1.3/a.json", pause=2) == [0, 2]
        assert len(service.requests) == 2


async def test_the_last_requests_of_a_version_are_left_alone() -> None:
    async with scripted_service() as service:
        service.says({}, 200, rate(6))
        service.says({}, 200, rate(5))
        with pytest.raises(CannotAsk, match=r"version 1\.3 are nearly spent for the next \d+ seconds"):
            await ask(service, "/1.3/a.json", "/1.3/b.json", "/1.3/c.json")
        assert len(service.requests) == 2


async def test_other_versions_have_requests_of_their_own() -> None:
    async with scripted_service() as service:
        service.says({}, 200, rate(5))
        await ask(service, "/1.3/a.json", "/1.0/a.json")
        assert len(service.requests) == 2


async def test_after_a_refusal_nothing_more_is_asked() -> None:
    async with scripted_service() as service:
        service.says({}, 429, rate(0))
        with pytest.raises(CannotAsk, match="takes no more requests for the next"):
            await ask(service, "/1.3/a.json")


@pytest.mark.parametrize(
    "address",
    ["", "ftp://x", "http://records.example", "https://a:b@records.example", "https://x?token=1", "http://["],
)
def test_no_token_is_sent_to_such_an_address(address: str) -> None:
    with pytest.raises(CannotAsk) as caught:
        PoliteAsker(address, TOKEN, ManualClock(datetime.now(UTC)), pause=0)
    assert "secret" not in str(caught.value)


async def test_what_goes_wrong_is_said_without_the_token() -> None:
    async def break_off(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(break_off, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    clock = ManualClock(datetime.now(UTC))
    async with server, PoliteAsker(f"http://127.0.0.1:{port}", TOKEN, clock, pause=0) as asker:
        with pytest.raises(CannotAsk, match="cannot be reached") as caught:
            await asker.ask("/1.3/users/me.json")
    assert caught.value.__context__ is None
    assert "secret" not in f"{caught.value}{caught.value!r}{asker!r}"
