import asyncio
import hashlib
import json
import sqlite3
import zlib

from world import World


def keep_an_older_catalogue(world: World) -> tuple[str, str]:
    """Put a catalogue that lacks a song and knows another constant before the kept one; return both titles."""
    with sqlite3.connect(world.database) as database:
        ((region, seen_at, content),) = database.execute(
            "SELECT region, last_seen_at, content FROM catalogues"
        )
        songs = json.loads(zlib.decompress(content))
        missing = songs.pop()
        changed = next(song for song in songs if "MAS" in song["data"] and song["data"]["MAS"]["const"])
        changed["data"]["MAS"]["const"] -= 0.1
        songs.append(songs[0] | {"meta": songs[0]["meta"] | {"id": "f" * 16, "title": "Gone Song"}})
        older = json.dumps(songs).encode()
        database.execute(
            "INSERT INTO catalogues (region, digest, first_seen_at, last_seen_at, content) VALUES (?, ?, ?, ?, ?)",
            (region, hashlib.sha256(older).hexdigest(), seen_at, "2020-01-01 00:00:00.000000", zlib.compress(older)),
        )  # fmt: skip
    return missing["meta"]["title"], changed["meta"]["title"]


async def test_the_first_catalogue_has_nothing_to_be_compared_with(world: World) -> None:
    alice = world.discord.person("Alice")
    reply = await alice.slash(world.discord.channel, "new")
    assert "first catalogue" in reply.everything
    assert reply.embed.footer.text == "Game version: jp2"
    assert reply.embed.timestamp is not None


async def test_what_was_added_removed_and_changed(world: World) -> None:
    alice = world.discord.person("Alice")
    await alice.slash(world.discord.channel, "new")
    # Beside the event loop: the bot may be about to end a write of its own.
    missing, changed = await asyncio.to_thread(keep_an_older_catalogue, world)
    reply = await alice.slash(world.discord.channel, "new")
    said = reply.everything.replace("\\", "")
    assert f"🆕 {missing[:10]}" in said
    assert f"🔁 {changed[:10]}" in said
    assert "➖ ~~Gone Song~~" in said
    await world.stop_service()
    await world.start_bot()
    stale = await alice.slash(world.discord.channel, "new")
    assert "is not answering just now" in stale.everything
    assert "Gone Song" in stale.everything
