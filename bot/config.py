"""Settings, from the environment or a `.env` file; nothing is read at import."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

Percent = Annotated[int, Field(ge=0, le=100)]
Days = Annotated[int, Field(ge=1)]

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
        super().__init__(
            f"These settings are not right: {', '.join(names)}. `.env.example` says what they take."
        )


class BadFile(CannotStart):
    """The file of settings cannot be read."""

    def __init__(self) -> None:
        super().__init__("The file .env cannot be read. Check whose it is, and that it is text in UTF-8.")


class Settings(BaseSettings):
    """Everything an operator can differ in; `.env.example` says it with examples."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    discord_token: SecretStr = SecretStr("")
    """The bot's own token, from Discord's developer portal."""
    record_api_url: str = ""
    """Base address of the record service; https, or http on this machine."""
    record_token: SecretStr = SecretStr("")
    """A token of the operator's own account, to read the song catalogue for members who have not linked."""
    database_url: str = "sqlite+aiosqlite:///data/kiroku.db"
    """SQLAlchemy address of the database."""
    token_keys: Annotated[tuple[SecretStr, ...], NoDecode] = ()
    """Fernet keys that encrypt members' tokens, newest first; made into a file beside the database if empty."""
    shards: Annotated[int, Field(ge=1)] | Literal["auto"] = "auto"
    """How many connections to Discord serve the bot's servers; "auto" is as many as Discord recommends."""
    default_region: str = "jp2"
    """The region that is asked when a member has not chosen one."""
    alias_file: Path | None = None
    """A file of the operator's aliases for songs, one "alias = title" a line."""
    fresh_seconds: Annotated[float, Field(ge=0, le=_LONGEST_FRESH)] | None = None
    """How long an answer about a player counts as fresh, in seconds; None: by what was asked."""
    patience_seconds: Annotated[float, Field(gt=0, le=_LONGEST_PATIENCE)] = 10
    """How long a person is kept waiting for the service, in seconds."""
    reserve_percents: Annotated[tuple[Percent, Percent, Percent], NoDecode] = (15, 30, 50)
    """How much of each token's requests refreshing, daily posts and looking ahead leave for more urgent ones."""
    history_days: Annotated[tuple[Days, Days], NoDecode] = (400, 1_095)
    """For how many days each day of a member's history is kept, and for how many at all: one look a week."""
    feed_minutes: Annotated[float, Field(gt=0, le=_LONGEST_PAUSE)] = 60
    """For how long nothing new must have been found of a member before feeds tell what they have played, in minutes."""
    metrics_host: str = "127.0.0.1"
    """Where `/metrics`, `/healthz` and `/readyz` are served: to this machine alone, unless it is another address."""
    metrics_port: Annotated[int, Field(ge=0, le=65535)] = 0
    """The port of these; 0 turns them off."""
    source_url: str = ""
    """Where the source of this bot can be had; shown in `/about`."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """What is worth a line in the log."""
    log_format: Literal["auto", "text", "json"] = "auto"
    """How lines are written; "auto" is text on a terminal and JSON elsewhere."""

    @field_validator("token_keys", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return (
            tuple(key.strip() for key in value.split(",") if key.strip()) if isinstance(value, str) else value
        )

    @field_validator("reserve_percents", "history_days", mode="before")
    @classmethod
    def _split_numbers(cls, value: object) -> object:
        return tuple(value.split(",")) if isinstance(value, str) else value

    @property
    def token_keys_in_clear(self) -> tuple[str, ...]:
        """The keys as strings."""
        return tuple(key.get_secret_value() for key in self.token_keys)

    @property
    def database_path(self) -> Path | None:
        """The file of an SQLite database; None for another database, or one in memory."""
        scheme, _, path = self.database_url.partition(":///")
        return Path(path) if scheme.startswith("sqlite") and path and path != ":memory:" else None


def read_settings(**given: Any) -> Settings:
    """Read all that is not given. Raises: BadSettings, BadFile."""
    try:
        return Settings(**given)
    except (OSError, UnicodeError):
        raise BadFile from None
    except ValidationError as error:
        names = {str(part["loc"][0]).upper() for part in error.errors() if part["loc"]}
        raise BadSettings(sorted(names)) from None
