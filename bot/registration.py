"""The bot's commands, as Discord has them: told of anew only where they have changed."""

import hashlib
import json
from contextlib import suppress
from typing import Any

from discord.app_commands import AppCommand, CommandTree

from bot.domain.errors import CannotKeep, CannotRead
from bot.store import Presence
from bot.store.leases import State


async def register(tree: CommandTree[Any], presence: Presence | None) -> list[AppCommand]:
    """Return the commands as Discord has them, those of this version from now on.

    One process at a time sees to it, and leaves word for the next. Raises: discord.HTTPException.
    """
    if presence is None:
        return await tree.sync()
    try:
        lease = await presence.wait_for(
            f"commands of {tree.client.application_id}", why="another process registers the commands"
        )
    except (CannotKeep, CannotRead):
        return await tree.sync()
    left: State = lease.state
    try:
        digest = await _digest(tree)
        if left.get("digest") == digest:
            found = await tree.fetch_commands()
            if {each.name for each in found} == {each.name for each in tree.get_commands()}:
                return found
        found = await tree.sync()
        left = {"digest": digest}
        return found
    finally:
        with suppress(CannotKeep):  # then the next one registers them anew
            await presence.give(lease, left)


async def _digest(tree: CommandTree[Any]) -> str:
    """Return what tells the commands of one version, in all languages, from those of another."""
    translator = tree.translator
    said = [
        each.to_dict(tree) if translator is None else await each.get_translated_payload(tree, translator)
        for each in tree.get_commands()
    ]
    return hashlib.blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=16).hexdigest()
