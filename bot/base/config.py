"""Settings, from the environment or a `.env` file; nothing is read at import."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec
from dotenv import dotenv_values
from msgspec import Meta
from typing_extensions import override

Percent = Annotated[int, Meta(ge=0, le=100)]
Days = Annotated[int, Meta(ge=1)]

ENV_FILE: Final = Path(".env")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{2,39}")
"""What may be told of a file: what stands alone on a line may be a token."""
_ALMOST: Final = 0.8
"""How alike two names are, of 1."""
_LONGEST_FRESH: Final = 7 * 24 * 3600
"""Seconds for which answers are kept at all."""
_LONGEST_PATIENCE: Final = 840
"""Seconds: a minute less than Discord takes an answer for."""
_LONGEST_PAUSE: Final = 1440
"""Minutes: a day."""


class CannotStart(Exception):
    """What whoever hosts the bot has to set right first; the text is the sentence that tells them."""


class BadSettings(CannotStart):
    """Some settings are not what they should be."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        """As the environment writes them."""
        kinds = {setting.name.upper(): setting.type for setting in fields(Settings)}
        taken = "; ".join(f"{name} takes {describe(kinds[name])}" for name in names)
        super().__init__(f"These settings are not right: {', '.join(names)}. {taken}.")


class BadFile(CannotStart):
    """The file of settings cannot be read."""

    def __init__(self) -> None:
        super().__init__("The file .env cannot be read. Check whose it is, and that it is text in UTF-8.")


class Secret:
    """A text that nothing shows by itself."""

    def __init__(self, text: str) -> None:
        self.text = text

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other.text == self.text

    @override
    def __hash__(self) -> int:
        return hash(self.text)


_NO_SECRET: Final = Secret("")


def _secret(given: object) -> Secret:
    """Take a secret as it is, as another library keeps one, or in clear."""
    if isinstance(given, Secret):
        return given
    reveal = getattr(given, "get_secret_value", None)
    return Secret(str(given if reveal is None else reveal()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything an operator can differ in; `.env.example` says it with examples."""

    discord_token: Secret = _NO_SECRET
    """The bot's own token, from Discord's developer portal."""
    record_api_url: str = ""
    """Base address of the record service; https, or http on this machine."""
    record_token: Secret = _NO_SECRET
    """A token of the operator's own account, to read the song catalogue for members who have not linked."""
    database_url: str = "sqlite+aiosqlite:///data/kiroku.db"
    """SQLAlchemy address of the database."""
    token_keys: tuple[Secret, ...] = ()
    """Fernet keys that encrypt members' tokens, newest first; made into a file beside the database if empty."""
    shards: Annotated[int, Meta(ge=1)] | Literal["auto"] = "auto"
    """How many connections to Discord serve the bot's servers; "auto" is as many as Discord recommends."""
    default_region: str = "jp2"
    """The region that is asked when a member has not chosen one."""
    alias_file: Path | None = None
    """A file of the operator's aliases for songs, one "alias = title" a line."""
    fresh_seconds: Annotated[float, Meta(ge=0, le=_LONGEST_FRESH)] | None = None
    """How long an answer about a player counts as fresh, in seconds; None: by what was asked."""
    patience_seconds: Annotated[float, Meta(gt=0, le=_LONGEST_PATIENCE)] = 10
    """How long a person is kept waiting for the service, in seconds."""
    reserve_percents: tuple[Percent, Percent, Percent] = (15, 30, 50)
    """How much of each token's requests refreshing, daily posts and looking ahead leave for more urgent ones."""
    history_days: tuple[Days, Days] = (400, 1_095)
    """For how many days each day of a member's history is kept, and for how many at all: one look a week."""
    feed_minutes: Annotated[float, Meta(gt=0, le=_LONGEST_PAUSE)] = 60
    """For how long nothing new must have been found of a member before feeds tell what they have played, in minutes."""
    metrics_host: str = "127.0.0.1"
    """Where `/metrics`, `/healthz` and `/readyz` are served: to this machine alone, unless it is another address."""
    metrics_port: Annotated[int, Meta(ge=0, le=65535)] = 0
    """The port of these; 0 turns them off."""
    token_url: str = ""
    """Where members make their access token on the record service; shown in the form of `/link`."""
    source_url: str = ""
    """Where the source of this bot can be had; shown in `/about`."""
    privacy_url: str = ""
    """Where the privacy policy and the terms of this bot can be read; shown in `/about` and `/privacy show`.

    After it there may be others for readers of a language, as in "https://a.example ja=https://b.example".
    """
    support_url: str = ""
    """Where people get help with this bot; shown in `/about`."""
    feedback_channel: Annotated[int, Meta(ge=1)] | None = None
    """The id of a channel in which the host is shown what people write by the form of `/about`; None: no form."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """What is worth a line in the log."""
    log_format: Literal["auto", "text", "json"] = "auto"
    """How lines are written; "auto" is text on a terminal and JSON elsewhere."""

    def __post_init__(self) -> None:
        """Let programs that build the bot themselves give secrets as they have them."""
        for name in ("discord_token", "record_token"):
            object.__setattr__(self, name, _secret(getattr(self, name)))
        object.__setattr__(self, "token_keys", tuple(map(_secret, self.token_keys)))

    @property
    def token_keys_in_clear(self) -> tuple[str, ...]:
        """The keys as strings."""
        return tuple(key.text for key in self.token_keys)

    @property
    def database_path(self) -> Path | None:
        """The file of an SQLite database; None for another database, or one in memory."""
        scheme, _, path = self.database_url.partition(":///")
        return Path(path) if scheme.startswith("sqlite") and path and path != ":memory:" else None


def read_settings() -> Settings:
    """Read the environment, and what it leaves open in the file. Raises: BadSettings, BadFile."""
    return parse_settings(read_environment())


def read_environment(file: Path | None = ENV_FILE) -> Mapping[str, str]:
    """Return what is set, and not to nothing, by name in small letters. Raises: BadFile."""
    try:
        written = dotenv_values(file, encoding="utf-8") if file is not None and file.is_file() else {}
    except (OSError, UnicodeError):
        raise BadFile from None
    found: dict[str, str] = {}
    for source in (written, os.environ):
        found |= {name.lower(): text for name, text in source.items() if text}
    return found


def parse_settings(texts: Mapping[str, str]) -> Settings:
    """Return the settings that are meant. Raises: BadSettings."""
    found: dict[str, Any] = {}
    wrong: list[str] = []
    for setting in fields(Settings):
        if (text := texts.get(setting.name)) is not None:
            try:
                found[setting.name] = _parse(text, setting.type)
            except ValueError:
                wrong.append(setting.name.upper())
    if wrong:
        raise BadSettings(sorted(wrong)) from None
    return Settings(**found)


def find_misspelt(file: Path = ENV_FILE) -> Mapping[str, str]:
    """Return what is set and is no setting, though almost one that is not set: each with that one. Raises: BadFile."""
    known = {setting.name for setting in fields(Settings)}
    found = read_environment(file)
    missing = sorted(known - found.keys())
    return {
        name.upper(): near[0].upper()
        for name in sorted(found.keys() - known)
        if _NAME.fullmatch(name) and (near := get_close_matches(name, missing, n=1, cutoff=_ALMOST))
    }


def describe(kind: Any) -> str:
    """Return what a setting of a type takes, in words."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _describe_number(parts[0], parts[1])
    if origin is Literal:
        return " or ".join(
            [", ".join(map(str, parts[:-1])), str(parts[-1])] if parts[1:] else map(str, parts)
        )
    if origin is tuple:
        every = f"{len(parts)} numbers, each {describe(parts[0])}, with commas between them"
        return "texts with commas between them" if Ellipsis in parts else every
    if origin is UnionType or origin is Union:
        return " or ".join(describe(each) for each in parts if each is not NoneType)
    return "a path" if kind is Path else "a text"


def _describe_number(kind: type, bounds: Meta) -> str:
    number = "a whole number" if kind is int else "a number"
    least = f"from {bounds.ge}" if bounds.ge is not None else f"above {bounds.gt}"
    if bounds.le is None:
        return f"{number} {least} on"
    return (
        f"{number} {least} to {bounds.le}"
        if bounds.ge is not None
        else f"{number} {least} and at most {bounds.le}"
    )


def _parse(text: str, kind: Any) -> object:
    """Return what a text says in place of a setting. Raises: ValueError."""
    is_list = get_origin(kind) is tuple
    said = [part.strip() for part in text.split(",") if part.strip()] if is_list else text.strip()
    return msgspec.convert(said, kind, strict=False, dec_hook=lambda custom, part: custom(part))
