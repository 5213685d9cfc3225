"""The options of commands: names, descriptions and autocompletion.

Each function makes a decorator to put below `@command`; several can be stacked. Options that several commands share are
defined here, once.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, TypeAlias, TypeVar

import discord
from discord import app_commands
from discord.app_commands import Choice, Range, locale_str
from typing_extensions import override

from bot.chat.client import Interaction
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.charts import Difficulty, difficulty_name
from bot.domain.errors import BadQuery
from bot.features.shared.timezones import suggest_timezones
from bot.ui.kit.choices import matching_choices
from bot.ui.kit.filters import filter_choices
from bot.ui.kit.orders import ORDERS
from bot.ui.language.text import described, named
from bot.ui.post_plans import PLACES
from bot.ui.songs import song_choices


class _TextChannels(app_commands.Transformer):
    """Accepts channels as Discord describes them: discord.py's own transformer needs cached channels, and none are cached."""

    @property
    @override
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    @override
    def channel_types(self) -> list[discord.ChannelType]:
        return list(PLACES)

    @override
    async def transform(
        self, interaction: discord.Interaction, value: app_commands.AppCommandChannel, /
    ) -> app_commands.AppCommandChannel:
        return value


SongText: TypeAlias = Range[str, 1, 100]
"""A song's id, from a suggestion, or what somebody calls it."""
Someone: TypeAlias = discord.Member | discord.User
TextChannel: TypeAlias = app_commands.Transform[app_commands.AppCommandChannel, _TextChannels]
"""A channel of the server for text, as Discord describes it to whoever uses the command."""
PlayerName: TypeAlias = Range[str, 1, 64]
FilterText: TypeAlias = Range[str, 0, 100]
DayText: TypeAlias = Range[str, 0, 20]

_FIRST_DAY: Final = date(2015, 7, 16)
"""The game's own first day: nothing was played before."""
_MAX_AHEAD: Final = timedelta(days=366)
"""A day may be in the future by this much: somebody who asks for a whole year names its end."""

TODAY_ANYWHERE: Final = timedelta(hours=14)
"""Somewhere in the world a day begins this much earlier than in UTC."""

_E = TypeVar("_E", bound=StrEnum)
_F = TypeVar("_F", bound=Callable[..., Any])
_Decorator: TypeAlias = Callable[[_F], _F]
_Suggest: TypeAlias = Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[str]]]]


def option(
    parameter: str,
    name: locale_str,
    description: locale_str,
    *,
    choices: Sequence[Choice[str]] = (),
    suggest: _Suggest | None = None,
) -> _Decorator[_F]:
    """Describe one parameter of a command."""

    def decorate(command: _F) -> _F:
        # Created for each command: discord.py keeps and modifies what it is given.
        app_commands.rename(**{parameter: name})(command)
        app_commands.describe(**{parameter: description})(command)
        if choices:
            app_commands.choices(**{parameter: [*choices]})(command)
        if suggest is not None:
            app_commands.autocomplete(**{parameter: suggest})(command)
        return command

    return decorate


def day_of(text: str, name: str, now: datetime, *, ahead: timedelta = _MAX_AHEAD) -> date | None:
    """Return "2026-11-01" or "2026/11/1" as a day; None where nothing was typed.

    Raises: BadQuery, naming the option, also for a day before the game or further `ahead` of now than that.
    """
    if not text.strip():
        return None
    last_day = (now + ahead).date()
    try:
        year, month, day = text.strip().replace("/", "-").split("-")
        found = date(int(year), int(month), int(day))
    except (ValueError, OverflowError):
        found = None
    if found is None or not _FIRST_DAY <= found <= last_day:
        raise BadQuery(name, f"{_FIRST_DAY} – {last_day}")
    return found


def choices_of(labels: Mapping[_E, str]) -> list[Choice[str]]:
    """Return the values of an enumeration as choices, by their marked labels."""
    return [Choice(name=described(label), value=each.value) for each, label in labels.items()]


def song_option(
    parameter: str = "song", name: locale_str | None = None, description: locale_str | None = None
) -> _Decorator[_F]:
    """Describe the song."""
    return option(
        parameter,
        name or named("option", "song"),
        description or described("Part of a title or artist, in any script"),
        suggest=_suggest_songs,
    )


def subject_options() -> _Decorator[_F]:
    """Describe `member` and `player`: whom the command is about."""

    def decorate(command: _F) -> _F:
        described_member = described("Someone here who has linked an account and lets you look")
        option("member", named("option", "member"), described_member)(command)
        described_player = described("A player's name on the record service")
        return option("player", named("option", "player"), described_player)(command)

    return decorate


def difficulty_option(
    description: locale_str,
    codes: Iterable[Difficulty],
    parameter: str = "difficulty",
    name: locale_str | None = None,
) -> _Decorator[_F]:
    """Describe a difficulty, one of `codes`."""
    choices = [Choice(name=difficulty_name(code), value=str(code)) for code in codes]
    return option(parameter, name or named("option", "difficulty"), description, choices=choices)


def filter_option(description: locale_str) -> _Decorator[_F]:
    """Describe `wanted`, a filter."""
    return option("wanted", named("option", "filter"), description, suggest=_suggest_filters)


def sort_option(description: locale_str) -> _Decorator[_F]:
    """Describe `sort`, the order of a list."""
    return option("sort", named("option", "sort"), description, choices=choices_of(ORDERS))


def timezone_option() -> _Decorator[_F]:
    """Describe `timezone`."""
    description = described("Time zone, such as Asia/Tokyo")
    return option("timezone", named("option", "timezone"), description, suggest=_suggest_timezones)


async def _suggest_songs(interaction: Interaction, current: str) -> list[Choice[str]]:
    library = interaction.client.features.library
    return song_choices(await library.suggest(viewer_of(interaction), current, guild_of(interaction)))


async def _suggest_filters(interaction: Interaction, current: str) -> list[Choice[str]]:
    return filter_choices(interaction.client.language_of(interaction), current)


async def _suggest_timezones(_interaction: Interaction, current: str) -> list[Choice[str]]:
    return matching_choices({name: name for name in suggest_timezones(current)})
