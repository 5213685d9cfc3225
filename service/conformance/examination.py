"""One examination of a service: the questions of all cases, each asked once, and the arguments that they need."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from bot.domain.charts import LETTERS, WORLDS_END
from bot.wire.endpoints import BY_PATH, Endpoint
from service.conformance.asking import Heard, PoliteAsker
from service.conformance.schema_differences import differences
from service.reply_schemas import Schema, reply_schema


class NotChecked(Exception):
    """A case needs something that this account or service does not have; the text says what."""


class Examination:
    """One examination of a service."""

    def __init__(self, asker: PoliteAsker, *, region: str, stranger: str) -> None:
        self._asker = asker
        self.region = region
        self._stranger = stranger
        """The name of a protected player who is no friend of the token's holder; may be empty."""
        self._values: dict[Heard, Any] = {}

    @property
    def replies(self) -> Sequence[tuple[str, Heard]]:
        """Every reply so far, with its path."""
        return self._asker.heard

    async def heard(self, path: str, **query: str | float) -> Heard:
        """Return the answer to a question below a version's path."""
        return await self._asker.ask(f"/{path}.json", **query)

    async def value(self, path: str, **query: str | float) -> Any:
        """Return an answer's value. Raises: NotChecked if it differs from the schema, which is reported elsewhere."""
        heard = await self.heard(path, **query)
        if heard not in self._values:
            self._values[heard] = _read(heard, reply_schema(BY_PATH[f"/{path}.json"]))
        value = self._values[heard]
        if value is None:
            message = f"{path} does not answer as it must"
            raise NotChecked(message)
        return value

    async def me(self) -> Any:
        """Return the token holder's account and player in version 1.3."""
        return await self.value("1.3/users/me")

    async def songs(self) -> Any:
        """Return the catalogue of version 2.0. Raises: NotChecked if it is empty."""
        songs = await self.value("2.0/music/showall", region=self.region)
        if not songs:
            message = "the catalogue is empty"
            raise NotChecked(message)
        return songs

    async def old_song(self) -> Any:
        """Return an entry of a song of version 1.0."""
        title = (await self.songs())[0]["meta"]["title"]
        found = await self.value("1.0/music/search", q=title)
        if not found["data"]["normal"]:
            message = "version 1.0 finds none of the songs"
            raise NotChecked(message)
        return found["data"]["normal"][0]

    async def protected_friend(self) -> str:
        """Return the name of a friend who is protected."""
        for friend in (await self.value("2.0/friends/list"))["users"]:
            if friend["is_protected"] and friend["is_accepted"]:
                return str(friend["user_name"])
        message = "the account has no protected friend"
        raise NotChecked(message)

    @property
    def stranger(self) -> str:
        """The name of a protected player who is no friend."""
        if not self._stranger:
            message = "name a protected player who is no friend by --stranger"
            raise NotChecked(message)
        return self._stranger

    async def query_of(self, endpoint: Endpoint) -> dict[str, str | float]:
        """Return the arguments that an endpoint requires."""
        query: dict[str, str | float] = {}
        for parameter in endpoint.parameters:
            if parameter.required:
                query[parameter.name] = await self.argument(parameter.name)
        return query

    async def argument(self, name: str) -> str | float:
        """Return a value for a parameter that an endpoint needs. Raises: NotChecked."""
        match name:
            case "region":
                return self.region
            case "idx":
                return int((await self.old_song())["idx"])
            case "diff":
                charts = (await self.songs())[0]["data"]
                return next((LETTERS[code] for code in LETTERS if code in charts), LETTERS[WORLDS_END])
            case "q":
                return str((await self.songs())[0]["meta"]["title"])
            case _:
                return str((await self.songs())[0]["meta"]["id"])


def _read(heard: Heard, schema: Schema) -> Any:
    """Return an answer's value; None if it is not as specified."""
    if heard.status != HTTPStatus.OK:
        return None
    try:
        value = heard.json()
    except ValueError:
        return None
    return None if any(differences(value, schema)) else value
