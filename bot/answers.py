"""Answering: the place is reserved before any I/O, then filled with a page, or with what went wrong."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable
from typing import Final

import discord
from discord import app_commands

from bot.ui.errors import Told, error_sentence, fault_sentence
from bot.ui.look import Page
from bot.ui.text import Language

_log = logging.getLogger(__name__)

_ANSWERING: Final = ("CommandTree-invoker", "discord-ui-", "discord.py: on_")
"""How discord.py names the tasks in which commands, components, forms and events are answered."""
_LAST_SECONDS: Final = 1.0
"""How long answers under way may take when the bot closes."""

_UNKNOWN_INTERACTION: Final = 10062
"""Discord's code for an interaction that was answered too late, or twice."""

_RESERVED: Final = "reserved"
_PRIVATE: Final = "private"
_PUBLIC: Final = "public"


async def reserve(interaction: discord.Interaction, *, private: bool = False) -> None:
    """Take the place of the answer before any I/O: Discord gives three seconds for it."""
    await interaction.response.defer(ephemeral=private, thinking=True)
    interaction.extras[_RESERVED] = _PRIVATE if private else _PUBLIC


async def show(interaction: discord.Interaction, page: Page) -> None:
    """Fill the place that was reserved, or the message whose component was pressed."""
    shown = interaction.message.attachments if interaction.message and page.keeps_picture else []
    files: list[discord.Attachment | discord.File] = [*shown]
    if page.picture is not None:
        files = [page.picture.to_file()]
    if files:
        page.embed.set_image(url=f"attachment://{files[0].filename}")
    files += [document.to_file() for document in page.documents]
    await interaction.edit_original_response(embed=page.embed, view=page.view, attachments=files)
    interaction.extras.pop(_RESERVED, None)


async def show_error(interaction: discord.Interaction, t: Language, error: Exception) -> None:
    """Tell the person what went wrong, in private; log only what is our fault."""
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    if isinstance(cause, discord.NotFound) and cause.code == _UNKNOWN_INTERACTION:
        _log.info("an interaction went away before it was answered")
        return
    sentence = _sentence(t, cause)
    try:
        await _tell(interaction, sentence)
    except discord.HTTPException as failure:
        _log.warning("could not tell a person what went wrong: status %s", failure.status)


async def reply(message: discord.Message, t: Language, page: Awaitable[Page]) -> None:
    """Reply to a message with a page's embed and view, or with what went wrong."""
    try:
        try:
            made = await page
        except Exception as error:  # noqa: BLE001 - as the tree's handler: a mention is a command too
            await message.reply(_sentence(t, error), mention_author=False)
            return
        if made.view is None:
            await message.reply(embed=made.embed, mention_author=False)
        else:
            await message.reply(embed=made.embed, view=made.view, mention_author=False)
    except discord.HTTPException as failure:
        _log.info("a mention could not be answered: status %s", failure.status)


async def finish_answers() -> None:
    """Let what is being answered finish for a moment, then end it: nothing may outlive what it stands on."""
    # discord.py keeps no list of the tasks that it starts for commands, components, forms and events.
    answers = [
        task
        for task in asyncio.all_tasks()
        if task is not asyncio.current_task() and task.get_name().startswith(_ANSWERING)
    ]
    if answers:
        _, late = await asyncio.wait(answers, timeout=_LAST_SECONDS)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)


async def _tell(interaction: discord.Interaction, sentence: str) -> None:
    if not interaction.response.is_done():
        await interaction.response.send_message(sentence, ephemeral=True)
    elif interaction.extras.get(_RESERVED) == _PRIVATE:
        await interaction.edit_original_response(content=sentence)
    else:
        if interaction.extras.get(_RESERVED) == _PUBLIC:
            # The first follow-up would take the public place that the command reserved.
            await interaction.delete_original_response()
        await interaction.followup.send(sentence, ephemeral=True)


def _sentence(t: Language, error: Exception) -> str:
    if isinstance(error, Told):
        return error_sentence(t, error)
    reference = secrets.token_hex(4)
    _log.error("fault %s", reference, exc_info=error)
    return fault_sentence(t, reference)
