"""The opcodes and times of Discord's gateway."""

from enum import IntEnum
from typing import Final

HEARTBEAT_MILLISECONDS: Final = 41_250
"""The interval of heartbeats. Source: Discord's gateway."""
ACK_SECONDS: Final = 0.02
"""The delay of an acknowledgement: without one discord.py 2.7 believes that it is 41 s behind."""


class Op(IntEnum):
    """The opcode of a gateway frame. Source: Discord's documentation, gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    REQUEST_GUILD_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11
