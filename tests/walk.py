"""Every command of the tree, tried as a person would: nothing here names a command, so a new one is walked too."""

from collections.abc import AsyncGenerator, Collection, Iterator
from typing import Any

from discord import AppCommandOptionType, AppCommandType
from discord.app_commands import Command, Parameter
from harness import Channel, Person, Reply, Value
from known_commands import FORM, commands_with
from world import World

NEVER_WALKED = {"unlink", *commands_with(FORM)}
"""What ends the walk: these answer with a form, or leave nothing to ask with."""

TYPED = {"time": "21:00", "song": "a", "title": "a", "const": "14", "constant": 14.0, "text": "a"}
"""What is typed where not everything is taken."""
FORMS = {"time"}
"""Options without which a form is shown, below which nothing can be pressed."""
SONGS = {"song", "title"}
"""Options that take a song."""


def commands_of(world: World) -> Iterator[Command[Any, ..., Any]]:
    for command in world.bot.tree.walk_commands():
        if isinstance(command, Command) and command.qualified_name not in NEVER_WALKED:
            yield command


def offered(world: World, person: Person, channel: Channel) -> Iterator[Command[Any, ..., Any]]:
    """Yield the commands that a person is offered in a channel."""
    in_direct = set(person.user.available_commands())
    for command in commands_of(world):
        if channel.handle.guild is not None or command.qualified_name in in_direct:
            yield command


async def walk(
    world: World, person: Person, channel: Channel, target: Person
) -> AsyncGenerator[tuple[str, Reply]]:
    """Use every command, every option for a person filled with `target`; then, in a server, the menu of that person."""
    for command in offered(world, person, channel):
        options = filled(command, channel, target)
        for song in SONGS & options.keys():
            # The first that is suggested: what was typed may fit several songs, and then be asked back.
            choices = await person.autocomplete(channel, command.qualified_name, **{song: ""})
            if choices:  # there is no song of a game version whose catalogue is empty
                options[song] = str(choices[0]["value"])
        yield command.qualified_name, await person.slash(channel, command.qualified_name, **options)
    if channel.handle.guild is None:
        return
    for menu in world.bot.tree.walk_commands(type=AppCommandType.user):
        yield menu.name, await person.context_menu(channel, menu.name, target)


def filled(command: Command[Any, ..., Any], channel: Channel, target: Person) -> dict[str, Value]:
    """Return a value for every option that must be given, for every one that takes a person, and against forms."""
    return {
        option.display_name: _value(option, channel, target)
        for option in command.parameters
        if option.required or option.type is AppCommandOptionType.user or option.display_name in FORMS
    }


def _value(option: Parameter, channel: Channel, target: Person) -> Value:
    if option.type in (AppCommandOptionType.user, AppCommandOptionType.mentionable):
        return target
    if option.type is AppCommandOptionType.channel:
        return channel
    if option.choices:
        return option.choices[0].value
    if option.type in (AppCommandOptionType.integer, AppCommandOptionType.number):
        return TYPED.get(option.display_name, option.min_value or 1)
    if option.type is AppCommandOptionType.boolean:
        return True
    return TYPED.get(option.display_name, "a")


async def suggestions(
    world: World, person: Person, channel: Channel, typed: str
) -> AsyncGenerator[tuple[str, list[dict[str, object]]]]:
    """Type into every option that suggests something."""
    for command in offered(world, person, channel):
        for option in command.parameters:
            if option.autocomplete:
                name = f"{command.qualified_name} {option.display_name}"
                yield (
                    name,
                    await person.autocomplete(
                        channel, command.qualified_name, **{option.display_name: typed}
                    ),
                )


async def press_everything(
    person: Person, reply: Reply, *, leaving_out: Collection[str] = ()
) -> AsyncGenerator[Reply]:
    """Press each button below a reply and choose each choice of its menus, one after another on what is shown then.

    Whatever has a part of `leaving_out` in its id is not pressed.
    """
    shown = reply
    for place, component in enumerate(reply.components):
        for turn in range(max(1, len(component.options))):
            if place >= len(shown.components) or shown.components[place].is_disabled:
                continue
            now = shown.components[place]
            if any(part in now.custom_id for part in leaving_out):
                continue
            if now.options:
                answered = await person.choose(shown, now.custom_id, now.options[turn % len(now.options)])
            else:
                answered = await person.click(shown, now.custom_id)
            yield answered
            shown = reply.again()
