import asyncio
import hashlib
import json
import re
import sqlite3
import zlib

import pytest
from harness import PATIENT_SECONDS
from world import World

from bot.features.shared import catalogues
from bot.features.shared.paging import LINES


def kept_catalogue(database: sqlite3.Connection) -> tuple[str, str, bytes]:
    """Return what is kept of the only catalogue: it is written down before it answers."""
    (kept,) = database.execute("SELECT region, last_seen_at, content FROM catalogues")
    return kept


def keep_an_older_catalogue(world: World) -> tuple[str, str]:
    """Put a catalogue that lacks a song and knows another constant before the kept one; return both titles."""
    with sqlite3.connect(world.database) as database:
        region, seen_at, content = kept_catalogue(database)
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
    assert str(reply.embed.footer.text).startswith("Game version: jp2 · as of ")


async def test_what_was_added_removed_and_changed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "_GRACE_SECONDS", PATIENT_SECONDS)
    alice = world.discord.person("Alice")
    await alice.slash(world.discord.channel, "new")
    # Beside the event loop: the bot may be about to end a write of its own.
    missing, changed = await asyncio.to_thread(keep_an_older_catalogue, world)
    reply = await alice.slash(world.discord.channel, "new")
    said = reply.everything.replace("\\", "")
    assert f"🆕 {missing[:10]}" in said
    assert re.search(rf"🔁 .*→.* MASTER {re.escape(changed[:10])}", said)
    assert "➖ ~~Gone Song~~" in said
    assert re.search(r"Felt difficulty of none of the \d+ new charts is known yet", said)
    await world.stop_service()
    await world.start_bot()
    stale = await alice.slash(world.discord.channel, "new")
    assert "is not answering right now" in stale.everything
    assert "Gone Song" in stale.everything


def keep_a_catalogue_of_a_year_ago(world: World) -> dict[str, int]:
    """Put one before the kept one that knows few constants and has other ones; return how many of each kind."""
    counts = {"known": 0, "MAS": 0, "EXP": 0, "gone": 0}
    with sqlite3.connect(world.database) as database:
        region, seen_at, content = kept_catalogue(database)
        songs = json.loads(zlib.decompress(content))
        for number, song in enumerate(songs):
            for code, chart in song["data"].items():
                if not chart["const"]:
                    continue
                if code in {"MAS", "EXP"} and number % 10 == 0:
                    chart["const"] += 0.1
                    counts[code] += 1
                else:
                    chart["const"] = 0
                    counts["known"] += 1
        for number in range(20):
            gone = songs[number]["meta"] | {"id": f"{'f' * 12}{number:04}", "title": f"Gone {number}"}
            songs.append(songs[number] | {"meta": gone})
            counts["gone"] += 1
        older = json.dumps(songs).encode()
        database.execute(
            "INSERT INTO catalogues (region, digest, first_seen_at, last_seen_at, content) VALUES (?, ?, ?, ?, ?)",
            (region, hashlib.sha256(older).hexdigest(), seen_at, "2020-01-01 00:00:00.000000", zlib.compress(older)),
        )  # fmt: skip
    database.close()
    return counts


def keep_one_without_the_newest_songs(world: World) -> list[str]:
    """Put one before the kept one that lacks three songs and knows a constant more; return the songs, newest first."""
    with sqlite3.connect(world.database) as database:
        region, seen_at, content = kept_catalogue(database)
        songs = json.loads(zlib.decompress(content))
        by_day = {song["meta"]["release"]: song for song in songs}
        missing = [by_day[day] for day in sorted(by_day)[-3:]]
        older = [song for song in songs if song not in missing]
        lost = next(song for song in older if "MAS" in song["data"] and not song["data"]["MAS"]["const"])
        lost["data"]["MAS"]["const"] = lost["data"]["MAS"]["level"] + 0.3
        said = json.dumps(older).encode()
        database.execute(
            "INSERT INTO catalogues (region, digest, first_seen_at, last_seen_at, content) VALUES (?, ?, ?, ?, ?)",
            (region, hashlib.sha256(said).hexdigest(), seen_at, "2020-01-01 00:00:00.000000", zlib.compress(said)),
        )  # fmt: skip
    database.close()
    return [song["meta"]["title"] for song in reversed(missing)]


@pytest.mark.parametrize(
    ("locale", "lost"),
    [("en-US", r"\d+\.[38]\?? → \d+\+? \(constant unknown now\)"), ("ja", r"→ \d+\+?（定数不明に）")],
)
async def test_the_newest_come_first_and_a_constant_that_was_lost_says_so(
    world: World, locale: str, lost: str
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await alice.slash(world.discord.channel, "new")
    newest = await asyncio.to_thread(keep_one_without_the_newest_songs, world)
    said = (await alice.slash(world.discord.channel, "new")).everything.replace("\\", "")
    places = [said.index(f"🆕 {title[:10]}") for title in newest]
    assert places == sorted(places)
    assert re.search(lost, said)


async def test_a_great_update_is_told_in_short_and_what_matters_first(world: World) -> None:
    alice = world.discord.person("Alice")
    await alice.slash(world.discord.channel, "new")
    counts = await asyncio.to_thread(keep_a_catalogue_of_a_year_ago, world)
    assert counts["known"] > 300
    reply = await alice.slash(world.discord.channel, "new")
    said = str(reply.embed.description)
    assert f"Songs removed: **{counts['gone']}**" in said
    assert f"MASTER changed: **{counts['MAS']}**" in said
    assert f"EXPERT changed: **{counts['EXP']}**" in said
    assert f"Constants now known: **{counts['known']}**" in said
    shown = counts["gone"] + counts["MAS"]
    assert reply.component("place").label == f"1 / {-(-shown // LINES)}"
    seen = said
    for _ in range(-(-shown // LINES) - 1):
        reply = await alice.click(reply, "Next")
        seen += str(reply.embed.description)
    assert seen.count("➖") == counts["gone"]
    assert seen.count("🔁") == seen.count("** MASTER ") == counts["MAS"]


async def test_one_kind_of_change_can_be_jumped_to_after_a_restart_too(world: World) -> None:
    alice = world.discord.person("Alice")
    await alice.slash(world.discord.channel, "new")
    counts = await asyncio.to_thread(keep_a_catalogue_of_a_year_ago, world)
    reply = await alice.slash(world.discord.channel, "new")
    await world.start_bot()
    known = await alice.choose(reply, "Show one kind", "Constants now known")
    (chosen,) = known.component("Show one kind").chosen
    assert chosen.startswith("Constants now known (")
    assert known.component("place").label == f"1 / {-(-counts['known'] // LINES)}"
    second = await alice.click(known, "Next")
    assert second.component("place").label.startswith("2 / ")
    assert "Gone" not in str(second.embed.description)
    expert = await alice.choose(second, "Show one kind", "EXPERT changed")
    assert str(expert.embed.description).count("** EXPERT ") == min(LINES, counts["EXP"])
    back = await alice.choose(expert, "Show one kind", "What matters most")
    assert "Constants now known: **" in str(back.embed.description)
