"""What tells the commands of one version from those of another; that they are sent once is held by `test_rig.py`."""

import asyncio
import shutil
from pathlib import Path

import discord
from discord import app_commands

from bot.chat.registration import _digest
from bot.ui.language import text
from bot.ui.language.text import CommandTranslator, Languages


async def digest(description: str = "Show", languages: Languages | None = None) -> str:
    client = discord.Client(intents=discord.Intents.none())
    tree = app_commands.CommandTree(client)
    if languages is not None:
        await tree.set_translator(CommandTranslator(languages))

    @tree.command(name="best", description=description)
    async def best(_interaction: discord.Interaction) -> None:
        raise NotImplementedError

    return _digest(tree)


async def test_a_command_that_changes_makes_another() -> None:
    assert await digest() == await digest()
    assert await digest() != await digest("Show it")


def test_so_does_a_translation(tmp_path: Path) -> None:
    locales = Path(shutil.copytree(text._LOCALES, tmp_path / "locales"))
    languages = Languages(locales)
    before = asyncio.run(digest(languages=languages))
    assert before == asyncio.run(digest(languages=Languages()))
    (file,) = locales.glob("ja/LC_MESSAGES/*.po")
    file.write_text(file.read_text(encoding="utf-8") + "\n# another word\n", encoding="utf-8")
    assert before != asyncio.run(digest(languages=languages))
