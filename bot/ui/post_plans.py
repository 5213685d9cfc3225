"""The plans of a server's posts: the form to set one up, and the list of all."""

import re
from collections.abc import Mapping, Sequence
from datetime import time
from typing import Final

from discord import ChannelType, Embed, SelectDefaultValue, SelectDefaultValueType, SelectOption, utils
from discord.app_commands import Choice
from discord.ui import ChannelSelect, Item, Label, Modal, Select, TextInput

from bot.domain.errors import BadQuery, TooOld
from bot.domain.ids import ChannelId, MemberId
from bot.domain.posts import PostKind, PostOption, PostPlan
from bot.features.server_posts import Planned
from bot.features.shared.timezones import NoTimezone
from bot.ui.kit.choices import matching_choices
from bot.ui.kit.forms import make_form
from bot.ui.kit.look import BRAND, Page, add_text
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import PageMenu, view_of
from bot.ui.kit.routes import PostPlansAddress
from bot.ui.language.text import Language, Languages, mark

PLAN_FORM: Final = "plan"
PLACES: Final = (ChannelType.text, ChannelType.news)
"""The types of channels for posts; a form must not have a default that it does not offer."""
_CHANNEL, _WHAT, _AT, _LANGUAGE, _CONTENT = "channel", "what", "at", "language", "content"
"""The ids of the form's fields."""
_OF_SERVER: Final = "auto"
"""The choice of the server's language instead of a fixed one."""
_CLOCK: Final = re.compile(r"(\d{1,2})(?:[:：](\d{1,2}))?(?:\s*([AaPp])\.?[Mm]\.?)?")
_HALF: Final = re.compile(r"(?<=\d)\s+([AaPp]\.?[Mm]\b\.?)")
"""The half of the day, with the space that separates it from its time."""
_HALF_DAY, _NO_HOUR = 12, 24
EVERY: Final[Mapping[PostKind, str]] = {
    PostKind.DAILY: mark("Every day"),
    PostKind.WEEKLY: mark("Every Monday, about the week"),
    PostKind.MONTHLY: mark("On the 1st, about the month"),
}
_CONTENTS: Final[Mapping[PostOption, str]] = {
    PostOption.NO_PICTURE: mark("A picture"),
    PostOption.NO_PLAYS: mark("The best plays"),
    PostOption.QUIET: mark("One line where nothing has changed"),
}
"""The contents that a post has unless its plan has the option against them."""


def plan_form(
    t: Language, channel: ChannelId | None, post_at: time, timezone: str, languages: Languages
) -> Modal:
    """Return the form for a plan."""
    place = [] if channel is None else [SelectDefaultValue(id=channel, type=SelectDefaultValueType.channel)]
    channels: ChannelSelect[Modal] = ChannelSelect(
        custom_id=_CHANNEL, channel_types=list(PLACES), default_values=place, required=True
    )
    contents = {str(option): t(label) for option, label in _CONTENTS.items()}
    light = SelectOption(label=t("Light colours"), value=PostOption.LIGHT)
    fields: Mapping[str, Item[Modal]] = {
        t("Channel"): channels,
        t("How often"): _select(_WHAT, {str(what): t(label) for what, label in EVERY.items()}),
        t("Time of day, and time zone"): time_field(post_at, timezone),
        t("Language"): language_field(t, languages),
        t("What it shows"): Select(
            custom_id=_CONTENT,
            options=[*(SelectOption(label=label, value=each, default=True) for each, label in contents.items()), light],
            min_values=0,
            max_values=len(contents) + 1,
            required=False,
        ),
    }  # fmt: skip
    labelled = (Label(text=label, component=component) for label, component in fields.items())
    return make_form(PLAN_FORM, t("Set up a post"), *labelled)


def time_field(post_at: time, timezone: str) -> TextInput[Modal]:
    """Return the field for a time of day, with its zone."""
    return TextInput(custom_id=_AT, default=f"{post_at:%H:%M} {timezone}", max_length=100)


def read_time_field(typed: Mapping[str, str]) -> tuple[time, str]:
    """Return the time of day and the zone that were typed. Raises: KeyError, BadQuery, NoTimezone."""
    # Splits at the wide space of Japanese keyboards too.
    clock, timezone = (*_HALF.sub(r"\1", typed[_AT]).split(maxsplit=1), "", "")[:2]
    post_at, timezone = read_time(clock), timezone.strip(" ()")
    if not timezone:
        raise NoTimezone(clock)
    return post_at, timezone


def language_field(t: Language, languages: Languages, chosen: str | None = None) -> Select[Modal]:
    """Return the field for the language of posts; None is that of the server."""
    tongues = {_OF_SERVER: t("As in this server"), **{each.code: each.own_name for each in languages}}
    return _select(_LANGUAGE, tongues, chosen)


def read_language(typed: Mapping[str, str]) -> str | None:
    """Return the chosen language. Raises: KeyError."""
    return None if typed[_LANGUAGE] == _OF_SERVER else typed[_LANGUAGE]


def _select(custom_id: str, choices: Mapping[str, str], chosen: str | None = None) -> Select[Modal]:
    """Return a field to choose one value, by default the first."""
    first = chosen if chosen in choices else next(iter(choices))
    options = [
        SelectOption(label=label, value=value, default=value == first) for value, label in choices.items()
    ]
    return Select(custom_id=custom_id, options=options)


def read_form(typed: Mapping[str, str]) -> PostPlan:
    """Return the typed plan, without a server yet. Raises: TooOld for a form with other fields, BadQuery, NoTimezone."""
    try:
        content = typed[_CONTENT].split()
        post_at, timezone = read_time_field(typed)
        return PostPlan(
            channel=ChannelId(int(typed[_CHANNEL])),
            what=PostKind(typed[_WHAT]),
            post_at=post_at,
            timezone=timezone,
            language=read_language(typed),
            options=frozenset(
                option for option in PostOption if (option in content) is (option is PostOption.LIGHT)
            ),
        )
    except (KeyError, ValueError):
        raise TooOld from None


def read_time(text: str) -> time:
    """Return "21:00", "9:30", "21" or "9:00 PM" as a time. Raises: BadQuery."""
    found = _CLOCK.fullmatch(text.strip())
    hour, minute, half = (int(found[1]), int(found[2] or 0), found[3]) if found else (_NO_HOUR, 0, None)
    if half is not None:
        hour = hour % _HALF_DAY + _HALF_DAY * (half in "pP") if 1 <= hour <= _HALF_DAY else _NO_HOUR
    try:
        return time(hour, minute)
    except ValueError:
        raise BadQuery("time", "00:00 – 23:59") from None


def plan_choices(t: Language, plans: Sequence[Planned], current: str) -> list[Choice[str]]:
    """Return posts as choices that match what was typed so far."""
    names = {
        str(each.plan.id): f"{t.integer(number)}. {when_text(t, each.plan)}"
        for number, each in enumerate(plans, 1)
    }
    return matching_choices(names, current)


def plans_page(
    t: Language, plans: Sequence[Planned], languages: Languages, asker: MemberId, *, may_remove: bool
) -> Page:
    """Return all posts of a server, with a menu that removes one for those who may."""
    embed = Embed(title=t("Posts of this server"), colour=BRAND)
    lines = [
        f"`{t.integer(number)}` {plan_line(t, planned, languages)}" for number, planned in enumerate(plans, 1)
    ]
    add_text(embed, "\n".join(lines))
    if not may_remove:
        return Page(embed)
    choices = {
        PostPlansAddress(asker=asker, remove=each.plan.id): f"{t.integer(number)}. {when_text(t, each.plan)}"
        for number, each in enumerate(plans, 1)
    }
    return Page(embed, view_of([PageMenu(choices, placeholder=t("Remove one"))]))


def when_text(t: Language, plan: PostPlan) -> str:
    """Return how often and when a plan posts."""
    every = t(EVERY[plan.what])
    return f"{every}, {t.hour(plan.post_at)} ({plan.timezone})"


def plan_line(t: Language, planned: Planned, languages: Languages) -> str:
    """Return where, when and in which language a plan posts."""
    plan = planned.plan
    language = languages.find(plan.language) if plan.language else None
    facts = [f"<#{plan.channel}>", escape(when_text(t, plan))]
    if language is not None:
        facts.append(language.own_name)
    if plan.is_off:
        facts.append(t("off: I could not write there"))
    elif planned.next_at is not None:
        facts.append(t("next {when}", when=utils.format_dt(planned.next_at, "R")))
    return " · ".join(facts)
