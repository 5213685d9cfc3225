"""SIGHUP: the operator's aliases and the translations are read anew, and what is broken leaves those from before."""

import json
import signal
from pathlib import Path

import pytest
from rigged import running_rig, started
from world import World


async def title(world: World, alias: str) -> str:
    shown = await world.discord.person("Alice" + alias).slash(world.discord.channel, "song", title=alias)
    return str(shown.post.embeds[0].title) if shown.post.embeds else shown.everything


async def test_aliases_are_read_anew_in_the_catalogue_at_hand(world: World, tmp_path: Path) -> None:
    file = tmp_path / "aliases.txt"
    file.write_text("qqzzq = AETHER\n", encoding="utf-8")
    world.settings = world.settings.model_copy(update={"alias_file": file})
    await world.start_bot()
    assert await title(world, "qqzzq") == "AETHER"
    file.write_text("wwxxw = AETHER\n", encoding="utf-8")
    assert "Nothing was found" in await title(world, "wwxxw")
    await world.bot.reload()
    assert await title(world, "wwxxw") == "AETHER"
    assert "Nothing was found" in await title(world, "qqzzq")


async def test_a_broken_file_of_aliases_leaves_those_from_before(world: World, tmp_path: Path) -> None:
    file = tmp_path / "aliases.txt"
    file.write_text("qqzzq = AETHER\n", encoding="utf-8")
    world.settings = world.settings.model_copy(update={"alias_file": file})
    await world.start_bot()
    file.write_bytes(b"\xff\xfe")
    await world.bot.reload()
    assert "the aliases stay as they were: The file" in world.log.text
    assert await title(world, "qqzzq") == "AETHER"


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
        await until("2 aliases are read anew")
        assert any(line.startswith("translations into 1 languages are read anew") for line in said)
        assert bot.returncode is None
