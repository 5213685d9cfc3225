"""What the record service's OpenAPI says of parameters, by the table of endpoints."""

from typing import Any

from bot.domain.ids import JP, JP2
from bot.wire.endpoints import ENDPOINTS
from service.openapi import openapi


def test_a_text_that_must_be_given_says_something_and_no_other_has_to() -> None:
    """But for names of users, of which an empty one is nobody's."""
    document: Any = openapi([JP2, JP])
    free = 0
    for endpoint in ENDPOINTS:
        said = {
            each["name"]: each["schema"] for each in document["paths"][endpoint.path]["get"]["parameters"]
        }
        for each in endpoint.parameters:
            if each.name not in said or each.allowed or each.name in {"region", "q"}:
                continue
            if each.type != "string":
                assert "minLength" not in said[each.name]
                continue
            assert ("minLength" in said[each.name]) is (each.required or each.name == "user_name"), each.name
            free += not each.required
    assert free
