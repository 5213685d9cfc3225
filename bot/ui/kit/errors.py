"""Error messages for people: one sentence with the cause and the next step."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from discord import utils
from discord.app_commands import (
    BotMissingPermissions,
    CommandNotFound,
    CommandSignatureMismatch,
    MissingPermissions,
    NoPrivateMessage,
)
from discord.ui import View

from bot.domain.charts import difficulty_name
from bot.domain.curves import BadSpan
from bot.domain.draft import BadTable, NotYourTurn
from bot.domain.errors import (
    BadQuery,
    BotError,
    BudgetSpent,
    CannotKeep,
    CannotRead,
    Closing,
    NotFound,
    NotLinked,
    NotShown,
    NotYet,
    PastProtected,
    PlayerProtected,
    ServiceDown,
    TokenRejected,
    TooOld,
)
from bot.domain.filters import BadFilter
from bot.domain.goals import BadGoal, Flaw
from bot.domain.story import NoStory, StoryOfMany
from bot.domain.typed import ControlCharacter, TooLong
from bot.features.aliases import NameTaken, TitleTaken, TooManySuggestions
from bot.features.comparison import NobodyToCompare
from bot.features.daily import DailyOff
from bot.features.feed import FeedOff
from bot.features.feedback import NotDelivered
from bot.features.goals import NoSuchGoal, TooManyGoals, UnreadGoal
from bot.features.hosting import NoServerId, NotBlocked, NotTheHost
from bot.features.locked import NotLocked, TooManyLocked
from bot.features.packs import NoGoals, NoSuchPack, TooManyPacks
from bot.features.searches import TableIsPrivate
from bot.features.server_posts import NoTextChannel, TooManyPlans
from bot.features.shared.aliases import TooManyAliases
from bot.features.shared.goal_packs import BadPack, PackFlaw
from bot.features.shared.library import NoChart, NoSongNamed, SongRemoved
from bot.features.shared.pauses import TooSoon
from bot.features.shared.player_models import FeltNotKnown
from bot.features.shared.subjects import MembershipHidden, MembershipUnknown, TwoSubjects
from bot.features.shared.timezones import NoTimezone
from bot.features.statistics import NotCounted
from bot.features.whatif import NoConstant
from bot.ui.kit.filters import NO_SUCH_RANK, filter_sentence
from bot.ui.kit.markdown import code, escape
from bot.ui.kit.pages import ANYBODY, NotYours, PageButton, Way, link_button, view_of
from bot.ui.kit.routes import HelpAddress, HelpTopic
from bot.ui.language.text import Language, mark

ExpectedError: TypeAlias = (
    BotError
    | MissingPermissions
    | BotMissingPermissions
    | NoPrivateMessage
    | CommandNotFound
    | CommandSignatureMismatch
)
"""The errors that are not faults of the bot."""

_SHOWN_COLUMNS: Final = 60
_OPTIONS: Final = {"user_name": "player", "user_id": "player", "q": "title", "id": "title"}
"""The option names of those parameters of the service that are named otherwise there."""

_CHANGED: Final = mark("This command has changed. Reload Discord, then use it again.")

_SENTENCES: Final[Mapping[type[ExpectedError], str]] = {
    NotLinked: mark("You have not linked an account yet. Use `/link` to do it."),
    TokenRejected: mark(
        "The record service rejected the access token. "
        "Make a new one in the developer section of your account settings there, then use `/link` again."
    ),
    PlayerProtected: mark(
        "This player is protected. Only friends on the record service may look; ask to be one there."
    ),
    PastProtected: mark(
        "This player is protected on the record service. What is remembered of them is shown to nobody else."
    ),
    NotFound: mark(
        "The record service knows nobody and nothing of that name. Check the spelling and try again."
    ),
    NoSongNamed: mark(
        "I found no song in this message. The title may be written differently there: `/song` also finds parts of it."
    ),
    BadQuery: mark("The record service does not accept that. Check what you typed and try again."),
    ServiceDown: mark(
        "The record service is not answering. Your data there is safe; try again in a few minutes."
    ),
    CannotKeep: mark(
        "Nothing can be saved right now, so nothing was changed. Try again in a few minutes; if it goes "
        "on, tell the person who runs this bot."
    ),
    CannotRead: mark(
        "The bot cannot look up what it has kept right now. Try again in a few minutes; if it goes on, "
        "tell the person who runs this bot."
    ),
    BotError: mark("The record service gave an unexpected answer. Try again in a few minutes."),
    NotShown: mark("Discord did not accept the answer. Try again in a few minutes."),
    Closing: mark(
        "The bot is being stopped or restarted and could not finish this. Try again in a few minutes."
    ),
    TwoSubjects: mark("Give either `member` or `player`, not both."),
    MembershipUnknown: mark(
        "Discord cannot say right now whether that member is still in this server. Try again in a few minutes."
    ),
    MembershipHidden: mark(
        "I am not in this server, so Discord does not tell me whether that member is still here. Use the "
        "command again, or do this in a server that I am in."
    ),
    ControlCharacter: mark(
        "What you typed contains an invisible character. Type it by hand instead of pasting it."
    ),
    BadSpan: mark("The day `from` is after the day `to`. Swap them."),
    NoStory: mark("Scores on World's End charts are not remembered: name a song with other charts."),
    StoryOfMany: mark(
        "With `chart`, `/history` shows one `member` and all days: leave the other options out."
    ),
    FeltNotKnown: mark(
        "How hard charts feel to you is not known yet: that takes your rating and statistics of enough "
        "players near it, which are gathered little by little. Leave `felt` out until then."
    ),
    NotCounted: mark("The record service has no statistics for this song."),
    NameTaken: mark("This name stands for a song in this server already: `/alias list` says which."),
    TooManyGoals: mark("You have reached the limit of goals. Remove one with `/goal remove` first."),
    TooManyPacks: mark(
        "There are three packs of goals already, which is the limit. Drop or unpin one first."
    ),
    NoGoals: mark("You have no goals outside packs to make a pack of. `/goal add` sets one."),
    TooManyLocked: mark(
        "You have reached the limit of locked songs. Remove one with `/locked remove` first."
    ),
    NoChart: mark("The catalogue has no charts for this song."),
    TooSoon: mark("You have only just written. Try again in a few minutes."),
    NotDelivered: mark(
        "What you wrote could not be delivered. Try again in a few minutes, or use the support link of `/about`."
    ),
    NotTheHost: mark("Only whoever hosts this bot can do that."),
    NotBlocked: mark("That server is not blocked."),
    NoServerId: mark(
        "That is not the id of a server. Turn on developer mode in Discord, and copy the id from the server's menu."
    ),
    NobodyToCompare: mark(
        "Name somebody else to compare with: a `member`, or a `player` of the record service."
    ),
    NoConstant: mark(
        "The constant of this chart is not known, or it is a World's End chart: it has no rating to compute."
    ),
    TooOld: mark("This is too old and no longer works. Use the command again."),
    CommandNotFound: _CHANGED,
    CommandSignatureMismatch: _CHANGED,
    NotYours: mark(
        "Only the person who used the command can turn its pages. Use the command yourself to get your own."
    ),
    DailyOff: mark(
        "This server has no daily post. Someone who manages it can set one up with `/daily channel`."
    ),
    FeedOff: mark("This server has no feed. Someone who manages it can set one up with `/feed channel`."),
    TooManyPlans: mark(
        "This server has reached its limit of posts. Remove one with `/daily off` or `/feed off` first."
    ),
    MissingPermissions: mark("Only people who manage this server can do that."),
    BotMissingPermissions: mark(
        "I cannot post there. Let me see that channel, send messages and embed links in it."
    ),
    NoPrivateMessage: mark("This only works in a server."),
    NotYourTurn: mark("It is somebody else's turn to strike: the message says whose."),
    BadTable: mark("Name the players as @names, at most seven beside you."),
    TableIsPrivate: mark(
        "Only you may see your scores, so nothing is drawn from them for others to see. Leave out what "
        "asks for your scores, or change that in `/account`."
    ),
}
"""The sentences for errors without a value worth naming."""


_LATER: Final[Mapping[type[BudgetSpent], str]] = {
    NotYet: mark("The record service cannot be asked this quickly. Try again {when}."),
    BudgetSpent: mark("Your requests to the record service are used up for now. Try again {when}."),
}
_FLAWS: Final[Mapping[Flaw, str]] = {
    Flaw.NO_CONDITION: mark(
        "This does not say what to reach on the charts. A goal does, such as `level:14+ rank>=sss count:20`."
    ),
    Flaw.TWO_AMOUNTS: mark("A goal has one amount: `count:20` or `50%`."),
    Flaw.AMOUNT: mark(
        "That cannot be a goal's amount. Use `count:20` or `50%`, `rating 16.50`, or `op level:15 80%`."
    ),
    Flaw.FELT: mark(
        "A goal cannot go by `felt`: which charts it is about would change by itself. Name them by `const` or `level`."
    ),
    Flaw.RANK: NO_SUCH_RANK,
    Flaw.NO_CHART: mark("No chart matches the filter of this goal, so there is nothing to reach."),
}

_PACK_FLAWS: Final[Mapping[PackFlaw, str]] = {
    PackFlaw.NO_PACK: mark(
        "This is not a pack of goals. Paste the whole text of the file that `/pack make` gives, with at "
        "most ten goals."
    ),
    PackFlaw.OTHER_FORMAT: mark(
        "This pack of goals was made by another version of Kiroku, which this one does not read. "
        "Ask whoever made it for a new one."
    ),
    PackFlaw.NO_GOAL: mark("This is the code of a pack of goals: `/pack take` takes all of them."),
    PackFlaw.ONE_GOAL: mark("This is the code of a single goal: `/goal copy` takes it."),
    PackFlaw.UNKNOWN_CODE: mark(
        "No goal or pack of goals has this code. `/goal add` and `/pack make` give codes: letters and "
        "digits without spaces. After half a year one may be gone: ask whoever made it for a new one."
    ),
    PackFlaw.GOAL: mark("This pack holds a goal that cannot be read, so nothing of it was taken:"),
}


def error_sentence(t: Language, error: ExpectedError) -> str:  # noqa: PLR0911 - one for each kind that carries a value
    """Return the message for an error; never the text of the service or of a library."""
    match error:
        case NotLinked(member=member) if member is not None:
            return t(
                "<@{member}> has not linked an account that you may look up. "
                "They can use `/link`, or change who may look them up in `/account`.",
                member=member,
            )
        case NotFound(what=what) | SongRemoved(title=what) if what:
            return _not_found_sentence(t, what, is_removed=isinstance(error, SongRemoved))
        case BadFilter() | BadGoal() | BadPack():
            return _wanted_sentence(t, error)
        case BadQuery(parameter=parameter, allowed=allowed) if parameter:
            return t(
                "`{parameter}` is not valid. It takes: {allowed}.",
                parameter=t.name("option", _OPTIONS.get(parameter, parameter)),
                allowed=escape(allowed, width=200),
            )
        case BudgetSpent(retry_at=retry_at):
            return t(_LATER[type(error)], when=utils.format_dt(retry_at, "R"))
        case NoSuchGoal() | NoSuchPack() | NoTextChannel() | NoTimezone() | NotLocked() | TitleTaken():
            return _typed_sentence(t, error)
        case TooLong() | TooManyAliases() | TooManySuggestions():
            return _room_sentence(t, error)
        case NotCounted(difficulty=difficulty, counted=counted) if difficulty and counted:
            return t(
                "This song has no {difficulty} chart with statistics. Those that have some: {counted}.",
                difficulty=difficulty_name(difficulty),
                counted=t.all_of(map(difficulty_name, counted)),
            )
        case NoChart(difficulty=difficulty, others=others) if difficulty and others:
            return t(
                "This song has no {difficulty} chart. It has: {others}.",
                difficulty=difficulty_name(difficulty),
                others=t.all_of(map(difficulty_name, others)),
            )
        case _:
            sentence = t(next(_SENTENCES[kind] for kind in type(error).__mro__ if kind in _SENTENCES))
            return t.sentences([sentence, *_token_place(t, error)])


def _not_found_sentence(t: Language, what: str, *, is_removed: bool) -> str:
    if is_removed:
        return t(
            "**{title}** is no longer in the game's list of songs. "
            "`/score` and `/history` show what you have played on it.",
            title=escape(what, width=_SHOWN_COLUMNS),
        )
    if what.isspace():
        return t(_SENTENCES[ControlCharacter])
    return t(
        "Nothing was found for “{what}”. Check the spelling and try again.",
        what=escape(what, width=_SHOWN_COLUMNS),
    )


def _typed_sentence(
    t: Language, error: NoSuchGoal | NoSuchPack | NoTextChannel | NoTimezone | NotLocked | TitleTaken
) -> str:
    match error:
        case TitleTaken(title=title):
            return t(
                "**{title}** is the title of another song, and finds that one. Choose another name.",
                title=escape(title, width=_SHOWN_COLUMNS),
            )
        case NoTextChannel():
            return t(
                "Posts appear in a text channel, and this is a different place. Name one with `{option}`.",
                option=t.name("option", "channel"),
            )
        case NotLocked(title=title):
            return t(
                "**{title}** is not one of the songs that you have left out: `/locked list` shows them.",
                title=escape(title, width=_SHOWN_COLUMNS),
            )
        case NoTimezone(clock=clock):
            return t(
                "The time zone is missing after the time. Type both, such as `{clock} Asia/Tokyo`.",
                clock=clock,
            )
        case _:
            return _none_such_sentence(t, error)


def _none_such_sentence(t: Language, error: NoSuchGoal | NoSuchPack) -> str:
    """Return the sentence that the typed goal or pack does not exist, and which ones do."""
    if isinstance(error, NoSuchGoal):
        goals = [goal.text if isinstance(goal, UnreadGoal) else goal.written(t.code) for goal in error.goals]
        if not goals:
            return t("You have no goals to remove. `/goal add` sets one.")
        return t("You have no such goal. You have: {goals}.", goals=t.all_of(map(code, goals)))
    titles = t.all_of(f"**{escape(title, width=_SHOWN_COLUMNS)}**" for title in error.titles)
    if error.is_pinned and titles:
        return t("No such pack of goals is pinned in this server. Pinned: {packs}.", packs=titles)
    if error.is_pinned:
        return t("No pack of goals is pinned in this server. `/pack pin` pins one.")
    if titles:
        return t("You have set yourself no such pack of goals. You have: {packs}.", packs=titles)
    return t("You have set yourself no pack of goals. `/pack take` shows one, and sets all of its goals.")


def _token_place(t: Language, error: ExpectedError) -> list[str]:
    """Return where the missing token can be created, as far as that is known."""
    if not isinstance(error, TokenRejected | NotLinked):
        return []
    return [
        t("Access tokens are made on {service}: <{url}>", service=service, url=url)
        for service, url in t.token_places.items()
    ]


def next_step(t: Language, error: Exception) -> View | None:
    """Return the buttons below the message of an error; None if nothing helps."""
    if isinstance(error, TokenRejected) or (isinstance(error, NotLinked) and error.member is None):
        return view_of([link_button(t)])
    if isinstance(error, BadFilter):
        explained = HelpAddress(asker=ANYBODY, topic=HelpTopic.FILTERS)
        return view_of([PageButton(explained, Way.ASIDE, label=t("Filters"))])
    return None


def _wanted_sentence(t: Language, error: BadFilter | BadGoal | BadPack) -> str:
    if isinstance(error, BadFilter):
        return filter_sentence(t, error)
    if isinstance(error, BadPack):
        sentence = t(_PACK_FLAWS[error.flaw])
        return f"{sentence}\n{code(error.goal)}" if error.goal else sentence
    if error.one_of_many:
        return f"{_flaw_sentence(t, error)}\n{code(error.one_of_many)}"
    return _flaw_sentence(t, error)


def _flaw_sentence(t: Language, error: BadGoal) -> str:
    if error.flaw is Flaw.TOO_HIGH:
        return t(
            "No scores can reach that rating: even the best score on the hardest chart is worth {highest}. "
            "Set a lower one.",
            highest=t.hundredths(error.highest),
        )
    if error.flaw is not Flaw.TOO_FEW:
        return t(_FLAWS[error.flaw])
    return t.plural(
        "Only {count} chart matches the filter of this goal, fewer than it asks for.",
        "Only {count} charts match the filter of this goal, fewer than it asks for.",
        error.charts,
    )


def _room_sentence(t: Language, error: TooLong | TooManyAliases | TooManySuggestions) -> str:
    if isinstance(error, TooManySuggestions):
        return t(
            "{most} of your suggestions are waiting in this server, which is the limit. Ask the people who "
            "manage it to decide: `/alias list` shows them.",
            most=error.most,
        )
    if isinstance(error, TooManyAliases):
        return t("This server has {most} aliases, which is the limit. Remove some first.", most=error.most)
    return t(
        "This takes {length} characters to keep, and there is room for {most}. Make it shorter.",
        length=error.length,
        most=error.most,
    )


def fault_sentence(t: Language, reference: str) -> str:
    """Return the message for a fault of the bot; the reference finds it in the log."""
    return t(
        "Something went wrong on our side, and it was noted as `{reference}`. Try again; if it happens "
        "again, tell the person who runs this bot.",
        reference=reference,
    )
