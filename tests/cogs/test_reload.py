"""SIGHUP: the operator's aliases and the translations are reloaded, and what is broken leaves those from before."""

import asyncio
import json
import re
import signal
from pathlib import Path

import pytest
from rigged import running_rig, started
from world import World

from bot.chat.client import KirokuBot
from bot.program import process


async def title(world: World, alias: str) -> str:
    shown = await world.discord.person("Alice" + alias).slash(world.discord.channel, "song", title=alias)
    return str(shown.post.embeds[0].title) if shown.post.embeds else shown.everything


async def test_aliases_are_read_anew_in_the_catalogue_at_hand(world: World, tmp_path: Path) -> None:
    file = tmp_path / "aliases.txt"
    file.write_text("qqzzq = AETHER\n", encoding="utf-8")
    world.settings = world.settings.model_copy(update={"alias_file": (file,)})
    await world.start_bot()
    assert await title(world, "qqzzq") == "AETHER"
    file.write_text("wwxxw = AETHER\n", encoding="utf-8")
    assert "Nothing was found" in await title(world, "wwxxw")
    await world.bot.reload()
    assert await title(world, "wwxxw") == "AETHER"
    assert "ALIAS_FILE" not in world.log.text
    assert "Nothing was found" in await title(world, "qqzzq")


async def test_a_broken_file_of_aliases_leaves_those_from_before(world: World, tmp_path: Path) -> None:
    file = tmp_path / "aliases.txt"
    file.write_text("qqzzq = AETHER\n", encoding="utf-8")
    world.settings = world.settings.model_copy(update={"alias_file": (file,)})
    await world.start_bot()
    file.write_bytes(b"\xff\xfe")
    await world.bot.reload()
    assert "the aliases stay as they were: The file" in world.log.text
    assert await title(world, "qqzzq") == "AETHER"


async def test_lines_that_fit_no_song_are_named_as_soon_as_they_are_read(
    world: World, tmp_path: Path
) -> None:
    file = tmp_path / "aliases.txt"
    file.write_text("qqzzq = AETHER\n", encoding="utf-8")
    world.settings = world.settings.model_copy(update={"alias_file": (file,)})
    await world.start_bot()
    assert await title(world, "qqzzq") == "AETHER"
    file.write_text("qqzzq = AETHERR\n", encoding="utf-8")
    await world.bot.reload()
    assert "ALIAS_FILE: line 1 fits no song or several (AETHERR)" in world.log.text


async def test_versions_of_the_game_are_read_anew_and_a_broken_file_leaves_those_from_before(
    world: World, tmp_path: Path
) -> None:
    file = tmp_path / "versions.txt"
    file.write_text("Once, jp2, 2026-08-01, 30+20, 2026-08-01\n", encoding="utf-8")
    world.settings = world.settings.model_copy(update={"game_versions": file})
    await world.start_bot()

    def newest() -> str:
        return world.bot.features.game_ratings.versions.versions[-1].name

    assert newest() == "Once"
    file.write_text("Then, jp2, 2026-08-01, 30+20, 2026-08-01\n", encoding="utf-8")
    await world.bot.reload()
    assert newest() == "Then"
    file.write_text("Then, jp2, 2026-08-01\n", encoding="utf-8")
    await world.bot.reload()
    assert newest() == "Then"
    assert "the game's versions stay as they were: GAME_VERSIONS is not right: line 1: five" in world.log.text


@pytest.mark.processes
async def test_a_process_that_is_told_reads_them(tmp_path: Path) -> None:
    (tmp_path / "aliases.txt").write_text("one = A\n", encoding="utf-8")
    settings = {"LOG_LEVEL": "INFO", "ALIAS_FILE": "aliases.txt"}
    async with running_rig(shards=1, guilds=1) as rig, started(rig, "one", tmp_path, **settings) as bot:
        assert bot.stderr is not None
        said: list[str] = []

        async def until(beginning: str) -> None:
            assert bot.stderr is not None
            while not (said and said[-1].startswith(beginning)):
                said.append(json.loads(await bot.stderr.readline())["message"])

        await until("ready: ")
        (tmp_path / "aliases.txt").write_text("one = A\ntwo = B\n", encoding="utf-8")
        bot.send_signal(signal.SIGHUP)
        await until("2 aliases reloaded")
        assert any(re.match(r"translations into \d+ languages reloaded", line) for line in said)
        assert bot.returncode is None


async def test_what_fails_unforeseen_is_logged_and_the_next_signal_is_heard(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = list[asyncio.Event]([asyncio.Event(), asyncio.Event()])
    changed = asyncio.Event()

    async def fail(_bot: KirokuBot) -> None:
        next(each for each in tried if not each.is_set()).set()
        raise RuntimeError

    monkeypatch.setattr(KirokuBot, "reload", fail)
    reloading = asyncio.create_task(process._reload_when(changed, world.bot))
    for each in tried:
        changed.set()
        await each.wait()
    reloading.cancel()
    assert "could not be reloaded" in world.log.text


async def test_a_bot_that_cannot_say_with_what_it_is_ready_logs_why(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_bot: KirokuBot) -> None:
        raise RuntimeError

    monkeypatch.setattr(KirokuBot, "describe", fail)
    await process._log_ready(world.bot)
    assert "it could not be said with what" in world.log.text
