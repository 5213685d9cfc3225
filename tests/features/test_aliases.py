"""bot/features/shared/aliases.py: which servers' aliases are in memory, and which lines of the operator's file do what."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest
from careers import catalogue, record
from statements import statements_of

from bot.domain.ids import GuildId, SongId
from bot.features.shared import aliases
from bot.features.shared.aliases import ServerAliases, name_lines, read_alias_lines
from bot.store import Alias, Store, Vault, new_key

GUILD = GuildId(1)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with Store(f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", Vault([new_key()])) as store:
        yield store


async def is_in_memory(store: Store, known: ServerAliases, guild: int) -> bool:
    with statements_of(store) as sent:
        await known.find(GuildId(guild))
    return not sent


async def test_memory_is_bounded_and_lets_go_of_the_server_not_asked_for_longest(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aliases, "AT_HAND", 3)
    known = ServerAliases(store)
    for guild in (1, 2, 3, 1, 4):
        await known.find(GuildId(guild))
    assert [*known._at_hand] == [3, 1, 4]
    assert await is_in_memory(store, known, 1)
    assert not await is_in_memory(store, known, 2)


async def test_aliases_that_are_read_while_one_is_added_are_read_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, fetch = ServerAliases(store), store.aliases.fetch
    await known.fetch(GUILD)
    has_read, goes_on = asyncio.Event(), asyncio.Event()

    async def fetch_slowly(guild: GuildId) -> Mapping[str, Alias]:
        found = await fetch(guild)
        has_read.set()
        await goes_on.wait()
        return found

    known.forget(GUILD)
    monkeypatch.setattr(store.aliases, "fetch", fetch_slowly)
    reading = asyncio.create_task(known.find(GUILD))
    await has_read.wait()
    await store.aliases.save(GUILD, "sky", Alias("Sky", SongId("1")))
    known.forget(GUILD)
    goes_on.set()
    assert (await reading).songs == {"sky": SongId("1")}


SONGS = catalogue(
    [record(title, 1400, 1_000_000) for title in ("Trauma", "TRAUMA", "AETHER", "!!", "a=b", "ハロー")]
)


@pytest.mark.parametrize(
    ("song", "meant"),
    [
        ("Trauma", "Trauma"),
        ("TRAUMA", "TRAUMA"),
        ("trauma", None),
        ("aether", "AETHER"),
        ("ﾊﾛｰ", "ハロー"),
        ("!!", "!!"),
        ("a=b", "a=b"),
        ("no such song", None),
    ],
)
def test_a_title_counts_as_it_is_written_and_else_as_people_compare_it(song: str, meant: str | None) -> None:
    """Of two that differ in case alone none is meant by a third spelling."""
    found, unfit = read_alias_lines(f"The Name = {song}").resolve(SONGS)
    assert found.songs == ({} if meant is None else {"thename": SongId(meant)})
    assert [each.song for each in unfit] == ([song] if meant is None else [])


def test_lines_that_do_nothing_are_named_by_their_number() -> None:
    read = read_alias_lines(
        "# names\n\none = AETHER\nbroken\n = AETHER\n!! = AETHER\ntwo=\nthree = nothing\n"
    )
    assert read.unread == (4, 5, 6, 7)
    _found, unfit = read.resolve(SONGS)
    said = name_lines(read.unread[:1], unfit)
    assert said == 'line 4 is no "alias = title"; line 8 fits no song or several (nothing)'
    assert name_lines((), ()) == ""


def test_of_two_lines_of_one_alias_the_later_counts() -> None:
    found, unfit = read_alias_lines("Name = nothing\nＮＡＭＥ = AETHER").resolve(SONGS)
    assert (found.songs, unfit) == ({"name": SongId("AETHER")}, frozenset())


def test_ten_lines_are_named_and_the_others_counted() -> None:
    said = name_lines(range(1, 14), ())
    assert "line 10 is" in said
    assert said.endswith("; and 3 more lines")
