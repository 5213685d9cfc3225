"""The bot's commands, as Discord has them: told of anew only where they have changed."""

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
    """Return the commands as Discord has them, those of this version from now on.

    One process at a time registers them, and leaves their digest for the next. Raises: CannotStart.
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
        with suppress(CannotKeep):  # then the next one registers them anew
            await member.release(lease, left)


def _digest(tree: CommandTree[Any]) -> str:
    """Return what tells the commands of one version, in all languages, from those of another.

    To translate them takes longer than all else: the catalogues stand beside them untranslated.
    """
    said = json.dumps([each.to_dict(tree) for each in tree.get_commands()], sort_keys=True).encode()
    translator = tree.translator
    texts = translator.digest if isinstance(translator, CommandTranslator) else b""
    return hashlib.blake2b(said + texts, digest_size=16).hexdigest()


def _refusal_sentence(error: discord.HTTPException) -> str:
    """Return what whoever hosts the bot is told where Discord does not take its commands."""
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
    """Return the names of all cogs: the modules of their package, which nothing here imports."""
    return [each.name for each in iter_modules(import_module("cogs").__path__, "cogs.")]


def find_cogs() -> Iterator[type[commands.Cog]]:
    """Find the cogs, one in each of these modules."""
    for name in cog_names():
        for each in vars(import_module(name)).values():
            if isinstance(each, type) and issubclass(each, commands.Cog) and each.__module__ == name:
                yield each
