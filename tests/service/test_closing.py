import asyncio
import gc
import socket
from contextlib import suppress

import pytest
from aiohttp import web
from serving import serving
from yarl import URL


async def answer(_request: web.BaseRequest) -> web.Response:
    return web.Response()


@pytest.mark.parametrize("turns", range(4))
async def test_a_connection_taken_in_the_very_moment_of_closing_is_ended(turns: int) -> None:
    """One that is forgotten open warns when it is collected, and fails here."""
    with socket.socket() as client:
        client.settimeout(5)
        async with serving(web.ServerRunner(web.Server(answer))) as base:
            url = URL(base)
            client.connect((url.host or "", url.port or 0))
            for _ in range(turns):
                await asyncio.sleep(0)
        with suppress(ConnectionResetError):  # what was not taken yet is the system's alone
            assert await asyncio.to_thread(client.recv, 1) == b""
    gc.collect()
