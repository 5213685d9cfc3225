"""`/help`: topics of commands, made from the command tree itself so that it cannot get out of date."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from discord import AppCommandType, Embed
from discord.app_commands import Command, CommandTree, ContextMenu

from bot.domain.boards import Measure
from bot.domain.charts import MASTER
from bot.domain.entries import Order
from bot.domain.filters import key_words, parse_filter
from bot.domain.folding import is_same, occurs_in
from bot.domain.ids import MemberId
from bot.features.shared.paging import LINES, part_of
from bot.features.shared.subjects import Subject
from bot.ui.kit.address import Address
from bot.ui.kit.look import BRAND, Page, add_text
from bot.ui.kit.pages import Component, PageMenu, aside_buttons, link_button, turn_buttons, view_of
from bot.ui.kit.routes import (
    AccountAddress,
    BoardAddress,
    GoalsAddress,
    HelpAddress,
    HelpTopic,
    PlanAddress,
    ScoresAddress,
    SessionAddress,
    SkillAddress,
)
from bot.ui.kit.song_routes import ChangesAddress, SearchAddress, TrialAddress
from bot.ui.kit.steps import best_of
from bot.ui.language.text import Language, mark

_BOTH_NAMES: Final = re.compile(r"</[^:>]+:\d+> \((/[^)]+)\)")
"""A command as a mention, which Discord shows in English, followed by the name that its reader types."""
_MENUS: Final[Mapping[AppCommandType, str]] = {
    AppCommandType.user: mark("In the menu of a person, under Apps"),
    AppCommandType.message: mark("In the menu of a message, under Apps"),
}
TOPICS: Final[Mapping[HelpTopic, str]] = {
    HelpTopic.START: mark("Start here"),
    HelpTopic.SCORES: mark("My scores"),
    HelpTopic.BETTER: mark("Getting better"),
    HelpTopic.SONGS: mark("Songs"),
    HelpTopic.SERVER: mark("This server"),
    HelpTopic.FILTERS: mark("Filters"),
    HelpTopic.ACCOUNT: mark("My account and data"),
    HelpTopic.ALL: mark("All commands"),
}
_MEANINGS: Final[Mapping[HelpTopic, str]] = {
    HelpTopic.START: mark("The commands used most; the menu below has everything else."),
    HelpTopic.SCORES: mark("What you have played, as pictures and as lists."),
    HelpTopic.BETTER: mark("What to play next, and what is still missing."),
    HelpTopic.SONGS: mark("Songs and charts, also without an account. Or mention me with a title."),
    HelpTopic.SERVER: mark("What members of a server see of each other, where they want it."),
    HelpTopic.FILTERS: mark("Words and conditions with a space between any two; all of them must hold."),
    HelpTopic.ACCOUNT: mark("What you have linked and chosen, and what is kept about you."),
    HelpTopic.ALL: mark("`/help` with a command's name explains its options."),
}
_MEANING_WITHOUT_ACCOUNT: Final = mark("Link your account once; songs can be looked up without one.")
"""The meaning of the start topic for those without a linked account."""
COMMANDS_BY_TOPIC: Final[Mapping[HelpTopic, Sequence[str]]] = {
    HelpTopic.ACCOUNT: ("link", "try", "settings", "account", "privacy", "export", "unlink", "help", "about"),
    HelpTopic.SCORES: (
        "best", "rating", "session", "score", "scores", "table", "history", "recap", "worldsend", "courses",
    ),
    HelpTopic.BETTER: (
        "plan", "tiers", "practice", "goal", "pack", "locked", "skill", "whatif", "version", "overpower",
    ),
    HelpTopic.SONGS: ("song", "search", "random", "new", "stats", "border", "calc", "alias"),
    HelpTopic.SERVER: ("leaderboard", "compare", "friends", "setup", "daily", "feed"),
}  # fmt: skip
"""The commands and groups by topic, named by their first words; each is in one topic."""
_FIRST_COMMANDS: Final = (
    "best", "session", "plan", "song", "scores", "goal", "compare", "leaderboard", "daily", "settings",
)  # fmt: skip
"""The commands of the start topic."""
_FIRST_COMMANDS_WITHOUT_ACCOUNT: Final = (
    "link", "try", "song", "search", "random", "new", "best", "session", "plan", "leaderboard",
)  # fmt: skip
"""The commands of the start topic for those without a linked account."""
_EXAMPLES: Final[Mapping[str, str]] = {
    "const>=14 rank<sss": mark("your scores on charts of 14.0 and more that are not SSS yet"),
    "lamp:fc -lamp:aj": mark("full combos that are not all justice: a minus sign leaves out"),
    "genre:toho score>=1007500": mark("part of a genre's name, and your score"),
    "level:13+,14 diff:mas": mark("any of several values"),
    "bpm:180..200": mark("from one number to another"),
}
"""The example filters that everybody can run, with what they find."""
_FELT_EXAMPLE: Final = "felt<const-0.2"
"""The example filter that needs an account and statistics."""
_ACCOUNT_TOPICS: Final = {HelpTopic.START, HelpTopic.ACCOUNT}
_SCORE_EXAMPLES: Final = 3
"""The number of first examples that search the reader's scores; the others search all charts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpEntry:
    """One command, or an entry of a context menu, of the tree."""

    name: str
    """The name in English, after that of its group."""
    title: str
    """The name for the reader: "/daily join", or the entry of the menu."""
    mention: str = ""
    """The mention, which opens the command when pressed; empty for an entry of a menu."""
    usage: str = ""
    """The mention with the options."""
    about: str
    """What the command does, or where the menu is."""
    about_group: str = ""
    """The purpose of its group, if it has one."""
    options: str = ""
    """The meaning of each option."""

    @property
    def word(self) -> str:
        """The first word of the name."""
        return self.name.partition(" ")[0]

    @property
    def line(self) -> str:
        """The line in the list of all commands."""
        return f"{self.usage or f'**{self.title}**'} · {self.about}"

    def is_called(self, typed: str) -> bool:
        """Return whether `typed` is one of its names."""
        return is_same(typed, self.name) or is_same(typed, self.title)

    def fits(self, typed: str) -> bool:
        """Return whether `typed` could become one of its names."""
        return occurs_in(typed, self.name) or occurs_in(typed, self.title)


def entries_of(
    t: Language, commands: Iterable[Command[Any, ..., Any]], menus: Iterable[ContextMenu]
) -> list[HelpEntry]:
    """Return the commands of a tree by name, then its entries of menus."""
    entries = sorted((_typed(t, each) for each in commands), key=lambda entry: entry.name)
    return [*entries, *(_menu(t, each) for each in menus)]


def entries_in(t: Language, tree: CommandTree[Any]) -> list[HelpEntry]:
    """Return all entries of a tree, as `entries_of`."""
    typed = [each for each in tree.walk_commands() if isinstance(each, Command)]
    menus = [each for kind in _MENUS for each in tree.walk_commands(type=kind)]
    return entries_of(t, typed, [each for each in menus if isinstance(each, ContextMenu)])


def entries_called(entries: Iterable[HelpEntry], typed: str) -> list[HelpEntry]:
    """Return the command with that name, or those of the group; none for an unknown name."""
    name = typed.removeprefix("/")
    commands = [each for each in entries if each.mention]
    exactly = [each for each in commands if each.is_called(name) or each.is_called(f"/{name}")]
    groups = {each.word for each in commands if " " in each.name}
    return exactly or [each for each in commands if each.word in groups and is_same(name, each.word)]


def commands_embed(t: Language, entries: Sequence[HelpEntry]) -> Embed:
    """Return the help on a command, or on those of a group."""
    if len(entries) == 1:
        return command_embed(t, entries[0])
    embed = Embed(title=f"/{entries[0].word}", colour=BRAND)
    add_text(embed, "\n".join(each.line for each in entries))
    return _by_one_name(embed)


def examples_of(t: Language) -> Sequence[str]:
    """Return the example filters that search all charts, as shown: their pages need a key for each."""
    return [parse_filter(text).written(t.code) for text in list(_EXAMPLES)[_SCORE_EXAMPLES:]]


def help_page(
    t: Language,
    entries: Sequence[HelpEntry],
    address: HelpAddress,
    keys: Mapping[str, str],
    *,
    is_linked: bool,
) -> Page:
    """Return the help on one topic; `keys` are those of `examples_of`.

    `is_linked`: whether the reader has linked an account.
    """
    topic = address.topic
    embed = Embed(title=t("What this bot can do"), colour=BRAND)
    is_new = topic is HelpTopic.START and not is_linked
    label, meaning = t(TOPICS[topic]), t(_MEANING_WITHOUT_ACCOUNT if is_new else _MEANINGS[topic])
    embed.description = f"**{label}**\n{meaning}"
    items: list[Component] = [_menu_of_topics(t, address)]
    match topic:
        case HelpTopic.ALL:
            part = part_of(entries, LINES, address.number)
            add_text(embed, "\n".join(entry.line for entry in part.items))
            items += turn_buttons(t, address, part)
        case HelpTopic.FILTERS:
            add_text(embed, _filters(t))
            items += aside_buttons(_examples(t, address.asker, keys))
        case _:
            first = _FIRST_COMMANDS if is_linked else _FIRST_COMMANDS_WITHOUT_ACCOUNT
            add_text(embed, "\n".join(_lines(entries, COMMANDS_BY_TOPIC.get(topic, first))))
            items += [] if is_linked or topic not in _ACCOUNT_TOPICS else [link_button(t)]
            items += aside_buttons(_leads(t, topic, address.asker, is_linked=is_linked))
    return Page(_by_one_name(embed), view_of(items))


def _by_one_name(embed: Embed) -> Embed:
    """Show commands only by the names that the reader types: lists with the mentions too are unreadable."""
    embed.description = _BOTH_NAMES.sub(r"`\1`", str(embed.description))
    return embed


def command_embed(t: Language, entry: HelpEntry) -> Embed:
    """Return one command with all its options."""
    embed = Embed(title=entry.title, colour=BRAND)
    embed.description = f"{entry.usage}\n{entry.about}".strip()
    if entry.usage:
        add_text(embed, entry.options or t("It has no options."))
    return _by_one_name(embed)


def _menu_of_topics(t: Language, address: HelpAddress) -> PageMenu:
    topics = {replace(address, topic=topic, number=0): t(label) for topic, label in TOPICS.items()}
    return PageMenu(topics, replace(address, number=0), placeholder=t("What do you want to do?"))


def _lines(entries: Sequence[HelpEntry], words: Sequence[str]) -> list[str]:
    """Return a line for each command that begins with one of these words; a group has a single line."""
    typed: dict[str, list[HelpEntry]] = {}
    for entry in entries:
        if entry.mention:
            typed.setdefault(entry.word, []).append(entry)
    return [_line(typed[word]) for word in words if word in typed]


def _line(group: Sequence[HelpEntry]) -> str:
    first = group[0]
    return f"{' '.join(entry.mention for entry in group)} · {first.about_group or first.about}"


def _leads(t: Language, topic: HelpTopic, asker: MemberId, *, is_linked: bool) -> Mapping[str, Address]:
    best = best_of(asker)
    filters = HelpAddress(asker=asker, topic=HelpTopic.FILTERS)
    leads: dict[HelpTopic, Mapping[str, Address]] = {
        HelpTopic.START: {t("My best"): best, t("What to play next"): PlanAddress(asker=asker)}
        if is_linked
        else {t("What would I see?"): TrialAddress(asker=asker)},
        HelpTopic.ACCOUNT: {t("Your account"): AccountAddress(asker=asker)} if is_linked else {},
        HelpTopic.SCORES: {
            t("My best"): best,
            t("My last session"): SessionAddress(asker=asker, subject=Subject()),
            t("Filters"): filters,
        },
        HelpTopic.BETTER: {
            t("What to play next"): PlanAddress(asker=asker),
            t("My goals"): GoalsAddress(asker=asker),
            t("My strengths"): SkillAddress(asker=asker),
        },
        HelpTopic.SONGS: {t("What is new"): ChangesAddress(asker=asker), t("Filters"): filters},
        HelpTopic.SERVER: {
            t("Leaderboard"): BoardAddress(asker=asker, measure=Measure.RATING, difficulty=MASTER)
        },
    }
    return leads[topic]


def _filters(t: Language) -> str:
    shown = [
        " · ".join([f"`{parse_filter(text).written(t.code)}`", t(meaning)])
        for text, meaning in _EXAMPLES.items()
    ]
    felt = parse_filter(_FELT_EXAMPLE).written(t.code)
    shown.append(t("`{filter}` · what plays easier at your level than its constant says", filter=felt))
    keys = " ".join(f"`{word}`" for word in key_words(t.code))
    lines = [
        *shown,
        t("There are these conditions: {keys}", keys=keys),
        t(
            "`/scores`, `/search`, `/random`, `/table`, `/tiers`, `/practice`, `/compare` and `/goal add` take filters."
        ),
    ]
    return "\n".join(lines)


def _examples(t: Language, asker: MemberId, keys: Mapping[str, str]) -> Mapping[str, Address]:
    wanted = [parse_filter(text).written(t.code) for text in list(_EXAMPLES)[:_SCORE_EXAMPLES]]
    scores = {
        each: ScoresAddress(asker=asker, subject=Subject(), order=Order.RATING_DOWN, wanted=each)
        for each in wanted
    }
    return {**scores, **{each: SearchAddress(asker=asker, key=key) for each, key in keys.items()}}


def _typed(t: Language, command: Command[Any, ..., Any]) -> HelpEntry:
    name, group = command.qualified_name, command.root_parent
    options = [(t.name("option", each.display_name), each) for each in command.parameters]
    shown = [f"`{option}`" if each.required else f"[`{option}`]" for option, each in options]
    mention = t.mention(name)
    return HelpEntry(
        name=name,
        title=f"/{t.command_name(name)}",
        mention=mention,
        usage=" ".join([mention, *shown]),
        about=t(command.description),
        about_group="" if group is None else t(group.description),
        options="\n".join(f"`{option}`: " + t(str(each.description)) for option, each in options),
    )


def _menu(t: Language, menu: ContextMenu) -> HelpEntry:
    return HelpEntry(name=menu.name, title=t.name("menu", menu.name), about=t(_MENUS[menu.type]))
