"""Table, specification, client, service and samples name the same endpoints and parameters."""

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import get_type_hints

import orjson
import pytest
from pydantic import BaseModel
from scripted import Scripted

from bot.api import Holder, RecordApi
from bot.api.v1_0 import V10
from bot.api.v1_3 import V13
from bot.api.v2_0 import V20
from bot.domain.ids import JP2
from bot.wire.endpoints import ENDPOINTS, Endpoint
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply
from service.answers import ROUTES
from service.reply_schemas import _REPLIES
from service.seed import SeededPlayer, seed
from service.server import running

SAMPLES = Path(__file__).parent.parent / "samples"

# Typed from the specification, "Endpoints"; the token, which all carry, is left out.
SPECIFICATION = {
    "/2.0/records/showall.json": "user_id?, user_name?, region",
    "/2.0/records/worldsend.json": "user_id?, user_name?, region",
    "/2.0/records/rating_data.json": "user_id?, user_name?, region",
    "/2.0/records/course.json": "user_id?, user_name?, region",
    "/2.0/music/show.json": "id, region",
    "/2.0/music/showall.json": "region",
    "/2.0/friends/list.json": "",
    "/1.3/users/me.json": "",
    "/1.3/users/show.json": "user_id?, user_name?",
    "/1.3/friends/list.json": "",
    "/1.3/music/search.json": "q",
    "/1.3/music/show.json": "id",
    "/1.3/music/showall.json": "",
    "/1.3/music/stat.json": "id, diff",
    "/1.3/records/showall.json": "user_id?, user_name?",
    "/1.3/records/worldsend.json": "user_id?, user_name?",
    "/1.3/records/course.json": "user_id?, user_name?",
    "/1.0/users/me.json": "",
    "/1.0/users/show.json": "user_id?, user_name?",
    "/1.0/music/search.json": "q, target?, include_minfo?, exact_match?",
    "/1.0/music/show.json": "idx",
    "/1.0/music/stat.json": "idx, diff",
    "/1.0/records/showall.json": "user_id?, user_name?, include_minfo?",
    "/1.0/records/filter.json": (
        "title?, diff?, min_score?, max_score?, min_level?, max_level?, genre?, lamp?, include_minfo?"
    ),
}

VALUES: dict[str, object] = {
    "region": "jp2",
    "id": "0123456789abcdef",
    "idx": 1,
    "q": "a",
    "diff": "m",
}
"""One right value for each required parameter."""

every_endpoint = pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.path)


def method(holder: Holder, endpoint: Endpoint) -> Callable[..., Awaitable[BaseModel]]:
    """Return the client's method that the endpoint's path names."""
    folder, name = endpoint.name.split("/")
    version = getattr(holder, "v" + endpoint.version.replace(".", "_"))
    return getattr(getattr(version, folder), name)


def required(endpoint: Endpoint) -> dict[str, object]:
    return {parameter.name: VALUES[parameter.name] for parameter in endpoint.parameters if parameter.required}


@pytest.fixture
def holder() -> Holder:
    return RecordApi("https://records.example").holder("t0ken")


def test_the_table_is_the_specification() -> None:
    table = {
        endpoint.path: ", ".join(
            parameter.name + ("" if parameter.required else "?") for parameter in endpoint.parameters
        )
        for endpoint in ENDPOINTS
    }
    assert table == SPECIFICATION
    assert len(ENDPOINTS) == len(SPECIFICATION)


def methods(folder: property) -> list[str]:
    """Return the names of the methods of what a property returns."""
    group: type = get_type_hints(folder.fget)["return"]
    return [name for name, member in vars(group).items() if inspect.iscoroutinefunction(member)]


def test_the_client_has_a_method_for_each_and_no_other() -> None:
    found = {
        f"/{number}/{folder}/{name}.json"
        for number, version in (("2.0", V20), ("1.3", V13), ("1.0", V10))
        for folder, member in vars(version).items()
        if isinstance(member, property)
        for name in methods(member)
    }
    assert found == set(SPECIFICATION)


@every_endpoint
def test_a_methods_signature_is_the_endpoints(holder: Holder, endpoint: Endpoint) -> None:
    function = method(holder, endpoint)
    found = inspect.signature(function).parameters.values()
    assert {parameter.name for parameter in found} == {parameter.name for parameter in endpoint.parameters}
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in found)
    is_required = {parameter.name: parameter.default is parameter.empty for parameter in found}
    assert is_required == {parameter.name: parameter.required for parameter in endpoint.parameters}
    hints = get_type_hints(function)
    assert hints["return"] is endpoint.reply
    types = {"string": str, "integer": int, "number": float}
    for parameter in endpoint.parameters:
        kind = bool if parameter.allowed == (0, 1) else types[parameter.type]
        assert hints[parameter.name] in (kind, kind | None)


def test_the_service_routes_each_and_no_other() -> None:
    assert set(ROUTES) == set(SPECIFICATION)


def test_the_service_has_a_schema_of_each_reply_and_no_other() -> None:
    assert {f"/{name.replace(' ', '/')}.json" for name in _REPLIES} == set(SPECIFICATION)


def test_there_is_a_sample_of_each_and_no_other() -> None:
    found = {"/" + path.relative_to(SAMPLES).as_posix() for path in SAMPLES.rglob("*.json")}
    assert found == set(SPECIFICATION)


Json = Mapping[str, "Json"] | list["Json"] | str | float | None


def same(sample: Json, read: Json) -> bool:
    """Whether nothing of a sample got lost, and nothing changed but the way times are written."""
    if isinstance(sample, Mapping) and isinstance(read, Mapping):
        return all(key in read and same(value, read[key]) for key, value in sample.items())
    if isinstance(sample, list) and isinstance(read, list):
        return len(sample) == len(read) and all(map(same, sample, read))
    if isinstance(sample, str) and sample[:4].isdecimal() and sample[4:5] in {"-", "/"}:
        return moment(sample) == moment(read)
    return sample == read


def moment(text: object) -> datetime | date | None:
    if not isinstance(text, str):
        return None
    if "T" not in text:
        return date.fromisoformat(text.replace("/", "-"))
    parsed = datetime.fromisoformat(text)
    return parsed if parsed.timestamp() else None


@every_endpoint
async def test_each_sample_is_read_whole(scripted: Scripted, endpoint: Endpoint) -> None:
    sample = (SAMPLES / endpoint.path.removeprefix("/")).read_bytes()
    scripted.says(sample)
    async with RecordApi(scripted.url) as api:
        reply = await method(api.holder("t0ken"), endpoint)(**required(endpoint))
        assert api.counts["lost_entries"] == 0
    assert type(reply) is endpoint.reply
    assert scripted.requests[0].path == endpoint.path
    assert same(orjson.loads(sample), reply.model_dump(mode="json"))
    again = read_reply(endpoint.reply, reply.model_dump_json().encode())
    assert again.reply == reply
    assert to_domain(reply)


def to_domain(reply: object) -> object:
    return reply.to_domain(JP2) if isinstance(reply, SongsReply) else getattr(reply, "to_domain")()  # noqa: B009 - typed as any reply


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SeededPlayer]:
    database = tmp_path_factory.mktemp("parity") / "records.db"
    return database, seed(database, players=5).players[0]


@pytest.fixture
async def real(seeded: tuple[Path, SeededPlayer]) -> AsyncIterator[Holder]:
    database, player = seeded
    async with running(database) as address, RecordApi(address) as api:
        yield api.holder(player.token)


@every_endpoint
async def test_each_endpoint_answers_through_its_method(real: Holder, endpoint: Endpoint) -> None:
    values = required(endpoint)
    if "id" in values:
        values["id"] = (await real.v2_0.music.showall(region="jp2"))[0].meta.id
    reply = await method(real, endpoint)(**values)
    assert type(reply) is endpoint.reply
    assert to_domain(reply)
    assert real.api.counts["lost_entries"] == 0
    left = real.budget(endpoint.version)
    assert left.reset_at is not None
    assert left.remaining < left.limit
