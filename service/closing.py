"""Closing a server without losing a connection that it has just taken."""

import asyncio
import socket
from collections.abc import Iterable
from typing import Final

_TURNS: Final = 2
"""Of the event loop, from taking a connection to telling its protocol: in the first it gets a transport."""


async def stop_accepting(sockets: Iterable[socket.socket]) -> None:
    """Take no more connections, and wait until those taken in this very moment are known to whoever ends them.

    To be called before an `asyncio.Server` is closed: Python 3.11 forgets a connection without closing it whose
    server is closed between the two.
    """
    loop = asyncio.get_running_loop()
    for each in sockets:
        loop.remove_reader(each.fileno())
    for _ in range(_TURNS):
        await asyncio.sleep(0)
