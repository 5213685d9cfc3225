"""Registers the bot's commands with Discord, only if they have changed."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import discord
from discord.app_commands import AppCommand, CommandSyncFailure, CommandTree
from discord.ext import commands

from bot.base.config import CannotStart
from bot.cluster.leases import State
from bot.domain.errors import CannotKeep, CannotRead
from bot.store import ClusterMember
from bot.ui.language.text import CommandTranslator


async def register(tree: CommandTree[Any], member: ClusterMember | None) -> list[AppCommand]:
    """Register this version's commands if they have changed, and return them as Discord has them.

    One process at a time registers them, and stores their digest for the next. Raises: CannotStart.
    """
    try:
        return await _register(tree, member)
    except discord.HTTPException as error:
        raise CannotStart(_refusal_sentence(error)) from error


async def _register(tree: CommandTree[Any], member: ClusterMember | None) -> list[AppCommand]:
    if member is None:
        return await tree.sync()
    try:
        lease = await member.wait_to_acquire(
            f"commands of {tree.client.application_id}", why="another process registers the commands"
        )
    except (CannotKeep, CannotRead):
        return await tree.sync()
    left: State = lease.state
    try:
        digest = _digest(tree)
        if left.get("digest") == digest:
            found = await tree.fetch_commands()
            if {each.name for each in found} == {each.name for each in tree.get_commands()}:
                return found
        found = await tree.sync()
        left = {"digest": digest}
        return found
    finally:
        with suppress(CannotKeep):  # then the next process registers them again
            await member.release(lease, left)


def _digest(tree: CommandTree[Any]) -> str:
    """Return a digest of the commands in all languages.

    Translating them would take longest: the digest covers the untranslated commands and the catalogues instead.
    """
    said = json.dumps([each.to_dict(tree) for each in tree.get_commands()], sort_keys=True).encode()
    translator = tree.translator
    texts = translator.digest if isinstance(translator, CommandTranslator) else b""
    return hashlib.blake2b(said + texts, digest_size=16).hexdigest()


def _refusal_sentence(error: discord.HTTPException) -> str:
    """Return the sentence for the host when Discord refuses the commands."""
    answer = f"status {error.status}, code {error.code}"
    if isinstance(error, CommandSyncFailure):
        details = "; ".join(line.strip() for line in str(error).splitlines()[1:])
        return f"Discord does not accept a command of this version ({answer}): report this. {details}".strip()
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return f"Discord has trouble of its own and did not take the commands ({answer}). Try again in a few minutes."
    if error.status == HTTPStatus.TOO_MANY_REQUESTS:
        return f"Discord takes no more changes of commands for now ({answer}). Try again tomorrow."
    return (
        f"Discord does not let this bot register its commands ({answer}). "
        "Check in the developer portal that DISCORD_TOKEN is that of this bot, and that it is not disabled."
    )


def cog_names() -> list[str]:
    """Return the names of all cogs: the modules of their package, without importing them."""
    return [each.name for each in iter_modules(import_module("cogs").__path__, "cogs.")]


def find_cogs() -> Iterator[type[commands.Cog]]:
    """Find the cogs, one in each of these modules."""
    for name in cog_names():
        for each in vars(import_module(name)).values():
            if isinstance(each, type) and issubclass(each, commands.Cog) and each.__module__ == name:
                yield each
