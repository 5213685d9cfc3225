"""What the service serves beside its endpoints: documentation and a sign of life, without a token."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import orjson

from bot.domain.ids import Region
from service.docs_page import docs_page
from service.openapi import openapi
from service.options import ServiceOptions


@dataclass(frozen=True, slots=True)
class FixedReply:
    """A reply that is the same for whoever asks."""

    body: bytes
    content_type: str


def fixed_replies(options: ServiceOptions) -> Mapping[str, FixedReply]:
    """Return the fixed replies by path."""
    json = "application/json; charset=utf-8"
    return {
        "/healthz": FixedReply(b'{"status":"ok"}', json),
        "/openapi.json": FixedReply(_openapi(options.regions), json),
        "/docs": FixedReply(docs_page(options).encode(), "text/html; charset=utf-8"),
    }


@cache
def _openapi(regions: tuple[Region, ...]) -> bytes:
    return orjson.dumps(openapi(regions))
