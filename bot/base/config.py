"""Settings, from the environment or a `.env` file; nothing is read at import."""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from typing_extensions import override

ENV_FILE: Final = Path(".env")
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{2,39}")
"""Names that may be printed from a file: any other text on a line may be a token."""
_MIN_LIKENESS: Final = 0.8
"""The least similarity, of 1, between a misspelt name and a setting's."""
_SECRETS: Final = ("discord_token", "record_token", "database_url", "database_password", "token_keys")
"""Settings that may be in a file of their own, whose path is in NAME_FILE."""
_USER: Final = re.compile(r"(?<=://)[^:/@]+(?=@)")
"""The user in the address of a database, without a password."""
_MAX_FRESH_SECONDS: Final = 7 * 24 * 3600
"""The longest time that answers are kept."""
_MAX_PATIENCE_SECONDS: Final = 840
"""The longest patience, a minute less than Discord accepts an answer."""
_MAX_FEED_MINUTES: Final = 1440
"""A day."""


def _split_at_commas(given: object) -> object:
    """Split a text at commas, wrap a single path into a list, and return anything else unchanged."""
    if isinstance(given, Path):
        return (given,)
    return [part.strip() for part in given.split(",") if part.strip()] if isinstance(given, str) else given


_Listed: Final = BeforeValidator(_split_at_commas)


def _rising(given: tuple[int, ...]) -> tuple[int, ...]:
    if list(given) != sorted(given):
        message = "a number is below the one before it"
        raise ValueError(message)
    return given


_Rising: Final = AfterValidator(_rising)


def expand_home(url: str) -> str:
    """Return a database's address with "~/" at the beginning of its path expanded to the home folder."""
    scheme, _, path = url.partition(":///")
    return f"{scheme}:///{Path(path).expanduser()}" if path.startswith("~/") else url


def _check_template(given: str) -> str:
    """Check a template of addresses, and return it unchanged. Raises: ValueError."""
    try:
        given.format(id="", title="", difficulty="")
    except (AttributeError, IndexError, KeyError):
        raise ValueError from None
    if given and not given.startswith("https://"):
        raise ValueError
    return given


AddressTemplate = Annotated[
    str, AfterValidator(_check_template), Field(json_schema_extra={"format": "template"})
]
Percent = Annotated[int, Field(ge=0, le=100)]
Days = Annotated[int, Field(ge=1)]


class CannotStart(Exception):
    """A fault that the host has to correct before the bot can start; the text is the sentence for them."""


class BadSettings(CannotStart):
    """Some settings are invalid."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        """The invalid settings, spelt as in the environment."""
        schemas: Mapping[str, Mapping[str, Any]] = Settings.model_json_schema()["properties"]
        taken = "; ".join(f"{name} takes {describe(schemas[name.lower()])}" for name in names)
        super().__init__(f"These settings are not right: {', '.join(names)}. {taken}.")


class BadFile(CannotStart):
    """A file of settings, or a file with a secret, cannot be read."""

    def __init__(self, what: str = "The file .env") -> None:
        super().__init__(f"{what} cannot be read. Check whose it is, and that it is text in UTF-8.")


class Settings(BaseSettings):
    """Everything an operator can differ in; `.env.example` says it with examples."""

    model_config = SettingsConfigDict(
        frozen=True, env_ignore_empty=True, allow_inf_nan=False, hide_input_in_errors=True
    )

    discord_token: SecretStr = SecretStr("")
    """The bot's own token, from Discord's developer portal."""
    record_api_url: str = ""
    """Base address of the record service; https, or http on this machine."""
    record_token: SecretStr = SecretStr("")
    """A token of the operator's own account, to read the song catalogue for members who have not linked."""
    database_url: Annotated[str, AfterValidator(expand_home)] = "sqlite+aiosqlite:///data/kiroku.db"
    """SQLAlchemy address of the database."""
    database_password: SecretStr = SecretStr("")
    """The password of the user that `database_url` names, where none stands there."""
    token_keys: Annotated[tuple[SecretStr, ...], _Listed] = ()
    """Fernet keys that encrypt members' tokens, newest first; made into a file beside the database if empty."""
    shards: Annotated[int, Field(ge=1)] | Literal["auto"] = "auto"
    """How many connections to Discord serve the bot's servers; "auto" is as many as Discord recommends."""
    default_region: str = "jp2"
    """The region that is asked when a member has not chosen one."""
    alias_file: Annotated[tuple[Path, ...], _Listed] = ()
    """Files of the operator's aliases for songs, one "alias = title" a line, and folders of such files."""
    game_versions: Path | None = None
    """A file of versions of the game, which adds to those that ship with the bot, or replaces them."""
    constants_file: Path | None = None
    """A file of the operator's constants of charts of which the service knows none."""
    fresh_seconds: Annotated[float, Field(ge=0, le=_MAX_FRESH_SECONDS)] | None = None
    """How long an answer about a player counts as fresh, in seconds; None: by what was asked."""
    patience_seconds: Annotated[float, Field(gt=0, le=_MAX_PATIENCE_SECONDS)] = 10
    """How long a person is kept waiting for the service, in seconds."""
    reserve_percents: Annotated[tuple[Percent, Percent, Percent], _Listed] = (15, 30, 50)
    """How much of each token's requests refreshing, daily posts and looking ahead leave for more urgent ones."""
    history_days: Annotated[
        tuple[Days, Days], _Rising, _Listed, Field(json_schema_extra={"is_rising": True})
    ] = (400, 1_095)
    """Each day of a member's history is kept for the first number of days, and one look a week for the second."""
    feed_minutes: Annotated[float, Field(gt=0, le=_MAX_FEED_MINUTES)] = 60
    """Feeds tell what a member has played once nothing new was found of them for this many minutes."""
    metrics_host: str = "127.0.0.1"
    """Where `/metrics`, `/healthz` and `/readyz` are served: to this machine alone, unless it is another address."""
    metrics_port: Annotated[int, Field(ge=0, le=65535)] = 0
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
    chart_url: AddressTemplate = ""
    """Where a chart can be seen, with {id}, {title} and {difficulty} where they belong; a button below `/song`."""
    video_url: AddressTemplate = ""
    """Where videos of a chart are looked for, written the same way; a button below `/song`."""
    owner_ids: Annotated[tuple[Annotated[int, Field(ge=1)], ...], _Listed] = ()
    """Who hosts the bot, by their ids on Discord: `/host` is theirs, and they are written to where something is wrong."""
    notice_file: Path | None = None
    """A file of what people are told in `/about` and below answers that fail, such as a maintenance; a line a language."""
    backup_folder: Path = Path("data/copies")
    """Where `kiroku db backup --keep` puts its copies, and `kiroku status` looks for the last one."""
    feedback_channel: Annotated[int, Field(ge=1)] | None = None
    """The id of a channel in which the host is shown what people write by the form of `/about`; None: no form."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """What is worth a line in the log."""
    log_format: Literal["auto", "text", "json"] = "auto"
    """How lines are written; "auto" is text on a terminal and JSON elsewhere."""

    @model_validator(mode="before")
    @classmethod
    def _add_password(cls, given: Mapping[str, object]) -> Mapping[str, object]:
        url, password = given.get("database_url"), given.get("database_password")
        if isinstance(password, SecretStr):
            password = password.get_secret_value()
        if not url or not password:
            return given
        return {
            **given,
            "database_url": _USER.sub(rf"\g<0>:{quote(str(password).strip(), safe='')}", str(url)),
        }

    @field_validator("*", mode="before")
    @classmethod
    def _strip(cls, given: object) -> object:
        return given.strip() if isinstance(given, str) else given

    @override
    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read no environment here, for programs that build the bot themselves: only `read_settings` does."""
        return (init_settings,)

    @property
    def token_keys_in_clear(self) -> tuple[str, ...]:
        """The keys as strings."""
        return tuple(key.get_secret_value() for key in self.token_keys)

    @property
    def database_path(self) -> Path | None:
        """The file of an SQLite database; None for another database, or one in memory."""
        scheme, _, path = self.database_url.partition(":///")
        return Path(path) if scheme.startswith("sqlite") and path and path != ":memory:" else None


def read_settings() -> Settings:
    """Read settings from the environment, and the others from the file. Raises: BadSettings, BadFile."""
    return parse_settings(read_environment())


def read_environment(file: Path | None = ENV_FILE, *, opens_secrets: bool = True) -> Mapping[str, str]:
    """Return all non-empty settings by lower-case name. Raises: BadFile.

    A secret in the file that NAME_FILE names counts too, if NAME itself is not set.
    """
    try:
        written = DotEnvSettingsSource(Settings, env_file=file, env_file_encoding="utf-8").env_vars
    except (OSError, UnicodeError):
        raise BadFile from None
    found = {name: text for name, text in {**written, **EnvSettingsSource(Settings).env_vars}.items() if text}
    for name in _SECRETS:
        path = found.pop(f"{name}_file", None)
        if path and name not in found and opens_secrets and (secret := _read_secret(name, path)):
            found[name] = secret
    return found


def _read_secret(name: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError):
        msg = f"The file that {name.upper()}_FILE names"
        raise BadFile(msg) from None


def parse_settings(texts: Mapping[str, str]) -> Settings:
    """Parse settings. Raises: BadSettings."""
    known = {name: text for name, text in texts.items() if name in Settings.model_fields}
    try:
        return Settings.model_validate(known)
    except ValidationError as error:
        wrong = {str(each["loc"][0]).upper() for each in error.errors(include_url=False, include_input=False)}
    raise BadSettings(sorted(wrong))


def read_named_file(path: Path | None, setting: str) -> str:
    """Return the text of the file that a setting names; empty if it names none. Raises: CannotStart."""
    if path is None or not path.name:
        return ""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        reason = (
            "is no text in UTF-8" if isinstance(error, UnicodeError) else f"cannot be read ({error.strerror})"
        )
        message = f"The file {path} {reason}. Set {setting} to one that is right, or leave it out."
        raise CannotStart(message) from None


def find_misspelt() -> Mapping[str, str]:
    """Return names that are set but almost the name of a setting that is not, with that setting. Raises: BadFile."""
    known = Settings.model_fields.keys()
    found = read_environment()
    missing = sorted(known - found.keys())
    return {
        name.upper(): near[0].upper()
        for name in sorted(found.keys() - known)
        if _NAME.fullmatch(name) and (near := get_close_matches(name, missing, n=1, cutoff=_MIN_LIKENESS))
    }


def describe(schema: Mapping[str, Any]) -> str:
    """Describe the valid values of a setting in words, from its JSON schema."""
    match schema:
        case {"anyOf": kinds}:
            words = " or ".join(describe(kind) for kind in kinds if kind != {"type": "null"})
        case {"enum": [*names, last]}:
            words = f"{', '.join(names)} or {last}"
        case {"const": name}:
            words = str(name)
        case {"prefixItems": [first, *_] as parts}:
            words = f"{len(parts)} numbers, each {describe(first)}, with commas between them"
            words += ", none below the one before it" if schema.get("is_rising") else ""
        case {"type": "integer" | "number" as kind}:
            words = f"{'a whole number' if kind == 'integer' else 'a number'} {_describe_bounds(schema)}"
        case {"type": "array", "items": {"format": "path"}}:
            words = "paths with commas between them"
        case {"type": "array", "items": {"type": "integer"} as each}:
            words = f"numbers, each {describe(each)}, with commas between them"
        case {"type": "array"}:
            words = "texts with commas between them"
        case {"format": "template"}:
            words = (
                "an address that begins with https://, with {id}, {title} or {difficulty} where they belong"
            )
        case _:
            words = "a path" if schema.get("format") == "path" else "a text"
    return words


def _describe_bounds(schema: Mapping[str, Any]) -> str:
    match schema:
        case {"minimum": least, "maximum": most}:
            return f"from {least} to {most}"
        case {"exclusiveMinimum": least, "maximum": most}:
            return f"above {least} and at most {most}"
        case _:
            return f"from {schema['minimum']} on"
