"""Who asks, where, and whom about."""

from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.domain.ids import GuildId, MemberId, UserName
from bot.features.askers import MembershipUnknown, Subject, TwoSubjects
from bot.ui.pages import read

_IDS: Final = 2**63
"""One more than the largest id that Discord gives and a database takes."""
_NOBODY: Final = (10007, 10013)
"""Discord's codes for one who is no member of the server, or whose account is gone."""


def viewer_of(interaction: discord.Interaction) -> MemberId:
    """Return who asks."""
    return MemberId(interaction.user.id)


def guild_of(interaction: discord.Interaction) -> GuildId | None:
    """Return the server where the command was used; None in a direct message."""
    return None if interaction.guild_id is None else GuildId(interaction.guild_id)


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


def subject_text(subject: Subject) -> str:
    """Return a subject as a component's id carries it: "m123", "d123", "uAlice", or nothing for the asker."""
    if subject.member is not None:
        # Someone asked for in a server stays looked up as a member of it: the message lives there.
        return f"{'m' if subject.shares_server else 'd'}{subject.member}"
    # A colon ends what stands in an id; no name of the service holds one, so nobody is taken for another.
    return f"u{subject.player.replace(':', '?')}" if subject.player else ""


def read_subject(interaction: discord.Interaction, text: str) -> Subject:
    """Return whom the id of the component that was pressed is about. Raises: TooOld."""
    kind, rest = text[:1], text[1:]
    if kind == "u":
        return Subject(player=UserName(rest))
    if kind in ("m", "d"):
        member, guild = read(_member_id, rest), interaction.guild
        if guild is None or kind == "d":
            return Subject(member=member)
        # Discord names a member when a command is used; whoever presses a button later may find them gone.
        is_new = interaction.type is discord.InteractionType.application_command
        return Subject(
            member=member,
            shares_server=True,
            is_still_here=None if is_new else partial(is_member, guild, member),
        )
    return Subject()


def _member_id(text: str) -> MemberId:
    number = int(text)
    if not 0 < number < _IDS:
        raise ValueError(text)
    return MemberId(number)


async def is_member(guild: discord.Guild, member: MemberId) -> bool:
    """Return whether somebody is in a server, by asking Discord: a list of members would be privileged.

    Raises: MembershipUnknown.
    """
    try:
        await guild.fetch_member(member)
    except discord.NotFound as error:
        if error.code not in _NOBODY:
            raise MembershipUnknown from error
        return False
    except (discord.HTTPException, OSError) as error:
        raise MembershipUnknown from error
    return True
