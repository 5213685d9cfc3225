"""Pages of lists: a feature returns the items of one page alone, and all pages together are the list."""

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Final, Protocol

import pytest
from world import World

from bot.domain.entries import Order
from bot.domain.ids import GuildId, MemberId, UserName
from bot.domain.scores import SlotName
from bot.features import Features
from bot.features.shared.paging import Part
from bot.features.shared.subjects import Subject

pytestmark = pytest.mark.heavy

SIZE: Final = 2
ME: Final = Subject()
MIO: Final = Subject(player=UserName("mio"))


class Paged(Protocol):
    @property
    def part(self) -> Part[object]: ...


LISTS: dict[str, Callable[[Features, MemberId, int], Awaitable[Paged]]] = {
    "best": lambda of, viewer, number: of.best.report(viewer, ME, SlotName.BEST, number),
    "comparison": lambda of, viewer, number: of.comparison.report(viewer, MIO, number=number),
    "courses": lambda of, viewer, number: of.courses.report(viewer, number),
    "friends": lambda of, viewer, number: of.friends.report(viewer, number),
    "plan": lambda of, viewer, number: of.plan.report(viewer, None, number=number),
    "scores": lambda of, viewer, number: of.scores.report(viewer, ME, "", Order.SCORE_DOWN, number),
    "searches": lambda of, viewer, number: of.searches.report(viewer, "", None, number, None),
}


async def assert_in_pages(fetch: Callable[[int], Awaitable[Part[object]]]) -> None:
    first = await fetch(0)
    parts = [first] + [await fetch(number) for number in range(1, first.count)]
    places, items = zip(*(each for part in parts for each in part.numbered), strict=True)
    assert len(parts) >= 2
    assert {len(part.items) for part in parts[:-1]} == {SIZE}
    assert places == tuple(range(1, first.total + 1))
    assert len(set(map(repr, items))) == first.total


@pytest.mark.parametrize("name", LISTS)
async def test_a_feature_returns_the_items_of_one_page(
    world: World, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    room = import_module(f"bot.features.{name}")
    (size,) = {"LINES", "RECORDS", "PAGE_SIZE"} & vars(room).keys()
    monkeypatch.setattr(room, size, SIZE)
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")

    async def fetch(number: int) -> Part[object]:
        return (await LISTS[name](world.bot.features, MemberId(alice.id), number)).part

    await assert_in_pages(fetch)


async def test_a_list_of_aliases_comes_page_by_page(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.shared.library.ALIASES_ON_PAGE", SIZE)
    viewer, server, library = MemberId(1), GuildId(2), world.bot.features.library
    songs = (await library.visit(viewer, server)).loaded.catalogue.by_id
    for song in list(songs)[:3]:
        await world.bot.features.aliases.add(server, f"alias of {song}", song)
    await assert_in_pages(lambda number: library.aliases(viewer, server, number))
