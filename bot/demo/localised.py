"""Commands in the viewer's language, which simcord's page leaves in English."""

from collections.abc import Iterable, Sequence
from typing import Final

from pydantic import BaseModel

SUBCOMMANDS: Final = frozenset({1, 2})
"""The types of options that are commands or groups. Source: Discord's documentation."""


class _Choice(BaseModel):
    name: str
    value: str | float | None = None
    name_localizations: dict[str, str] | None = None


class Command(BaseModel):
    """A command, subcommand or option as registered by the bot."""

    name: str
    description: str = ""
    type: int = 0
    name_localizations: dict[str, str] | None = None
    description_localizations: dict[str, str] | None = None
    options: tuple["Command", ...] = ()
    choices: tuple[_Choice, ...] = ()

    def name_in(self, locale: str) -> str:
        """Return the name in a locale."""
        return (self.name_localizations or {}).get(locale, self.name)

    def leaves(self) -> Iterable[tuple[str, "Command"]]:
        """Yield each command without subcommands at or below this one, with the name to type for it."""
        below = [option for option in self.options if option.type in SUBCOMMANDS]
        for option in below:
            for name, leaf in option.leaves():
                yield f"{self.name} {name}", leaf
        if not below:
            yield self.name, self

    def descend(self, path: Sequence[str]) -> Iterable["Command"]:
        """Yield this command and those below it along `path`."""
        yield self
        if path:
            for option in self.options:
                if option.name == path[0]:
                    yield from option.descend(path[1:])


class ShownChoice(BaseModel):
    """A choice in the page's list of commands."""

    name: str
    value: str | float | None


class ShownOption(BaseModel, extra="allow"):
    """An option in the page's list of commands."""

    name: str
    description: str
    choices: tuple[ShownChoice, ...]


class ShownCommand(BaseModel, extra="allow"):
    """A command in the page's list of commands."""

    path: tuple[str, ...]
    invocation: str
    description: str
    options: tuple[ShownOption, ...]


def localise(shown: ShownCommand, root: Command, locale: str) -> None:
    """Put a command's texts for `locale` into the list; the English name is kept beside, to be typed."""
    nodes = list(root.descend(shown.path[1:]))
    name = " ".join(node.name_in(locale) for node in nodes)
    if name != shown.invocation:
        shown.invocation += f" {name}"
    leaf = nodes[-1]
    shown.description = (leaf.description_localizations or {}).get(locale, leaf.description)
    options = {option.name: option for option in leaf.options}
    for option in shown.options:
        known = options[option.name]
        option.description = (known.description_localizations or {}).get(locale, known.description)
        for choice, registered in zip(option.choices, known.choices, strict=True):
            choice.name = (registered.name_localizations or {}).get(locale, registered.name)
