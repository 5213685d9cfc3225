"""Errors that can be explained to a user.

This module has the errors of the service, of links and of components; those of one feature are defined beside the code
that raises them:

    BotError
        NotLinked
        TokenRejected
        PlayerProtected
        PastProtected
        NotFound
        BadQuery
            bot.domain.filters.bad.BadFilter
        BudgetSpent
            NotYet
        ServiceDown
            bot.api.protocol.TransientOutage
                bot.api.transport.RequestNotSent
        TooOld
        UnreadableReply
        CannotKeep
        CannotRead
        NotShown
        Closing
        bot.domain.curves.BadSpan
        bot.domain.draft.BadTable
        bot.domain.draft.NotYourTurn
        bot.domain.goals.BadGoal
        bot.domain.story.NoStory
        bot.domain.story.StoryOfMany
        bot.domain.typed.ControlCharacter
        bot.domain.typed.TooLong
        bot.features.aliases.NameTaken
        bot.features.aliases.TitleTaken
        bot.features.aliases.TooManySuggestions
        bot.features.comparison.NobodyToCompare
        bot.features.daily.DailyOff
        bot.features.feed.FeedOff
        bot.features.feedback.NotDelivered
        bot.features.goals.NoSuchGoal
        bot.features.goals.TooManyGoals
        bot.features.hosting.NoServerId
        bot.features.hosting.NotBlocked
        bot.features.hosting.NotTheHost
        bot.features.locked.NotLocked
        bot.features.locked.TooManyLocked
        bot.features.packs.NoGoals
        bot.features.packs.NoSuchPack
        bot.features.packs.TooManyPacks
        bot.features.searches.TableIsPrivate
        bot.features.server_posts.NoTextChannel
        bot.features.server_posts.TooManyPlans
        bot.features.shared.aliases.TooManyAliases
        bot.features.shared.goal_packs.BadPack
        bot.features.shared.library.NoChart
        bot.features.shared.library.NoSongNamed
        bot.features.shared.library.SongRemoved
        bot.features.shared.pauses.TooSoon
        bot.features.shared.player_models.FeltNotKnown
        bot.features.shared.subjects.MembershipUnknown
            bot.features.shared.subjects.MembershipHidden
        bot.features.shared.subjects.TwoSubjects
        bot.features.shared.timezones.NoTimezone
        bot.features.statistics.NotCounted
        bot.features.whatif.NoConstant
        bot.ui.kit.pages.NotYours

The text of an error is for logs and developers: `bot.ui.kit.errors` has a translated sentence for each of them.
No text here ever contains a token or an address.
"""

from datetime import datetime

from bot.domain.ids import MemberId


class BotError(Exception):
    """The root: catching it catches everything that can be explained to a user."""


class NotLinked(BotError):
    """The asker, or the member asked about, has no account that the asker may see."""

    def __init__(self, member: MemberId | None = None) -> None:
        self.member = member
        """None if it is the asker."""
        super().__init__("no linked account that the asker may see")


class TokenRejected(BotError):
    """401: the service does not accept the token: it was revoked or was never valid."""

    def __init__(self) -> None:
        super().__init__("the record service rejected the token")


class PlayerProtected(BotError):
    """403: the player is protected and not a friend of the token holder."""

    def __init__(self) -> None:
        super().__init__("the player is protected and no friend of the token holder")


class PastProtected(BotError):
    """The service protects a player: their stored history is not shown to others, since their friends may change."""

    def __init__(self) -> None:
        super().__init__("the player is protected, and so is what is remembered of them")


class NotFound(BotError):
    """404: the service has no player or thing of that name."""

    def __init__(self, what: str = "") -> None:
        self.what = what
        """The name that was looked for, as the asker wrote it; may be empty."""
        super().__init__("not found")


class BadQuery(BotError):
    """400, or refused by the bot before sending: a parameter is not valid for the service."""

    def __init__(self, parameter: str, allowed: str) -> None:
        self.parameter = parameter
        """The parameter's name as in the specification; empty if the service did not name it."""
        self.allowed = allowed
        """The values that are valid, or the service's message; never the value that was sent."""
        super().__init__(f"{parameter}: {allowed}" if parameter else allowed)


class BudgetSpent(BotError):
    """429, or refused by the bot to avoid one: the token may not send any requests until `retry_at`."""

    def __init__(self, retry_at: datetime) -> None:
        self.retry_at = retry_at
        super().__init__(f"nothing may be sent before {retry_at.isoformat()}")


class NotYet(BudgetSpent):
    """Refused by the bot although requests are left: too soon after another one, or reserved for more urgent ones."""


class ServiceDown(BotError):
    """5xx, no connection, or no answer in time."""

    def __init__(self, reason: str = "no answer") -> None:
        self.reason = reason
        """A few words for logs: a status or a kind of failure, never an address."""
        super().__init__(f"the record service is not available: {reason}")


class TooOld(BotError):
    """A button, menu or form comes from another version of this bot, or refers to data that is no longer stored."""

    def __init__(self) -> None:
        super().__init__("nobody knows any more what this leads to")


class UnreadableReply(BotError):
    """The service's reply does not conform to the specification."""

    def __init__(self, reason: str = "unexpected shape") -> None:
        self.reason = reason
        """A few words for logs: a position in the reply, never its content."""
        super().__init__(f"unreadable reply: {reason}")


class CannotKeep(BotError):
    """The database cannot be written just now: its disk is full, it is locked or read-only, or its server is down."""

    def __init__(self) -> None:
        super().__init__("the database cannot be written")


class CannotRead(BotError):
    """The database cannot be read just now, most likely because its server is down."""

    def __init__(self) -> None:
        super().__init__("the database cannot be read")


class NotShown(BotError):
    """Discord did not accept an answer: the connection broke, or Discord has a problem of its own."""

    def __init__(self) -> None:
        super().__init__("Discord did not take an answer")


class Closing(BotError):
    """The bot is shutting down, and the answer is not ready yet."""

    def __init__(self) -> None:
        super().__init__("the bot closed before the answer was there")


class UnreadableMessage(Exception):
    """A message on Discord cannot be read by this program, such as one that was just sent."""

    def __init__(self, message: int) -> None:
        super().__init__(f"message {message} cannot be read")
        self.message = message
