"""Who asks, where, and about whom."""

import asyncio
import re
from dataclasses import replace
from functools import partial
from typing import Final, cast

import aiohttp
import discord
from discord import app_commands

from bot.domain.ids import ChannelId, GuildId, MemberId, UserName
from bot.features.shared.subjects import MembershipHidden, MembershipUnknown, Subject, TwoSubjects
from bot.ui.kit.address import PictureAddress, SubjectAddress
from bot.ui.kit.markdown import unescape

_POSTING: Final = ("view_channel", "send_messages", "embed_links")
"""The permissions that the bot needs to post."""
_MEMBER_ID: Final = re.compile(r"(?<![&#:0-9])[0-9]{15,19}(?![0-9])")
"""A member's id in a mention, or alone as copied from Discord; not that of a role, channel or emoji."""
_NOBODY: Final = (10007, 10013)
"""Discord's codes for somebody who is not a member of the server, or whose account is gone."""
_OUTSIDE: Final = (10004, 50001)
"""Discord's codes for an unknown server, or one that the bot has no access to."""


def viewer_of(interaction: discord.Interaction) -> MemberId:
    """Return who asks."""
    return MemberId(interaction.user.id)


def guild_of(interaction: discord.Interaction) -> GuildId | None:
    """Return the server where the command was used; None in a direct message."""
    return None if interaction.guild_id is None else GuildId(interaction.guild_id)


def place_of(interaction: discord.Interaction) -> ChannelId | None:
    """Return the text channel of a server in which the command was used; None elsewhere."""
    is_text = isinstance(interaction.channel, discord.TextChannel)
    return ChannelId(interaction.channel_id or 0) if is_text else None


def get_guild(interaction: discord.Interaction) -> GuildId:
    """Return the server where the command was used. Raises: NoPrivateMessage."""
    guild = guild_of(interaction)
    if guild is None:
        raise app_commands.NoPrivateMessage
    return guild


def subject_of(
    interaction: discord.Interaction, member: discord.Member | discord.User | None, player: str | None
) -> Subject:
    """Return whom a command is about. Raises: TwoSubjects if both are given."""
    name = player.strip() if player else ""
    if name and member is not None:
        raise TwoSubjects
    if name:
        return Subject(player=UserName(name))
    if member is None:
        return Subject()
    shares_server = interaction.guild_id is not None and isinstance(member, discord.Member)
    return Subject(member=MemberId(member.id), shares_server=shares_server)


def author_of(interaction: discord.Interaction, message: discord.Message) -> Subject | None:
    """Return the author of a message, or who asked a bot for it; None for the viewer, or a bot's own message.

    Discord does not say whether they are still in the server.
    """
    asked = message.interaction_metadata
    author = message.author if asked is None else asked.user
    if author.bot or author.id == interaction.user.id:
        return None
    is_here = interaction.guild_id is not None
    return asked_anew(interaction, Subject(member=MemberId(author.id), shares_server=is_here))


def text_of(message: discord.Message) -> str:
    """Return the text of a message and its embeds, in reading order."""
    embeds = (part for embed in message.embeds for part in (embed.title, embed.description) if part)
    return unescape("\n".join([message.content, *embeds]))


def mentioned_in(text: str) -> tuple[MemberId, ...]:
    """Return the members mentioned in a text, each once, in order."""
    return tuple(dict.fromkeys(MemberId(int(number)) for number in _MEMBER_ID.findall(text)))


def asked_anew(interaction: discord.Interaction, subject: Subject) -> Subject:
    """Return the subject of a pressed component, marked so that their membership is checked with Discord.

    A command's member is confirmed by Discord; by the time a button is pressed they may have left.
    """
    member, guild = subject.member, interaction.guild
    if member is None or not subject.shares_server:
        return subject
    if guild is None:
        return replace(subject, shares_server=False)
    return replace(subject, is_still_here=partial(is_member, guild, member))


async def is_member(guild: discord.Guild, member: MemberId) -> bool:
    """Return whether somebody is in a server, by asking Discord: a list of members would be privileged.

    Raises: MembershipUnknown.
    """
    try:
        await guild.fetch_member(member)
    except discord.HTTPException as error:
        if error.code in _NOBODY:
            return False
        raise (MembershipHidden if error.code in _OUTSIDE else MembershipUnknown) from error
    except (aiohttp.ClientError, OSError) as error:
        raise MembershipUnknown from error
    return True


async def fetch_permissions(bot: discord.Client, guild: GuildId, channel: ChannelId) -> discord.Permissions:
    """Return the bot's permissions in a channel, by asking Discord; none if the channel does not exist.

    Raises: discord.HTTPException.
    """
    asked = await bot.fetch_guild(guild, with_counts=False)
    me = cast("discord.ClientUser", bot.user)
    channels, member = await asyncio.gather(asked.fetch_channels(), asked.fetch_member(me.id))
    found = (each.permissions_for(member) for each in channels if each.id == channel)
    return next(found, discord.Permissions.none())


async def check_can_post(interaction: discord.Interaction, channel: ChannelId) -> None:
    """Raise BotMissingPermissions if a post could not be sent."""
    allowed = await fetch_permissions(interaction.client, get_guild(interaction), channel)
    if missing := [name for name in _POSTING if not getattr(allowed, name)]:
        raise app_commands.BotMissingPermissions(missing)


def check_manages(interaction: discord.Interaction) -> None:
    """Raise MissingPermissions for people who do not manage the server: that may have changed since they were asked."""
    if not interaction.permissions.manage_guild:
        raise app_commands.MissingPermissions(["manage_guild"])


async def is_outside(bot: discord.Client, guild: GuildId) -> bool:
    """Return whether Discord says that the bot is not in a server; False if it does not answer."""
    try:
        await bot.fetch_guild(guild, with_counts=False)
    except discord.HTTPException as error:
        return error.code in _OUTSIDE
    except (aiohttp.ClientError, OSError):
        return False
    return False


def for_others(interaction: discord.Interaction, address: PictureAddress) -> PictureAddress:
    """Return the address at which others than the asker see the same picture."""
    if isinstance(address, SubjectAddress) and address.subject == Subject():
        shares_server = interaction.guild_id is not None
        return replace(address, subject=Subject(member=address.asker, shares_server=shares_server))
    return address
