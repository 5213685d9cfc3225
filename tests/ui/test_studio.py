import asyncio
import threading
from collections.abc import AsyncGenerator

import pytest
from harness import LogBook

from bot.ui.studio import Picture, Studio


@pytest.fixture
async def studio() -> AsyncGenerator[Studio]:
    studio = Studio()
    yield studio
    await studio.close()


def worker() -> bytes:
    return threading.current_thread().name.encode()


def broken(name: str) -> bytes:
    raise ValueError(name)


async def test_everything_is_drawn_by_one_worker(studio: Studio) -> None:
    drawn = await asyncio.gather(*[studio.draw(worker) for _ in range(5)])
    assert len(set(drawn)) == 1
    assert drawn[0] != threading.current_thread().name.encode()


async def test_a_picture_that_fails_is_none_and_its_values_are_not_logged(
    studio: Studio, log: LogBook
) -> None:
    assert await studio.draw(broken, "a player's name") is None
    assert await studio.picture("alt", broken, name="a player's name") is None
    assert "a picture failed: broken, ValueError" in log.text
    assert "player" not in log.text


async def test_a_picture_that_takes_too_long_is_left_out(log: LogBook) -> None:
    studio = Studio(patience=0.01)
    gate = threading.Event()

    def slow() -> bytes:
        gate.wait()
        return b""

    assert await studio.draw(slow) is None
    gate.set()
    await studio.close()
    assert "took too long: slow" in log.text


def test_a_picture_becomes_a_file_with_its_alternative_text() -> None:
    file = Picture(png=b"png", alt="x" * 2000).to_file()
    assert file.description == "x" * 1024
    assert file.filename == "kiroku.png"
