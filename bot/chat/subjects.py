"""Who asks, where, and whom about."""

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
"""What the bot must be allowed to do where it posts."""
_MEMBER_ID: Final = re.compile(r"(?<![&#:0-9])[0-9]{15,19}(?![0-9])")
"""It stands in a mention of a member, or alone as Discord lets one copy it; not in one of a role, channel or emoji."""
_NOBODY: Final = (10007, 10013)
"""Discord's codes for one who is no member of the server, or whose account is gone."""
_OUTSIDE: Final = (10004, 50001)
"""Discord's codes for a server that is none, or that the bot has no access to."""


def viewer_of(interaction: discord.Interaction) -> MemberId:
    """Return who asks."""
    return MemberId(interaction.user.id)


def guild_of(interaction: discord.Interaction) -> GuildId | None:
    """Return the server where the command was used; None in a direct message."""
    return None if interaction.guild_id is None else GuildId(interaction.guild_id)


def place_of(interaction: discord.Interaction) -> ChannelId | None:
    """Return where the command was used, where that is a text channel of a server."""
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
    """Return whom a command is about. Raises: TwoSubjects where both are given."""
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
    """Return who has said a message, or asked a bot for it; None for whoever looks at it, and where it is a bot's own.

    Discord does not say whether they are in the server still.
    """
    asked = message.interaction_metadata
    author = message.author if asked is None else asked.user
    if author.bot or author.id == interaction.user.id:
        return None
    is_here = interaction.guild_id is not None
    return asked_anew(interaction, Subject(member=MemberId(author.id), shares_server=is_here))


def text_of(message: discord.Message) -> str:
    """Return what stands in a message, also in its embeds, as it reads."""
    embeds = (part for embed in message.embeds for part in (embed.title, embed.description) if part)
    return unescape("\n".join([message.content, *embeds]))


def mentioned_in(text: str) -> tuple[MemberId, ...]:
    """Return the members whom a text mentions, each once, in its order."""
    return tuple(dict.fromkeys(MemberId(int(number)) for number in _MEMBER_ID.findall(text)))


def asked_anew(interaction: discord.Interaction, subject: Subject) -> Subject:
    """Return whom the component that was pressed is about, as one whose membership Discord is asked for.

    Discord names a member when a command is used; whoever presses a button later may find them gone.
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
    """Return what the bot may do in a channel, by asking Discord; nothing where there is none such.

    Raises: discord.HTTPException.
    """
    asked = await bot.fetch_guild(guild, with_counts=False)
    me = cast("discord.ClientUser", bot.user)
    channels, member = await asyncio.gather(asked.fetch_channels(), asked.fetch_member(me.id))
    found = (each.permissions_for(member) for each in channels if each.id == channel)
    return next(found, discord.Permissions.none())


async def check_can_post(interaction: discord.Interaction, channel: ChannelId) -> None:
    """Raise BotMissingPermissions where a post could not be sent."""
    allowed = await fetch_permissions(interaction.client, get_guild(interaction), channel)
    if missing := [name for name in _POSTING if not getattr(allowed, name)]:
        raise app_commands.BotMissingPermissions(missing)


def check_manages(interaction: discord.Interaction) -> None:
    """Raise MissingPermissions for those who do not manage the server: it may be no more so than when they were asked."""
    if not interaction.permissions.manage_guild:
        raise app_commands.MissingPermissions(["manage_guild"])


async def is_outside(bot: discord.Client, guild: GuildId) -> bool:
    """Return whether Discord says that the bot is not in a server; False where it says nothing."""
    try:
        await bot.fetch_guild(guild, with_counts=False)
    except discord.HTTPException as error:
        return error.code in _OUTSIDE
    except (aiohttp.ClientError, OSError):
        return False
    return False


def for_others(interaction: discord.Interaction, address: PictureAddress) -> PictureAddress:
    """Return an address by which others than its asker see the same."""
    if isinstance(address, SubjectAddress) and address.subject == Subject():
        shares_server = interaction.guild_id is not None
        return replace(address, subject=Subject(member=address.asker, shares_server=shares_server))
    return address
