"""`kiroku mcp`: an assistant's way to one player's records, over standard input and output."""

import asyncio
from importlib.util import find_spec

import click

from bot.base.config import CannotStart, read_settings


@click.command("mcp")
def mcp_command() -> None:
    """Answer an assistant's questions about your own records, by the Model Context Protocol.

    The assistant starts this by itself. RECORD_API_URL names the service, RECORD_TOKEN is your access token, which is
    never shown. Nothing is written, neither to the service nor here.
    """
    if find_spec("mcp") is None:
        message = "The Model Context Protocol is an extra: install it with ops/install FOLDER mcp."
        raise click.ClickException(message)
    from bot.mcp.serving import serve

    try:
        settings = read_settings()
        if not settings.record_token.get_secret_value().strip():
            message = "No token: set RECORD_TOKEN to an access token of your account on the record service."
            raise click.ClickException(message)
        asyncio.run(serve(settings))
    except (CannotStart, ValueError) as error:
        raise click.ClickException(str(error)) from None
