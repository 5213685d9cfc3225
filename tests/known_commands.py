"""What the tests that use every command must know of each: whoever adds a command adds its line here."""

from collections.abc import Mapping
from enum import Flag, auto
from typing import Final


class Known(Flag):
    """What is not so of most commands."""

    FORM = auto()
    """It answers with a form, so nothing of it can be pressed before that is sent."""
    LAST = auto()
    """Its answer may have no button that leads on: it is done, or shows a second page only where there is more."""
    ASKS_MORE = auto()
    """With any text and oneself as the other person, it answers in a sentence alone."""
    WRITES = auto()
    """It is refused while nothing can be saved."""
    SERVERS = auto()
    """It is offered in servers alone."""


PLAIN: Final = Known(0)
FORM, LAST, ASKS_MORE, WRITES, SERVERS = Known

COMMANDS: Final[Mapping[str, Known]] = {
    "about": LAST,
    "account": PLAIN,
    "alias add": LAST | WRITES | SERVERS,
    "alias export": LAST | SERVERS,
    "alias import": FORM | SERVERS,
    "alias list": LAST | SERVERS,
    "alias remove": LAST | SERVERS,
    "alias suggest": WRITES | SERVERS,
    "best": PLAIN,
    "border": PLAIN,
    "calc": LAST,
    "compare": ASKS_MORE,
    "courses": PLAIN,
    "daily channel": LAST | WRITES | SERVERS,
    "daily direct": LAST | SERVERS,
    "daily join": WRITES | SERVERS,
    "daily leave": LAST | WRITES | SERVERS,
    "daily list": SERVERS,
    "daily now": WRITES | SERVERS,
    "daily off": WRITES | SERVERS,
    "daily preview": SERVERS,
    "export": LAST,
    "feed channel": WRITES | SERVERS,
    "feed join": WRITES | SERVERS,
    "feed leave": LAST | WRITES | SERVERS,
    "feed list": SERVERS,
    "feed off": WRITES | SERVERS,
    "friends": LAST,
    "goal add": ASKS_MORE,
    "goal copy": ASKS_MORE,
    "goal list": PLAIN,
    "goal remove": ASKS_MORE,
    "help": PLAIN,
    "history": LAST,
    "leaderboard": LAST | SERVERS,
    "link": FORM,
    "locked add": LAST,  # the song that is suggested first was played: of that nothing is kept
    "locked list": LAST,
    "locked remove": LAST | ASKS_MORE,
    "new": LAST,
    "overpower": PLAIN,
    "pack drop": LAST | ASKS_MORE,
    "pack import": FORM,
    "pack list": LAST | ASKS_MORE,
    "pack make": LAST | ASKS_MORE,
    "pack pin": LAST | ASKS_MORE,
    "pack take": ASKS_MORE,
    "pack unpin": LAST | ASKS_MORE,
    "plan": PLAIN,
    "practice": PLAIN,
    "privacy erase": PLAIN,
    "privacy export": LAST,
    "privacy show": LAST,
    "random": PLAIN,
    "rating": PLAIN,
    "recap": PLAIN,
    "score": PLAIN,
    "scores": PLAIN,
    "search": PLAIN,
    "session": PLAIN,
    "settings": PLAIN,
    "setup": FORM,
    "skill": PLAIN,
    "song": PLAIN,
    "stats": PLAIN,
    "table": PLAIN,
    "tiers": PLAIN,
    "try": PLAIN,
    "unlink": PLAIN,
    "version": PLAIN,
    "whatif": ASKS_MORE,
    "worldsend": PLAIN,
}


def commands_with(known: Known) -> set[str]:
    return {command for command, what in COMMANDS.items() if known in what}
