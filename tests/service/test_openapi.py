"""What the record service's OpenAPI says of parameters, by the table of endpoints."""

import re
import sys
from typing import Any

from bot.domain.ids import JP, JP2
from bot.wire.endpoints import ENDPOINTS
from service.openapi import openapi
from service.search import SAYS_SOMETHING


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


def test_what_says_nothing_is_the_same_to_python_and_to_ecmascript() -> None:
    """`\\s` is not: Python takes U+001C to U+001F and U+0085 for spaces, ECMAScript U+FEFF."""
    assert r"\s" not in SAYS_SOMETHING
    silent = {chr(code) for code in range(sys.maxunicode + 1) if not re.match(SAYS_SOMETHING, chr(code))}
    spaces = {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()} | {"\ufeff"}
    controls = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))}
    assert silent == spaces | controls | {'"'}
