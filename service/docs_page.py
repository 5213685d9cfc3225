"""Builds the documentation as one page of HTML that needs no script, no font and no network."""

from collections.abc import Iterator
from html import escape
from typing import Final

from bot.wire.endpoints import ENDPOINTS, Endpoint, Parameter
from service.options import VERSIONS, ServiceOptions

_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code, h3 { font-family: ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; border-bottom: 1px solid #8886; padding: .3rem .6rem .3rem 0; vertical-align: top; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #e6e6e6; } a { color: #8ab4ff; } }
"""


def docs_page(options: ServiceOptions) -> str:
    """Return the documentation as HTML."""
    return "".join(_page(options))


def _page(options: ServiceOptions) -> Iterator[str]:
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Player record service</title>'
    yield f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>'
    yield "<h1>Player record service</h1><p>Every endpoint is a GET that returns JSON and takes an access"
    yield " token in the query parameter <code>token</code>. <code>user_id</code> and <code>user_name</code>"
    yield " exclude each other; without both a call is about the token holder. Regions: "
    yield ", ".join(f"<code>{escape(region)}</code>" for region in options.regions)
    yield '. The same in OpenAPI: <a href="openapi.json">openapi.json</a>.</p>'
    yield from _limits(options)
    for version in VERSIONS:
        yield f"<h2>Version {version}</h2>"
        for endpoint in ENDPOINTS:
            if endpoint.version == version:
                yield from _endpoint(endpoint)
    yield "</body></html>"


def _limits(options: ServiceOptions) -> Iterator[str]:
    yield f"<h2>Limits</h2><p>Per account and version, in a window of {options.window_seconds} seconds: "
    yield ", ".join(f"{options.limits[version]} requests ({version})" for version in VERSIONS)
    if options.quick_seconds:
        yield f". A request that follows the last one by less than {options.quick_seconds:g} s costs two"
    yield ". Every reply says where the window stands, in <code>X-Rate-Limit-Limit</code>,"
    yield " <code>X-Rate-Limit-Remaining</code> and <code>X-Rate-Limit-Reset</code>.</p>"
    yield "<h2>Errors</h2><p><code>{error: {code, message, additional_message}}</code> with status 400, 401,"
    yield " 403, 404, 405 or 429.</p>"


def _endpoint(endpoint: Endpoint) -> Iterator[str]:
    yield f'<h3 id="{endpoint.path}">GET {endpoint.path}</h3>'
    if endpoint.parameters:
        yield "<table><tr><th>Parameter</th><th>Type</th><th>Values</th><th>Meaning</th></tr>"
        for parameter in endpoint.parameters:
            yield _row(parameter)
        yield "</table>"


def _row(parameter: Parameter) -> str:
    values = ", ".join(str(value) for value in parameter.allowed)
    if parameter.default not in {None, ""}:
        values += f" (default {parameter.default})"
    cells = (
        f"<code>{parameter.name}</code>{' (required)' if parameter.required else ''}",
        parameter.type,
        escape(values),
        escape(parameter.meaning),
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
