"""Identifiers that must not be mixed up."""

from typing import NewType

SongId = NewType("SongId", str)
"""16 lowercase hexadecimal characters; stays a string, because some look like numbers."""

UserId = NewType("UserId", int)
"""Internal id of an account of the record service."""

UserName = NewType("UserName", str)
"""Name of an account as the record service's web site shows it."""

Region = NewType("Region", str)
"""A generation of the game; the list is open. Source: specification, common parameters."""

JP = Region("jp")
JP2 = Region("jp2")

MemberId = NewType("MemberId", int)
"""A Discord user."""

GuildId = NewType("GuildId", int)
"""A Discord server."""


def shard_of(guild: GuildId, shards: int) -> int:
    """Return which of `shards` connections serves a server. Source: Discord's documentation, sharding."""
    return (guild >> 22) % shards


ChannelId = NewType("ChannelId", int)
"""A Discord text channel."""

MessageId = NewType("MessageId", int)
"""A message on Discord."""
