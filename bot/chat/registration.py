"""The bot's commands, as Discord has them: told of anew only where they have changed."""

import hashlib
import json
from contextlib import suppress
from typing import Any

from discord.app_commands import AppCommand, CommandTree

from bot.cluster.leases import State
from bot.domain.errors import CannotKeep, CannotRead
from bot.store import ClusterMember
from bot.ui.language.text import CommandTranslator


async def register(tree: CommandTree[Any], member: ClusterMember | None) -> list[AppCommand]:
    """Return the commands as Discord has them, those of this version from now on.

    One process at a time sees to it, and leaves word for the next. Raises: discord.HTTPException.
    """
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
