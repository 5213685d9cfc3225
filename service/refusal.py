"""Errors that the service answers with, always in the one shape of the specification."""

from collections.abc import Mapping
from typing import Final, NoReturn

import orjson

MESSAGES: Final[Mapping[int, str]] = {
    400: "bad request.",
    401: "unauthorized.",
    403: "forbidden.",
    404: "not found.",
    405: "the requested method is not allowed.",
    429: "too many requests.",
    500: "internal server error.",
}
"""Source: specification, Errors, for 400 and 429; the real service's wording for the others it has."""

QUERY_TOO_LONG: Final = "the query is too long."
"""Source: specification, Errors."""


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, reason: str = "") -> None:
        self.status = status
        self.reason = reason
        super().__init__(f"{status}: {reason}")

    def body(self) -> bytes:
        """Return the error shape. Source: specification, Errors."""
        error = {
            "code": self.status,
            "message": MESSAGES[self.status],
            "additional_message": self.reason,
        }
        return orjson.dumps({"error": error})


def bad_request(reason: str) -> NoReturn:
    """Refuse with 400 and its detail, a sentence without what was sent. Raises: Refusal."""
    raise Refusal(400, reason)
