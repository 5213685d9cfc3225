from datetime import UTC, datetime, timedelta

from bot.domain.ids import JP, JP2, GuildId, Region, SongId
from bot.store import Alias, KeptCatalogue, Store

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
HOME, AWAY = GuildId(1), GuildId(2**63 - 1)


def kept(content: bytes, hours: int, region: Region = JP2) -> KeptCatalogue:
    at = NOW + timedelta(hours=hours)
    return KeptCatalogue(
        region=region, digest=content.hex(), first_seen_at=at, last_seen_at=at, content=content
    )


async def contents(store: Store, region: Region = JP2) -> list[bytes]:
    return [each.content for each in await store.catalogues.fetch(region)]


async def test_the_newest_catalogue_and_the_one_before_are_kept(store: Store) -> None:
    for hour, content in enumerate((b"a", b"b", b"c")):
        await store.catalogues.save(kept(content, hour))
    await store.catalogues.save(kept(b"z", 9, JP))
    assert await contents(store) == [b"c", b"b"]
    assert await contents(store, JP) == [b"z"]


async def test_the_same_catalogue_is_only_seen_again(store: Store) -> None:
    await store.catalogues.save(kept(b"a", 0))
    await store.catalogues.save(kept(b"b", 1))
    await store.catalogues.save(kept(b"b", 5))
    newest, before = await store.catalogues.fetch(JP2)
    assert (newest.content, before.content) == (b"b", b"a")
    assert (newest.first_seen_at, newest.last_seen_at) == (NOW + timedelta(hours=1), NOW + timedelta(hours=5))


async def test_a_catalogue_that_comes_back_is_new_again(store: Store) -> None:
    for hour, content in enumerate((b"a", b"b", b"a")):
        await store.catalogues.save(kept(content, hour))
    assert await contents(store) == [b"a", b"b"]


async def test_a_clock_that_was_ahead_turns_no_order_round(store: Store) -> None:
    for hour, content in ((0, b"a"), (5_000, b"b"), (9_000, b"c")):
        await store.catalogues.save(kept(content, hour))
    assert await contents(store) == [b"c", b"b"]
    await store.catalogues.save(kept(b"d", 1))
    assert await contents(store) == [b"d", b"c"]
    await store.catalogues.save(kept(b"d", 2))
    await store.catalogues.save(kept(b"e", 3))
    newest, before = await store.catalogues.fetch(JP2)
    assert (newest.content, before.content) == (b"e", b"d")
    assert newest.first_seen_at == newest.last_seen_at == NOW + timedelta(hours=3)
    assert before.last_seen_at == NOW + timedelta(hours=2)


async def test_what_is_only_seen_again_stays_the_newest_whatever_the_clock(store: Store) -> None:
    for hour, content in ((5_000, b"a"), (9_000, b"b"), (1, b"b")):
        await store.catalogues.save(kept(content, hour))
    newest, before = await store.catalogues.fetch(JP2)
    assert (newest.content, before.content) == (b"b", b"a")
    assert before.last_seen_at < newest.last_seen_at == NOW + timedelta(hours=1)
    assert newest.first_seen_at < newest.last_seen_at


async def test_a_question_is_found_under_its_key(store: Store) -> None:
    key = await store.questions.save("const>=13", NOW)
    assert len(key) <= 20
    assert await store.questions.save("const>=13", NOW + timedelta(days=100)) == key
    assert await store.questions.find(key) == "const>=13"
    assert await store.questions.find("nothing") is None


async def test_questions_are_forgotten_when_nobody_asks_them(store: Store) -> None:
    old = await store.questions.save("old", NOW)
    again = await store.questions.save("again", NOW)
    await store.questions.save("again", NOW + timedelta(days=150))
    await store.questions.save("new", NOW + timedelta(days=200))
    assert await store.questions.find(old) is None
    assert await store.questions.find(again) == "again"


async def test_aliases_are_each_servers_own(store: Store) -> None:
    await store.aliases.save(HOME, "そら", Alias("ソラ", SongId("1")))
    await store.aliases.save(HOME, "そら", Alias("そら", SongId("2")))
    await store.aliases.save(AWAY, "うみ", Alias("うみ", SongId("3")))
    assert await store.aliases.fetch(HOME) == {"そら": Alias("そら", SongId("2"))}
    assert await store.aliases.delete(HOME, "そら")
    assert not await store.aliases.delete(HOME, "そら")
    assert await store.aliases.fetch(HOME) == {}
