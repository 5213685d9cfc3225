"""All cases of the specification, asked of a service one after another."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from bot.wire.endpoints import ENDPOINTS, Endpoint
from service.conformance.asking import CannotAsk
from service.conformance.examination import Examination, NotChecked
from service.conformance.rules import RULES, Examine, of_body, of_envelope
from service.conformance.schema_differences import Difference
from service.reply_schemas import reply_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of one case."""

    case: str
    found: Mapping[Difference, int]
    """The count of each difference."""
    unchecked: str = ""
    """The reason why nothing is known; empty where all was asked."""


async def outcomes(x: Examination) -> AsyncIterator[Outcome]:
    """Run all cases and yield each result; stop after a case in which requests are no longer possible."""
    stopped = ""
    for case, examine in (*((f"{each.version} {each.name}", _answers(each)) for each in ENDPOINTS), *RULES):
        found: Counter[Difference] = Counter()
        unchecked = stopped
        try:
            if not stopped:
                async for difference in examine(x):
                    found[difference] += 1
        except NotChecked as why:
            unchecked = str(why)
        except CannotAsk as why:
            unchecked = stopped = str(why)
        yield Outcome(case=case, found=found, unchecked=unchecked)


def _answers(endpoint: Endpoint) -> Examine:
    """Return what asks one endpoint and holds the reply against its schema."""

    async def examine(x: Examination) -> AsyncIterator[Difference]:
        heard = await x.heard(f"{endpoint.version}/{endpoint.name}", **await x.query_of(endpoint))
        for each in of_envelope(heard, HTTPStatus.OK):
            yield each
        if heard.status == HTTPStatus.OK:
            for each in of_body(heard, reply_schema(endpoint)):
                yield each

    return examine
