"""Closes a server without losing a connection that it has just accepted."""

import asyncio
import socket
from collections.abc import Iterable
from typing import Final

_LOOP_TURNS: Final = 2
"""The event loop needs this many turns from accepting a connection to telling its protocol."""


async def stop_accepting(sockets: Iterable[socket.socket]) -> None:
    """Accept no more connections, and wait until those accepted just now are known to the server that ends them.

    To be called before an `asyncio.Server` is closed: Python 3.11 forgets a connection without closing it whose
    server is closed between the two.
    """
    loop = asyncio.get_running_loop()
    for each in sockets:
        loop.remove_reader(each.fileno())
    for _ in range(_LOOP_TURNS):
        await asyncio.sleep(0)
