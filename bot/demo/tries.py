"""The list of things to try beside the chat: the commands of the README's tables, by row, as clicks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict

from bot.demo.localised import Command
from bot.ui.help import TOPICS
from bot.ui.kit.routes import HelpTopic
from bot.ui.language.text import DEFAULT_ZONE, Language, mark

Menu: TypeAlias = Literal["person", "message"]
Entity: TypeAlias = dict[str, str]
"""A member or a channel, with id and name."""

_MENUS: Final[Mapping[Menu, str]] = {"person": mark("Menu of a person"), "message": mark("Menu of a message")}


@dataclass(frozen=True, slots=True)
class Try:
    """A command that is typed and sent."""

    command: str
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """The options with typed values: "@Ken" and "#general" are a member and a channel, a choice is given by its value."""
    sends: bool = True
    """Whether it is sent at once; else the person sends it, as it needs a choice, or erases something for good."""


@dataclass(frozen=True, slots=True)
class MenuTry:
    """A menu that is opened."""

    menu: Menu


_SONG: Final = "rainy horizon"
_OTHER_SONG: Final = "AETHER"
_OTHER: Final = "@Ken"
_THIS_HOUR: Final = "this hour"
"""The placeholder for the current hour: as it has begun, the post is due within a day, and the page's next day sends it."""
ROWS: Final[Mapping[HelpTopic, Sequence[Sequence[Try | MenuTry]]]] = {
    HelpTopic.ACCOUNT: (
        (Try("link"), Try("unlink", sends=False), Try("account")),
        (Try("try"),),
        (Try("settings"), Try("privacy show"), Try("privacy export"), Try("privacy erase")),
        (Try("export", {"format": "csv"}), Try("export", {"format": "kamaitachi"})),
        (Try("help"), Try("about")),
    ),
    HelpTopic.SCORES: (
        (Try("rating"), Try("rating", {"member": _OTHER})),
        (Try("best"), Try("best", {"slot": "best_candidate"}), Try("best", {"filter": "lamp:aj"})),
        (Try("session"),),
        (Try("score", {"song": _SONG}),),
        (Try("scores", {"filter": "diff:mas rank<sss", "sort": "score-"}), Try("worldsend"), Try("courses")),
        (Try("table", {"filter": "lv:14"}), Try("table", {"filter": "lv:14", "by": "felt"})),
        (
            Try("history"),
            Try("history", {"member": _OTHER, "what": "overpower"}),
            Try("history", {"chart": _SONG}),
        ),
        (Try("recap"), Try("recap", {"period": "year"})),
    ),
    HelpTopic.BETTER: (
        (
            Try("plan"),
            Try("plan", {"target": "16.63"}),
        ),
        (
            Try("tiers", {"filter": "lv:14"}),
            Try("tiers", {"filter": "lv:14", "rank": "SSS"}),
            Try("tiers", {"filter": "lv:14", "member": _OTHER}),
        ),
        (
            Try("whatif", {"song": _SONG, "difficulty": "MAS", "score": "1009900"}),
            Try(
                "whatif",
                {
                    "song": _SONG,
                    "difficulty": "MAS",
                    "score": "1009900",
                    "song2": _OTHER_SONG,
                    "score2": "1008000",
                },
            ),
        ),
        (Try("version"),),
        (Try("overpower"), Try("overpower", {"by": "genre"})),
        (
            Try("goal add", {"goal": "level:14 rank>=sss count:20"}),
            Try("goal list"),
            Try("goal remove", sends=False),
            Try("goal copy", sends=False),
        ),
        (
            Try("pack make", {"name": "Summer", "author": "Ken"}),
            Try("pack take", sends=False),
            Try("pack import", sends=False),
            Try("pack drop", sends=False),
            Try("pack list"),
            Try("pack pin", sends=False),
            Try("pack unpin", sends=False),
        ),
        (
            Try("locked add", {"song": _SONG}),
            Try("locked list"),
            Try("locked remove", {"song": _SONG}),
        ),
        (Try("practice"),),
        (Try("skill"),),
    ),
    HelpTopic.SONGS: (
        (Try("song", {"title": _SONG}),),
        (
            Try("search", {"filter": "const>=13.5 genre:original -lamp:aj"}),
            Try("search", {"filter": "felt<const-0.2 lv>=13", "sort": "felt-less"}),
        ),
        (
            Try("random", {"filter": "lv:14", "count": "3"}),
            Try("random", {"filter": "lv:14", "vetoes": "2", "players": "@みお"}, sends=False),
        ),
        (Try("stats", {"song": "iron rondo"}),),
        (Try("border", {"song": _SONG}),),
        (Try("calc", {"constant": "14.7", "rating": "16.5"}),),
        (Try("new"),),
        (
            Try("alias add", {"alias": "rr", "song": _SONG}),
            Try("alias remove", {"alias": "rr"}),
            Try("alias list"),
            Try("alias suggest", {"alias": "rainy", "song": _SONG}),
            Try("alias export"),
            Try("alias import"),
        ),
    ),
    HelpTopic.SERVER: (
        (Try("friends"),),
        (Try("compare", {"member": _OTHER}), Try("compare", {"member": _OTHER, "song": _SONG})),
        (Try("leaderboard"), Try("leaderboard", {"song": _SONG})),
        (
            Try("daily channel", {"channel": "#general", "time": _THIS_HOUR}),
            Try("daily list"),
            Try("daily off"),
            Try("daily preview"),
            Try("daily now"),
            Try("daily join"),
            Try("daily leave"),
            Try("daily direct", {"every": "daily", "time": _THIS_HOUR}),
        ),
        (
            Try("feed channel", {"channel": "#general", "rank": "SSS"}),
            Try("feed list"),
            Try("feed off"),
            Try("feed join"),
            Try("feed leave"),
        ),
        (Try("setup"),),
        (MenuTry("person"), MenuTry("message")),
    ),
}
"""The commands of each topic of `/help`; the rows are those of the README's tables."""


class Shown(TypedDict):
    """One click, in the format of the page."""

    typed: str
    about: str
    menu: NotRequired[Menu]
    name: NotRequired[str]
    values: NotRequired[dict[str, str | Entity]]
    sends: NotRequired[bool]


class TryGroup(TypedDict):
    """The things to try of one topic."""

    heading: str
    tries: list[Shown]


def listed(
    t: Language,
    now: datetime,
    commands: Mapping[str, Command],
    menus: Mapping[Menu, Sequence[str]],
    entities: Sequence[Entity],
) -> list[TryGroup]:
    """Return the list for the page; `commands` are by the name to type, `menus` have the names of their entries."""
    known: dict[str, str | Entity] = {each["typed"]: each for each in entities}
    known[_THIS_HOUR] = f"{now.astimezone(DEFAULT_ZONE):%H:00}"
    return [
        {
            "heading": t(TOPICS[topic]),
            "tries": [
                _menu(t, each, menus)
                if isinstance(each, MenuTry)
                else _typed(t, each, commands[each.command], known)
                for row in rows
                for each in row
            ],
        }
        for topic, rows in ROWS.items()
    ]


def _menu(t: Language, each: MenuTry, menus: Mapping[Menu, Sequence[str]]) -> Shown:
    about = " · ".join(t.name("menu", name) for name in menus[each.menu])
    return {"menu": each.menu, "typed": t(_MENUS[each.menu]), "about": about}


def _typed(t: Language, each: Try, command: Command, known: Mapping[str, str | Entity]) -> Shown:
    options = {option.name: option for option in command.options}
    values = {name: known.get(value, value) for name, value in each.values.items()}
    typed = [f"/{t.command_name(each.command)}"]
    for name, value in values.items():
        chosen = [choice.name for choice in options[name].choices if choice.value == value]
        said = t(chosen[0]) if chosen else value if isinstance(value, str) else value["typed"]
        typed.append(f"{t.name('option', name)}:{said}")
    return {
        "name": each.command,
        "values": values,
        "sends": each.sends,
        "typed": " ".join(typed),
        "about": t(command.description),
    }
