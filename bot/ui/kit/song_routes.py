"""The addresses of pages about songs, their names and their charts; those about players are in `routes`."""

from enum import StrEnum

from bot.domain.charts import Difficulty
from bot.domain.entries import Order
from bot.ui.kit.address import Address, ListAddress, PictureAddress, route


@route("alias")
class AliasesAddress(ListAddress):
    """The other names of songs in the server where the button is."""


class SuggestionVerdict(StrEnum):
    """What those who manage a server say to a suggestion; the values are kept in the ids of components."""

    TAKE = "take"
    REFUSE = "refuse"


@route("suggested")
class SuggestionAddress(Address):
    """Another name that somebody has suggested for a song in the server where the button is."""

    CHANGES = True
    suggestion: int
    verdict: SuggestionVerdict | None = None
    """It is None where nobody has decided."""


@route("new")
class ChangesAddress(ListAddress):
    """What is new in the catalogue."""

    only: str = ""
    """This kind of changes is shown; empty stands for what matters of every kind."""


@route("search")
class SearchAddress(ListAddress):
    """Charts that a filter lets through."""

    key: str
    """The filter is kept under this key."""
    order: Order | None = None


@route("random")
class RandomAddress(Address):
    """Charts drawn by lot."""

    key: str
    """The filter is kept under this key."""
    count: int
    """This many charts are drawn."""
    turn: int = 0
    """How often they were drawn anew: Discord tells buttons apart by their ids."""


@route("draft")
class DraftAddress(Address):
    """The charts on a table, of which players strike some in turn; who sits there stands in the message alone."""

    key: str
    """The charts are kept under this key."""
    vetoes: int
    """How many each player strikes."""
    struck: int = 0
    """It has a bit for each chart that was struck before."""
    place: int
    """The chart at this place is struck now."""


@route("song")
class SongAddress(Address):
    """A song with its charts."""

    song: str
    """It is the song's id, or a text to look for it by."""


@route("stats")
class StatisticsAddress(PictureAddress):
    """How all players fare on a chart of a song."""

    song: str
    """It is the song's id, or a text to look for it by."""
    difficulty: Difficulty | None = None
    """It is the hardest, if left out."""


@route("try")
class TrialAddress(PictureAddress):
    """The card of a player who does not exist."""
