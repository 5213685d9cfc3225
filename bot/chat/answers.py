"""Answering: a page or an error is sent at once, or into a response that is deferred while the answer is made."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from enum import StrEnum
from functools import partial
from http import HTTPStatus
from typing import Final
from weakref import WeakKeyDictionary

import aiohttp
import discord
from discord import app_commands

from bot.chat.deferral import defer_in_time, end_deferral
from bot.chat.failures import DISCORD_FAILURES, describe_failure
from bot.domain.errors import (
    CannotKeep,
    CannotRead,
    Closing,
    NotShown,
    ServiceDown,
    UnreadableMessage,
    UnreadableReply,
)
from bot.domain.members import Audience
from bot.ui.kit.errors import ExpectedError, error_sentence, fault_sentence, next_step
from bot.ui.kit.look import Page
from bot.ui.kit.pages import private_view
from bot.ui.language.text import Language

_logger = logging.getLogger(__name__)

_ANSWERING: Final = ("CommandTree-invoker", "discord.py: on_")
"""How discord.py names the tasks in which commands, components, forms and events are answered."""
_ANSWER_GRACE_SECONDS: Final = 3.0
"""How long answers under way may take when the bot closes."""
_NOTICE_TIMEOUT_SECONDS: Final = 2.0
"""How long it may take then to tell people whose answers were cancelled."""
_OUTAGES: Final = (ServiceDown, UnreadableReply, CannotKeep, CannotRead, NotShown)
"""Errors about which the host may know more: something is away."""
_waiting: Final = WeakKeyDictionary[asyncio.Task[object], discord.Interaction]()
"""The interaction that each task answers."""

_UNKNOWN_MESSAGE: Final = 10008
_TOO_LARGE: Final = 40005
"""Discord's code for a message with files that are too large."""
_GONE: Final = frozenset({_UNKNOWN_MESSAGE, 10015, 10062, 40060, 50027})
"""Discord's codes for an interaction that is gone: its message was deleted, its 15 minutes are over (10015, 50027), it was
answered too late, or another process that received it answered it."""
_AWAY: Final = (discord.DiscordServerError, aiohttp.ClientError)
"""Errors of Discord, or of the connection to it: the API layer raises none of these."""
_RESERVED: Final = "reserved"
_PRIVATE: Final = "private"
_PUBLIC: Final = "public"


class AnswerOutcome(StrEnum):
    """The outcome of an answer; stored in the extras of its interaction unless it is the first one."""

    ANSWERED = "answered"
    TOLD = "told"
    """A sentence said what went wrong."""
    FAULT = "fault"
    """A fault of ours."""
    UNSHOWN = "unshown"
    """Discord did not accept it."""
    GONE = "gone"
    """Nobody was waiting for it any more."""


def outcome_of(interaction: discord.Interaction) -> AnswerOutcome:
    """Return the outcome of the answer."""
    return interaction.extras.get(AnswerOutcome, AnswerOutcome.ANSWERED)


def note_waiting(interaction: discord.Interaction) -> None:
    """Remember who waits for the current task, to tell them if it cannot finish."""
    task = asyncio.current_task()
    if task is not None:
        _waiting[task] = interaction


def is_anybody_waiting() -> bool:
    """Return whether any answer is in progress."""
    return any(not task.done() for task in _waiting)


async def reserve(interaction: discord.Interaction, *, private: bool = False, at_once: bool = True) -> None:
    """Defer the response: at once, or only if the answer is not ready in a moment.

    Commands that change something defer at once: Discord refuses that to a second delivery of the same interaction.
    """
    note_waiting(interaction)
    defer = partial(interaction.response.defer, ephemeral=private, thinking=True)
    await (defer() if at_once else defer_in_time(interaction, defer))
    interaction.extras[_RESERVED] = _PRIVATE if private else _PUBLIC


async def acknowledge(interaction: discord.Interaction, *, at_once: bool) -> None:
    """Acknowledge a pressed component whose message will be edited: at once, or only if that is not ready in a moment."""
    defer = interaction.response.defer
    await (defer() if at_once else defer_in_time(interaction, defer))


def is_private(interaction: discord.Interaction) -> bool:
    """Return whether only the asker sees the answer: the response itself, or the message with the pressed button."""
    reserved = interaction.extras.get(_RESERVED)
    if reserved is not None:
        return reserved == _PRIVATE
    return interaction.message is not None and interaction.message.flags.ephemeral


async def show(interaction: discord.Interaction, page: Page) -> None:
    """Answer with a page, in the response, or in the message whose component was pressed.

    A page that is not for everyone is sent to the asker in private if the response is public; so is a page whose public
    response somebody has deleted. If Discord refuses the picture, the page is sent without it.
    """
    try:
        await _show(interaction, page)
    except discord.HTTPException as error:
        if page.picture is None or not is_upload_refused(error):
            raise
        _logger.warning("Discord did not accept a picture: %s", describe_failure(error))
        await _show(interaction, without_picture(page))


def is_upload_refused(error: discord.HTTPException) -> bool:
    """Return whether Discord refused a file of the message."""
    return error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or error.code == _TOO_LARGE


def without_picture(page: Page) -> Page:
    """Return the version of a page without its picture, whose embed says everything."""
    return replace(page, picture=None)


async def _show(interaction: discord.Interaction, page: Page) -> None:
    # Uploading a file may take longer than the three seconds that Discord waits for the first response.
    is_first = not await end_deferral(interaction, send=bool(page.picture or page.documents))
    alone = is_private(interaction)
    if is_first:
        await _answer_first(interaction, page, alone=alone)
        return
    if page.audience is not Audience.ANYONE and not alone:
        await _show_aside(interaction, page)
        return
    try:
        await _fill(interaction, page, private_view(page) if alone else page.view)
    except discord.NotFound as error:
        if error.code != _UNKNOWN_MESSAGE or interaction.extras.get(_RESERVED) != _PUBLIC:
            raise
        await _show_aside(interaction, page)
    interaction.extras.pop(_RESERVED, None)


async def _answer_first(interaction: discord.Interaction, page: Page, *, alone: bool) -> None:
    """Send a page without files as the first response."""
    is_aside = page.audience is not Audience.ANYONE and not alone
    view = private_view(page) if alone or is_aside else page.view
    if _RESERVED in interaction.extras or is_aside:
        await interaction.response.send_message(
            embeds=embeds_of(page), view=view or discord.utils.MISSING, ephemeral=alone or is_aside
        )
    else:
        await interaction.response.edit_message(embeds=embeds_of(page), view=view, attachments=[])
    interaction.extras.pop(_RESERVED, None)


async def _fill(interaction: discord.Interaction, page: Page, view: discord.ui.View | None) -> None:
    files = files_of(page)
    await interaction.edit_original_response(embeds=embeds_of(page), view=view, attachments=files)


async def _show_aside(interaction: discord.Interaction, page: Page) -> None:
    """Show a page to the asker in private, in place of the public answer."""
    files = files_of(page)
    await _give_up_public_place(interaction)
    await interaction.followup.send(
        embeds=embeds_of(page), view=private_view(page) or discord.utils.MISSING, files=files, ephemeral=True
    )


def files_of(page: Page) -> list[discord.File]:
    """Return the files of a page, its picture first: Discord shows attachments larger than embeds."""
    return [each.to_file() for each in (page.picture, *page.documents) if each is not None]


def embeds_of(page: Page) -> list[discord.Embed]:
    """Return the embeds of a page, those beside its picture if it has one."""
    return [page.embed] if page.picture is None or page.beside is None else [*page.beside]


async def show_error(
    interaction: discord.Interaction, t: Language, error: Exception, *, notice: str = ""
) -> None:
    """Tell the person what went wrong, in private; log only what is our fault.

    An error that the person cannot correct has the host's notice below it.
    """
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    interaction.extras[AnswerOutcome] = _outcome_of(cause)
    if _went_away(cause):
        _logger.info("an interaction went away before it was answered")
        return
    if isinstance(cause, _AWAY):
        _logger.warning("Discord did not accept an answer: %s", describe_failure(cause))
        cause = NotShown()
    sentence = _sentence(t, cause)
    if notice and (not isinstance(cause, ExpectedError) or isinstance(cause, _OUTAGES)):
        sentence = f"{sentence}\n-# ⚠️ {notice}"
    try:
        await _tell(interaction, sentence, next_step(t, cause))
    except DISCORD_FAILURES as failure:
        if _went_away(failure):
            _logger.info("an interaction went away before a person was told what went wrong")
        else:
            _logger.warning("could not tell a person what went wrong: %s", describe_failure(failure))


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Return whether discord.py may log failed suggestions: those that nobody waits for any more are no fault.

    discord.py answers suggestions itself, and only logs their errors.
    """
    failure = record.exc_info[1] if record.exc_info else None
    if isinstance(failure, Exception) and _went_away(failure):
        _logger.debug("suggestions came when nobody waited for them any more")
        return False
    if isinstance(failure, _AWAY):
        _logger.warning("Discord did not accept suggestions: %s", describe_failure(failure))
        return False
    return True


async def reply(message: discord.Message, t: Language, page: Awaitable[Page]) -> AnswerOutcome:
    """Reply to a message with a page's embed and view, or with an error; return the outcome.

    The reply is sent once, even if several processes receive the message.
    """
    # The nonce lets Discord recognise a reply by another process that was killed since.
    say = partial(message.reply, mention_author=False, nonce=str(message.id))
    try:
        try:
            made = await page
        except Exception as error:  # noqa: BLE001 - as the tree's handler: a mention is a command too
            await say(_sentence(t, error))
            return _outcome_of(error)
        except asyncio.CancelledError:
            await say(_sentence(t, Closing()))
            raise
        if made.view is None:
            await say(embed=made.embed)
        else:
            await say(embed=made.embed, view=made.view)
    except UnreadableMessage:
        _logger.warning("a mention is answered, and Discord's reply to that could not be read")
    except DISCORD_FAILURES as failure:
        _logger.info("a mention could not be answered: %s", describe_failure(failure))
        return AnswerOutcome.GONE if isinstance(failure, discord.HTTPException) else AnswerOutcome.UNSHOWN
    return AnswerOutcome.ANSWERED


async def finish_answers(tell: Callable[[discord.Interaction, Exception], Awaitable[None]]) -> None:
    """Give answers in progress a moment to finish, then cancel them and `tell` the people who wait.

    No answer may outlive the resources that it uses.
    """
    # discord.py keeps no list of the tasks that it starts for commands, components, forms and events.
    answers = [
        task
        for task in asyncio.all_tasks()
        if task is not asyncio.current_task() and task.get_name().startswith(_ANSWERING)
    ]
    if not answers:
        return
    _, late = await asyncio.wait(answers, timeout=_ANSWER_GRACE_SECONDS)
    for task in late:
        task.cancel()
    untold = [_waiting[task] for task in late if task in _waiting]
    try:
        async with asyncio.timeout(_NOTICE_TIMEOUT_SECONDS):
            await asyncio.gather(*late, return_exceptions=True)
            await asyncio.gather(*(tell(interaction, Closing()) for interaction in untold))
    except TimeoutError:
        _logger.warning("the bot closed before everybody who waited was told")


async def _tell(interaction: discord.Interaction, sentence: str, view: discord.ui.View | None) -> None:
    pressed = view or discord.utils.MISSING
    try:
        is_done = await end_deferral(interaction)
    except _AWAY:  # the deferral failed: the error may get through
        is_done = False
    if not is_done:
        await interaction.response.send_message(sentence, view=pressed, ephemeral=True)
    elif interaction.extras.get(_RESERVED) == _PRIVATE:
        await interaction.edit_original_response(content=sentence, view=pressed)
    else:
        await _give_up_public_place(interaction)
        await interaction.followup.send(sentence, view=pressed, ephemeral=True)


async def _give_up_public_place(interaction: discord.Interaction) -> None:
    """Delete the public deferred response of a command: the first follow-up would fill it."""
    if interaction.extras.get(_RESERVED) != _PUBLIC:
        return
    try:
        await interaction.delete_original_response()
    except discord.NotFound as error:
        if error.code != _UNKNOWN_MESSAGE:
            raise
    # Only now: if it could not be deleted, nothing may be sent that would fill it.
    del interaction.extras[_RESERVED]


def _outcome_of(error: Exception) -> AnswerOutcome:
    if _went_away(error):
        return AnswerOutcome.GONE
    if isinstance(error, (*_AWAY, NotShown)):
        return AnswerOutcome.UNSHOWN
    return AnswerOutcome.TOLD if isinstance(error, ExpectedError) else AnswerOutcome.FAULT


def _went_away(error: Exception) -> bool:
    return isinstance(error, discord.HTTPException) and error.code in _GONE


def _sentence(t: Language, error: Exception) -> str:
    if isinstance(error, ExpectedError):
        return error_sentence(t, error)
    reference = secrets.token_hex(4)
    _logger.error("fault %s", reference, exc_info=error)
    return fault_sentence(t, reference)
