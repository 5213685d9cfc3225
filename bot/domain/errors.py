"""What can go wrong and be told to a person.

Here stand the errors of the service, of links and of what is pressed; those of one feature stand beside what raises
them:

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

The text of an error is for logs and developers: `bot.ui.kit.errors` has a sentence in people's languages for each of them.
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
    """401: the service does not accept the token, which was revoked or never valid."""

    def __init__(self) -> None:
        super().__init__("the record service rejected the token")


class PlayerProtected(BotError):
    """403: the player is protected and no friend of the token holder."""

    def __init__(self) -> None:
        super().__init__("the player is protected and no friend of the token holder")


class PastProtected(BotError):
    """The service protects a player: what is remembered of them is for nobody else, for who their friends are may change."""

    def __init__(self) -> None:
        super().__init__("the player is protected, and so is what is remembered of them")


class NotFound(BotError):
    """404: the service knows nobody and nothing of that name."""

    def __init__(self, what: str = "") -> None:
        self.what = what
        """What was looked for, as the asker wrote it; may be empty."""
        super().__init__("not found")


class BadQuery(BotError):
    """400, or refused by ourselves before sending: a parameter is not what the service takes."""

    def __init__(self, parameter: str, allowed: str) -> None:
        self.parameter = parameter
        """Its name as in the specification; empty when the service did not say."""
        self.allowed = allowed
        """What would be right, or what the service said; never what was sent."""
        super().__init__(f"{parameter}: {allowed}" if parameter else allowed)


class BudgetSpent(BotError):
    """429, or refused by ourselves to avoid one: the token may send nothing more until `retry_at`."""

    def __init__(self, retry_at: datetime) -> None:
        self.retry_at = retry_at
        super().__init__(f"nothing may be sent before {retry_at.isoformat()}")


class NotYet(BudgetSpent):
    """Refused by ourselves although requests are left: too soon after another one, or kept for the more urgent."""


class ServiceDown(BotError):
    """5xx, no connection, or no answer in time."""

    def __init__(self, reason: str = "no answer") -> None:
        self.reason = reason
        """A few words for logs: a status or a kind of failure, never an address."""
        super().__init__(f"the record service is not available: {reason}")


class TooOld(BotError):
    """A button, menu or form was left by another version of this bot, or leads to what is kept no more."""

    def __init__(self) -> None:
        super().__init__("nobody knows any more what this leads to")


class UnreadableReply(BotError):
    """The service answered something that is not what the specification promises."""

    def __init__(self, reason: str = "unexpected shape") -> None:
        self.reason = reason
        """A few words for logs: a place in the reply, never its content."""
        super().__init__(f"unreadable reply: {reason}")


class CannotKeep(BotError):
    """The database takes nothing just now: its disk is full, it is locked or read-only, or its server is away."""

    def __init__(self) -> None:
        super().__init__("the database cannot be written")


class CannotRead(BotError):
    """The database says nothing just now: its server is away, most likely."""

    def __init__(self) -> None:
        super().__init__("the database cannot be read")


class NotShown(BotError):
    """Discord did not take an answer: the connection to it broke, or it has trouble of its own."""

    def __init__(self) -> None:
        super().__init__("Discord did not take an answer")


class Closing(BotError):
    """The bot is ending, and what was asked for is not there yet."""

    def __init__(self) -> None:
        super().__init__("the bot closed before the answer was there")


class UnreadableMessage(Exception):
    """A message stands on Discord that this program cannot read, such as one that was just sent."""

    def __init__(self, message: int) -> None:
        super().__init__(f"message {message} cannot be read")
        self.message = message
