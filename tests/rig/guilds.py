"""Who and where: numbered servers, of whose channels people use the first; everybody is in all who has not left."""

import time
from itertools import count
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]

BOT: Final[Json] = {
    "id": "111111111111111111", "username": "Kiroku", "discriminator": "0", "avatar": None, "bot": True,
    "global_name": None, "flags": 0,
}  # fmt: skip
APPLICATION: Final[Json] = {
    "id": BOT["id"], "name": "Kiroku", "description": "", "verify_key": "", "bot_public": True,
    "bot_require_code_grant": False, "flags": 0, "icon": None, "summary": "", "owner": BOT,
}  # fmt: skip
ALL_PERMISSIONS: Final = str((1 << 53) - 1)
DISCORD_EPOCH: Final = 1_420_070_400_000
"""Milliseconds since 1970. Source: Discord's documentation, snowflakes."""
JOINED: Final = "2026-01-01T00:00:00+00:00"

_FIRST_GUILD: Final = 1_000_000
_serial: Final = count()


def snowflake(ahead: float = 0.0) -> str:
    """Return a new id, which says when it was made, or so many seconds later."""
    return str((int((time.time() + ahead) * 1000) - DISCORD_EPOCH << 22) | next(_serial) & 0x3FFFFF)


def guild_id(number: int) -> int:
    return _FIRST_GUILD + number << 22


def guild_number(guild: int) -> int:
    return (guild >> 22) - _FIRST_GUILD


def channel_id(number: int) -> int:
    return guild_id(number) + 1


def user(user_id: int) -> Json:
    return {"id": str(user_id), "username": f"user{user_id}", "discriminator": "0", "avatar": None}


def member(user_id: int) -> Json:
    return {
        "user": user(user_id), "nick": None, "roles": [], "joined_at": JOINED, "deaf": False, "mute": False,
        "flags": 0, "permissions": ALL_PERMISSIONS,
    }  # fmt: skip


def channel(number: int, place: int = 0) -> Json:
    """Return a channel of a server: the first, or one that is as others are and that nobody uses."""
    hidden = {"type": 0, "allow": "0", "deny": "1024"}
    return {
        "id": str(channel_id(number) + place), "guild_id": str(guild_id(number)), "type": 0,
        "name": f"channel-{place}" if place else "general", "topic": "What is talked of here" if place else None,
        "position": place, "parent_id": None, "nsfw": False, "rate_limit_per_user": 0,
        "last_message_id": None, "permissions": ALL_PERMISSIONS, "flags": 0,
        "permission_overwrites": [{**hidden, "id": str(guild_id(number) + each)} for each in range(min(place, 2))],
    }  # fmt: skip


def direct_channel(user_id: int) -> Json:
    return {"id": str(user_id + 1), "type": 1, "recipients": [user(user_id)], "last_message_id": None}


def role(number: int, place: int) -> Json:
    """Return a role of a server: everybody's is the first."""
    return {
        "id": str(guild_id(number) + place), "name": f"role {place}" if place else "@everyone",
        "color": 0, "hoist": False, "position": place,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "permissions": ALL_PERMISSIONS, "managed": False, "mentionable": False, "flags": 0,
    }  # fmt: skip


def guild(number: int, channels: int = 1, roles: int = 1) -> Json:
    return {
        "id": str(guild_id(number)), "name": f"Server {number}", "icon": None, "owner_id": "1", "unavailable": False,
        "roles": [role(number, place) for place in range(roles)],
        "channels": [channel(number, place) for place in range(channels)],
        "threads": [], "emojis": [], "stickers": [],
        "features": [], "members": [{**member(int(BOT["id"])), "user": BOT}], "member_count": 2,
        "voice_states": [], "presences": [], "stage_instances": [], "guild_scheduled_events": [],
        "soundboard_sounds": [], "preferred_locale": "en-US", "joined_at": JOINED, "large": False,
        "afk_timeout": 300, "verification_level": 0, "default_message_notifications": 0, "nsfw_level": 0,
        "explicit_content_filter": 0, "mfa_level": 0, "system_channel_flags": 0, "premium_tier": 0,
        "premium_progress_bar_enabled": False,
    }  # fmt: skip
