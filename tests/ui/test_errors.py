"""Everything that can go wrong has a sentence of its own, in every language."""

from datetime import UTC, datetime

import pytest
from discord import app_commands

from bot.api.protocol import TransientOutage
from bot.domain import errors
from bot.domain.charts import MASTER, ULTIMA
from bot.domain.curves import BadSpan
from bot.domain.draft import BadTable, NotYourTurn
from bot.domain.filters import BadFilter
from bot.domain.filters.bad import Expected
from bot.domain.goals import BadGoal, Flaw, parse_goal
from bot.domain.ids import MemberId
from bot.domain.story import NoStory, StoryOfMany
from bot.domain.typed import ControlCharacter, TooLong
from bot.features.aliases import NameTaken, TitleTaken, TooManySuggestions
from bot.features.comparison import NobodyToCompare
from bot.features.daily import DailyOff
from bot.features.feed import FeedOff
from bot.features.feedback import NotDelivered
from bot.features.goals import NoSuchGoal, TooManyGoals
from bot.features.hosting import NoServerId, NotBlocked, NotTheHost
from bot.features.locked import NotLocked, TooManyLocked
from bot.features.packs import NoGoals, NoSuchPack, TooManyPacks
from bot.features.searches import TableIsPrivate, TooOld
from bot.features.server_posts import NoTextChannel, TooManyPlans
from bot.features.shared.aliases import TooManyAliases
from bot.features.shared.goal_packs import BadPack, GoalPack, PackFlaw
from bot.features.shared.library import NoChart, NoSongNamed, SongRemoved
from bot.features.shared.pauses import TooSoon
from bot.features.shared.player_models import FeltNotKnown
from bot.features.shared.subjects import MembershipHidden, MembershipUnknown, TwoSubjects
from bot.features.shared.timezones import NoTimezone
from bot.features.statistics import NotCounted
from bot.features.whatif import NoConstant
from bot.ui.kit.errors import ExpectedError, error_sentence
from bot.ui.kit.pages import NotYours
from bot.ui.language.text import Language, Languages

PACK = GoalPack("Summer", "Ken", (parse_goal("rating 16.50"),))
EXAMPLES: list[ExpectedError] = [
    errors.NotLinked(),
    errors.NotLinked(MemberId(7)),
    errors.CannotKeep(),
    errors.CannotRead(),
    errors.Closing(),
    errors.NotShown(),
    errors.TokenRejected(),
    errors.PlayerProtected(),
    errors.PastProtected(),
    errors.NotFound(),
    errors.NotFound("a song"),
    errors.BadQuery("", ""),
    errors.BadQuery("region", "jp2"),
    errors.BudgetSpent(datetime(2026, 1, 1, tzinfo=UTC)),
    errors.NotYet(datetime(2026, 1, 1, tzinfo=UTC)),
    errors.ServiceDown(),
    errors.UnreadableReply(),
    BadFilter("const>", 6, 6, Expected.VALUE),
    TooManyAliases(),
    TooManySuggestions(),
    NameTaken(),
    TitleTaken("a *song*"),
    MembershipUnknown(),
    MembershipHidden(),
    TwoSubjects(),
    NobodyToCompare(),
    DailyOff(),
    FeedOff(),
    TooSoon(),
    NotDelivered(),
    NotTheHost(),
    NotBlocked(),
    NoServerId(),
    NoTextChannel(),
    TooManyPlans(),
    BadSpan(),
    ControlCharacter(),
    TooLong(404),
    *(BadGoal(flaw, 2) for flaw in Flaw),
    NoSuchGoal([]),
    NoSuchGoal([parse_goal("rating 16.50")]),
    *(NoSuchPack(packs, is_pinned=is_pinned) for packs in ((), (PACK,)) for is_pinned in (False, True)),
    NoTimezone("21:00"),
    TooManyGoals(),
    NotLocked("a *song*"),
    TooManyLocked(),
    TooManyPacks(),
    NoGoals(),
    *(BadPack(flaw, "const>=x" if flaw is PackFlaw.GOAL else "") for flaw in PackFlaw),
    NoChart(None, ()),
    NoSongNamed(),
    SongRemoved("a *song*"),
    NoChart(ULTIMA, (MASTER,)),
    NoConstant(),
    TooOld(),
    FeltNotKnown(),
    NotYourTurn(),
    BadTable(),
    TableIsPrivate(),
    NoStory(),
    StoryOfMany(),
    NotCounted(None, ()),
    NotCounted(ULTIMA, (MASTER,)),
    NotYours(),
    app_commands.MissingPermissions(["manage_guild"]),
    app_commands.BotMissingPermissions(["send_messages"]),
    app_commands.NoPrivateMessage(),
]


def test_the_examples_are_all_that_the_bot_can_tell() -> None:
    told = {kind for kind in errors.BotError.__subclasses__() if kind.__module__.startswith("bot.")}
    assert told | {BadFilter, errors.NotYet, MembershipHidden} == {
        type(error) for error in EXAMPLES if isinstance(error, errors.BotError)
    }


@pytest.mark.parametrize("t", list(Languages()), ids=lambda t: t.code)
def test_each_is_told_in_a_sentence_of_its_own(t: Language) -> None:
    sentences = [error_sentence(t, error) for error in EXAMPLES]
    assert len(set(sentences)) == len(EXAMPLES)


@pytest.mark.parametrize("t", list(Languages()), ids=lambda t: t.code)
@pytest.mark.parametrize("error", [TwoSubjects(), NobodyToCompare()], ids=repr)
def test_options_are_named_as_their_reader_sees_them(t: Language, error: ExpectedError) -> None:
    sentence = error_sentence(t, error)
    assert all(f"`{t.name('option', option)}`" in sentence for option in ("member", "player"))


def test_a_kind_of_an_error_is_told_as_that_error() -> None:
    t = Languages()["en"]
    assert error_sentence(t, TransientOutage("status 503")) == error_sentence(t, errors.ServiceDown())
