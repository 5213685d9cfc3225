"""bot/domain/errors.py: the tree in its docstring is that of the classes."""

import importlib
import pkgutil
import re

import bot
from bot.domain import errors
from bot.domain.errors import BotError

_BRANCH = re.compile(r"^((?: {4})+)([\w.]+)$", re.MULTILINE)


def branches(error: type[BotError], depth: int = 1) -> list[tuple[int, str]]:
    """Return an error with those that are one of its kind, and how deep each stands."""
    name = error.__name__ if error.__module__ == errors.__name__ else f"{error.__module__}.{error.__name__}"
    kinds = [each for each in error.__subclasses__() if each.__module__.startswith("bot.")]
    ours = [each for each in kinds if each.__module__ == errors.__name__]
    others = sorted(
        (each for each in kinds if each not in ours), key=lambda each: (each.__module__, each.__name__)
    )
    return [(depth, name), *(branch for each in [*ours, *others] for branch in branches(each, depth + 1))]


def test_the_docstring_shows_every_error_there_is() -> None:
    for module in pkgutil.walk_packages(bot.__path__, "bot."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    shown = [(len(indent) // 4, name) for indent, name in _BRANCH.findall(str(errors.__doc__))]
    assert shown == branches(BotError)
