"""Who asks, where, and whom about."""

import discord
from discord import app_commands

from bot.domain.ids import GuildId, MemberId, UserName
from bot.features.askers import Subject, TwoSubjects


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
    """Return whom the id of the component that was pressed is about."""
    kind, rest = text[:1], text[1:]
    if kind == "u":
        return Subject(player=UserName(rest))
    if kind in ("m", "d"):
        shares_server = interaction.guild_id is not None and kind == "m"
        return Subject(member=MemberId(int(rest)), shares_server=shares_server)
    return Subject()
