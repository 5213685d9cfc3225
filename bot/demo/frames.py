"""What goes over Discord's gateway, and when."""

from enum import IntEnum
from typing import Final

HEARTBEAT_MILLISECONDS: Final = 41_250
"""Source: what Discord's gateway asks for."""
ACK_SECONDS: Final = 0.02
"""An acknowledgement in the same instant makes discord.py 2.7 believe that it is 41 s behind."""


class Op(IntEnum):
    """What a gateway frame is about. Source: Discord's documentation, gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    REQUEST_GUILD_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11
