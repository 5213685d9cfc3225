"""The base of each version's methods."""

from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from pydantic import BaseModel

from bot.api.checks import Values
from bot.wire.endpoints import Endpoint

R = TypeVar("R", bound=BaseModel)


class EndpointCaller(Protocol):
    """Sends a call of an endpoint to the service: a `Holder`."""

    async def ask(self, endpoint: Endpoint[R], values: Values) -> R:
        """Return the service's answer; None among the values leaves a parameter out."""
        ...


@dataclass(frozen=True, slots=True)
class EndpointGroup:
    """A folder of endpoints."""

    speaker: EndpointCaller = field(repr=False)
