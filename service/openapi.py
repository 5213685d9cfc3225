"""Builds the OpenAPI 3.1 document from the table of endpoints and the schemas of `reply_schemas`."""

from collections.abc import Sequence
from typing import Final

from bot.domain.ids import Region
from bot.wire.endpoints import ENDPOINTS, MAX_QUERY_LENGTH, Endpoint, Parameter
from service.parameters import PATTERNS
from service.refusal import MESSAGES
from service.reply_schemas import COMPONENTS, reply_schema
from service.search import SAYS_SOMETHING

_RATE_HEADERS: Final = {
    "X-Rate-Limit-Limit": "Requests that a window allows.",
    "X-Rate-Limit-Remaining": "Requests left in this window.",
    "X-Rate-Limit-Reset": "When the window ends, in Unix seconds.",
}
_TARGET: Final = ("user_id", "user_name")
_INTRODUCTION: Final = (
    "Read-only data of a rhythm arcade game: play records, songs, accounts and friends."
    " Every call carries an access token in the query parameter `token` and counts against the window of its"
    " account and version. `user_id` and `user_name` exclude each other; without both, a call is about the"
    " token holder."
)


def openapi(regions: Sequence[Region]) -> dict[str, object]:
    """Return the OpenAPI document for a service of these regions."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Player record service",
            "version": "2.0",
            "description": _INTRODUCTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "security": [{"token": []}],
        "paths": {endpoint.path: {"get": _operation(endpoint, regions)} for endpoint in ENDPOINTS},
        "components": {
            "securitySchemes": {"token": {"type": "apiKey", "in": "query", "name": "token"}},
            "schemas": COMPONENTS,
            "headers": {
                name: {"description": meaning, "required": True, "schema": {"type": "integer"}}
                for name, meaning in _RATE_HEADERS.items()
            },
        },
    }


def _operation(endpoint: Endpoint, regions: Sequence[Region]) -> dict[str, object]:
    schema = reply_schema(endpoint)
    return {
        "operationId": f"v{endpoint.version}/{endpoint.name}".replace("/", "_").replace(".", "_"),
        "tags": [f"version {endpoint.version}"],
        "summary": f"{endpoint.name}, version {endpoint.version}",
        "parameters": [
            *([_target(endpoint, regions)] if endpoint.takes_target else []),
            *(_parameter(endpoint, p, regions) for p in endpoint.parameters if p.name not in _TARGET),
        ],
        "responses": {
            "200": _response("The answer.", schema),
            "304": {"description": "What If-None-Match names is still right.", "headers": _headers()},
            **{str(status): _refusal(status) for status in _refusals(endpoint)},
        },
    }


def _target(endpoint: Endpoint, regions: Sequence[Region]) -> dict[str, object]:
    """Return the two ways to name a user as one exploded object: so the document can say "not both"."""
    ways = [_parameter(endpoint, p, regions) for p in endpoint.parameters if p.name in _TARGET]
    return {
        "name": "target",
        "in": "query",
        "style": "form",
        "explode": True,
        "description": "The target user, by one of the two; without both the token holder.",
        "schema": {
            "type": "object",
            "properties": {str(way["name"]): way["schema"] for way in ways},
            "not": {"required": list(_TARGET)},
        },
    }


def _parameter(endpoint: Endpoint, parameter: Parameter, regions: Sequence[Region]) -> dict[str, object]:
    schema: dict[str, object] = {"type": parameter.type}
    if parameter.allowed:
        schema["enum"] = list(parameter.allowed)
    elif parameter.name == "region":
        schema["enum"] = list(regions)
    elif parameter.name == "q":
        schema |= {"minLength": 1, "maxLength": MAX_QUERY_LENGTH, "pattern": SAYS_SOMETHING}
    elif parameter.name == "user_name" or (parameter.required and parameter.type == "string"):
        schema["minLength"] = 1
    pattern = PATTERNS.get((endpoint.name, parameter.name))
    if pattern:
        schema["pattern"] = f"^{pattern}$"
    if parameter.default is not None:
        schema["default"] = parameter.default
    return {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.meaning,
        "schema": schema,
    }


def _refusals(endpoint: Endpoint) -> list[int]:
    statuses = [401, 429]
    if endpoint.parameters:
        statuses.append(400)
    if endpoint.takes_target and endpoint.version != "1.0":
        statuses.append(403)
    if endpoint.takes_target or endpoint.name == "music/show" or endpoint.path == "/1.3/music/stat.json":
        statuses.append(404)
    return sorted(statuses)


def _refusal(status: int) -> dict[str, object]:
    return _response(MESSAGES[status], {"$ref": "#/components/schemas/Error"})


def _response(description: str, schema: object) -> dict[str, object]:
    return {
        "description": description,
        "headers": _headers(),
        "content": {"application/json": {"schema": schema}},
    }


def _headers() -> dict[str, object]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in _RATE_HEADERS}
