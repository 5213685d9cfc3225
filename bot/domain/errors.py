"""Everything that can go wrong and be told to a person.

BotError
├── NotLinked           no account linked, or none that the asker may see
├── TokenRejected       the service does not accept the token
├── PlayerProtected     403: the player's data is for friends
├── NotFound            404: nobody, or nothing, of that name
├── BadQuery            400, or refused by ourselves before sending
│   └── BadFilter       a filter that cannot be read, with the place (bot.domain.filters)
├── BudgetSpent         429, or refused by ourselves to avoid one
├── ServiceDown         5xx, no connection, or no answer in time
└── UnreadableReply     an answer that is not what the specification promises

The text of an error is for logs and developers; `bot.ui.errors` says it to people, in their language.
No text here ever holds a token or an address.
"""

from datetime import datetime

from bot.domain.ids import MemberId


class BotError(Exception):
    """The root: catching it catches all that can be told to a person."""


class NotLinked(BotError):
    """The asker, or the member asked about, has no account that the asker may see."""

    def __init__(self, member: MemberId | None = None) -> None:
        self.member = member
        """None when it is the asker."""
        super().__init__("no linked account that the asker may see")


class TokenRejected(BotError):
    """The service does not accept the token: it was revoked or never valid."""

    def __init__(self) -> None:
        super().__init__("the record service rejected the token")


class PlayerProtected(BotError):
    """The player is protected and no friend of the token holder."""

    def __init__(self) -> None:
        super().__init__("the player is protected and no friend of the token holder")


class NotFound(BotError):
    """The service knows nobody and nothing of that name."""

    def __init__(self, what: str = "") -> None:
        self.what = what
        """What was looked for, as the asker wrote it; may be empty."""
        super().__init__("not found")


class BadQuery(BotError):
    """A parameter is not what the service takes."""

    def __init__(self, parameter: str, allowed: str) -> None:
        self.parameter = parameter
        """Its name as in the specification; empty when the service did not say."""
        self.allowed = allowed
        """What would be right, or what the service said; never what was sent."""
        super().__init__(f"{parameter}: {allowed}" if parameter else allowed)


class BudgetSpent(BotError):
    """The token may send nothing more until `retry_at`."""

    def __init__(self, retry_at: datetime) -> None:
        self.retry_at = retry_at
        super().__init__(f"request budget spent until {retry_at.isoformat()}")


class ServiceDown(BotError):
    """The service did not answer, or answered that it cannot."""

    def __init__(self, reason: str = "no answer") -> None:
        self.reason = reason
        """A few words for logs: a status or a kind of failure, never an address."""
        super().__init__(f"the record service is not available: {reason}")


class UnreadableReply(BotError):
    """The service answered something that is not what the specification promises."""

    def __init__(self, reason: str = "unexpected shape") -> None:
        self.reason = reason
        """A few words for logs: a place in the reply, never its content."""
        super().__init__(f"unreadable reply: {reason}")
