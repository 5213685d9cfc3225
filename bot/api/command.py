"""`kiroku api`: try a token, or a service, from a terminal."""

import asyncio
import sys
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Final, cast

import click

from bot.api.budget.budget import BudgetLeft
from bot.api.checks import Value
from bot.api.client import Holder, RecordApi
from bot.api.protocol import make_call
from bot.base.config import CannotStart, Settings, read_settings
from bot.base.token_file import read_token
from bot.domain.errors import (
    BadQuery,
    BotError,
    BudgetSpent,
    NotFound,
    PlayerProtected,
    ServiceDown,
    TokenRejected,
    UnreadableReply,
)
from bot.wire.endpoints import BY_PATH, ENDPOINTS, PARAMETERS, Endpoint

_TYPES: Final[dict[str, Callable[[str], Value]]] = {"string": str, "integer": int, "number": float}


def _given(context: click.Context) -> dict[str, str]:
    """Return the question's parameters that were given as options."""
    return cast("dict[str, str]", context.ensure_object(dict))


def _remember(context: click.Context, option: click.Parameter, value: str | None) -> None:
    if value is not None:
        _given(context)[option.name] = value


def _option(name: str) -> click.Option:
    names = dict.fromkeys([f"--{name.replace('_', '-')}", f"--{name}"])
    return click.Option([*names, name], expose_value=False, callback=_remember, help=_meaning(name))


def _meaning(name: str) -> str:
    """Return what a parameter means, per endpoint if the meanings differ."""
    meanings = {each.meaning: takers for each, takers in PARAMETERS.items() if each.name == name}
    if len(meanings) == 1:
        return next(iter(meanings))
    return "; ".join(f"{meaning} ({', '.join(takers)})" for meaning, takers in meanings.items())


@click.command("api", params=[_option(name) for name in dict.fromkeys(each.name for each in PARAMETERS)])
@click.argument("version", type=click.Choice(["2.0", "1.3", "1.0"]))
@click.argument("name", metavar="NAME")
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Holds the token; without it RECORD_TOKEN is used, or the terminal asks.",
)
@click.option("--base-url", help="The service's address; by default RECORD_API_URL.")
@click.option("--raw", is_flag=True, help="Print the body as it came, unread.")
@click.pass_context
def api_command(
    context: click.Context,
    version: str,
    name: str,
    token_file: Path | None,
    base_url: str | None,
    *,
    raw: bool,
) -> None:
    """Ask the record service one question: `kiroku api 2.0 records/rating_data --region jp2`.

    Options named after the specification's parameters go into the question. The token is never an argument,
    for arguments are seen by everybody on the machine.
    """
    endpoint = BY_PATH.get(f"/{version}/{name}.json")
    if endpoint is None:
        known = ", ".join(one.name for one in ENDPOINTS if one.version == version)
        message = f"version {version} has no {name}: choose one of {known}"
        raise click.ClickException(message)
    values = _typed(endpoint, _given(context))
    try:
        settings = read_settings()
        token = _find_token(token_file, settings)
        api = RecordApi(base_url or settings.record_api_url)
    except (CannotStart, ValueError) as error:
        raise click.ClickException(str(error)) from None
    try:
        is_answered = asyncio.run(_ask(api, token, endpoint, values, raw=raw))
    except BotError as error:
        raise click.ClickException(sentence(error)) from None
    if not is_answered:
        context.exit(1)


def _typed(endpoint: Endpoint, given: dict[str, str]) -> dict[str, Value]:
    """Return the options as the endpoint's parameters. Raises: ClickException."""
    taken = {parameter.name: parameter for parameter in endpoint.parameters}
    values: dict[str, Value] = {}
    for name, text in given.items():
        if name not in taken:
            message = f"{endpoint.name} takes no {name}; it takes {', '.join(taken) or 'nothing'}"
            raise click.ClickException(message)
        try:
            values[name] = _TYPES[taken[name].type](text)
        except ValueError:
            message = f"{name} takes a value of type {taken[name].type}"
            raise click.ClickException(message) from None
    return values


def _find_token(file: Path | None, settings: Settings) -> str:
    """Return the token from a file, the environment or a prompt. Raises: ClickException."""
    token = read_token(file) if file is not None else settings.record_token.get_secret_value()
    if not token.strip() and file is None and sys.stdin.isatty():
        token = click.prompt("Token", hide_input=True, err=True)
    if not token.strip():
        message = "no token: name a file that holds it with --token-file, or set RECORD_TOKEN"
        raise click.ClickException(message)
    return token.strip()


async def _ask(
    api: RecordApi, token: str, endpoint: Endpoint, values: dict[str, Value], *, raw: bool
) -> bool:
    """Print the answer and the budget left; return whether the call succeeded."""
    async with api:
        holder = api.holder(token)
        try:
            if raw:
                return await _print_raw(holder, endpoint, values)
            reply = await holder.ask(endpoint, values)
            click.echo(reply.model_dump_json(indent=2))
        finally:
            click.echo(_budget_line(holder.budget(endpoint.version)), err=True)
    return True


async def _print_raw(holder: Holder, endpoint: Endpoint, values: dict[str, Value]) -> bool:
    response = await holder.api.exchange(make_call(endpoint, values), holder)
    click.echo(response.body)
    click.echo(f"status: {response.status}", err=True)
    return response.status == HTTPStatus.OK


def _budget_line(left: BudgetLeft) -> str:
    line = f"budget: {left.remaining} of {left.limit} left"
    return f"{line}, full again at {left.reset_at:%Y-%m-%d %H:%M:%S} UTC" if left.reset_at else line


def sentence(error: BotError) -> str:  # noqa: PLR0911 - a table
    """Return what happened and what to do about it, for an operator."""
    match error:
        case TokenRejected():
            return (
                "the service rejected the token: issue a new one in the account settings, developer section"
            )
        case PlayerProtected():
            return "the player is protected: ask with the token of a friend"
        case NotFound():
            return "the service knows nothing of that name: check what you asked for"
        case BadQuery():
            return f"the question is not one that the service takes: {error}"
        case BudgetSpent():
            return f"the token's budget is spent: try again at {error.retry_at:%Y-%m-%d %H:%M:%S} UTC"
        case ServiceDown():
            return f"the service is not available ({error.reason}): check --base-url, or try again later"
        case UnreadableReply():
            return f"the reply is not the specification's ({error.reason}): look at it with --raw"
        case _:
            return str(error)
