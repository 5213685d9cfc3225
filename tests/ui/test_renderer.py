"""Holds `bot/ui/kit/renderer.py`."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
from harness import LogBook

from bot.domain.ids import UserId, UserName
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.ui.kit.renderer import Picture, PictureRenderer


@pytest.fixture
async def renderer() -> AsyncGenerator[PictureRenderer]:
    renderer = PictureRenderer()
    yield renderer
    await renderer.close()


def worker() -> bytes:
    return threading.current_thread().name.encode()


def broken(name: str) -> bytes:
    raise ValueError(name)


async def test_everything_is_drawn_by_one_worker(renderer: PictureRenderer) -> None:
    drawn = await asyncio.gather(*[renderer.draw(worker) for _ in range(5)])
    assert len(set(drawn)) == 1
    assert drawn[0] != threading.current_thread().name.encode()


async def test_a_picture_that_fails_is_none_and_its_values_are_not_logged(
    renderer: PictureRenderer, log: LogBook
) -> None:
    assert await renderer.draw(broken, "a player's name") is None
    assert await renderer.picture("alt", None, broken, name="a player's name") is None
    assert "a picture failed: broken, ValueError" in log.text
    assert "player" not in log.text


async def test_a_picture_that_takes_too_long_is_left_out(log: LogBook) -> None:
    renderer = PictureRenderer(timeout=0.01)
    gate = threading.Event()

    def slow() -> bytes:
        gate.wait()
        return b""

    assert await renderer.draw(slow) is None
    gate.set()
    await renderer.close()
    assert "took too long: slow" in log.text


def test_a_picture_becomes_a_file_with_its_alternative_text() -> None:
    file = Picture(png=b"png", alt="x" * 2000).to_file()
    assert file.description == "x" * 1024
    assert file.filename == "kiroku.png"


PLAYER = Player(
    user_id=UserId(1),
    user_name=UserName("alice"),
    is_protected=False,
    player_name="ALICE",
    honor="",
    honor_type=None,
    level=None,
    rating=Hundredths(1500),
    rating_max=Hundredths(1500),
    class_emblem=None,
    updated_on=None,
)


class Pencil:
    """Draws what it is told, and knows how often."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.may_draw = threading.Event()
        self.may_draw.set()

    def draw(self, text: str, *, size: int = 1) -> bytes:
        self.may_draw.wait()
        self.drawn.append(text)
        return text.encode() * size


async def test_a_picture_is_drawn_again_only_where_something_else_is_drawn(renderer: PictureRenderer) -> None:
    pencil = Pencil()
    for text, size in (("one", 1), ("one", 1), ("two", 1), ("one", 2), ("one", 1)):
        picture = await renderer.picture(text, PLAYER, pencil.draw, text, size=size)
        assert picture == Picture(png=text.encode() * size, alt=text)
    assert pencil.drawn == ["one", "two", "one"]


async def test_what_is_no_players_is_drawn_each_time(renderer: PictureRenderer) -> None:
    pencil = Pencil()
    for _ in range(2):
        assert await renderer.picture("", None, pencil.draw, "one")
    assert pencil.drawn == ["one", "one"]


async def test_what_several_want_at_once_is_drawn_once(renderer: PictureRenderer) -> None:
    pencil = Pencil()
    pencil.may_draw.clear()
    asked = [
        asyncio.create_task(renderer.picture("", PLAYER, pencil.draw, text)) for text in ("one", "one", "two")
    ]
    await asyncio.sleep(0)
    asked[0].cancel()  # who has gone takes nothing from the others
    pencil.may_draw.set()
    pictures = await asyncio.gather(*asked[1:])
    assert [picture and picture.png for picture in pictures] == [b"one", b"two"]
    assert pencil.drawn == ["one", "two"]


async def test_a_picture_goes_with_the_answer_that_it_was_drawn_from(renderer: PictureRenderer) -> None:
    pencil = Pencil()
    answers = [replace(PLAYER, rating=Hundredths(1600))]
    await renderer.picture("", answers[0], pencil.draw, "one")
    await renderer.picture("", PLAYER, pencil.draw, "one")
    assert renderer.cache.weight == 6
    answers.clear()
    assert renderer.cache.weight == 3


async def test_an_answer_that_went_while_it_was_drawn_leaves_no_picture(renderer: PictureRenderer) -> None:
    pencil = Pencil()
    pencil.may_draw.clear()
    asked = asyncio.create_task(renderer.picture("", replace(PLAYER), pencil.draw, "one"))
    await asyncio.sleep(0)
    pencil.may_draw.set()
    assert await asked
    del asked
    assert renderer.cache.weight == 0


async def test_what_nobody_looked_at_for_longest_goes_first() -> None:
    renderer, pencil = PictureRenderer(max_bytes=10), Pencil()
    alice, bob, carol = (replace(PLAYER, user_id=UserId(number)) for number in range(3))
    for player in (alice, bob, alice, carol, bob, alice):
        await renderer.picture("", player, pencil.draw, "four")
        assert renderer.cache.weight <= 10
    assert pencil.drawn == ["four"] * 5
    assert await renderer.picture("", alice, pencil.draw, "more than ten bytes")
    assert renderer.cache.weight == 0
    await renderer.close()


async def test_a_picture_that_failed_is_drawn_anew(renderer: PictureRenderer) -> None:
    assert await renderer.picture("", PLAYER, broken, "x") is None
    assert await renderer.picture("", PLAYER, broken, "x") is None
    assert renderer.cache.weight == 0
