import pytest
from aiohttp import web
from serving import ends_what_it_takes_while_closing, serving


async def answer(_request: web.BaseRequest) -> web.Response:
    return web.Response()


@pytest.mark.parametrize("turns", range(4))
async def test_a_connection_taken_in_the_very_moment_of_closing_is_ended(turns: int) -> None:
    assert await ends_what_it_takes_while_closing(serving(web.ServerRunner(web.Server(answer))), turns)
