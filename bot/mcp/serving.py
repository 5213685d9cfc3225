"""The composition root of `kiroku mcp`."""

from bot.api import RecordApi
from bot.api.cache import AnswerCache
from bot.base import logs
from bot.base.clock import SystemClock
from bot.base.config import CannotStart, Settings, read_named_file
from bot.domain.ids import Region
from bot.mcp.reader import FRESH_FOR, PlayerReader
from bot.mcp.server import build_server
from bot.mcp.tools import PlayerTools
from bot.wire.game_versions import read_table
from bot.wire.host_files import BadLine


async def serve(settings: Settings) -> None:
    """Answer until standard input ends. Raises: CannotStart; ValueError if the service's address is invalid."""
    clock = SystemClock()
    try:
        versions = read_table(read_named_file(settings.game_versions, "GAME_VERSIONS"))
    except BadLine as error:
        message = f"GAME_VERSIONS is not right: {error}."
        raise CannotStart(message) from None
    async with RecordApi(settings.record_api_url) as api:
        cache = AnswerCache(clock, fresh_for=FRESH_FOR)
        holder = api.holder(settings.record_token.get_secret_value().strip())
        reader = PlayerReader(holder, cache, Region(settings.default_region))
        server = build_server(PlayerTools(reader, clock, versions), reader, cache)
        logs.set_up("WARNING")  # instead of the package's own log, which does not remove secrets
        await server.run_stdio_async()
