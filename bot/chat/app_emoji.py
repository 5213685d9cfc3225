"""The bot's icons as application emoji, drawn and uploaded only if they are missing."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import discord

from bot.chat.failures import DISCORD_FAILURES, describe_failure
from bot.domain.errors import CannotKeep, CannotRead
from bot.store import ClusterMember
from bot.ui.kit.icon_shapes import draw_icon
from bot.ui.kit.icons import ICONS, emoji_names, is_icon
from bot.ui.kit.renderer import PictureRenderer

_logger = logging.getLogger(__name__)


async def keep_icons(
    client: discord.Client, member: ClusterMember | None, renderer: PictureRenderer, shown: dict[str, str]
) -> None:
    """Put the icons that Discord has into `shown`, and upload missing ones, once.

    One process at a time does this, and deletes icons of other versions. Icons that are still missing stay so until the
    next start: words are shown instead.
    """
    try:
        if _is_settled(await _see(client, shown)):
            return
        async with _alone(client, member):
            found = await _see(client, shown)  # another process may have uploaded them
            await _upload(client, renderer, shown)
            if len(shown) == len(ICONS):
                await _tidy(found)
    except DISCORD_FAILURES as error:
        reason = describe_failure(error)
        _logger.warning("Discord did not accept all icons (%s): words replace the missing ones", reason)


async def _see(client: discord.Client, shown: dict[str, str]) -> list[discord.Emoji]:
    found = await client.fetch_application_emojis()
    wanted = emoji_names()
    shown.update((wanted[each.name].name, str(each)) for each in found if each.name in wanted)
    return found


def _is_settled(found: list[discord.Emoji]) -> bool:
    """Return whether Discord has all icons of this version, and none of another."""
    return {each.name for each in found if is_icon(each.name)} == set(emoji_names())


async def _upload(client: discord.Client, renderer: PictureRenderer, shown: dict[str, str]) -> None:
    missing = {name: icon for name, icon in emoji_names().items() if icon.name not in shown}
    for name, icon in missing.items():
        png = await renderer.draw(draw_icon, icon)
        if png is not None:
            shown[icon.name] = str(await client.create_application_emoji(name=name, image=png))
    if missing:
        _logger.info("uploaded %d icons", len(missing))


async def _tidy(found: list[discord.Emoji]) -> None:
    """Delete the icons of other versions."""
    for each in found:
        if is_icon(each.name) and each.name not in emoji_names():
            await each.delete()


@asynccontextmanager
async def _alone(client: discord.Client, member: ClusterMember | None) -> AsyncGenerator[None]:
    """Wait until no other process manages the icons; if a lease cannot be taken, go on without one."""
    lease = None
    if member is not None:
        with suppress(CannotKeep, CannotRead):
            lease = await member.wait_to_acquire(
                f"icons of {client.application_id}", why="another process uploads the icons"
            )
    try:
        yield
    finally:
        if member is not None and lease is not None:
            with suppress(CannotKeep):
                await member.release(lease, {})
